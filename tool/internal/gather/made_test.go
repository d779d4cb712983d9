package gather

import (
	"math"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

const ms = 1e6

type shares = map[stack.Category]float64

// prices are those of a machine.
var prices = machine.Prices{Wake: machine.Price{NS: 2000, High: 3000}, HandoffSameP: machine.Price{NS: 150}, Handoff: machine.Price{NS: 200}, Spawn: machine.Price{NS: 300},
	Fault: machine.Price{NS: 1000}, Memory: machine.Price{NS: 2}, MemoryAll: machine.Price{NS: 1.5}, Step: machine.Price{NS: 1, High: 1}, StepAll: machine.Price{NS: 1.6, High: 1.7}}

func line(n int) source.Place { return source.Place{File: "/m/x.go", Line: n, Func: "m.f"} }

func blocks(kind exectrace.Kind, n int, each float64) []exectrace.Block {
	return []exectrace.Block{{Kind: kind, Site: source.Place{File: "/m/x.go", Line: 9}, N: n, Total: float64(n) * each}}
}

// A world is what was measured of a variant and its serial base, at one and at so
// many processors: 10 ms of user code each, until a test says what else.
type world struct {
	*measure.Series
	v judge.Verdict
	r judge.Result
}

func measured(procs int) *world {
	w := &world{Series: &measure.Series{Package: "p", Procs: []int{1, procs}, Usable: procs, Evidence: map[measure.Cell]*evidence.Set{},
		Families: discover.Families([]string{"BenchmarkX/variant=serial", "BenchmarkX/variant=new"}, discover.Hints{})}}
	for _, variant := range []string{"serial", "new"} {
		for _, p := range []int{1, procs} {
			c := w.cell(variant, p)
			for round := range 3 {
				w.Add(c, measure.Sample{Round: int32(round + 1), N: 100, Wall: 10 * ms, CPU: 10 * ms, Goroutines: 0.5, Got: 1, Others: float32(math.NaN())})
			}
			w.Evidence[c] = &evidence.Set{Bench: c.Bench, Procs: p, Profiled: &evidence.Run{N: 10, Wall: 11 * ms, CPU: 12 * ms}, CPU: &cpuprof.Digest{Samples: 1e6, Share: shares{stack.User: 1}}}
		}
	}
	w.v = judge.Verdict{Kind: measure.Variant, Package: "p", Variant: "new", Base: "serial", New: w.cell("new", procs), BaseCell: w.cell("serial", procs),
		Word: judge.Loses, Estimate: stats.Estimate{Ratio: 0.5, Low: 0.4, High: 0.6, Pairs: 12}, Identity: judge.Identity{Cores: judge.Factor{Value: 1, Low: 1, High: 1}}}
	return w
}

func (w *world) cell(variant string, procs int) measure.Cell {
	return measure.Cell{Bench: "BenchmarkX/variant=" + variant, Procs: procs}
}

func (w *world) set(variant string, procs int) *evidence.Set {
	return w.Evidence[w.cell(variant, procs)]
}

// takes gives a cell its times, and shares of its processor time.
func (w *world) takes(variant string, procs int, wall, cpu float64, by shares) {
	w.each(variant, procs, func(x *measure.Sample) { x.Wall, x.CPU = wall, cpu })
	w.set(variant, procs).CPU.Share = by
}

func (w *world) each(variant string, procs int, change func(*measure.Sample)) {
	xs := w.Samples[w.cell(variant, procs)]
	for i := range xs {
		change(&xs[i])
	}
}

// traced gives the variant a trace of ten operations.
func (w *world) traced(t exectrace.Facts) *exectrace.Facts {
	set := w.set("new", w.v.New.Procs)
	if t.Window == 0 {
		t.Window = 10 * w.Samples[w.v.New][0].Wall
	}
	if t.Running == nil {
		t.Running = []float64{0, 1}
	}
	set.Trace, set.Traced = &t, &evidence.Run{N: 10}
	return &t
}

// A program is what was measured of a variant that starts goroutines: per operation,
// on one processor and on two. Its base computes for 10ms.
type program struct {
	wall1, cpu1, wall2, cpu2 float64
	goroutines               float64
	more                     func(*measure.Series) // changes what was measured; nil for nothing
}

// healthy is twice as fast on two processors.
func healthy() program {
	return program{wall1: 10 * ms, cpu1: 10 * ms, wall2: 5 * ms, cpu2: 10 * ms, goroutines: 2}
}

// series is what a run measured of a program, with profiles, and traces of the variant.
func (p program) series(t *testing.T) (*measure.Series, judge.Result) {
	t.Helper()
	names := []string{"BenchmarkX/variant=serial", "BenchmarkX/variant=new"}
	s := &measure.Series{Package: "p", Procs: []int{1, 2}, Usable: 2, Families: discover.Families(names, discover.Hints{}), Evidence: map[measure.Cell]*evidence.Set{}}
	add := func(bench string, procs int, wall, cpu, goroutines float64) *evidence.Set {
		c := measure.Cell{Bench: bench, Procs: procs}
		for round := range 12 {
			ripple := 1 + 0.002*math.Sin(float64(round*procs))
			s.Add(c, measure.Sample{Round: int32(round + 1), Layout: int32(round), N: 100, Wall: wall * ripple, CPU: cpu, Goroutines: float32(goroutines), Got: 1, Others: float32(math.NaN())})
		}
		set := &evidence.Set{Bench: bench, Procs: procs, Profiled: &evidence.Run{N: 100, Wall: wall, CPU: cpu}, CPU: &cpuprof.Digest{Samples: 200, Share: shares{stack.User: 1}}}
		s.Evidence[c] = set
		return set
	}
	for _, procs := range s.Procs {
		add(names[0], procs, 10*ms, 10*ms, 0)
	}
	for procs, x := range map[int][2]float64{1: {p.wall1, p.cpu1}, 2: {p.wall2, p.cpu2}} {
		set := add(names[1], procs, x[0], x[1], p.goroutines)
		running := []float64{0, 1}
		if procs == 2 {
			running = []float64{0, 0.2, 0.8}
		}
		set.Trace, set.Traced = &exectrace.Facts{Window: x[0], Procs: procs, Running: running}, &evidence.Run{N: 1, Wall: x[0]}
	}
	if p.more != nil {
		p.more(s)
	}
	return s, judge.Judge(s, stats.DefaultRule, stats.DefaultBounds)
}
