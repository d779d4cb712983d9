package text

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// Why writes the evidence pages of a report.
func Why(w io.Writer, doc *report.Doc, o Options) error {
	d := plain.All(*doc)
	t := newWriter(w, o)
	pages := 0
	var bare []string
	noLaw := ""
	for i := range d.Comparisons {
		c := &d.Comparisons[i]
		if !c.Explained {
			if c.Kind == measure.Variant && c.Pairs > 0 {
				bare = append(bare, fmt.Sprintf("%s at %d", short(c), c.Procs))
			}
			continue
		}
		if pages > 0 {
			t.blank()
		}
		pages++
		t.page(c)
		if why := t.law(&d, c.Name); why != "" {
			noLaw = why
		}
	}
	if noLaw != "" {
		t.blank()
		t.say(0, "no scaling law: %s", noLaw)
	}
	t.problems(&d)
	t.edits(doc, true)
	without := t.several(bare)
	switch {
	case pages == 0 && len(d.Comparisons) > 0:
		t.say(0, "No evidence: the run collected none on %s", cmp.Or(without, fmt.Sprintf("%s at %d", short(&d.Comparisons[0]), d.Comparisons[0].Procs)))
	case pages == 0 && len(d.Problems) == 0:
		t.say(0, "No evidence: no benchmark matches")
	case len(bare) > 0:
		t.blank()
		t.say(0, "no evidence was collected on %s: payoff why measures any benchmark", without)
	}
	if len(d.Missing) > 0 {
		t.blank()
		t.missing(&d)
	}
	t.blank()
	t.say(0, "%s", d.Machine())
	if d.Record != "" {
		t.say(0, "raw results: %s; profiles for go tool pprof and traces for go tool trace lie in its folders named evidence", d.Record)
	}
	t.whole("next: " + d.Next)
	return t.err
}

// page writes all there is on one comparison.
func (t *writer) page(c *report.Comparison) {
	against := "itself at 1"
	if c.Kind == measure.Variant {
		against = c.Base
	}
	needed := against
	if c.Page.Self {
		needed = "itself at 1, which is faster than " + c.Base
	}
	t.line(0, span{fmt.Sprintf("%s at %d: %s", short(c), c.Procs, c.Word()), t.bold}, span{fmt.Sprintf(", %sx %s against %s", figure.Ratio(report.Number(c.Ratio)), interval(c), against), nil})
	if factored(c) {
		t.say(2, "%s", bands(c))
	}
	for _, x := range c.Doubts {
		t.say(2, "in doubt: %s at %d: %s", strings.TrimPrefix(x.Name, "Benchmark"), x.Procs, x.Text)
	}
	t.say(2, "processor time per operation: %s available, %s needed by %s, %s lost", seconds(c.Page.Available), seconds(c.Page.Needed), needed, seconds(c.Lost))
	t.blank()
	if len(c.Causes) == 0 {
		switch {
		case c.Unexplained == nil && c.Verdict == judge.Loses:
			t.say(2, "%s", tooLittle(c))
		case c.Unexplained == nil:
			t.say(2, "nothing to explain")
		default:
			t.say(2, "%s", nothing(c))
		}
		t.known(c)
	}
	for _, x := range c.Causes {
		t.line(2, span{fmt.Sprintf("%.0f%% ", 100*x.Share), nil}, span{lower(x.Title), t.bold}, span{fmt.Sprintf(" (%s), %s%s", x.Slug, figure.Time(x.NS), sure(x)), nil})
		t.cause(x, len(x.Evidence), 3)
	}
	if u := report.Number(c.Unexplained); u >= 0.01 && len(c.Causes) > 0 {
		t.say(2, "%.0f%% unexplained", 100*u)
	}
	t.sides(c)
	t.trace(c)
	t.lines(c.Page)
	for _, m := range c.Page.Missing {
		t.say(2, "not known: %s", m)
	}
}

// bands writes the factors of a speedup with their intervals.
func bands(c *report.Comparison) string {
	band := func(x report.Interval, name string) string {
		s := name + " " + figure.Ratio(*x.Value)
		if x.Low != nil && x.High != nil {
			s += fmt.Sprintf(" [%s, %s]", figure.Ratio(*x.Low), figure.Ratio(*x.High))
		}
		return s
	}
	parts := []string{band(c.Cores, "cores")}
	if c.Kind == measure.Variant {
		parts = append(parts, band(c.Overhead, "overhead"))
	}
	if c.Procs > 1 {
		parts = append(parts, band(c.Inflation, "inflation"))
	}
	return strings.Join(parts, ", ")
}

// sure says how sure the share of a cause is.
func sure(x report.Cause) string {
	s := ""
	if x.Low != nil && x.High != nil {
		s = fmt.Sprintf(", [%.0f, %.0f]%%", 100**x.Low, 100**x.High)
	}
	if x.Tie {
		s += ", perhaps the largest"
	}
	return s
}

// law writes the scaling law of a benchmark, or returns why there is none.
func (t *writer) law(d *report.Doc, name string) string {
	i := slices.IndexFunc(d.Laws, func(l report.Law) bool { return l.Name == name })
	if i < 0 {
		return ""
	}
	l := d.Laws[i]
	if l.Why != "" {
		return l.Why
	}
	band := func(x report.Interval) string { return fmt.Sprintf("%.3g [%.3g, %.3g]", *x.Value, *x.Low, *x.High) }
	s := fmt.Sprintf("scaling law: σ %s serial or contended, κ %s per pair of processors", band(l.Sigma), band(l.Kappa))
	if l.Knee != nil {
		s += fmt.Sprintf(", slower again from %.3g processors", *l.Knee)
	}
	t.say(2, "%s", s)
	x := table{keys: 1, columns: []column{{head: "procs", right: true}, {head: "speedup", right: true}, {head: "by the law", right: true}, {head: "95% band"}}}
	for _, p := range l.Curve {
		measured := "-"
		if p.Measured != nil {
			measured = figure.Ratio(*p.Measured)
		}
		x.rows = append(x.rows, []span{{text: fmt.Sprint(p.Procs)}, {text: measured}, {text: figure.Ratio(*p.Speedup.Value)}, {text: fmt.Sprintf("[%s, %s]", figure.Ratio(*p.Speedup.Low), figure.Ratio(*p.Speedup.High))}})
	}
	t.table(x)
	return ""
}

// sides compares where processor time went.
func (t *writer) sides(c *report.Comparison) {
	sides := c.Page.Sides
	if len(sides) == 0 {
		return
	}
	x := table{keys: 1, columns: []column{{head: "processor time"}}}
	most := map[stack.Category]float64{}
	for _, s := range sides {
		head := fmt.Sprintf("at %d", s.Procs)
		if s.Name != c.Name {
			head = "base"
		}
		x.columns = append(x.columns, column{head: head, right: true})
		for cat, ns := range s.By {
			if ns >= 0.01*s.CPU {
				most[cat] = max(most[cat], ns)
			}
		}
	}
	for _, cat := range descending(most) {
		row := []span{{text: string(cat)}}
		for _, s := range sides {
			row = append(row, span{text: fmt.Sprintf("%s %3.0f%%", figure.Time(s.By[cat]), 100*s.By[cat]/max(s.CPU, 1))})
		}
		x.rows = append(x.rows, row)
	}
	all, samples := []span{{"all", t.faint}}, []span{{"samples", t.faint}}
	for _, s := range sides {
		n := ""
		if s.Samples != nil {
			n = fmt.Sprint(*s.Samples)
		}
		all, samples = append(all, span{figure.Time(s.CPU), t.faint}), append(samples, span{n, t.faint})
	}
	x.rows = append(x.rows, all, samples)
	t.blank()
	t.table(x)
}

// descending are the categories of what has a value for each, largest first.
func descending(by map[stack.Category]float64) []stack.Category {
	return slices.SortedFunc(maps.Keys(by), func(a, b stack.Category) int {
		return cmp.Or(cmp.Compare(by[b], by[a]), strings.Compare(string(a), string(b)))
	})
}

// trace says what the execution trace shows.
func (t *writer) trace(c *report.Comparison) {
	x := &c.Page.Trace
	if x.Operations == 0 {
		return
	}
	t.blank()
	var running []string
	for k, share := range x.Running {
		running = append(running, fmt.Sprintf("%d %.0f%%", k, 100*share))
	}
	t.say(2, "trace of %s over %s: processors running: %s", figure.Plural(x.Operations, "operation"), figure.Time(x.Window), strings.Join(running, ", "))
	t.say(2, "%s per operation; a run between two waits %s (median, a tenth under %s and over %s); ready ones wait %s",
		figure.Plurals(x.Goroutines, "goroutine"), figure.Time(x.Run.Median), figure.Time(x.Run.P10), figure.Time(x.Run.P90), figure.Time(x.Ready.Median))
	if x.Resumptions > 0 {
		t.say(2, "%s per operation, %.0f%% on the same processor, %.0f%% on the same thread", figure.Plurals(x.Resumptions, "resumption"), 100*x.SameProc, 100*x.SameThread)
	}
	if i := x.Idle; i.Share > 0.01 {
		var parts []string
		for _, p := range []struct {
			name  string
			share float64
		}{{"work was ready", i.Ready}, {"a lock was held", i.Lock}, {"control went to and fro", i.Handoff}, {"one ran that no other waits for", i.Serial},
			{"a worker ran on", i.Imbalance}, {"all waited", i.Waiting}, {"the collector ran", i.GC}} {
			if p.share >= 0.01 {
				parts = append(parts, fmt.Sprintf("%s %.0f%%", p.name, 100*p.share))
			}
		}
		t.say(2, "processors idle %.0f%% of the time, while %s", 100*i.Share, strings.Join(parts, ", "))
	}
	if b := c.Bound; b.Work != nil {
		t.say(2, "work %s, span %s per operation: parallelism %s; with the prices of hand-offs and spawns %s",
			seconds(b.Work), seconds(b.Span), figure.Ratio(report.Number(b.Parallelism)), figure.Ratio(report.Number(b.Burdened)))
	}
	for _, s := range x.Path[:min(3, len(x.Path))] {
		t.say(6, "%s: %.0f%% of the span, by %s", at(s.Place), 100*s.Share, s.By)
	}
	for _, w := range x.Waits[:min(5, len(x.Waits))] {
		if w.Share < 0.01 {
			break
		}
		t.say(6, "%s: %s per operation (%s), %s each", at(w.Place), figure.Plurals(w.N, "wait"), w.Kind, figure.Time(w.Each))
	}
}

// lines says where in the source the time is.
func (t *writer) lines(p report.Page) {
	if len(p.Lines) == 0 {
		return
	}
	t.blank()
	t.say(2, "lines with most processor time")
	for _, l := range p.Lines[:min(6, len(p.Lines))] {
		if l.Share < 0.02 {
			break
		}
		var parts []string
		for _, cat := range descending(l.By) {
			if l.By[cat] >= 0.1*l.Share {
				parts = append(parts, string(cat))
			}
		}
		s := fmt.Sprintf("%s: %.0f%% %s", at(l.Place), 100*l.Share, strings.Join(parts, ", "))
		if l.Instruction.Text != "" {
			s += fmt.Sprintf("; behind %s (%s)", l.Instruction.Text, l.Instruction.Kind)
		}
		t.say(6, "%s", s)
	}
	if c := p.Counters; c.Cycles > 0 {
		t.say(2, "counters: %.3g instructions per cycle, %.4g cache misses per operation", c.Instructions/c.Cycles, c.CacheMisses)
	}
}

// at is a place, or "somewhere".
func at(p source.Place) string { return cmp.Or(p.String(), "somewhere") }
