package report_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// TestWarnedOnce: a warning in the same words about several packages is one.
func TestWarnedOnce(t *testing.T) {
	var in report.Input
	for i := range 6 {
		pkg := fmt.Sprint("p", i)
		in.Series = append(in.Series, &measure.Series{Package: pkg, Procs: []int{1}, End: measure.Interrupted})
		r := judge.Result{Package: pkg}
		if i < 2 {
			r.Warnings = []string{"not steady", "alone " + pkg}
		}
		in.Results = append(in.Results, r)
	}
	want := []string{"p0, p1: not steady", "p0: alone p0", "p0, p1, p2 and 3 more packages: interrupted: judged from what there is", "p1: alone p1"}
	if got := report.New(in).Warnings; !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// TestNextOverPackages: next explains the cause that takes most of all that loses, in
// whatever package, not that of the worst comparison.
func TestNextOverPackages(t *testing.T) {
	var in report.Input
	add := func(pkg string, ratio float64, causes ...explain.Cause) {
		v := judge.Verdict{Kind: measure.Variant, Package: pkg, Benchmark: "Sum", Variant: "a", Base: "ser", Word: judge.Loses, New: measure.Cell{Bench: "BenchmarkA", Procs: 2}, BaseCell: measure.Cell{Bench: "BenchmarkSer", Procs: 2},
			Estimate: stats.Estimate{Ratio: ratio, Low: ratio, High: ratio, Pairs: 12}}
		in.Series = append(in.Series, &measure.Series{Package: pkg, Procs: []int{2}, Samples: map[measure.Cell][]measure.Sample{v.New: {{Wall: 1}}}})
		in.Results = append(in.Results, judge.Result{Package: pkg, Verdicts: []judge.Verdict{v}})
		in.Findings = append(in.Findings, []explain.Finding{{Verdict: v, Causes: causes}})
	}
	add("p", 0.1, explain.Cause{Slug: "grain", Share: 0.9})
	add("q", 0.3, explain.Cause{Slug: "lock", Share: 0.6}, explain.Cause{Slug: "alloc", Share: 0.3})
	add("r", 0.3, explain.Cause{Slug: "lock", Share: 0.8})
	if got, want := report.New(in).Next, "payoff explain lock"; got != want {
		t.Errorf("next %q, want %q", got, want)
	}
	in.Series, in.Results, in.Findings = in.Series[:2], in.Results[:2], in.Findings[:2]
	if got, want := report.New(in).Next, "payoff explain grain"; got != want {
		t.Errorf("next of two %q, want %q", got, want)
	}
}

// TestPairsRange: the range of the pairs stands where there are 3 to 5, of those that the
// verdict was taken from.
func TestPairsRange(t *testing.T) {
	for n, want := range map[int]bool{2: false, 3: true, 5: true, 6: false} {
		a, b := measure.Cell{Bench: "BenchmarkA", Procs: 2}, measure.Cell{Bench: "BenchmarkB", Procs: 2}
		s := &measure.Series{Package: "p", Procs: []int{2}, Samples: map[measure.Cell][]measure.Sample{}, Families: []discover.Family{{Name: "X", Members: []discover.Member{{Bench: a.Bench, Variant: "A"}, {Bench: b.Bench, Variant: "B"}}}}}
		for round := range int32(7) {
			s.Add(a, measure.Sample{Round: round + 1, N: 1, Wall: 100})
			s.Add(b, measure.Sample{Round: round + 1, N: 1, Wall: 100 * float64(round+2)})
		}
		v := judge.Verdict{Kind: measure.Variant, Package: "p", Benchmark: "X", Variant: "B", Base: "A", Word: judge.Loses, New: b, BaseCell: a, Estimate: stats.Estimate{Ratio: 0.3, Low: 0.05, High: 0.9, Pairs: n}}
		c := report.New(report.Input{Series: []*measure.Series{s}, Results: []judge.Result{{Package: "p", Verdicts: []judge.Verdict{v}}}}).Comparisons[0]
		if got := c.PairsLow != nil; got != want || c.PairsHigh != nil != want {
			t.Errorf("%d pairs have a range: %t, want %t", n, got, want)
		} else if want && (math.Abs(*c.PairsHigh-0.5) > 1e-9 || math.Abs(*c.PairsLow-1/float64(n+1)) > 1e-9) {
			t.Errorf("%d pairs are from %v to %v, want %v to 0.5", n, *c.PairsLow, *c.PairsHigh, 1/float64(n+1))
		}
	}
}

// TestUnsteadyOnce: of several packages on a machine that was not steady, and of several
// whose samples were disturbed, one warning speaks.
func TestUnsteadyOnce(t *testing.T) {
	var in report.Input
	add := func(pkg string, margin float64, unsteady bool, dropped int) {
		v := judge.Verdict{Kind: measure.Scaling, Package: pkg, Word: judge.CannotSay, Why: "wide", New: measure.Cell{Bench: "BenchmarkA", Procs: 2}, Estimate: stats.Estimate{Ratio: 1, Low: 0.5, High: 2, Pairs: 6}}
		in.Series = append(in.Series, &measure.Series{Package: pkg, Procs: []int{2}, End: measure.Budget, Dropped: map[string]int{"steal": dropped}, Samples: map[measure.Cell][]measure.Sample{v.New: make([]measure.Sample, 10)}})
		in.Results = append(in.Results, judge.Result{Package: pkg, Verdicts: []judge.Verdict{v}, Margin: margin, Unsteady: unsteady})
	}
	add("p", 0.14, true, 10)
	add("q", 0.05, false, 1)
	add("r", 0.09, true, 30)
	in.Series = append(in.Series, &measure.Series{Package: "s", Procs: []int{2}, End: measure.Budget, Dropped: map[string]int{"steal": 0}}) // not one sample
	in.Results = append(in.Results, judge.Result{Package: "s"})
	want := []string{
		"p, r: 40 of 60 samples were disturbed and taken again (steal 40), which the open verdicts lack: stop what else is running, or raise -budget",
		"p, r: the machine was not steady: the same code against itself showed a difference; differences under 9% to 14%, by package, are not believed",
	}
	if got := report.New(in).Warnings; !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	in.Series, in.Results = in.Series[:2], in.Results[:2]
	want[0] = "p: 10 of 20 samples were disturbed and taken again (steal 10), which the open verdicts lack: stop what else is running, or raise -budget"
	want[1] = "p: the machine was not steady: the same code against itself showed a difference; differences under 14% are not believed"
	if got := report.New(in).Warnings; !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}
