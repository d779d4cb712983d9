package text_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/report/text"
)

// TestRepeats: what is true of several is said once, with the names of all.
func TestRepeats(t *testing.T) {
	d := doc()
	d.Comparisons, d.Problems = nil, nil
	num := func(x float64) *float64 { return &x }
	loses := func(family, variant, evidence string) report.Comparison {
		return report.Comparison{Package: "example.com/p", Benchmark: family, Name: "Benchmark" + family + "/variant=" + variant, BaseName: "Benchmark" + family + "/variant=serial", Variant: variant, Base: "serial", Kind: measure.Variant,
			Procs: 2, BaseProcs: 2, Verdict: judge.Loses, Ratio: num(0.5), Low: num(0.4), High: num(0.6), Pairs: 12, Explained: true,
			Causes: []report.Cause{{Slug: "lock", Title: "A lock", Share: 0.9, Evidence: []report.Evidence{{Text: evidence}}, Do: "hold it for less"}}}
	}
	d.Comparisons = []report.Comparison{loses("Sum", "a", "it waits"), loses("Sum", "b", "it waits"), loses("Sum", "c", "it waits longer"), loses("Max", "d", "it waits")}
	for i := range 4 {
		pkg := fmt.Sprintf("example.com/p%d", i)
		d.Problems = append(d.Problems, problem.Problem{Package: pkg, Reason: "cannot shuffle", Next: "set go 1.22", Note: true}, problem.Problem{Package: pkg, Reason: "fails", Next: "mend it"})
	}
	for _, all := range []bool{false, true} {
		var b strings.Builder
		if err := text.Report(&b, d, text.Options{All: all}); err != nil {
			t.Fatal(err)
		}
		s := b.String()
		for want, n := range map[string]int{
			"why a at 2, b at 2: 90% a lock (lock)": 1, "why c at 2: 90% a lock (lock)": 1, "why d at 2: 90% a lock (lock)": 1,
			"do: hold it for less": 1, "do: as for a at 2": 2,
			"note: example.com/p0, example.com/p1, example.com/p2, example.com/p3: cannot shuffle: set go 1.22": map[bool]int{false: 1}[all],
			": cannot shuffle": map[bool]int{false: 1, true: 4}[all], ": fails": 4,
		} {
			if got := strings.Count(s, want); got != n {
				t.Errorf("all %t: %q is there %d times, want %d:\n%s", all, want, got, n, s)
			}
		}
	}
}

// TestFewPairs: beside the interval of few pairs stands the range of the pairs, and a
// noise floor that resolves nothing says so in words.
func TestFewPairs(t *testing.T) {
	d := doc(comparison(measure.Variant, "Sum", "local", "serial", 2, judge.Pays, 0.22))
	c := &d.Comparisons[0]
	low, high, resolution := 0.21, 0.24, 2402.22
	c.Pairs, c.PairsLow, c.PairsHigh = 3, &low, &high
	d.Packages[0].Resolution = &resolution
	s := written(t, d, text.Options{})
	if want := "few pairs make wide intervals; single pairs gave local at 2: 0.21x to 0.24x (of 3)"; !strings.Contains(s, want) {
		t.Errorf("no %q in\n%s", want, s)
	}
	if !strings.Contains(s, "as noisy a comparison finds nothing under twice the time") || strings.Contains(s, "240222") {
		t.Errorf("%s", s)
	}
}

// TestOverPackages: what holds for all packages is said once for all, and what differs
// with each.
func TestOverPackages(t *testing.T) {
	two := func(second func(*report.Package)) *report.Doc {
		a := comparison(measure.Scaling, "Lone", "", "", 2, judge.Loses, 0.5)
		a.Goroutines, a.Explained = judge.Several, true
		a.Causes = []report.Cause{{Slug: "lock", Title: "A lock", Share: 0.9, Do: "hold it for less"}}
		b := comparison(measure.Scaling, "Plain", "", "", 2, judge.Even, 1)
		b.Goroutines = judge.One
		c, e := a, b
		c.Package, e.Package = "example.com/q", "example.com/q"
		d := doc(a, b, c, e)
		d.Packages = append(d.Packages, d.Packages[0])
		d.Packages[1].Package = "example.com/q"
		if second != nil {
			second(&d.Packages[1])
		}
		return d
	}
	for _, tt := range []struct {
		name string
		doc  *report.Doc
		want map[string]int
	}{
		{"two alike", two(nil), map[string]int{"percentages are shares": 1, "do not count": 1, "in all packages differences under 3% do not count, and even means less than 5.1% apart": 1, "noise floor": 2,
			"None of the benchmarks of example.com/p, example.com/q has a base": 1, "has a base": 1}},
		{"another margin", two(func(p *report.Package) { p.Margin = 0.07 }), map[string]int{"percentages are shares": 1, "in all packages": 0, "; differences under 3% do not count": 1, "; differences under 7% do not count": 1}},
		{"the second was not measured", two(func(p *report.Package) { p.Samples, p.Margin = 0, 0 }), map[string]int{"in all packages": 0, "; differences under 3% do not count": 1}},
	} {
		var b strings.Builder
		if err := text.Report(&b, tt.doc, text.Options{}); err != nil {
			t.Fatal(err)
		}
		for want, n := range tt.want {
			if got := strings.Count(b.String(), want); got != n {
				t.Errorf("%s: %q is there %d times, want %d:\n%s", tt.name, want, got, n, b.String())
			}
		}
	}
}

// TestFixOverPackages: a note of several packages, and the run that their figures are
// of, are said once, with their names.
func TestFixOverPackages(t *testing.T) {
	d := doc()
	d.Fixes = []report.Fixes{
		{Package: "example.com/p", Tried: true, Taken: "runs/1", Notes: []string{"no hot line", "alone"}},
		{Package: "example.com/q", Tried: true, Taken: "runs/1", Notes: []string{"no hot line"}},
		{Package: "example.com/r", Tried: true, Taken: "runs/2"},
	}
	var b strings.Builder
	if err := text.Fix(&b, d, text.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"note: example.com/p, example.com/q: no hot line\n", "note: alone\n",
		"example.com/p, example.com/q: the code is what it was when runs/1 was measured", "\nthe code is what it was when runs/2 was measured",
	} {
		if strings.Count(b.String(), want) != 1 {
			t.Errorf("%q is not there once:\n%s", want, b.String())
		}
	}
	if strings.Count(b.String(), "no hot line") != 1 || strings.Count(b.String(), "runs/1") != 1 {
		t.Errorf("repeats:\n%s", b.String())
	}
}
