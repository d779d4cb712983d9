package gather

import (
	"math"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/judge/judgetest"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stack"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

const ms = judgetest.MS

type (
	shares = judgetest.Shares
	world  = judgetest.World
)

var (
	prices   = judgetest.Prices
	measured = judgetest.Measured
	line     = judgetest.Line
	blocks   = judgetest.Blocks
)

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
