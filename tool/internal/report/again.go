package report

import (
	"slices"

	"github.com/gopayoff/payoff/tool/internal/plain"
)

// Again is the command that measures what the report is about once more.
func (d *Doc) Again() string {
	switch x := d.Compared; {
	case x != nil && x.Apart:
		return plain.Shell("payoff", "compare", x.Old.Run, x.New.Run)
	case x != nil:
		a := d.again()
		a.Verdicts, a.Base, a.Vs = false, "", "" // compare has no such flags
		args := slices.Concat([]string{"payoff", "compare"}, a.Flags(), []string{x.Old.Commit})
		if !x.New.Dirty && x.New.Commit != "" {
			args = append(args, x.New.Commit)
		}
		if len(a.Packages) > 0 && !slices.Equal(a.Packages, []string{"."}) {
			args = append(append(args, "--"), a.Packages...)
		}
		return a.Line(args...)
	case slices.ContainsFunc(d.Fixes, func(x Fixes) bool { return x.Tried }):
		return d.fix()
	}
	return d.again().Command()
}

// An Edit is one that is offered against what is lost at a place: the one that cures
// it or came closest to that.
type Edit struct {
	*FixFinding
	*Fix
}

// EditsOf are the edits for what these comparisons lose: of places that their evidence
// points at, and those that were tried on their benchmarks. Each is there once.
func (d *Doc) EditsOf(comparisons []*Comparison) (all []Edit) {
	for i := range d.Fixes {
		x := &d.Fixes[i]
		for j := range x.Findings {
			f := &x.Findings[j]
			if !slices.ContainsFunc(comparisons, func(c *Comparison) bool { return c.Package == x.Package && f.speaksOf(c) }) {
				continue
			}
			fix, _ := x.Cure(f)
			if fix == nil && len(f.Fixes) > 0 {
				fix = &f.Fixes[0]
			}
			if fix != nil && !slices.ContainsFunc(all, func(e Edit) bool { return e.ID == fix.ID }) {
				all = append(all, Edit{f, fix})
			}
		}
	}
	return all
}

// speaksOf reports whether the finding is about what c loses.
func (f *FixFinding) speaksOf(c *Comparison) bool {
	for _, x := range f.Fixes {
		if slices.ContainsFunc(x.Gains, func(g FixGain) bool { return g.Name == c.Name }) {
			return true
		}
	}
	for _, cause := range c.Causes {
		if slices.ContainsFunc(cause.Places, func(p Place) bool { return f.OnLine(p.Place) }) ||
			slices.ContainsFunc(cause.Evidence, func(e Evidence) bool { return f.OnLine(e.Place) }) {
			return true
		}
	}
	return false
}
