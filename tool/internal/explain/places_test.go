package explain

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/instr"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/sharing"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// lined gives a cell of a simulated run lines with shares of its time.
func lined(s *measure.Series, bench string, procs int, by map[int]shares) {
	d := s.Evidence[measure.Cell{Bench: "BenchmarkX/variant=" + bench, Procs: procs}].CPU
	for n, shares := range by {
		l := cpuprof.Line{Place: line(n), By: shares}
		for _, x := range shares {
			l.Share += x
		}
		d.Lines = append(d.Lines, l)
	}
}

// Losses are at the lines where the evidence has them: those that got slower,
// not those that the base has as well; first those that a claim names; idle time
// at the sites of the trace; and nowhere what no evidence places.
func TestPlaces(t *testing.T) {
	for _, tt := range []struct {
		name  string
		p     func(*program)
		more  func(*measure.Series)
		procs int
		want  string // slug line share of the cause, in order
	}{
		{"what the base takes as well is not lost", func(p *program) {
			p.wall1, p.cpu1 = 20*ms, 20*ms
		}, func(s *measure.Series) {
			lined(s, "serial", 1, map[int]shares{1: {stack.User: 1}})
			lined(s, "new", 1, map[int]shares{1: {stack.User: 0.5}, 2: {stack.User: 0.375}, 3: {stack.User: 0.125}})
		}, 1, "work:2=75% work:3=25%"},
		{"lines beyond those of the profile have no place", func(p *program) {
			p.wall1, p.cpu1 = 20*ms, 20*ms
		}, func(s *measure.Series) {
			lined(s, "serial", 1, map[int]shares{1: {stack.User: 1}})
			lined(s, "new", 1, map[int]shares{1: {stack.User: 0.5}, 2: {stack.User: 0.375}})
		}, 1, "work:2=75% work:-=25%"},
		{"false sharing is at the lines that met, the rest where it got slower", func(p *program) {
			p.wall2, p.cpu2 = 20*ms, 40*ms
			p.two, p.hot2 = shares{stack.User: 1}, hot(instr.RMW, 1)
			p.sharing = seenFalse // at line 7
		}, func(s *measure.Series) {
			lined(s, "new", 1, map[int]shares{7: {stack.User: 0.5}, 8: {stack.User: 0.5}})
			lined(s, "new", 2, map[int]shares{7: {stack.User: 0.625}, 8: {stack.User: 0.375}})
		}, 2, "falseshare:7=67% falseshare:8=33%"},
		{"what one kind of sharing took at a line is not there for the other", func(p *program) {
			p.wall2, p.cpu2 = 20*ms, 40*ms
			p.two, p.hot2 = shares{stack.User: 1}, hot(instr.Locked, 1)
			p.sharing = &evidence.Sharing{Seen: &sharing.Seen{Writes: 1000, False: 200, True: 200, Pairs: []sharing.Pair{
				{Kind: "false", Count: 200, A: sharing.Site{Expr: "a", Place: line(7)}, B: sharing.Site{Expr: "b", Place: line(7)}},
				{Kind: "true", Count: 200, A: sharing.Site{Expr: "n", Place: line(7)}, B: sharing.Site{Expr: "n", Place: line(8)}}}}}
		}, func(s *measure.Series) {
			lined(s, "new", 1, map[int]shares{7: {stack.User: 0.5}, 8: {stack.User: 0.5}})
			lined(s, "new", 2, map[int]shares{7: {stack.User: 0.5}, 8: {stack.User: 0.5}})
		}, 2, "falseshare:7=100% trueshare:8=100%"},
		{"idle time of hand-offs is where goroutines block, the scheduler's too", func(p *program) {
			p.wall2, p.cpu2 = 20*ms, 20*ms
			p.one = shares{stack.User: 1}
			p.two = shares{stack.User: 0.5, stack.Chan: 0.25, stack.Switch: 0.25}
			p.trace.Blocks = []exectrace.Block{{Kind: exectrace.ChanSend, Site: line(5), N: 750, Total: 1}, {Kind: exectrace.ChanReceive, Site: line(6), N: 250, Total: 9}}
			p.trace.Idle = exectrace.Idle{Total: 20 * ms, Handoff: 20 * ms}
		}, func(s *measure.Series) {
			lined(s, "new", 2, map[int]shares{1: {stack.User: 0.5}, 5: {stack.Chan: 0.25}})
		}, 2, "handoff:5=79% handoff:6=21%"},
		{"workers that show no line are where they start", func(p *program) {
			p.wall2, p.cpu2 = 9*ms, 10*ms
			p.trace.Idle = exectrace.Idle{Total: 8 * ms, Imbalance: 8 * ms, ImbalanceSites: []exectrace.SiteTime{
				{Site: source.Place{Func: "sync.(*WaitGroup).Go.func1", File: "/go/src/sync/waitgroup.go", Line: 238}, Time: 6 * ms}, {Site: line(4), Time: 2 * ms}}}
			p.trace.SpawnSites = []exectrace.SiteCount{{Site: line(3), N: 2}}
		}, nil, 2, "imbalance:3=75% imbalance:4=25%"},
		{"the one that runs alone", func(p *program) {
			p.wall2, p.cpu2 = 9*ms, 10*ms
			p.trace.Idle = exectrace.Idle{Total: 8 * ms, Serial: 8 * ms, SerialSites: []exectrace.SiteTime{{Site: line(4), Time: 6 * ms}}}
		}, nil, 2, "serial:4=75% serial:-=25%"},
		{"a cause without a ledger", func(p *program) {
			p.given = 1.1
			p.wall2, p.cpu2 = 50*ms, 60*ms
			p.two = shares{stack.Chan: 1}
		}, nil, 2, "machine:-=100%"},
	} {
		p := healthy()
		tt.p(&p)
		p.more = tt.more
		f := found(t, p.findings(t), tt.procs)
		ns := map[string]float64{}
		for _, c := range f.Causes {
			ns[c.Slug] = c.NS
		}
		var got []string
		for _, l := range f.Losses {
			at := "-"
			if !l.Place.IsZero() {
				at = fmt.Sprint(l.Place.Line)
			}
			got = append(got, fmt.Sprintf("%s:%s=%.0f%%", l.Slug, at, 100*l.NS/ns[l.Slug]))
			if !math.IsNaN(l.Low) || !math.IsNaN(l.High) {
				t.Errorf("%s: bounds %v to %v from one process", tt.name, l.Low, l.High)
			}
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// No line is charged with more than it lost, by all causes together.
func TestLinesOnce(t *testing.T) {
	p := healthy()
	p.wall2, p.cpu2, p.wall1, p.cpu1 = 30*ms, 60*ms, 20*ms, 20*ms
	p.hot1, p.hot2 = hot(instr.Locked, 0.5), hot(instr.Locked, 1)
	p.sharing = seenFalse
	p.more = func(s *measure.Series) {
		lined(s, "serial", 1, map[int]shares{1: {stack.User: 1}})
		lined(s, "new", 1, map[int]shares{7: {stack.User: 0.5}, 8: {stack.User: 0.5}})
		lined(s, "new", 2, map[int]shares{7: {stack.User: 0.6}, 8: {stack.User: 0.4}})
	}
	f := found(t, p.findings(t), 2)
	all := map[int]float64{}
	for _, l := range f.Losses {
		all[l.Place.Line] += l.NS
	}
	if len(f.Causes) < 2 || all[7] > 0.6*60*ms+1 || all[8] > 0.4*60*ms+1 || all[7]+all[8] < 45*ms {
		t.Errorf("%d causes, line 7 lost %v and line 8 %v; they took %v and %v", len(f.Causes), all[7], all[8], 0.6*60*ms, 0.4*60*ms)
	}
}

// The interval of a line is no narrower than that of its cause, and wider the
// fewer samples it has.
func TestPlaceBounds(t *testing.T) {
	bounds := func(samples int) ([]Loss, Cause) {
		p := healthy()
		p.wall1, p.cpu1 = 40*ms, 40*ms
		by := shares{stack.User: 0.25, stack.Chan: 0.45, stack.Alloc: 0.3}
		p.one = by
		s, _ := p.series(t)
		set := s.Evidence[measure.Cell{Bench: "BenchmarkX/variant=new", Procs: 1}]
		for range 3 {
			set.Profiles = append(set.Profiles, evidence.Profile{Samples: samples, Share: by})
		}
		set.CPU.Samples = 3 * samples
		lined(s, "new", 1, map[int]shares{5: {stack.Chan: 0.3}, 6: {stack.Chan: 0.15}, 7: {stack.Alloc: 0.3}})
		f := found(t, Explain(s, judge.Judge(s, stats.DefaultRule, stats.DefaultBounds), prices, false), 1)
		return f.Losses[:2], f.Causes[0]
	}
	few, cause := bounds(100)
	many, _ := bounds(10000)
	for i := range few {
		wide, narrow := few[i].High-few[i].Low, many[i].High-many[i].Low
		if !(wide > 5*narrow && narrow > 0) || few[i].Low > few[i].NS || few[i].High < few[i].NS {
			t.Errorf("%v of 100 samples and %v of 10000: want a tenth of the width", few[i], many[i])
		}
		if l := few[i]; !((l.NS-l.Low)/l.NS > 1.01*(cause.Share-cause.Low)/cause.Share && (l.High-l.NS)/l.NS > 1.01*(cause.High-cause.Share)/cause.Share) {
			t.Errorf("%v is as sure as its cause, which has %v [%v, %v]", l, cause.Share, cause.Low, cause.High)
		}
	}
	if a, b := many[0], many[1]; (b.High-b.Low)/b.NS < (a.High-a.Low)/a.NS {
		t.Errorf("%v is surer than %v, which has more samples", b, a)
	}
}
