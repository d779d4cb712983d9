// Package text writes a report for a person at a terminal. The first line
// answers the question, the last is the next command.
//
// It takes a [report.Doc] and nothing else: whoever has the JSON of a report
// can write its text. Names and messages are written as [plain.Clean] shows
// them.
package text

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/report"
)

// Options say how a report is written.
type Options struct {
	Width   int  // columns of the terminal; under 70 count as 70, 0 leaves lines as long as they come
	Colours bool // marks verdicts and heads with escape codes
	All     bool // writes long lists in full, not the worst of them and how many more there are
	Bars    Bars // drawings beside the rows, where Width allows
}

// Report writes verdicts, causes, and how far the figures can be believed.
func Report(w io.Writer, doc *report.Doc, o Options) error {
	d := plain.All(*doc)
	t := newWriter(w, o)
	t.line(0, span{d.Summary, t.bold})
	margin := oneMargin(&d)
	t.apart = margin != ""
	for _, p := range d.Packages {
		if p.Samples == 0 {
			if !slices.ContainsFunc(d.Problems, func(x problem.Problem) bool { return x.Package == p.Package }) {
				t.blank()
				t.say(0, "%s: nothing was measured", p.Package)
			}
			continue // its problems say why
		}
		t.blank()
		t.say(0, "%s", p.Package)
		t.verdicts(&d, p)
		t.crossovers(&d, p)
		t.blank()
		t.foot(p)
	}
	if len(t.baseless) > 0 {
		t.blank()
		t.say(0, "None of the benchmarks of %s has a base. %s", report.SomeOf(t.baseless), naming(&d))
	}
	t.problems(&d)
	t.edits(doc, false)
	t.warnings(&d)
	t.blank()
	if s := d.Foreseen(); s != "" {
		t.line(0, span{s, nil})
	}
	if margin != "" {
		t.line(0, span{"in all packages " + margin, t.faint})
	}
	if len(d.Comparisons) > 0 {
		t.line(0, span{"speedup = cores / (overhead × inflation): processors used (divided by the base's, where that does not use one); CPU time at 1 processor against the base, before anything runs at once; CPU time at that many processors against 1", t.faint})
	}
	return t.end(&d)
}

// Any writes a report as the command wrote it that made it: of edits, where some were
// tried, of two states of the code, or of a run.
func Any(w io.Writer, doc *report.Doc, o Options) error {
	if doc.Compared != nil {
		return Compare(w, doc, o)
	}
	if doc.Tried() {
		return Fix(w, doc, o)
	}
	return Report(w, doc, o)
}

// end writes the last lines of a report.
func (t *writer) end(d *report.Doc) error {
	t.say(0, "%s", d.Machine())
	if d.Record != "" {
		t.whole("raw results: " + d.Record)
	}
	t.whole("next: " + d.Next)
	return t.err
}

// few are the first of a long list, or all of it.
func few[T any](list []T, all bool) []T {
	const some = 10
	if all || len(list) <= some {
		return list
	}
	return list[:some]
}

// more says how many of a list were left out.
func (t *writer) more(n int, noun string) {
	if n > 0 {
		t.say(0, "and %s: -all shows them", figure.Plural(n, "more "+noun))
	}
}

func (t *writer) problems(d *report.Doc) {
	all := d.Problems
	if !t.all {
		all = report.Together(all, "-all")
	}
	list := few(all, t.all)
	for _, p := range list {
		t.blank()
		if p.Note {
			t.say(0, "note: %s", p)
		} else {
			t.line(0, span{"problem: ", t.word[judge.Loses]}, span{p.String(), nil})
		}
	}
	if len(list) < len(all) {
		t.blank()
		t.more(len(all)-len(list), "problem")
	}
}

// warnings writes how far the figures can be believed.
func (t *writer) warnings(d *report.Doc) {
	if len(d.Warnings)+len(d.Missing) > 0 {
		t.blank()
	}
	list := few(d.Warnings, t.all)
	for _, s := range list {
		t.line(0, span{"warning: ", t.word[judge.CannotSay]}, span{s, nil})
	}
	t.more(len(d.Warnings)-len(list), "warning")
	t.missing(d)
}

func (t *writer) missing(d *report.Doc) {
	if len(d.Missing) > 0 {
		t.line(0, span{"not known here: " + strings.Join(d.Missing, "; "), t.faint})
	}
}

func (t *writer) crossovers(d *report.Doc, p report.Package) {
	for _, c := range d.Crossovers {
		if c.Package != p.Package || c.At.Value == nil {
			continue
		}
		s := fmt.Sprintf("%s begins to pay at %s %s: about %s", c.Variant, d.Processors(c.Procs), c.Between(), figure.About(*c.At.Value))
		if c.At.Low != nil && c.At.High != nil {
			s += fmt.Sprintf(" [%s, %s]", figure.About(*c.At.Low), figure.About(*c.At.High))
		}
		t.blank()
		t.say(2, "%s by interpolation, which was not measured", s)
	}
}

// margins says which differences count in a package.
func margins(p report.Package) string {
	return fmt.Sprintf("differences under %.0f%% do not count, and even means less than %.1f%% apart", 100*p.Margin, 100*p.Even)
}

// oneMargin is what margins says of all packages that were measured, if there are
// several and it is the same of each; else "".
func oneMargin(d *report.Doc) (s string) {
	n := 0
	for _, p := range d.Packages {
		if p.Samples == 0 {
			continue
		}
		if n++; n > 1 && margins(p) != s {
			return ""
		}
		s = margins(p)
	}
	if n < 2 {
		return ""
	}
	return s
}

// enough is how many pairs tell a noise floor: fewer give an interval so wide
// that it seems to speak against every verdict.
const enough = 8

// foot says how far the figures of a package can be believed.
func (t *writer) foot(p report.Package) {
	s := "noise floor (the same code against itself): "
	if p.Control.Low != nil && p.Control.High != nil && *p.Control.Low > 0 && p.Control.Pairs >= enough {
		s += fmt.Sprintf("%.3f [%.3f, %.3f] over %s", *p.Control.Value, *p.Control.Low, *p.Control.High, figure.Plural(p.Control.Pairs, "pair"))
	} else {
		s += fmt.Sprintf("not known after %s", figure.Plural(p.Control.Pairs, "pair"))
	}
	switch {
	case p.Resolution == nil || p.Control.Pairs < enough:
	case *p.Resolution > 1: // a percentage would promise what such an interval does not hold
		s += "; as noisy a comparison finds nothing under twice the time"
	default:
		s += fmt.Sprintf("; as noisy a comparison finds %.1f%% with the pairs of the last look", 100**p.Resolution)
	}
	if !t.apart {
		s += "; " + margins(p)
	}
	t.say(2, "%s", s)

	s = fmt.Sprintf("%s in %s", figure.Plural(p.Samples, "sample"), figure.Time(float64(p.Cost.Total)))
	if p.Layouts > 1 {
		s += fmt.Sprintf(", in %s of the code", figure.Plural(p.Layouts, "layout"))
	}
	s += ": " + map[measure.End]string{
		measure.Decided: "every comparison decided", measure.Exhausted: "last look reached", measure.Budget: "budget spent",
		measure.Interrupted: "interrupted", measure.Failed: "stopped by an error", measure.Regrouped: "other pairs than those it was measured for",
	}[p.End]
	for _, why := range slices.Sorted(maps.Keys(p.Dropped)) {
		s += fmt.Sprintf("; %d disturbed and taken again (%s)", p.Dropped[why], why)
	}
	t.say(2, "%s", s)
}
