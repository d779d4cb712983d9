package verify

import (
	"context"
	"math"
	"time"

	"github.com/gopayoff/payoff/tool/internal/contest"
	"github.com/gopayoff/payoff/tool/internal/measure"
)

const (
	sample    = 30 * time.Millisecond // the default of [Options.Sample]
	hangShare = 16                    // a process without news is ended after that part of the budget
)

// compete makes the contest: the untouched code has no name, and candidates have their ID.
func (r *run) compete() *measure.Arms[side] {
	return &measure.Arms[side]{
		Contest: contest.New[side](r.rng), All: map[string]*measure.Arm{}, Now: r.now, Hang: r.o.Budget / hangShare,
		Side:  func(s side) (string, measure.Cell) { return s.arm, s.cell },
		Guess: func(_ string, c measure.Cell) float64 { return r.guess[c.Bench] },
		Tried: func(id string, c measure.Cell, x measure.Sample) {
			r.rec.Samples = append(r.rec.Samples, Sample{Arm: id, Bench: c.Bench, Procs: c.Procs, N: x.N, Wall: x.Wall, Drop: measure.Calibration})
		},
		Broke: func(id string, c measure.Cell, b *measure.Broken) error {
			if id == "" {
				r.note("%s", b.Problem)
			} else {
				r.out(id, Measure, "%s fails with it: %s", c, b.Problem.Reason)
			}
			return nil
		},
		Fixed: func(err error) { r.note("what the layout of the code does to a gain: %v", err) },
	}
}

// visit measures the sides of each block once, in a layout; twins in that of the round
// before. An error ends the run.
func (r *run) visit(ctx context.Context, phase Phase, round int32, layout int, blocks []contest.Block[side]) error {
	return r.arms.Visit(ctx, layout, blocks, func(s side, m measure.Sample, last bool) {
		x := Sample{Phase: phase, Arm: s.arm, Bench: s.cell.Bench, Procs: s.cell.Procs, Twin: s.cell.Twin, Round: round, Attempt: m.Attempt, Layout: m.Layout, N: m.N, Wall: m.Wall, First: float64(m.First)}
		if !last {
			x.Drop = m.Disturbed()
		}
		if m.CPU > 0 { // else it is not known
			x.CPU = m.CPU
			if want := m.Wanted(x.Procs); !math.IsInf(want, 0) && !math.IsNaN(want) {
				x.Wanted = want
			}
		}
		r.rec.Samples = append(r.rec.Samples, x)
	})
}
