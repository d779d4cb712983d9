package html

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/report"
)

// A view is a report as the page has it.
type view struct {
	*report.Doc
	Cards    []card
	Verdicts []count
	Diffs    map[string][]line // by ID of the edit
}

// A line is one of a diff.
type line struct{ Class, Text string }

// A card is a family, or a benchmark without one.
type card struct {
	ID      string
	Name    string
	Package string
	Worst   row
	Rows    []row
	Indices []int         // of its comparisons in the report
	Evident string        // index of the one whose evidence is shown; "": none
	Lines   []report.Line // of the source, those with most processor time
	Edits   []report.Edit
	Text    string
}

// A row is a line of a card's table.
type row struct {
	*report.Comparison
	What string
	Said string // the verdict as the reader sees it
}

// newRow is that of a comparison. Of two states of the code faster and slower are
// said, as everywhere.
func (v *view) newRow(c *report.Comparison) row {
	r := row{c, what(c), c.Word()}
	if v.Compared != nil {
		r.Said = string(report.ChangeOf(c.Verdict))
	}
	return r
}

// A count is of cards with a verdict.
type count struct {
	Word judge.Word
	Said string
	N    int
}

// newView makes the view of a report, in which names were cleaned; raw is the same
// report as it came.
func newView(d, raw *report.Doc) *view {
	v := &view{Doc: d, Diffs: map[string][]line{}}
	index := map[*report.Comparison]int{}
	for i := range d.Comparisons {
		index[&d.Comparisons[i]] = i
	}
	var groups []*report.Group
	for _, p := range d.Packages {
		based, alone := d.Groups(p.Package)
		groups = slices.Concat(groups, based, alone)
	}
	n := map[judge.Word]int{}
	for i, g := range report.WorstFirst(groups) {
		c := card{ID: fmt.Sprint("card", i), Worst: v.newRow(g.Worst()), Package: g.Of[0].Package}
		c.Name = strings.TrimPrefix(g.Of[0].Name, "Benchmark")
		if g.Of[0].Kind == measure.Variant {
			c.Name = g.Of[0].Benchmark
		}
		c.Name = cut(c.Name)
		search := []string{c.Name, c.Package}
		all := slices.Concat(g.Of, g.Scaling)
		c.Edits = d.EditsOf(all)
		if x := g.Evident(); x != nil {
			c.Evident, c.Lines = fmt.Sprint(index[x]), x.Page.Spots()
		}
		for _, x := range all {
			c.Indices = append(c.Indices, index[x])
			for _, y := range x.Causes {
				search = append(search, y.Slug, cut(y.Title))
			}
			search = append(search, cut(x.Variant))
		}
		for _, x := range g.Of {
			c.Rows = append(c.Rows, v.newRow(x))
		}
		slices.Sort(search)
		c.Text = strings.ToLower(strings.Join(slices.Compact(search), " "))
		n[c.Worst.Verdict]++
		v.Cards = append(v.Cards, c)
	}
	for _, w := range []judge.Word{judge.Loses, judge.CannotSay, judge.Even, judge.Pays} {
		if n[w] == 0 {
			continue
		}
		said := string(w)
		if v.Compared != nil {
			said = string(report.ChangeOf(w))
		}
		v.Verdicts = append(v.Verdicts, count{w, said, n[w]})
	}
	for _, f := range raw.Fixes {
		for _, x := range f.Findings {
			for _, fix := range x.Fixes {
				v.Diffs[fix.ID] = lines(fix.Diff)
			}
		}
	}
	return v
}

// lines are those of a diff.
func lines(diff string) (all []line) {
	for text := range strings.Lines(plain.Lines(diff)) {
		class := ""
		switch {
		case strings.HasPrefix(text, "+++"), strings.HasPrefix(text, "---"), strings.HasPrefix(text, "@@"):
			class = "head"
		case strings.HasPrefix(text, "+"):
			class = "added"
		case strings.HasPrefix(text, "-"):
			class = "gone"
		}
		all = append(all, line{class, text})
	}
	return all
}

// most is how many bytes of a name are shown.
const most = 300

func cut(name string) string {
	if len(name) <= most {
		return name
	}
	return strings.ToValidUTF8(name[:most], "") + "…"
}

// what is compared with what.
func what(c *report.Comparison) string {
	if c.Kind == measure.Variant {
		return fmt.Sprintf("%s against %s", cut(c.Variant), cut(c.Base))
	}
	return fmt.Sprintf("against itself at %d", c.BaseProcs)
}

// unmatched are benchmarks that only one state of the code has.
type unmatched struct {
	What string
	Of   []string
}

func named(what string, of []report.Unmatched) unmatched {
	u := unmatched{What: what}
	for _, x := range of {
		u.Of = append(u.Of, cut(x.Package+" "+x.Benchmark))
	}
	return u
}

// Mark is the shape of a verdict, so that colour is not all that tells it.
func (r row) Mark() string { return mark(r.Verdict) }

// Class is that of the verdict.
func (r row) Class() string { return class(r.Verdict) }

// Mark is that of the verdict.
func (c count) Mark() string { return mark(c.Word) }

// Class is that of the verdict.
func (c count) Class() string { return class(c.Word) }

func mark(w judge.Word) string {
	return map[judge.Word]string{judge.Pays: "▲", judge.Loses: "▼", judge.Even: "●", judge.CannotSay: "?"}[w]
}

func class(w judge.Word) string { return strings.ReplaceAll(string(w), " ", "-") }

// Figure is what the comparison found.
func (r row) Figure() string {
	if r.Pairs == 0 {
		return "–"
	}
	return figure.Ratio(report.Number(r.Ratio)) + "×"
}

// Interval is its interval.
func (r row) Interval() string {
	if r.Pairs == 0 {
		return ""
	}
	return interval(r.Low, r.High)
}

func interval(low, high *float64) string {
	return fmt.Sprintf("[%s, %s]", figure.Ratio(report.Number(low)), figure.Ratio(report.Upper(low, high)))
}

// times is how many times as fast something is.
func times(r report.Interval) string {
	if r.Value == nil {
		return "not known"
	}
	return figure.Ratio(*r.Value) + "× " + interval(r.Low, r.High)
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

// Time is the time of an operation.
func (r row) Time() string { return seconds(r.Wall) }

// BaseTime is that of the base.
func (r row) BaseTime() string { return seconds(r.BaseWall) }

func seconds(ns *float64) string {
	if ns == nil {
		return "–"
	}
	return figure.Time(*ns)
}
