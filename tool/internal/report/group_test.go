package report

import (
	"testing"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
)

// One comparison of each group shows its stacks and its timeline: the worst, where it
// was explained. The others do not keep theirs.
func TestThin(t *testing.T) {
	ratio := func(x float64) *float64 { return &x }
	c := func(bench, variant string, kind measure.Kind, procs int, word judge.Word, r float64, explained bool) Comparison {
		return Comparison{Package: "m", Benchmark: bench, Name: bench + variant, Variant: variant, Kind: kind, Procs: procs, Verdict: word, Ratio: ratio(r), Explained: explained,
			Page: Page{Flame: []cpuprof.Frame{{Func: "f", Share: 1}}, Trace: Trace{Window: 1, Timeline: Timeline{Slot: 1}}}}
	}
	d := &Doc{Packages: []Package{{Package: "m"}}, Comparisons: []Comparison{
		c("A", "x", measure.Variant, 1, judge.Loses, 0.1, true),
		c("A", "x", measure.Variant, 2, judge.Loses, 0.6, true),
		c("A", "y", measure.Variant, 2, judge.Loses, 0.5, true), // shows
		c("A", "z", measure.Variant, 2, judge.Pays, 2, true),
		c("B", "x", measure.Variant, 1, judge.Loses, 0.5, true),
		c("B", "x", measure.Variant, 2, judge.Pays, 1.9, false),
		c("B", "y", measure.Scaling, 2, judge.Pays, 1.8, true), // shows
		c("C", "", measure.Scaling, 2, judge.Pays, 1.8, false),
		c("D", "", measure.Scaling, 2, judge.Even, 1, true), // shows
	}}
	d.thin()
	for i, want := range []bool{false, false, true, false, false, false, true, false, true} {
		p := d.Comparisons[i].Page
		if got := p.Flame != nil; got != want || (p.Trace.Timeline.Slot > 0) != want || p.Trace.Window == 0 {
			t.Errorf("comparison %d has them: %v, want %v: %+v", i, got, want, p)
		}
	}
}
