package html

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

// A view is a report as the page has it.
type view struct {
	*report.Doc
	Cards    []card
	Verdicts []count
	Diffs    map[string][]line // by ID of the edit
}

// few is how many cards stand open on a page; of more each is opened on demand.
const few = 12

// Open reports whether the cards are.
func (v *view) Open() bool { return len(v.Cards) <= few }

// Told are the problems, those of several packages or benchmarks once.
func (v *view) Told() []problem.Problem { return report.Together(v.Problems, "the report as JSON") }

// Several reports whether the cards are of several packages.
func (v *view) Several() bool {
	return slices.ContainsFunc(v.Cards, func(c card) bool { return c.Package != v.Cards[0].Package })
}

// A line is one of a diff.
type line struct{ Class, Text string }

// A card is a family, or a benchmark without one.
type card struct {
	ID      string
	Name    string
	Package string
	Worst   row
	Lead    *row // what pays most at the most processors, where something else does not; nil otherwise
	Others  string
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
		c.lead(v, g)
		slices.Sort(search)
		c.Text = strings.ToLower(strings.Join(slices.Compact(search), " "))
		n[c.Worst.Verdict]++
		v.Cards = append(v.Cards, c)
	}
	for _, w := range order {
		if n[w] > 0 {
			v.Verdicts = append(v.Verdicts, count{w, v.said(w), n[w]})
		}
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

// lead finds what the first line of a report says of the family, if it is not the worst:
// which variant pays most. Others are the verdicts besides.
func (c *card) lead(v *view, g *report.Group) {
	top := g.Top()
	best := slices.MaxFunc(top, func(a, b *report.Comparison) int {
		return cmp.Or(cmp.Compare(b2i(a.Verdict == judge.Pays), b2i(b.Verdict == judge.Pays)), cmp.Compare(report.Number(a.Ratio), report.Number(b.Ratio)))
	})
	if best.Verdict == judge.Pays && c.Worst.Verdict != judge.Pays {
		r := v.newRow(best)
		c.Lead = &r
	}
	var others []string
	for _, w := range order {
		n := 0
		for _, x := range top {
			if x.Verdict == w && x != c.Head().Comparison {
				n++
			}
		}
		if n > 0 {
			others = append(others, fmt.Sprintf("%d %s", n, v.said(w)))
		}
	}
	c.Others = strings.Join(others, ", ")
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// order is that of the verdicts on the page.
var order = []judge.Word{judge.Loses, judge.CannotSay, judge.Even, judge.Pays}

// said is a verdict as the reader sees it: of two states of the code a change.
func (v *view) said(w judge.Word) string {
	if v.Compared != nil {
		return string(report.ChangeOf(w))
	}
	return string(w)
}

// Head is the row that stands for the family.
func (c card) Head() row {
	if c.Lead != nil {
		return *c.Lead
	}
	return c.Worst
}

// Cause is that of the worst, with its share of what is lost; "" where none is known.
func (c card) Cause() string {
	if len(c.Worst.Causes) == 0 {
		return ""
	}
	return percent(c.Worst.Causes[0].Share) + " " + c.Worst.Causes[0].Title
}

// Gain is the edit that was kept and gains most, with its gain, or what became of the
// first; Gained is the gain as a number to sort by.
func (c card) Gain() string {
	e, x := c.gain()
	switch {
	case x > 0:
		return e.Label() + " " + figure.Ratio(x) + "×"
	case len(c.Edits) > 0:
		return c.Edits[0].Label() + ": " + cmp.Or(string(c.Edits[0].Word), "not measured")
	}
	return ""
}

func (c card) Gained() float64 { _, x := c.gain(); return x }

func (c card) gain() (edit report.Edit, most float64) {
	for _, e := range c.Edits {
		for _, g := range e.Gains {
			if e.Word == verify.Kept && g.Ratio.Value != nil && *g.Ratio.Value > most {
				edit, most = e, *g.Ratio.Value
			}
		}
	}
	return edit, most
}

// Rank is the place of the verdict among those of the page.
func (r row) Rank() int { return slices.Index(order, r.Verdict) }

// A bar is a ratio on a logarithmic scale from 1/8 to 8, with its interval, in units of
// a drawing that is 120 wide: 60 is 1.
type bar struct{ From, Width, Low, High float64 }

// Bar draws the ratio; nil where none is known.
func (r row) Bar() *bar {
	at := func(ratio float64) float64 { return math.Round(10*(60+min(max(math.Log2(ratio)/3, -1), 1)*60)) / 10 }
	if r.Pairs == 0 || r.Ratio == nil || !(*r.Ratio > 0) {
		return nil
	}
	x := at(*r.Ratio)
	b := &bar{From: min(x, 60), Width: math.Round(10*math.Abs(x-60)) / 10, Low: x, High: x}
	if r.Low != nil {
		b.Low, b.High = at(*r.Low), at(report.Upper(r.Low, r.High))
	}
	return b
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
