package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
)

// A Group is the comparisons that are shown together: of a family with its base, or
// of one benchmark with itself at fewer processors.
type Group struct {
	Of      []*Comparison // at least one; all of one kind
	Scaling []*Comparison // of a family: each variant with itself
	// Every processor count counts as much: of two states of the code.
	Every bool
}

// Groups are the families of a package that have a base, and the benchmarks that are
// in none.
func (d *Doc) Groups(pkg string) (based, alone []*Group) {
	with, without := map[string]*Group{}, map[string]*Group{}
	for i := range d.Comparisons {
		if c := &d.Comparisons[i]; c.Package == pkg && c.Kind == measure.Variant {
			based = join(based, with, c.Benchmark, c)
		}
	}
	for _, g := range based {
		g.Every = d.Compared != nil
	}
	for i := range d.Comparisons {
		c := &d.Comparisons[i]
		if c.Package != pkg || c.Kind != measure.Scaling {
			continue
		}
		if g := with[c.Benchmark]; g != nil {
			g.Scaling = append(g.Scaling, c)
		} else {
			alone = join(alone, without, c.Name, c)
		}
	}
	return based, alone
}

func join(list []*Group, by map[string]*Group, key string, c *Comparison) []*Group {
	g := by[key]
	if g == nil {
		g = &Group{}
		by[key] = g
		list = append(list, g)
	}
	g.Of = append(g.Of, c)
	return list
}

// Top are the comparisons at the most processors, or at every count.
func (g *Group) Top() []*Comparison {
	if g.Every {
		return slices.Clone(g.Of)
	}
	procs := 0
	for _, c := range g.Of {
		procs = max(procs, c.Procs)
	}
	return slices.DeleteFunc(slices.Clone(g.Of), func(c *Comparison) bool { return c.Procs < procs })
}

// Worst is the worst verdict of Top.
func (g *Group) Worst() *Comparison { return slices.MinFunc(g.Top(), worse) }

// Evident is the comparison whose evidence is shown in pictures: the worst, or the one
// at the most processors of those that were explained, those of a family first. It is
// nil where none was.
func (g *Group) Evident() (best *Comparison) {
	if w := g.Worst(); w.Explained {
		return w
	}
	for _, c := range slices.Concat(g.Of, g.Scaling) {
		if c.Explained && (best == nil || c.Procs > best.Procs) {
			best = c
		}
	}
	return best
}

// thin leaves the stacks and the timeline to the comparisons that show them: a report
// of many benchmarks would be mostly these.
func (d *Doc) thin() {
	keep := map[*Comparison]bool{}
	for _, p := range d.Packages {
		based, alone := d.Groups(p.Package)
		for _, g := range slices.Concat(based, alone) {
			keep[g.Evident()] = true
		}
	}
	for i := range d.Comparisons {
		if c := &d.Comparisons[i]; !keep[c] {
			c.Page.Flame, c.Page.Trace.Timeline = nil, Timeline{}
		}
	}
}

// WorstFirst orders groups by their worst verdicts.
func WorstFirst(groups []*Group) []*Group {
	return slices.SortedStableFunc(slices.Values(groups), func(a, b *Group) int { return worse(a.Worst(), b.Worst()) })
}

// worse orders comparisons by verdict, then by ratio; ratios that are not known come
// last.
func worse(a, b *Comparison) int {
	order := []judge.Word{judge.Loses, judge.CannotSay, judge.Even, judge.Pays}
	known := func(ratio *float64) float64 {
		if ratio == nil {
			return math.Inf(1)
		}
		return *ratio
	}
	return cmp.Or(cmp.Compare(slices.Index(order, a.Verdict), slices.Index(order, b.Verdict)), cmp.Compare(known(a.Ratio), known(b.Ratio)))
}
