package text

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
	"github.com/gopayoff/payoff/tool/internal/report"
)

// Of a package with more families than this, or more benchmarks without a base,
// the worst are shown.
const (
	mostFamilies   = 12
	mostBenchmarks = 30
)

// verdicts writes a table for each family with a base, and one for all
// benchmarks without, each with its causes.
func (t *writer) verdicts(d *report.Doc, p report.Package) {
	based, alone := d.Groups(p.Package)
	benchmarks := len(alone)
	shown, rest := t.worst(based, mostFamilies)
	for _, g := range shown {
		t.blank()
		t.line(2, span{g.Of[0].Benchmark, t.bold})
		t.family(p, g)
		t.reasons(slices.Concat(g.Of, g.Scaling))
		t.causes(g.Of)
	}
	t.rest(rest, "family", "families")
	if len(alone) == 0 {
		return
	}
	alone = slices.DeleteFunc(alone, func(g *report.Group) bool { return !slices.ContainsFunc(g.Of, paired) })
	shown, rest = t.worst(alone, mostBenchmarks)
	var list []*report.Comparison
	for _, g := range shown {
		list = append(list, g.Of...)
	}
	t.blank()
	if len(list) > 0 {
		t.alone(p, list)
	}
	t.rest(rest, "benchmark", "benchmarks")
	if n := benchmarks - len(alone); n > 0 {
		t.say(2, "%s not one pair of samples yet", has(n, "benchmark"))
	}
	t.reasons(list)
	if len(based) == 0 && baseless(d, list) {
		if len(d.Packages) == 1 {
			t.say(2, "None of these has a base. %s", naming(d))
		} else {
			t.baseless = append(t.baseless, p.Package)
		}
	}
	t.causes(list)
}

func paired(c *report.Comparison) bool { return c.Pairs > 0 }

// has is how many have something.
func has(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " has"
	}
	return figure.Plural(n, noun) + " have"
}

// baseless reports whether the user could name a base among benchmarks without
// one: none was named, and they are not all of one kind.
func baseless(d *report.Doc, list []*report.Comparison) bool {
	if d.Record == "" || d.Asked != nil && d.Asked.Base != "" {
		return false
	}
	return slices.ContainsFunc(list, func(base *report.Comparison) bool {
		return base.Goroutines != judge.Several && slices.ContainsFunc(list, func(c *report.Comparison) bool { return c.Goroutines != judge.One && c.Name != base.Name })
	})
}

// naming is how to name a base afterwards.
func naming(d *report.Doc) string {
	return "If one of them is the base of others: payoff replay -base <its name> " + plain.Shell(d.Record)
}

// worst returns the groups to show, and the others. Where there are more than
// most of them the worst come first: by their worst verdict at the most
// processors, then by its ratio.
func (t *writer) worst(list []*report.Group, most int) (shown, rest []*report.Group) {
	if t.all || len(list) <= most {
		return list, nil
	}
	list = report.WorstFirst(list)
	return list[:most], list[most:]
}

// rest says what the groups that are not shown came to.
func (t *writer) rest(list []*report.Group, one, many string) {
	what := many
	switch len(list) {
	case 0:
		return
	case 1:
		what = one
	}
	n := map[judge.Word]int{}
	for _, g := range list {
		for _, c := range g.Top() {
			n[c.Verdict]++
		}
	}
	var counts []string
	for _, w := range []struct {
		word      judge.Word
		one, many string
	}{{judge.Loses, "loses", "lose"}, {judge.CannotSay, "cannot say", "cannot say"}, {judge.Even, "is even", "are even"}, {judge.Pays, "pays", "pay"}} {
		switch n[w.word] {
		case 0:
		case 1:
			counts = append(counts, "1 "+w.one)
		default:
			counts = append(counts, fmt.Sprintf("%d %s", n[w.word], w.many))
		}
	}
	t.blank()
	t.say(2, "and %d more %s, none worse (at the most processors %s): -all shows them", len(list), what, strings.Join(counts, ", "))
}

// family writes the table of a family with a base.
func (t *writer) family(p report.Package, g *report.Group) {
	type at struct {
		variant string
		procs   int
	}
	walls, scaling := map[at]*float64{}, map[at]*report.Comparison{}
	for _, c := range slices.Concat(g.Of, g.Scaling) {
		walls[at{c.Variant, c.Procs}] = c.Wall
		walls[at{c.Base, c.BaseProcs}] = c.BaseWall
	}
	for _, c := range g.Scaling {
		scaling[at{c.Variant, c.Procs}] = c
	}
	base := g.Of[0].Base
	x := table{keys: 2, once: true, columns: []column{
		{head: "variant"}, {head: "procs", right: true}, {head: "time/op", right: true},
		{head: "vs " + base, short: "vs base", right: true, tied: true}, {head: "interval", tied: true}, {head: "verdict", tied: true},
		{head: "vs 1 proc", right: true}, {head: "verdict", tied: true}, {head: "= cores/(ovh×infl)"},
	}}
	var of, scales []*report.Comparison
	row := func(variant string, procs int, c *report.Comparison) {
		s := scaling[at{variant, procs}]
		of, scales = append(of, c), append(scales, s)
		r := slices.Concat([]span{{text: variant}, {text: fmt.Sprint(procs)}, {text: seconds(walls[at{variant, procs}])}}, t.ratio(c), t.gain(s))
		if c == nil {
			c = s
		}
		x.rows = append(x.rows, append(r, span{text: factors(c)}))
	}
	for _, procs := range p.Procs {
		row(base, procs, nil)
	}
	for _, c := range g.Of {
		row(c.Variant, c.Procs, c)
	}
	t.table(t.pictured(x, p, of, scales))
}

// alone writes the table of benchmarks without a base.
func (t *writer) alone(p report.Package, list []*report.Comparison) {
	x := table{keys: 2, columns: []column{
		{head: "benchmark"}, {head: "procs", right: true}, {head: "time/op", right: true},
		{head: "vs 1 proc", right: true, tied: true}, {head: "interval", tied: true}, {head: "verdict", tied: true},
		{head: "= cores/infl"}, {head: "pairs", right: true, tied: true},
	}}
	for _, c := range list {
		x.rows = append(x.rows, slices.Concat([]span{{text: short(c)}, {text: fmt.Sprint(c.Procs)}, {text: seconds(c.Wall)}}, t.ratio(c), []span{{text: factors(c)}, {text: fmt.Sprint(c.Pairs)}}))
	}
	t.table(t.pictured(x, p, list, list))
}

// short is the name of a comparison's benchmark.
func short(c *report.Comparison) string { return strings.TrimPrefix(c.Name, "Benchmark") }

// ratio is three cells: what a comparison found, its interval, its verdict.
func (t *writer) ratio(c *report.Comparison) []span {
	if c == nil {
		return make([]span, 3)
	}
	verdict := span{c.Word(), t.word[c.Verdict]}
	if c.Pairs == 0 {
		return []span{{text: "-"}, {}, verdict}
	}
	return []span{{text: figure.Ratio(report.Number(c.Ratio)) + "x"}, {text: interval(c)}, verdict}
}

func interval(c *report.Comparison) string {
	return fmt.Sprintf("[%s, %s]", figure.Ratio(report.Number(c.Low)), figure.Ratio(report.Upper(c.Low, c.High)))
}

// gain is two cells: what more processors gave, and the verdict.
func (t *writer) gain(c *report.Comparison) []span {
	if c == nil || c.Pairs == 0 {
		return make([]span, 2)
	}
	return []span{{text: figure.Ratio(report.Number(c.Ratio)) + "x"}, {c.Word(), t.word[c.Verdict]}}
}

// factors writes those of a speedup.
func factors(c *report.Comparison) string {
	if c == nil || !factored(c) {
		return ""
	}
	cores := figure.Ratio(*c.Cores.Value)
	if base := report.Number(c.BaseCores.Value); math.Abs(math.Log(base)) > math.Log(1.1) {
		cores = "(" + cores + "/" + figure.Ratio(base) + ")" // a base that waits, or is parallel itself
	}
	if c.Kind == measure.Scaling {
		return fmt.Sprintf("%s/%s", cores, figure.Ratio(*c.Inflation.Value))
	}
	return fmt.Sprintf("%s/(%s×%s)", cores, figure.Ratio(*c.Overhead.Value), figure.Ratio(*c.Inflation.Value))
}

// factored reports whether the factors of a speedup are known.
func factored(c *report.Comparison) bool {
	return c.Cores.Value != nil && c.Overhead.Value != nil && c.Inflation.Value != nil
}

// reasons says why nothing can be said, once for each reason, and which
// verdicts the layout of the code decides.
func (t *writer) reasons(cs []*report.Comparison) {
	by := map[string][]string{}
	var order []string
	for _, c := range cs {
		if c.Why == "" {
			continue
		}
		if by[c.Why] == nil {
			order = append(order, c.Why)
		}
		by[c.Why] = append(by[c.Why], what(c))
	}
	for _, why := range few(order, t.all) {
		t.say(2, "cannot say: %s: %s", t.several(by[why]), why)
	}
	if n := len(order) - len(few(order, t.all)); n > 0 {
		t.say(2, "and %s why: -all shows them", figure.Plural(n, "more reason"))
	}
	var ranges []string
	for _, c := range cs {
		if c.PairsLow != nil && c.PairsHigh != nil {
			ranges = append(ranges, fmt.Sprintf("%s: %sx to %sx (of %d)", what(c), figure.Ratio(*c.PairsLow), figure.Ratio(*c.PairsHigh), c.Pairs))
		}
	}
	if len(ranges) > 0 {
		t.say(2, "few pairs make wide intervals; single pairs gave %s", t.several(ranges))
	}
	for _, c := range cs {
		if c.Layout.Decides {
			t.say(2, "layout: %s: from %sx to %sx in eight of ten layouts of the code", what(c), figure.Ratio(*c.Layout.Low), figure.Ratio(*c.Layout.High))
		}
	}
}

// what names a comparison beneath its table.
func what(c *report.Comparison) string {
	s := fmt.Sprintf("%s at %d", cmp.Or(c.Variant, short(c)), c.Procs)
	if c.Kind == measure.Scaling {
		s += " vs 1"
	}
	return s
}

// several joins names: all of them if all lists are written in full, else the
// first few of many.
func (t *writer) several(names []string) string {
	if len(names) > 4 && !t.all {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:3], ", "), len(names)-3)
	}
	return strings.Join(names, ", ")
}

func seconds(ns *float64) string {
	if ns == nil {
		return "-"
	}
	return figure.Time(*ns)
}
