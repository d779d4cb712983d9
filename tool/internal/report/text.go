package report

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fatih/color"
	"golang.org/x/perf/benchunit"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/plain"
)

// Text writes the report for a person. Colours are used only if colours is set.
// Names and messages are written as [plain.Clean] shows them.
func (d *Doc) Text(w io.Writer, colours bool) error {
	shown := plain.All(*d)
	d = &shown
	t := newText(w, colours)
	t.line(t.bold.Sprint(d.Summary))
	for _, p := range d.Packages {
		if p.Samples == 0 {
			if !slices.ContainsFunc(d.Problems, func(x discover.Problem) bool { return x.Package == p.Package }) {
				t.line("")
				t.line(p.Package + ": nothing was measured")
			}
			continue // its problems say why
		}
		t.line("")
		t.line(p.Package)
		t.families(d, p)
		t.crossovers(d, p)
		t.line("")
		t.line("  " + p.foot())
	}
	for _, p := range d.Problems {
		t.line("")
		word := t.word[judge.Loses].Sprint("problem: ")
		if p.Note {
			word = "note: "
		}
		t.line(word + p.String())
	}
	if len(d.Warnings)+len(d.Missing) > 0 {
		t.line("")
	}
	for _, s := range d.Warnings {
		t.line(t.word[judge.CannotSay].Sprint("warning: ") + s)
	}
	if len(d.Missing) > 0 {
		t.line(t.faint.Sprint("not known here: " + strings.Join(d.Missing, "; ")))
	}
	t.line("")
	if len(d.Comparisons) > 0 {
		t.line(t.faint.Sprint("speedup = cores / (overhead × inflation): processors used; CPU time at 1 processor against the base,"))
		t.line(t.faint.Sprint("before anything runs at once; CPU time at that many processors against 1"))
	}
	t.line(d.machine())
	if d.Record != "" {
		t.line(fmt.Sprintf("raw results: %s", d.Record))
	}
	t.line("next: " + d.Next)
	return t.err
}

type text struct {
	w           io.Writer
	err         error
	word        map[judge.Word]*color.Color
	bold, faint *color.Color
}

func newText(w io.Writer, colours bool) *text {
	t := &text{w: w, word: map[judge.Word]*color.Color{
		judge.Pays: color.New(color.FgGreen), judge.Loses: color.New(color.FgRed), judge.CannotSay: color.New(color.FgYellow), judge.Even: color.New(),
	}, bold: color.New(color.Bold), faint: color.New(color.Faint)}
	for _, c := range []*color.Color{t.bold, t.faint, t.word[judge.Pays], t.word[judge.Loses], t.word[judge.CannotSay], t.word[judge.Even]} {
		if colours {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
	}
	return t
}

func (t *text) line(s string) {
	if t.err == nil {
		_, t.err = fmt.Fprintln(t.w, strings.TrimRight(s, " "))
	}
}

// A field of a table: what it shows, how it is coloured, and whether it is a
// number, which stands to the right.
type field struct {
	s     string
	c     *color.Color
	right bool
}

func (t *text) table(rows [][]field) {
	var width []int
	for _, r := range rows {
		for i, f := range r {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], utf8.RuneCountInString(f.s))
		}
	}
	for _, r := range rows {
		var b strings.Builder
		b.WriteString("  ")
		for i, f := range r {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(f.s))
			s := f.s
			if f.c != nil {
				s = f.c.Sprint(s)
			}
			if f.right {
				b.WriteString(pad + s)
			} else {
				b.WriteString(s + pad)
			}
			if i < len(r)-1 {
				b.WriteString("  ")
			}
		}
		t.line(b.String())
	}
}

// families writes a table for each group of families with a base, and one for
// all benchmarks without.
func (t *text) families(d *Doc, p Package) {
	type row struct {
		c       *Comparison // against the base; nil for the base itself
		scaling *Comparison
		variant string
		procs   int
	}
	var order []string // families with a base, in order
	rows := map[string][]row{}
	type key struct {
		kind           measure.Kind
		bench, variant string
		procs          int
	}
	index := map[key]*Comparison{}
	walls := map[key]*float64{} // median times; kind is empty
	for i := range d.Comparisons {
		if c := &d.Comparisons[i]; c.Package == p.Package {
			index[key{c.Kind, c.Benchmark, c.Variant, c.Procs}] = c
			walls[key{"", c.Benchmark, c.Variant, c.Procs}] = c.Wall
			walls[key{"", c.Benchmark, c.Base, c.BaseProcs}] = c.BaseWall
		}
	}
	find := func(kind measure.Kind, bench, variant string, procs int) *Comparison {
		return index[key{kind, bench, variant, procs}]
	}
	based := map[string]string{}
	for _, c := range d.Comparisons {
		if c.Package == p.Package && c.Kind == measure.Variant && based[c.Benchmark] == "" {
			based[c.Benchmark] = c.Base
			order = append(order, c.Benchmark)
			for _, procs := range p.Procs {
				s := find(measure.Scaling, c.Benchmark, c.Base, procs)
				rows[c.Benchmark] = append(rows[c.Benchmark], row{scaling: s, variant: c.Base, procs: procs})
			}
		}
	}
	for i := range d.Comparisons {
		c := &d.Comparisons[i]
		if c.Package == p.Package && c.Kind == measure.Variant {
			rows[c.Benchmark] = append(rows[c.Benchmark], row{c: c, scaling: find(measure.Scaling, c.Benchmark, c.Variant, c.Procs), variant: c.Variant, procs: c.Procs})
		}
	}
	head := func(s string) field { return field{s: s, c: t.faint} }
	num := func(s string) field { return field{s: s, c: t.faint, right: true} }
	for _, bench := range order {
		base := based[bench]
		t.line("")
		t.line("  " + t.bold.Sprint(bench))
		table := [][]field{{head("variant"), num("procs"), num("time/op"), num("vs " + base), head("95% interval"), head("verdict"), num("vs 1 proc"), head("verdict"), head("= cores/(ovh×infl)")}}
		last := ""
		for _, r := range rows[bench] {
			name := r.variant
			if name == last {
				name = ""
			}
			last = r.variant
			f := []field{{s: name}, {s: fmt.Sprint(r.procs), right: true}, {s: seconds(walls[key{"", bench, r.variant, r.procs}]), right: true}}
			f = append(f, t.ratio(r.c)...)
			f = append(f, t.scaling(r.scaling)...)
			table = append(table, append(f, field{s: identity(r.c, r.scaling)}))
		}
		t.table(table)
		t.reasons(d, p.Package, bench)
		t.causes(d, func(c *Comparison) bool {
			return c.Package == p.Package && c.Benchmark == bench && c.Kind == measure.Variant
		})
	}
	var alone []Comparison
	for _, c := range d.Comparisons {
		if c.Package == p.Package && c.Kind == measure.Scaling && based[c.Benchmark] == "" {
			alone = append(alone, c)
		}
	}
	if len(alone) == 0 {
		return
	}
	t.line("")
	table := [][]field{{head("benchmark"), num("procs"), num("time/op"), num("vs 1 proc"), head("95% interval"), head("verdict"), head("= cores/infl"), num("pairs")}}
	for i := range alone {
		c := &alone[i]
		name := strings.TrimPrefix(c.Name, "Benchmark")
		f := []field{{s: name}, {s: fmt.Sprint(c.Procs), right: true}, {s: seconds(c.Wall), right: true}}
		f = append(f, t.ratio(c)...)
		table = append(table, append(f, field{s: identity(c, nil)}, field{s: fmt.Sprint(c.Pairs), right: true}))
	}
	t.table(table)
	t.causes(d, func(c *Comparison) bool {
		return c.Package == p.Package && c.Kind == measure.Scaling && based[c.Benchmark] == ""
	})
}

func (t *text) ratio(c *Comparison) []field {
	if c == nil {
		return []field{{}, {}, {}}
	}
	if c.Pairs == 0 {
		return []field{{s: "-", right: true}, {}, {s: string(c.Verdict), c: t.word[c.Verdict]}}
	}
	return []field{{s: ratio(num(c.Ratio)) + "x", right: true}, {s: "[" + ratio(num(c.Low)) + ", " + ratio(upper(c.Low, c.High)) + "]"}, {s: string(c.Verdict), c: t.word[c.Verdict]}}
}

func (t *text) scaling(c *Comparison) []field {
	if c == nil || c.Pairs == 0 {
		return []field{{}, {}}
	}
	return []field{{s: ratio(num(c.Ratio)) + "x", right: true}, {s: string(c.Verdict), c: t.word[c.Verdict]}}
}

// identity writes the factors of a comparison with a base, or else of scaling.
func identity(c, scaling *Comparison) string {
	if c == nil {
		c = scaling
	}
	if c == nil || !c.known() {
		return ""
	}
	cores := ratio(*c.Cores.Value)
	if base := num(c.BaseCores.Value); math.Abs(math.Log(base)) > math.Log(1.1) {
		cores += "÷" + ratio(base) // a base that waits, or is parallel itself
	}
	if c.Kind == measure.Scaling {
		return fmt.Sprintf("%s/%s", cores, ratio(*c.Inflation.Value))
	}
	return fmt.Sprintf("%s/(%s×%s)", cores, ratio(*c.Overhead.Value), ratio(*c.Inflation.Value))
}

// known reports whether the factors of a comparison are.
func (c *Comparison) known() bool {
	return c.Cores.Value != nil && c.Overhead.Value != nil && c.Inflation.Value != nil
}

// reasons says why nothing can be said, once for each reason.
func (t *text) reasons(d *Doc, pkg, bench string) {
	by := map[string][]string{}
	var order []string
	for _, c := range d.Comparisons {
		if c.Package == pkg && c.Benchmark == bench && c.Why != "" {
			if by[c.Why] == nil {
				order = append(order, c.Why)
			}
			by[c.Why] = append(by[c.Why], c.what())
		}
	}
	for _, w := range order {
		t.line("  cannot say: " + strings.Join(by[w], ", ") + ": " + w)
	}
	for _, c := range d.Comparisons {
		if c.Package == pkg && c.Benchmark == bench && c.Layout.Decides {
			t.line(fmt.Sprintf("  layout: %s: from %sx to %sx in eight of ten layouts of the code", c.what(), ratio(*c.Layout.Low), ratio(*c.Layout.High)))
		}
	}
}

// what names a comparison beneath its table.
func (c *Comparison) what() string {
	s := fmt.Sprintf("%s at %d", c.Variant, c.Procs)
	if c.Kind == measure.Scaling {
		s += " vs 1"
	}
	return s
}

func (t *text) crossovers(d *Doc, p Package) {
	for _, c := range d.Crossovers {
		if c.Package != p.Package || c.At.Value == nil {
			continue
		}
		t.line("")
		s := fmt.Sprintf("  %s pays at %s from %s = %s", c.Variant, plural(c.Procs, "processor"), param(c.Param), size(*c.At.Value))
		if c.At.Low != nil && c.At.High != nil {
			s += fmt.Sprintf(" [%s, %s]", size(*c.At.Low), size(*c.At.High))
		}
		t.line(s + fmt.Sprintf(", interpolated between %s (does not pay) and %s (pays)", size(c.Below), size(c.Above)))
	}
}

func param(key string) string {
	if key == "" {
		return "size"
	}
	return key
}

func size(v float64) string { return fmt.Sprintf("%.3g", v) }

// foot says how far the figures of a package can be believed.
func (p Package) foot() string {
	s := "noise floor (the same code against itself): "
	if p.Control.Low != nil && p.Control.High != nil && *p.Control.Low > 0 {
		s += fmt.Sprintf("%.3f [%.3f, %.3f] over %d pairs", *p.Control.Value, *p.Control.Low, *p.Control.High, p.Control.Pairs)
	} else {
		s += fmt.Sprintf("unknown after %d pairs", p.Control.Pairs)
	}
	if p.Resolution != nil {
		s += fmt.Sprintf("; as noisy a comparison finds %.1f%% at the last look", 100**p.Resolution)
	}
	s += fmt.Sprintf("; differences under %.0f%% do not count, and even means less than %.1f%% apart", 100*p.Margin, 100*p.Even)
	end := map[measure.End]string{
		measure.Decided: "every comparison decided", measure.Exhausted: "last look reached", measure.Budget: "budget spent",
		measure.Interrupted: "interrupted", measure.Failed: "stopped by an error",
	}[p.End]
	s += fmt.Sprintf("\n  %d samples in %s", p.Samples, secondsNs(float64(p.Cost.Total)))
	if p.Layouts > 1 {
		s += fmt.Sprintf(", in %d layouts of the code", p.Layouts)
	}
	s += ": " + end
	for _, why := range slices.Sorted(maps.Keys(p.Dropped)) {
		s += fmt.Sprintf("; %d disturbed and taken again (%s)", p.Dropped[why], why)
	}
	return s
}

func (d *Doc) machine() string {
	e := d.Environment
	s := fmt.Sprintf("measured on %s, %s", e.CPU, plural(e.UsableCPUs, "processor"))
	for _, c := range d.Capacity {
		if c.Procs == e.UsableCPUs && c.Procs > 1 {
			s += fmt.Sprintf(" (%.2f given)", c.Cores)
		}
	}
	if e.Virtual != "" {
		s += ", virtual machine (" + e.Virtual + ")"
	}
	if e.Go != "" {
		s += ", " + e.Go
	}
	if p := d.Prices; p.Handoff.NS > 0 && p.Spawn.NS > 0 {
		s += fmt.Sprintf("; here a hand-off costs %s, a goroutine %s", secondsNs(p.Handoff.NS), secondsNs(p.Spawn.NS))
	}
	return s
}

func seconds(ns *float64) string {
	if ns == nil {
		return "-"
	}
	return secondsNs(*ns)
}

func secondsNs(ns float64) string {
	if ns == 0 {
		return "0s"
	}
	return benchunit.Scale(ns/1e9, benchunit.Decimal) + "s"
}

// ratio writes three significant digits: 0.0142, 1.03, 27.4, 340.
func ratio(r float64) string {
	switch {
	case math.IsInf(r, 1):
		return "∞"
	case r == 0:
		return "0"
	case r >= 1000:
		return fmt.Sprintf("%.0f", r)
	case r >= 0.995:
		return fmt.Sprintf("%.*f", max(0, 2-int(math.Floor(math.Log10(r*1.0005)))), r)
	}
	return fmt.Sprintf("%.3g", r)
}
