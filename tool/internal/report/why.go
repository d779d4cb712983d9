package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"golang.org/x/perf/benchunit"

	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// Why writes the evidence pages of the benchmarks whose names match.
func (d *Doc) Why(w io.Writer, colours bool, match func(name string) bool) error {
	shown := plain.All(*d)
	d = &shown
	t := newText(w, colours)
	pages := 0
	var bare []string
	noLaw := ""
	for i := range d.Comparisons {
		c := &d.Comparisons[i]
		switch {
		case !match(c.Name):
		case !c.Explained:
			if c.Kind == measure.Variant && c.Pairs > 0 {
				bare = append(bare, fmt.Sprintf("%s at %d", strings.TrimPrefix(c.Name, "Benchmark"), c.Procs))
			}
		default:
			if pages > 0 {
				t.line("")
			}
			pages++
			t.page(c)
			if why := t.law(d, c.Name); why != "" {
				noLaw = why
			}
		}
	}
	if noLaw != "" {
		t.line("")
		t.line("no scaling law: " + noLaw)
	}
	for _, p := range d.Problems {
		t.line("")
		t.line("problem: " + p.String())
	}
	if pages == 0 && len(d.Problems) == 0 {
		t.line("No evidence: " + cmp.Or(strings.Join(bare, ", "), "no benchmark matches"))
	} else if len(bare) > 0 {
		t.line("")
		t.line("no evidence was collected on " + strings.Join(bare, ", ") + ": payoff why measures any benchmark")
	}
	if len(d.Missing) > 0 {
		t.line("")
		t.line(t.faint.Sprint("not known here: " + strings.Join(d.Missing, "; ")))
	}
	t.line("")
	t.line(d.machine())
	if d.Record != "" {
		t.line(fmt.Sprintf("raw results: %s; profiles for go tool pprof and traces for go tool trace lie in its folders named evidence", d.Record))
	}
	next := "payoff explain"
	for _, c := range d.Comparisons {
		if match(c.Name) && len(c.Causes) > 0 {
			next += " " + c.Causes[0].Slug
			break
		}
	}
	t.line("next: " + next)
	return t.err
}

// page writes all there is on one comparison.
func (t *text) page(c *Comparison) {
	p := c.Page
	name := strings.TrimPrefix(c.Name, "Benchmark")
	against := "itself at 1"
	if c.Kind == measure.Variant {
		against = c.Base
	}
	needed := against
	if p.Self {
		needed = "itself at 1, which is faster than " + c.Base
	}
	t.line(t.bold.Sprintf("%s at %d: %s", name, c.Procs, c.Verdict) + fmt.Sprintf(", %sx [%s, %s] against %s", ratio(num(c.Ratio)), ratio(num(c.Low)), ratio(upper(c.Low, c.High)), against))
	if c.known() {
		t.line("  " + identityWords(c))
	}
	t.line(fmt.Sprintf("  processor time per operation: %s available, %s needed by %s, %s lost", seconds(p.Available), seconds(p.Needed), needed, seconds(c.Lost)))
	t.line("")
	if len(c.Causes) == 0 {
		if c.Unexplained == nil && c.Verdict == judge.Loses {
			t.line("  " + tooLittle(c))
		} else if c.Unexplained == nil {
			t.line("  nothing to explain")
		} else {
			t.line("  nothing here explains it")
		}
		t.known(c)
	}
	for _, x := range c.Causes {
		t.line(fmt.Sprintf("  %.0f%% ", 100*x.Share) + t.bold.Sprint(lower(x.Title)) + fmt.Sprintf(" (%s), %s", x.Slug, secondsNs(x.NS)) + sure(x))
		t.cause(x, len(x.Evidence))
	}
	if u := num(c.Unexplained); u >= 0.01 && len(c.Causes) > 0 {
		t.line(fmt.Sprintf("  %.0f%% unexplained", 100*u))
	}
	t.sides(c)
	t.scheduling(c)
	t.source(p)
	for _, m := range p.Missing {
		t.line("  not known: " + m)
	}
}

// sure says how sure the share of a cause is.
func sure(x Cause) string {
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
func (t *text) law(d *Doc, name string) string {
	i := slices.IndexFunc(d.Laws, func(l Law) bool { return l.Name == name })
	if i < 0 {
		return ""
	}
	l := d.Laws[i]
	if l.Why != "" {
		return l.Why
	}
	band := func(x Interval) string { return fmt.Sprintf("%.3g [%.3g, %.3g]", *x.Value, *x.Low, *x.High) }
	s := fmt.Sprintf("  scaling law: σ %s serial or contended, κ %s per pair of processors", band(l.Sigma), band(l.Kappa))
	if l.Knee != nil {
		s += fmt.Sprintf(", slower again from %.3g processors", *l.Knee)
	}
	t.line(s)
	rows := [][]field{{{s: "procs", c: t.faint, right: true}, {s: "speedup", c: t.faint, right: true}, {s: "by the law", c: t.faint, right: true}, {s: "95% band", c: t.faint}}}
	for _, p := range l.Curve {
		measured := "-"
		if p.Measured != nil {
			measured = ratio(*p.Measured)
		}
		rows = append(rows, []field{{s: fmt.Sprint(p.Procs), right: true}, {s: measured, right: true}, {s: ratio(*p.Speedup.Value), right: true}, {s: fmt.Sprintf("[%s, %s]", ratio(*p.Speedup.Low), ratio(*p.Speedup.High))}})
	}
	t.table(rows)
	return ""
}

func identityWords(c *Comparison) string {
	band := func(x Interval, name string) string {
		s := name + " " + ratio(*x.Value)
		if x.Low != nil && x.High != nil {
			s += fmt.Sprintf(" [%s, %s]", ratio(*x.Low), ratio(*x.High))
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

// sides compares where processor time went.
func (t *text) sides(c *Comparison) {
	cols := c.Page.Sides
	if len(cols) == 0 {
		return
	}
	row := []field{{s: "processor time", c: t.faint}}
	most := map[stack.Category]float64{}
	for _, s := range cols {
		head := fmt.Sprintf("at %d", s.Procs)
		if s.Name != c.Name {
			head = "base"
		}
		row = append(row, field{s: head, c: t.faint, right: true})
		for cat, ns := range s.By {
			if ns >= 0.01*s.CPU {
				most[cat] = max(most[cat], ns)
			}
		}
	}
	rows := [][]field{row}
	for _, cat := range descending(most) {
		r := []field{{s: string(cat)}}
		for _, s := range cols {
			r = append(r, field{s: fmt.Sprintf("%s %3.0f%%", secondsNs(s.By[cat]), 100*s.By[cat]/max(s.CPU, 1)), right: true})
		}
		rows = append(rows, r)
	}
	sum := []field{{s: "all", c: t.faint}}
	for _, s := range cols {
		samples := ""
		if s.Samples != nil {
			samples = fmt.Sprintf(" (%d samples)", *s.Samples)
		}
		sum = append(sum, field{s: secondsNs(s.CPU) + samples, c: t.faint, right: true})
	}
	t.line("")
	t.table(append(rows, sum))
}

// descending are the categories of what has a value for each, largest first.
func descending(by map[stack.Category]float64) []stack.Category {
	return slices.SortedFunc(maps.Keys(by), func(a, b stack.Category) int {
		return cmp.Or(cmp.Compare(by[b], by[a]), strings.Compare(string(a), string(b)))
	})
}

// scheduling says what the trace shows.
func (t *text) scheduling(c *Comparison) {
	x := &c.Page.Trace
	if x.Operations == 0 {
		return
	}
	t.line("")
	var running []string
	for k, share := range x.Running {
		running = append(running, fmt.Sprintf("%d %.0f%%", k, 100*share))
	}
	t.line(fmt.Sprintf("  trace of %s over %s: processors running: %s", plural(x.Operations, "operation"), secondsNs(x.Window), strings.Join(running, ", ")))
	t.line(fmt.Sprintf("  %s goroutines per operation; a run between two waits %s (median, a tenth under %s and over %s); ready ones wait %s",
		number(x.Goroutines), secondsNs(x.Run.Median), secondsNs(x.Run.P10), secondsNs(x.Run.P90), secondsNs(x.Ready.Median)))
	if x.Resumptions > 0 {
		t.line(fmt.Sprintf("  %s resumptions per operation, %.0f%% on the same processor, %.0f%% on the same thread", number(x.Resumptions), 100*x.SameProc, 100*x.SameThread))
	}
	if i := x.Idle; i.Share > 0.01 {
		var parts []string
		for _, p := range []struct {
			name  string
			share float64
		}{{"work was ready", i.Ready}, {"a lock was held", i.Lock}, {"control went to and fro", i.Handoff}, {"one ran that nobody waits for", i.Serial},
			{"a worker ran on", i.Imbalance}, {"all waited", i.Waiting}, {"the collector ran", i.GC}} {
			if p.share >= 0.01 {
				parts = append(parts, fmt.Sprintf("%s %.0f%%", p.name, 100*p.share))
			}
		}
		t.line(fmt.Sprintf("  processors idle %.0f%% of the time, while %s", 100*i.Share, strings.Join(parts, ", ")))
	}
	if b := c.Bound; b.Work != nil {
		t.line(fmt.Sprintf("  work %s, span %s per operation: parallelism %s; with the prices of hand-offs and spawns %s", seconds(b.Work), seconds(b.Span), ratio(num(b.Parallelism)), ratio(num(b.Burdened))))
	}
	for _, s := range x.Path[:min(3, len(x.Path))] {
		t.line(fmt.Sprintf("      %s: %.0f%% of the span, by %s", at(s.Place), 100*s.Share, s.By))
	}
	for _, w := range x.Waits[:min(5, len(x.Waits))] {
		if w.Share < 0.01 {
			break
		}
		t.line(fmt.Sprintf("      %s: %s waits per operation (%s), %s each", at(w.Place), number(w.N), w.Kind, secondsNs(w.Each)))
	}
}

// source says where in the source the time is.
func (t *text) source(p Page) {
	if len(p.Lines) == 0 {
		return
	}
	t.line("")
	t.line("  lines with most processor time")
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
		s := fmt.Sprintf("      %s: %.0f%% %s", at(l.Place), 100*l.Share, strings.Join(parts, ", "))
		if l.Instruction.Text != "" {
			s += fmt.Sprintf("; behind %s (%s)", l.Instruction.Text, l.Instruction.Kind)
		}
		t.line(s)
	}
	if c := p.Counters; c.Cycles > 0 {
		t.line(fmt.Sprintf("  counters: %.3g instructions per cycle, %.4g cache misses per operation", c.Instructions/c.Cycles, c.CacheMisses))
	}
}

// number writes a count: 3, 0.25, 10.0k.
func number(x float64) string {
	if x < 1000 {
		return fmt.Sprintf("%.3g", x)
	}
	return benchunit.Scale(x, benchunit.Decimal)
}

// at is a place, or "somewhere".
func at(p source.Place) string { return cmp.Or(p.String(), "somewhere") }
