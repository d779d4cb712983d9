package report

import (
	"cmp"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/measure"
)

// A Sized is what variants gain over the sizes that a family was measured with, at one
// GOMAXPROCS.
type Sized struct {
	Package string  `json:"package"`
	Group   string  `json:"group"`
	Param   string  `json:"param"`
	Base    string  `json:"base"`
	Procs   int     `json:"procs"`
	Curves  []Curve `json:"curves"`
}

// A Curve is of one variant, by rising sizes.
type Curve struct {
	Variant string     `json:"variant"`
	Points  []SizedAt  `json:"points"`
	From    *Crossover `json:"from,omitempty"` // the size from which it pays, if there is one
}

// A SizedAt is the ratio at one size.
type SizedAt struct {
	Size  float64  `json:"size"`
	Ratio *float64 `json:"ratio"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

// Sizes returns the families that were measured with several sizes of one parameter.
func (d *Doc) Sizes() (all []Sized) {
	type key struct {
		pkg, group, param, base string
		procs                   int
	}
	at := map[key]int{}
	for i := range d.Comparisons {
		c := &d.Comparisons[i]
		if c.Kind != measure.Variant || len(c.Params) != 1 || c.Pairs == 0 {
			continue
		}
		for param, size := range c.Params {
			k := key{c.Package, c.Group, param, c.Base, c.Procs}
			j, ok := at[k]
			if !ok {
				j = len(all)
				at[k] = j
				all = append(all, Sized{Package: c.Package, Group: c.Group, Param: param, Base: c.Base, Procs: c.Procs})
			}
			s := &all[j]
			v := slices.IndexFunc(s.Curves, func(x Curve) bool { return x.Variant == c.Variant })
			if v < 0 {
				v = len(s.Curves)
				s.Curves = append(s.Curves, Curve{Variant: c.Variant, From: d.paysFrom(c)})
			}
			s.Curves[v].Points = append(s.Curves[v].Points, SizedAt{size, c.Ratio, c.Low, c.High})
		}
	}
	return slices.DeleteFunc(all, func(s Sized) bool {
		several := false
		for _, c := range s.Curves {
			slices.SortFunc(c.Points, func(a, b SizedAt) int { return cmp.Compare(a.Size, b.Size) })
			several = several || len(c.Points) > 1
		}
		return !several
	})
}

// paysFrom is the size from which a comparison's variant pays.
func (d *Doc) paysFrom(c *Comparison) *Crossover {
	i := slices.IndexFunc(d.Crossovers, func(x Crossover) bool {
		return x.Package == c.Package && x.Benchmark == c.Group && x.Variant == c.Variant && x.Base == c.Base && x.Procs == c.Procs
	})
	if i < 0 {
		return nil
	}
	return &d.Crossovers[i]
}
