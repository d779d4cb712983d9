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
