package explain

import (
	"cmp"
	"math"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// An Index says which places of a run lose how much to which cause: the losses
// of all its benchmarks, summed by cause and place. Its nanoseconds are those of
// one operation of each benchmark that loses there.
type Index struct {
	losses []Loss // most first, what has no place last
}

// NewIndex makes the index of findings, those of each package by themselves. A
// benchmark counts once, at the most processors it was explained at; with
// several bases, where it lost most.
func NewIndex(packages ...[]Finding) *Index {
	type key struct {
		slug string
		at   source.Place
	}
	x := &Index{}
	at := map[key]int{}
	for _, findings := range packages {
		for _, f := range once(findings) {
			for _, l := range f.Losses {
				k := key{l.Slug, l.Place.Spot()}
				if j, ok := at[k]; ok {
					x.losses[j] = x.losses[j].and(l)
					continue
				}
				at[k] = len(x.losses)
				x.losses = append(x.losses, l)
			}
		}
	}
	slices.SortStableFunc(x.losses, mostFirst)
	return x
}

// once are the findings of a package of which each benchmark has one.
func once(findings []Finding) (out []Finding) {
	at := map[string]int{} // by benchmark
	for _, f := range findings {
		i, ok := at[f.Verdict.New.Bench]
		switch {
		case !ok:
			at[f.Verdict.New.Bench] = len(out)
			out = append(out, f)
		case cmp.Or(cmp.Compare(f.Verdict.New.Procs, out[i].Verdict.New.Procs), cmp.Compare(f.Lost, out[i].Lost)) > 0:
			out[i] = f
		}
	}
	return out
}

// and is the loss of two benchmarks together, which were measured apart.
func (l Loss) and(x Loss) Loss {
	low, high := math.Hypot(l.NS-l.Low, x.NS-x.Low), math.Hypot(l.High-l.NS, x.High-x.NS)
	l.Place.Func = cmp.Or(l.Place.Func, x.Place.Func)
	l.NS += x.NS
	l.Low, l.High = l.NS-low, l.NS+high
	return l
}

// All are all losses.
func (x *Index) All() []Loss { return slices.Clone(x.losses) }

// Cause are the losses to one cause.
func (x *Index) Cause(slug string) []Loss {
	return x.some(func(l Loss) bool { return l.Slug == slug })
}

// File are the losses in a file, as the compiler names it.
func (x *Index) File(name string) []Loss {
	return x.some(func(l Loss) bool { return l.Place.File == name })
}

func (x *Index) some(fits func(Loss) bool) []Loss {
	return slices.DeleteFunc(x.All(), func(l Loss) bool { return !fits(l) })
}
