package measure

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/gopayoff/payoff/tool/internal/contest"
)

// Arms measures forms of code side by side: edits beside the code as it is, or the
// values of a constant. What differs from one contest to the next are its fields; what
// is compared with what are the blocks that [Arms.Visit] is given.
type Arms[S comparable] struct {
	Contest *contest.Contest[S]
	Layouts contest.Layouts
	All     map[string]*Arm // that are in, by name
	Now     func() time.Time

	// Side says which arm a side is of, and at which cell; a twin's is marked.
	Side   func(S) (arm string, c Cell)
	Guess  func(arm string, c Cell) float64 // ns of an operation, before the first is run; 0: not known
	Length time.Duration                    // of a sample
	Hang   time.Duration                    // a process is ended that is without news so long, or some times as long as it usually takes
	Twins  int                              // the layout that twins are measured in
	// Startup is what a process takes beside its operations, the least that was seen.
	Startup time.Duration

	// Tried hears of each sample that finds a number of operations.
	Tried func(arm string, c Cell, x Sample)
	// Broke hears of a benchmark that fails in an arm. It takes the arm out; the cell of
	// a Base is not measured again.
	Broke func(arm string, c Cell, b *Broken) error
	// Fixed hears why all stay in the layout that the linker made.
	Fixed func(error)
}

// An Arm is one form of the code of a package.
type Arm struct {
	*Subject
	Base string                 // name of the form that it is held against; its own, of that
	N    map[Cell]int64         // operations of a sample
	Took map[Cell]time.Duration // by the last process

	wall   map[Cell]float64 // ns of an operation, where N comes of that
	gone   map[Cell]bool
	linked map[int]bool // layouts that are there besides the linker's own
}

// Enter adds an arm.
func (m *Arms[S]) Enter(name, base string, s *Subject) {
	m.All[name] = &Arm{Subject: s, Base: base, N: map[Cell]int64{}, Took: map[Cell]time.Duration{}, wall: map[Cell]float64{}, gone: map[Cell]bool{}, linked: map[int]bool{}}
}

// Visit measures the sides of each block once, blocks and sides in shuffled order, in
// a layout. keep gets each sample; last says that its side is not measured again.
func (m *Arms[S]) Visit(ctx context.Context, layout int, blocks []contest.Block[S], keep func(s S, x Sample, last bool)) error {
	m.Contest.Rng.Shuffle(len(blocks), func(i, j int) { blocks[i], blocks[j] = blocks[j], blocks[i] })
	for _, b := range blocks {
		for _, s := range b.Sides { // no sample comes right after a link that others need not wait for
			name, _ := m.Side(s)
			if _, err := m.use(ctx, m.All[name], layout); err != nil {
				return err
			}
		}
	}
	for _, b := range blocks {
		b.Sides = slices.Clone(b.Sides)
		m.Contest.Shuffle(b.Sides)
		err := m.Contest.Hold(b, func(sides []S, n int32, last bool) (spoiled []S, err error) {
			for _, s := range sides {
				x, ok, err := m.take(ctx, s, layout)
				if err != nil {
					return nil, err
				}
				if !ok {
					continue
				}
				if x.Attempt = n; x.Disturbed() != "" {
					spoiled = append(spoiled, s)
				}
				keep(s, x, last)
			}
			return spoiled, nil
		}, nil)
		if err != nil {
			return err
		}
	}
	return nil
}

// take runs one process. It reports false where the arm or the cell is gone.
func (m *Arms[S]) take(ctx context.Context, s S, layout int) (x Sample, ok bool, err error) {
	if ctx.Err() != nil {
		return x, false, context.Cause(ctx)
	}
	name, c := m.Side(s)
	a := m.All[name]
	if c.Twin {
		layout = m.Twins
	}
	if layout, err = m.use(ctx, a, layout); err != nil {
		return x, false, err
	}
	c = c.key()
	if err := m.Calibrate(ctx, name, c); err != nil || a == nil || a.N[c] == 0 {
		return x, false, err
	}
	x, ok, err = m.process(ctx, name, c, a.N[c])
	x.Layout = int32(layout)
	return x, ok, err
}

// process runs n operations of a cell.
func (m *Arms[S]) process(ctx context.Context, name string, c Cell, n int64) (x Sample, ok bool, err error) {
	a := m.All[name]
	base := m.All[a.Base]
	if base.gone[c] {
		return x, false, nil
	}
	a.Patience = Patience(m.Hang, max(a.Took[c], base.Took[c]))
	began := m.Now()
	x, err = a.Run(ctx, c, n)
	if ctx.Err() != nil {
		return x, false, context.Cause(ctx)
	}
	a.Took[c] = m.Now().Sub(began)
	if broken := (*Broken)(nil); errors.As(err, &broken) {
		a.gone[c] = true
		return x, false, m.Broke(name, c, broken)
	}
	if err != nil {
		return x, false, err
	}
	if d := a.Took[c] - time.Duration(float64(n)*max(x.Wall, float64(x.Whole))); m.Startup == 0 || d < m.Startup {
		m.Startup = max(d, 1)
	}
	return x, true, nil
}

// Calibrate chooses how many operations of a cell an arm runs in a sample, once: as
// many as its base where the two are alike.
func (m *Arms[S]) Calibrate(ctx context.Context, name string, c Cell) error {
	a := m.All[name]
	if a == nil || a.N[c] > 0 {
		return nil
	}
	base, n := m.All[a.Base], int64(1)
	if a != base {
		if err := m.Calibrate(ctx, a.Base, c); err != nil || base.N[c] == 0 {
			return err
		}
		n = max(1, base.N[c]/4) // it may be much slower
	} else if guess := m.Guess(name, c); guess > 0 {
		n = contest.Operations(m.Length, guess, 0)
	}
	for tries := 1; ; tries++ {
		x, ok, err := m.process(ctx, name, c, n)
		if err != nil || !ok {
			return err
		}
		m.Tried(name, c, x)
		own := contest.Operations(m.Length, x.Wall, float64(x.Whole))
		switch {
		case a != base && contest.Alike(x.Wall, base.wall[c]):
			a.N[c] = base.N[c]
			return nil
		case tries == 4 || own <= 2*n && (a == base || tries > 1):
			a.N[c], a.wall[c] = own, x.Wall
			return nil
		}
		n = min(own, 100*n) // so short a sample says little
	}
}

// Expected is how long a round of the blocks takes.
func (m *Arms[S]) Expected(blocks []contest.Block[S]) (all time.Duration) {
	for _, b := range blocks {
		for _, s := range b.Sides {
			name, c := m.Side(s)
			c = c.key()
			var took, base time.Duration
			if a := m.All[name]; a != nil {
				took, base = a.Took[c], m.All[a.Base].Took[c]
			}
			all += cmp.Or(took, base, m.Startup+max(m.Length, time.Duration(m.Guess(name, c)))) // it did not run yet
		}
	}
	return all
}

// use puts an arm in a layout, or in the linker's own where no more can be made, and
// returns which.
func (m *Arms[S]) use(ctx context.Context, a *Arm, k int) (int, error) {
	if a == nil {
		return k, nil
	}
	if m.Layouts.None {
		k = 0
	}
	link := func() error { return a.Use(ctx, k) }
	var err error
	if k > 0 && !a.linked[k] {
		err = m.Layouts.Make(m.Now, link)
	} else {
		err = link()
	}
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	if err != nil && k > 0 {
		m.Layouts.None = true
		m.Fixed(err)
		return 0, a.Use(ctx, 0)
	}
	if k > 0 {
		a.linked[k] = true
	}
	return k, err
}

// Unlink takes layouts of an arm away.
func (a *Arm) Unlink(away func(layout int) bool) {
	for k := range a.linked {
		if away(k) {
			a.Forget(k)
			delete(a.linked, k)
		}
	}
}
