package verify

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/gopayoff/payoff/tool/internal/contest"
	"github.com/gopayoff/payoff/tool/internal/measure"
)

const (
	sample    = 30 * time.Millisecond // the default of [Options.Sample]
	hangShare = 16                    // a process without news is ended after that part of the budget
)

// An arm is code that is measured: the untouched one or a candidate's.
type arm struct {
	id      string
	subject *measure.Subject
	n       map[measure.Cell]int64 // operations of a sample
	took    map[measure.Cell]time.Duration
	linked  map[int]bool // layouts that are there besides the linker's own
}

// visit measures the sides of each block once, blocks and sides in shuffled
// order. The layout is that of all arms, for twins it is the one before. An
// error ends the run.
func (r *run) visit(ctx context.Context, phase Phase, round int32, layout int, blocks []contest.Block[side]) error {
	r.rng.Shuffle(len(blocks), func(i, j int) { blocks[i], blocks[j] = blocks[j], blocks[i] })
	for _, b := range blocks {
		for _, s := range b.Sides { // no sample comes right after a link that others need not wait for
			if a := r.arms[s.arm]; a != nil {
				if _, err := r.use(ctx, a, layout); err != nil {
					return err
				}
			}
		}
	}
	for _, b := range blocks {
		b.Sides = slices.Clone(b.Sides)
		r.contest.Shuffle(b.Sides)
		err := r.contest.Hold(b, func(sides []side, a contest.Attempt) (spoiled []side, err error) {
			for _, s := range sides {
				x, ok, err := r.take(ctx, s, layout)
				if err != nil {
					return nil, err
				}
				if !ok {
					continue
				}
				x.Phase, x.Round, x.Attempt = phase, round, a.N
				if x.Drop != "" {
					spoiled = append(spoiled, s)
				}
				if a.Last {
					x.Drop = ""
				}
				r.rec.Samples = append(r.rec.Samples, x)
			}
			return spoiled, nil
		}, nil)
		if err != nil {
			return err
		}
	}
	return nil
}

// take runs one process. It reports false where the arm is gone.
func (r *run) take(ctx context.Context, s side, layout int) (Sample, bool, error) {
	if err := ctx.Err(); err != nil {
		return Sample{}, false, context.Cause(ctx)
	}
	a := r.arms[s.arm]
	if a == nil {
		return Sample{}, false, nil
	}
	at := layout
	if s.cell.Twin {
		at = r.before
	}
	at, err := r.use(ctx, a, at)
	if err != nil {
		return Sample{}, false, err
	}
	cell := s.cell
	cell.Twin = false
	if a.n[cell] == 0 {
		if err := r.calibrate(ctx, a, cell); err != nil || a.n[cell] == 0 {
			return Sample{}, false, err
		}
	}
	m, ok, err := r.process(ctx, a, cell, a.n[cell])
	if !ok || err != nil {
		return Sample{}, false, err
	}
	x := Sample{Arm: s.arm, Bench: cell.Bench, Procs: cell.Procs, Twin: s.cell.Twin, Layout: int32(at), N: m.N, Wall: m.Wall, First: float64(m.First), Drop: m.Disturbed()}
	if m.CPU > 0 { // else it is not known
		x.CPU = m.CPU
		if want := m.Wanted(cell.Procs); !math.IsInf(want, 0) && !math.IsNaN(want) {
			x.Wanted = want
		}
	}
	return x, true, nil
}

// process runs n operations of a cell. A benchmark that fails takes its arm out,
// and one of the untouched code takes the cell out.
func (r *run) process(ctx context.Context, a *arm, c measure.Cell, n int64) (measure.Sample, bool, error) {
	if r.gone[c.Bench] {
		return measure.Sample{}, false, nil
	}
	usual := max(a.took[c], r.arms[""].took[c])
	a.subject.Patience = measure.Patience(r.o.Budget/hangShare, usual)
	began := r.now()
	x, err := a.subject.Run(ctx, c, n)
	if ctx.Err() != nil {
		return x, false, context.Cause(ctx)
	}
	a.took[c] = r.now().Sub(began)
	var broken *measure.Broken
	switch {
	case errors.As(err, &broken) && a.id == "":
		r.gone[c.Bench] = true
		r.note("%s", broken.Problem)
		return x, false, nil
	case errors.As(err, &broken):
		r.out(a.id, Measure, "%s fails with it: %s", c, broken.Problem.Reason)
		return x, false, nil
	case err != nil:
		return x, false, err
	}
	if d := a.took[c] - time.Duration(float64(n)*max(x.Wall, float64(x.Whole))); r.startup == 0 || d < r.startup {
		r.startup = max(d, 1)
	}
	return x, true, nil
}

// calibrate chooses how many operations of a cell an arm runs in a sample. Sides
// that are alike run as many as the untouched code.
func (r *run) calibrate(ctx context.Context, a *arm, c measure.Cell) error {
	untouched := r.arms[""]
	if a != untouched && untouched.n[c] == 0 {
		if err := r.calibrate(ctx, untouched, c); err != nil || untouched.n[c] == 0 {
			return err
		}
	}
	n := int64(1)
	if guess := r.guess[c.Bench]; guess > 0 {
		n = contest.Operations(r.sample, guess, 0)
	}
	if a != untouched {
		n = max(1, untouched.n[c]/4) // it may be much slower
	}
	for tries := 1; ; tries++ {
		x, ok, err := r.process(ctx, a, c, n)
		if err != nil || !ok {
			return err
		}
		r.rec.Samples = append(r.rec.Samples, Sample{Arm: a.id, Bench: c.Bench, Procs: c.Procs, N: n, Wall: x.Wall, Drop: measure.Calibration})
		own := contest.Operations(r.sample, x.Wall, float64(x.Whole))
		switch {
		case a != untouched && contest.Alike(x.Wall, r.wall[c]):
			a.n[c] = untouched.n[c]
			return nil
		case tries < 4 && (own > 2*n || a != untouched && tries == 1): // so short a sample says little
			n = min(own, 100*n)
		default:
			a.n[c], r.wall[c] = own, cmp.Or(r.wall[c], x.Wall)
			return nil
		}
	}
}

// use puts an arm in a layout, or in the linker's own where no more can be made,
// and returns which.
func (r *run) use(ctx context.Context, a *arm, k int) (int, error) {
	if r.layouts.None {
		k = 0
	}
	link := func() error { return a.subject.Use(ctx, k) }
	var err error
	if k > 0 && !a.linked[k] {
		err = r.layouts.Make(r.now, link)
	} else {
		err = link()
	}
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	if err != nil && k > 0 {
		r.layouts.None = true
		r.note("what the layout of the code does to a gain: %v", err)
		return 0, a.subject.Use(ctx, 0)
	}
	if k > 0 {
		a.linked[k] = true
	}
	return k, err
}

// forget takes the layouts of an arm away, from one on.
func (a *arm) forget(from int) {
	for k := range a.linked {
		if k >= from {
			a.subject.Forget(k)
			delete(a.linked, k)
		}
	}
}
