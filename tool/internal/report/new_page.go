package report

import (
	"maps"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// most is how much of a list goes on a page: evidence has the rest.
const most = 8

// page makes the evidence page of a finding.
func page(f *explain.Finding, dir string) Page {
	p := Page{Available: finite(f.Avail), Needed: finite(f.Useful), Self: f.Self, Sides: sides(f.Page), Lines: []Line{}, Missing: append([]string{}, f.Missing...)}
	set := f.Page.Evidence()
	if set == nil {
		return p
	}
	if set.Trace != nil && set.Traced != nil {
		p.Trace = trace(f, set.Trace, set.Traced.N, dir)
	}
	if set.CPU != nil {
		for _, l := range set.CPU.Lines[:min(most, len(set.CPU.Lines))] {
			line := Line{Place: l.Place.Near(dir), Share: l.Share, By: maps.Clone(l.By), Text: set.Written(l.Place)}
			if h := instruction(set, l); h != nil {
				line.Instruction = Instruction{h.What.Text, h.What.Kind}
			}
			p.Lines = append(p.Lines, line)
		}
		p.Flame = set.CPU.Flame
	}
	if c := set.Counters; c != nil {
		p.Counters = Counters{c.Instructions, c.Cycles, c.CacheMisses}
	}
	return p
}

// sides are those that tell something of their own.
func sides(p explain.Page) []Side {
	out := []Side{}
	add := func(s *explain.Side) {
		side := Side{Name: s.Cell.Bench, Procs: s.Cell.Procs, CPU: s.CPU, By: map[stack.Category]float64{}}
		maps.Copy(side.By, s.By)
		if s.Set != nil && s.Set.CPU != nil {
			side.Samples = &s.Set.CPU.Samples
		}
		out = append(out, side)
	}
	if p.New == nil {
		return out
	}
	add(p.New)
	if p.One != nil && p.One != p.New {
		add(p.One)
	}
	if p.Base != nil && p.Base.By != nil && p.Base.Cell.Bench != p.New.Cell.Bench {
		add(p.Base)
	}
	return out
}

func trace(f *explain.Finding, x *exectrace.Facts, operations int64, dir string) Trace {
	n := max(operations, 1)
	per := func(count int) float64 { return float64(count) / float64(n) }
	t := Trace{
		Operations: int(n), Window: x.Window, Running: append([]float64{}, x.Running...), Goroutines: per(x.Goroutines),
		Run: spread(x.Run), Ready: spread(x.RunnableWait), Resumptions: per(x.Resumptions), SameProc: x.SameProc, SameThread: x.SameThread,
		Path: []Step{}, Waits: []Wait{},
	}
	if i := f.Page.Idle; i.Total > 0 && x.Window > 0 {
		t.Idle = Idle{
			Share: x.Idle.Total / (float64(x.Procs) * x.Window),
			Ready: i.Runnable / i.Total, Lock: i.Lock / i.Total, Handoff: i.Handoff / i.Total, Serial: i.Serial / i.Total,
			Imbalance: i.Imbalance / i.Total, Waiting: i.Waiting / i.Total, GC: i.GC / i.Total,
		}
	}
	if b := f.Bound; b != nil {
		for _, s := range b.Path[:min(most, len(b.Path))] {
			t.Path = append(t.Path, Step{s.Site.Near(dir), s.Func, s.Time / max(x.Span, 1)})
		}
	}
	for _, b := range x.Blocks[:min(most, len(x.Blocks))] {
		t.Waits = append(t.Waits, Wait{b.Site.Near(dir), b.Kind, per(b.N), b.Total / float64(max(b.N, 1)), b.Total / max(x.Window, 1)})
	}
	if l := x.Timeline; l != nil {
		t.Timeline = timeline(l, x.Procs, dir)
	}
	return t
}

func timeline(l *exectrace.Timeline, procs int, dir string) Timeline {
	t := Timeline{From: l.From, Slot: l.Slot, Alone: l.Alone, System: l.System, Ready: l.Ready, Who: l.Who, Sites: []source.Place{}}
	for i, running := range l.Running {
		t.Together = append(t.Together, max(running-l.Alone[i], 0))
		t.Idle = append(t.Idle, max(float64(procs)-running-l.System[i], 0))
	}
	for _, p := range l.Sites {
		t.Sites = append(t.Sites, p.Near(dir))
	}
	return t
}

func spread(d exectrace.Dist) Spread { return Spread{d.Median, d.P10, d.P90} }

// instruction is the slow one of a line, nil if none is.
func instruction(set *evidence.Set, l cpuprof.Line) *evidence.Hot {
	for i, h := range set.Hot {
		if h.Where.User.OnLine(l.Place) && h.Where.Share >= l.Share/4 {
			return &set.Hot[i]
		}
	}
	return nil
}
