package measure

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/gopayoff/payoff/tool/internal/discover"
)

// A Runner runs cells for [Run]: a [Subject], or two of them as [Codes].
type Runner interface {
	Run(ctx context.Context, c Cell, n int64) (Sample, error)
	Use(ctx context.Context, layout int) error
	Wait(patience time.Duration)
}

// Wait sets how long a process may be without news, where the user did not.
func (s *Subject) Wait(patience time.Duration) { s.Patience = patience }

// Codes are the test binaries of a package in two states of its code. Its cells
// are named by [discover.CodeName].
type Codes struct{ Old, New *Subject }

func (c Codes) side(code string) *Subject {
	if code == discover.Old {
		return c.Old
	}
	return c.New
}

// Run implements [Runner].
func (c Codes) Run(ctx context.Context, cell Cell, n int64) (Sample, error) {
	name, code := discover.CutCode(cell.Bench)
	cell.Bench = name
	x, err := c.side(code).Run(ctx, cell, n)
	if broken := (*Broken)(nil); errors.As(err, &broken) {
		broken.Problem.Reason = "in the " + code + " code it " + broken.Problem.Reason
	}
	return x, err
}

// Use implements [Runner]: a layout is a seed, by which both are linked. Two
// binaries that are alike then are alike in each layout, and a function that
// differs moves the others in some of them and not in all.
func (c Codes) Use(ctx context.Context, layout int) error {
	before := c.Old.layout
	if err := c.Old.Use(ctx, layout); err != nil {
		return err
	}
	if err := c.New.Use(ctx, layout); err != nil {
		return errors.Join(err, c.Old.Use(ctx, before))
	}
	return nil
}

// Wait implements [Runner].
func (c Codes) Wait(patience time.Duration) {
	c.Old.Wait(patience)
	c.New.Wait(patience)
}

// Sessions makes one series of what two runs measured of a package, as if the
// code of the first was the old one. Of each round they make a pair: since the
// two saw the machine at different times, that is as good as any other.
func Sessions(old, new *Series) *Series {
	s := &Series{Package: new.Package, Usable: min(old.Usable, new.Usable), Cores: new.Cores, Cache: new.Cache,
		Dropped: map[string]int{}, Given: map[int]float64{}, End: Regrouped, Budget: min(old.Budget, new.Budget)}
	for _, n := range new.Procs {
		if slices.Contains(old.Procs, n) {
			s.Procs = append(s.Procs, n)
		}
	}
	var names [2][]string
	for i, from := range []*Series{old, new} {
		code := []string{discover.Old, discover.New}[i]
		for n, given := range from.Given {
			if s.Given[n] = cmp.Or(s.Given[n], given); given < s.Given[n] {
				s.Given[n] = given
			}
		}
		for why, n := range from.Dropped {
			s.Dropped[why] += n
		}
		for _, f := range from.Families {
			for _, m := range f.Members {
				names[i] = append(names[i], m.Bench)
			}
		}
		rename := func(of map[Cell][]Sample, add func(Cell, Sample)) {
			for c, samples := range of {
				c.Bench = discover.CodeName(c.Bench, code)
				for _, x := range samples {
					add(c, x)
				}
			}
		}
		rename(from.Samples, s.Add)
		rename(from.Spoiled, s.Spoil)
	}
	s.Families, s.Gone, s.Added = discover.Codes(names[0], names[1])
	return s
}
