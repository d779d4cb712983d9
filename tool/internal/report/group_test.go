package report

import (
	"fmt"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/source"
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

// What functions have on one line is told once; the line without a file is its function.
func TestSpots(t *testing.T) {
	line := func(file string, n int, fn string, share float64) Line {
		return Line{Place: source.Place{File: file, Line: n, Func: fn}, Share: share, Text: file}
	}
	p := &Page{Lines: []Line{line("a.go", 1, "f", 0.4), line("a.go", 2, "f", 0.3), line("a.go", 2, "f.func1", 0.2), line("", 0, "asm", 0.1), line("b.go", 2, "f", 0.1)}}
	got := ""
	for _, l := range p.Spots() {
		got += fmt.Sprintf("%v %.1f %s, ", l.Place, l.Share, l.Text)
	}
	if want := "a.go:2 0.5 a.go, a.go:1 0.4 a.go, asm 0.1 , b.go:2 0.1 b.go, "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// At few processors a loss counts less than what is at the most; of two states of the
// code it counts as much.
func TestWorst(t *testing.T) {
	c := func(procs int, word judge.Word) Comparison {
		ratio := 0.8
		return Comparison{Package: "m", Benchmark: "A", Kind: measure.Variant, Procs: procs, Verdict: word, Ratio: &ratio}
	}
	d := &Doc{Comparisons: []Comparison{c(1, judge.Loses), c(2, judge.CannotSay)}}
	for _, compared := range []*Compared{nil, {}} {
		d.Compared = compared
		based, _ := d.Groups("m")
		if got, want := based[0].Worst().Procs, map[bool]int{true: 2, false: 1}[compared == nil]; got != want {
			t.Errorf("compared %v: the worst is at %d processors, want %d", compared != nil, got, want)
		}
	}
}
