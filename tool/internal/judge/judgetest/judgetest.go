// Package judgetest makes what was measured of a program, for the tests of the stages
// that explain it. It is of no use to programs.
package judgetest

import (
	"math"

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

// MS is a millisecond, in ns.
const MS = 1e6

// Shares are parts of processor time.
type Shares = map[stack.Category]float64

// Prices are those of a machine.
var Prices = machine.Prices{Wake: machine.Price{NS: 2000, High: 3000}, HandoffSameP: machine.Price{NS: 150}, Handoff: machine.Price{NS: 200}, Spawn: machine.Price{NS: 300},
	Fault: machine.Price{NS: 1000}, Memory: machine.Price{NS: 2}, MemoryAll: machine.Price{NS: 1.5}, Step: machine.Price{NS: 1, High: 1}, StepAll: machine.Price{NS: 1.6, High: 1.7}}

// Line is a line of the program.
func Line(n int) source.Place { return source.Place{File: "/m/x.go", Line: n, Func: "m.f"} }

// Blocks are n waits of that length each.
func Blocks(kind exectrace.Kind, n int, each float64) []exectrace.Block {
	return []exectrace.Block{{Kind: kind, Site: source.Place{File: "/m/x.go", Line: 9}, N: n, Total: float64(n) * each}}
}

// A World is what was measured of a variant and its serial base, at one and at so
// many processors: 10 ms of user code each, until a test says what else.
type World struct {
	*measure.Series
	V judge.Verdict // on the variant at most processors
	R judge.Result
}

// Measured makes one.
func Measured(procs int) *World {
	w := &World{Series: &measure.Series{Package: "p", Procs: []int{1, procs}, Usable: procs, Evidence: map[measure.Cell]*evidence.Set{},
		Families: discover.Families([]string{"BenchmarkX/variant=serial", "BenchmarkX/variant=new"}, discover.Hints{})}}
	for _, variant := range []string{"serial", "new"} {
		for _, p := range []int{1, procs} {
			c := w.Cell(variant, p)
			for round := range 3 {
				w.Add(c, measure.Sample{Round: int32(round + 1), N: 100, Wall: 10 * MS, CPU: 10 * MS, Goroutines: 0.5, Got: 1, Others: float32(math.NaN())})
			}
			w.Evidence[c] = &evidence.Set{Bench: c.Bench, Procs: p, Profiled: &evidence.Run{N: 10, Wall: 11 * MS, CPU: 12 * MS}, CPU: &cpuprof.Digest{Samples: 1e6, Share: Shares{stack.User: 1}}}
		}
	}
	w.V = judge.Verdict{Kind: measure.Variant, Package: "p", Variant: "new", Base: "serial", New: w.Cell("new", procs), BaseCell: w.Cell("serial", procs),
		Word: judge.Loses, Estimate: stats.Estimate{Ratio: 0.5, Low: 0.4, High: 0.6, Pairs: 12}, Identity: judge.Identity{Cores: judge.Factor{Value: 1, Low: 1, High: 1}}}
	return w
}

// Cell is a variant, serial or new, at so many processors.
func (w *World) Cell(variant string, procs int) measure.Cell {
	return measure.Cell{Bench: "BenchmarkX/variant=" + variant, Procs: procs}
}

// Set is the evidence on a cell.
func (w *World) Set(variant string, procs int) *evidence.Set {
	return w.Evidence[w.Cell(variant, procs)]
}

// Takes gives a cell its times, and shares of its processor time.
func (w *World) Takes(variant string, procs int, wall, cpu float64, by Shares) {
	w.Each(variant, procs, func(x *measure.Sample) { x.Wall, x.CPU = wall, cpu })
	w.Set(variant, procs).CPU.Share = by
}

// Each changes all samples of a cell.
func (w *World) Each(variant string, procs int, change func(*measure.Sample)) {
	xs := w.Samples[w.Cell(variant, procs)]
	for i := range xs {
		change(&xs[i])
	}
}

// Traced gives the variant a trace of ten operations.
func (w *World) Traced(t exectrace.Facts) *exectrace.Facts {
	set := w.Set("new", w.V.New.Procs)
	if t.Window == 0 {
		t.Window = 10 * w.Samples[w.V.New][0].Wall
	}
	if t.Running == nil {
		t.Running = []float64{0, 1}
	}
	set.Trace, set.Traced = &t, &evidence.Run{N: 10}
	return &t
}
