package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchunit"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/plain"
)

// Why writes the evidence pages of the benchmarks whose names match.
func (d *Doc) Why(w io.Writer, colours bool, match func(name string) bool) error {
	shown := plain.All(*d)
	d = &shown
	t := newText(w, d.dir, colours)
	pages := 0
	var bare []string
	noLaw := ""
	for i := range d.Comparisons {
		c := &d.Comparisons[i]
		switch {
		case !match(c.Name):
		case c.finding == nil:
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
	f := c.finding
	name := strings.TrimPrefix(c.Name, "Benchmark")
	against := "itself at 1"
	if c.Kind == measure.Variant {
		against = c.Base
	}
	needed := against
	if f.Self {
		needed = "itself at 1, which is faster than " + c.Base
	}
	t.line(t.bold.Sprintf("%s at %d: %s", name, c.Procs, c.Verdict) + fmt.Sprintf(", %sx [%s, %s] against %s", ratio(c.v.Ratio), ratio(c.v.Low), ratio(c.v.High), against))
	if id := c.v.Identity; id.Known() {
		t.line("  " + identityWords(c))
	}
	t.line(fmt.Sprintf("  processor time per operation: %s available, %s needed by %s, %s lost", secondsNs(f.Avail), secondsNs(f.Useful), needed, secondsNs(f.Lost)))
	t.line("")
	if len(c.Causes) == 0 {
		if math.IsNaN(f.Unexplained) && c.Verdict == judge.Loses {
			t.line("  " + tooLittle(f))
		} else if math.IsNaN(f.Unexplained) {
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
	if f.Unexplained >= 0.01 && len(c.Causes) > 0 {
		t.line(fmt.Sprintf("  %.0f%% unexplained", 100*f.Unexplained))
	}
	t.sides(f)
	t.scheduling(f)
	t.source(f)
	for _, m := range f.Missing {
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
	id := c.v.Identity
	band := func(x Interval, name string) string {
		s := name + " " + ratio(*x.Value)
		if x.Low != nil && x.High != nil {
			s += fmt.Sprintf(" [%s, %s]", ratio(*x.Low), ratio(*x.High))
		}
		return s
	}
	parts := []string{band(factor(id.Cores), "cores")}
	if c.Kind == measure.Variant {
		parts = append(parts, band(factor(id.Overhead), "overhead"))
	}
	if c.Procs > 1 {
		parts = append(parts, band(factor(id.Inflation), "inflation"))
	}
	return strings.Join(parts, ", ")
}

// sides compares where processor time went.
func (t *text) sides(f *explain.Finding) {
	p := f.Page
	if p.New == nil {
		return
	}
	head := func(s string) field { return field{s: s, c: t.faint, right: true} }
	row := []field{{s: "processor time", c: t.faint}, head(fmt.Sprintf("at %d", p.New.Cell.Procs))}
	cols := []*explain.Side{p.New}
	if p.One != nil && p.One != p.New {
		row = append(row, head("at 1"))
		cols = append(cols, p.One)
	}
	if p.Base != nil && p.Base.By != nil && p.Base.Cell.Bench != p.New.Cell.Bench {
		row = append(row, head("base"))
		cols = append(cols, p.Base)
	}
	most := map[cpuprof.Category]float64{}
	for _, s := range cols {
		for cat, ns := range s.By {
			if ns >= 0.01*s.CPU {
				most[cat] = max(most[cat], ns)
			}
		}
	}
	cats := slices.SortedFunc(maps.Keys(most), func(a, b cpuprof.Category) int {
		return cmp.Or(cmp.Compare(most[b], most[a]), strings.Compare(string(a), string(b)))
	})
	rows := [][]field{row}
	for _, cat := range cats {
		r := []field{{s: string(cat)}}
		for _, s := range cols {
			r = append(r, field{s: fmt.Sprintf("%s %3.0f%%", secondsNs(s.By[cat]), 100*s.By[cat]/max(s.CPU, 1)), right: true})
		}
		rows = append(rows, r)
	}
	sum := []field{{s: "all", c: t.faint}}
	for _, s := range cols {
		samples := ""
		if s.Set != nil && s.Set.CPU != nil {
			samples = fmt.Sprintf(" (%d samples)", s.Set.CPU.Samples)
		}
		sum = append(sum, field{s: secondsNs(s.CPU) + samples, c: t.faint, right: true})
	}
	t.line("")
	t.table(append(rows, sum))
}

// scheduling says what the trace shows.
func (t *text) scheduling(f *explain.Finding) {
	set := f.Page.Evidence()
	if set == nil || set.Trace == nil || set.Traced == nil {
		return
	}
	x, n := set.Trace, float64(max(set.Traced.N, 1))
	t.line("")
	var running []string
	for k, share := range x.Running {
		running = append(running, fmt.Sprintf("%d %.0f%%", k, 100*share))
	}
	t.line(fmt.Sprintf("  trace of %s over %s: processors running: %s", plural(int(n), "operation"), secondsNs(x.Window), strings.Join(running, ", ")))
	t.line(fmt.Sprintf("  %s goroutines per operation; a run between two waits %s (median, a tenth under %s and over %s); ready ones wait %s",
		number(float64(x.Goroutines)/n), secondsNs(x.Run.Median), secondsNs(x.Run.P10), secondsNs(x.Run.P90), secondsNs(x.RunnableWait.Median)))
	if x.Resumptions > 0 {
		t.line(fmt.Sprintf("  %s resumptions per operation, %.0f%% on the same processor, %.0f%% on the same thread", number(float64(x.Resumptions)/n), 100*x.SameProc, 100*x.SameThread))
	}
	if i := f.Page.Idle; i.Total > 0 && x.Idle.Total > 0.01*float64(x.Procs)*x.Window {
		var parts []string
		for _, p := range []struct {
			name string
			ns   float64
		}{{"work was ready", i.Runnable}, {"a lock was held", i.Lock}, {"control went to and fro", i.Handoff}, {"one ran that nobody waits for", i.Serial},
			{"a worker ran on", i.Imbalance}, {"all waited", i.Waiting}, {"the collector ran", i.GC}} {
			if p.ns >= 0.01*i.Total {
				parts = append(parts, fmt.Sprintf("%s %.0f%%", p.name, 100*p.ns/i.Total))
			}
		}
		t.line(fmt.Sprintf("  processors idle %.0f%% of the time, while %s", 100*x.Idle.Total/(float64(x.Procs)*x.Window), strings.Join(parts, ", ")))
	}
	if b := f.Bound; b != nil {
		t.line(fmt.Sprintf("  work %s, span %s per operation: parallelism %s; with the prices of hand-offs and spawns %s", secondsNs(b.Work), secondsNs(b.Span), ratio(b.Parallelism), ratio(b.Burdened)))
		for i, s := range b.Path {
			if i == 3 {
				break
			}
			t.line(fmt.Sprintf("      %s: %.0f%% of the span, by %s", at(s.Site, t.dir), 100*s.Time/max(x.Span, 1), s.Func))
		}
	}
	for i, b := range x.Blocks {
		if i == 5 || b.Total < 0.01*x.Window {
			break
		}
		t.line(fmt.Sprintf("      %s: %s waits per operation (%s), %s each", at(b.Site, t.dir), number(float64(b.N)/n), b.Kind, secondsNs(b.Total/float64(max(b.N, 1)))))
	}
}

// source says where in the source the time is.
func (t *text) source(f *explain.Finding) {
	set := f.Page.Evidence()
	if set == nil || set.CPU == nil || len(set.CPU.Lines) == 0 {
		return
	}
	t.line("")
	t.line("  lines with most processor time")
	for i, l := range set.CPU.Lines {
		if i == 6 || l.Share < 0.02 {
			break
		}
		var parts []string
		for _, cat := range slices.SortedFunc(maps.Keys(l.By), func(a, b cpuprof.Category) int {
			return cmp.Or(cmp.Compare(l.By[b], l.By[a]), strings.Compare(string(a), string(b)))
		}) {
			if l.By[cat] >= 0.1*l.Share {
				parts = append(parts, string(cat))
			}
		}
		s := fmt.Sprintf("      %s: %.0f%% %s", at(exectrace.Site{File: l.File, Line: l.Line}, t.dir), 100*l.Share, strings.Join(parts, ", "))
		if h := instruction(set, l); h != nil {
			s += fmt.Sprintf("; behind %s (%s)", h.What.Text, h.What.Kind)
		}
		t.line(s)
	}
	if c := set.Counters; c != nil && c.Cycles > 0 {
		t.line(fmt.Sprintf("  counters: %.3g instructions per cycle, %.4g cache misses per operation", c.Instructions/c.Cycles, c.CacheMisses))
	}
}

func instruction(set *evidence.Set, l cpuprof.Line) *evidence.Hot {
	for i, h := range set.Hot {
		if h.Where.UserFile == l.File && h.Where.UserLine == l.Line && h.Where.Share >= l.Share/4 {
			return &set.Hot[i]
		}
	}
	return nil
}

// number writes a count: 3, 0.25, 10.0k.
func number(x float64) string {
	if x < 1000 {
		return fmt.Sprintf("%.3g", x)
	}
	return benchunit.Scale(x, benchunit.Decimal)
}

func at(s exectrace.Site, dir string) string {
	if s.File == "" {
		return cmp.Or(s.Func, "somewhere")
	}
	return fmt.Sprintf("%s:%d", near(s.File, dir), s.Line)
}
