package report

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/plain"
)

// next is the command to type now.
func (d *Doc) next() string {
	var open, lose *Comparison
	for i := range d.Comparisons {
		c := &d.Comparisons[i]
		switch {
		case c.Verdict == judge.CannotSay && c.Pairs > 0 && open == nil:
			open = c
		case c.Verdict == judge.Loses && c.Kind == measure.Variant && lose == nil:
			lose = c
		}
	}
	for _, p := range d.Problems {
		switch {
		case p.Note:
		case p.Benchmark != "":
			return plain.Shell("go", "test", "-run=^$", "-bench="+pattern(p.Benchmark), p.Package)
		default:
			return p.Next
		}
	}
	switch {
	case len(d.Packages) > 0 && open == nil && d.Packages[0].End == measure.Interrupted:
		return plain.Shell("payoff", "run", d.Packages[0].Package)
	case len(d.Comparisons) == 0:
		return "go help testfunc"
	case open != nil:
		if !d.budgetSpent() {
			return "payoff machine" // more pairs do not help; a steadier machine does
		}
		fn, _, _ := strings.Cut(open.Name, "/")
		return plain.Shell("payoff", "run", "-budget", "10m", "-bench", "^"+fn+"$", open.Package)
	case lose != nil && len(lose.Causes) > 0:
		return plain.Shell("payoff", "explain", lose.Causes[0].Slug)
	case lose != nil:
		return plain.Shell("payoff", "why", functions(lose), lose.Package)
	}
	return plain.Shell("payoff", "replay", "-json", d.Record)
}

func (d *Doc) budgetSpent() bool {
	return slices.ContainsFunc(d.Packages, func(p Package) bool { return p.End == measure.Budget })
}

// functions matches the functions of both sides, so that a base is measured
// with what is compared with it.
func functions(c *Comparison) string {
	var out []string
	for _, bench := range []string{c.Name, c.BaseName} {
		fn, _, _ := strings.Cut(bench, "/")
		if p := "^" + regexp.QuoteMeta(fn) + "$"; !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return strings.Join(out, "|")
}

func pattern(name string) string {
	levels := strings.Split(name, "/")
	for i, l := range levels {
		levels[i] = "^" + regexp.QuoteMeta(l) + "$"
	}
	return strings.Join(levels, "/")
}
