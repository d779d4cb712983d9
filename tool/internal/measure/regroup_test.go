package measure

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

func told(base string) discover.Hints { return discover.Hints{Base: regexp.MustCompile(base)} }

// A run without a base has the samples for any: all benchmarks at all
// processor counts, in the same rounds.
func TestRegroup(t *testing.T) {
	s, r := setup("Xa", "Xb")
	r.wall = steady
	r.link = func(int) error { return nil }
	if err := Run(t.Context(), s, r.subject(t), Options{Seed: 1, Now: func() time.Time { return r.now }}); err != nil {
		t.Fatal(err)
	}
	s.Problems = []problem.Problem{{Reason: "old pairs", Pairs: true}, {Reason: "other"}}
	before := len(Comparisons(s.Families, s.Procs))
	g := Regroup(s, told("a$"))
	if g.End != Regrouped || s.End != Decided || len(Comparisons(s.Families, s.Procs)) != before {
		t.Errorf("end %q, of the old series %q: want regrouped, and decided as it was", g.End, s.End)
	}
	if len(g.Problems) != 1 || g.Problems[0].Reason != "other" || len(s.Problems) != 2 {
		t.Errorf("problems %v: want those that are not about the old pairs", g.Problems)
	}
	variants := 0
	for _, c := range Comparisons(g.Families, g.Procs) {
		logs := g.LogRatios(c)
		if len(logs) < stats.DefaultRule.Looks[0] {
			t.Errorf("%v: %d pairs, want %d at least", c, len(logs), stats.DefaultRule.Looks[0])
		}
		if c.Kind == Variant {
			variants++
			if got := stats.Median(logs); math.Abs(got+math.Log(1.5)) > 0.03 {
				t.Errorf("%v: median log ratio %v, want -log 1.5", c, got)
			}
		}
	}
	if variants != 2 {
		t.Errorf("%d comparisons with the base, want one at each processor count", variants)
	}
	// The pairs of before are those that are made again.
	again := Regroup(g, told("a$"))
	for i, c := range Comparisons(g.Families, g.Procs) {
		if d := Comparisons(again.Families, again.Procs)[i]; d != c || !slices.Equal(again.LogRatios(d), g.LogRatios(c)) {
			t.Errorf("%v: paired again it is %v with other pairs", c, d)
		}
	}
}

// What cannot be paired has no families and says why; what was not measured
// is said as well.
func TestRegroupRefused(t *testing.T) {
	s, _ := setup("X/a", "X/b", "X/c")
	g := Regroup(s, told("a$|b$"))
	if len(g.Families) != 0 || len(g.Problems) != 1 || g.Problems[0].Note {
		t.Errorf("families %v, problems %v: want none and one that says which base", g.Families, g.Problems)
	}
	g = Regroup(s, told("a$"))
	if len(g.Problems) != 1 || !strings.Contains(g.Problems[0].Reason, "no samples") {
		t.Errorf("problems %v: want that there are no samples of the pairs", g.Problems)
	}
}

// Sides that ran in different layouts are an observation of both.
func TestLayoutsOfPairs(t *testing.T) {
	s := &Series{Package: "p", Procs: []int{1}, Families: discover.Families([]string{"BenchmarkXa", "BenchmarkXb"}, told("a$"))}
	for i, layouts := range [][2]int32{{1, 1}, {1, 2}, {2, 1}, {2, 2}, {1, 2}} {
		s.Add(Cell{Bench: "BenchmarkXa", Procs: 1}, Sample{Round: int32(i + 1), Wall: 1, Layout: layouts[0]})
		s.Add(Cell{Bench: "BenchmarkXb", Procs: 1}, Sample{Round: int32(i + 1), Wall: 1, Layout: layouts[1]})
	}
	p := s.Pairs(Comparisons(s.Families, s.Procs)[0]).Layouts
	if len(p) != 5 || p[0] != 1 || p[3] != 2 || p[1] == p[0] || p[1] == p[2] || p[2] == p[3] || p[1] != p[4] {
		t.Errorf("layouts of the pairs = %v, want 1, one more, another one, 2, and the second again", p)
	}
}

// At one processor count what has no base is left out, and that is said.
func TestUnpaired(t *testing.T) {
	for _, procs := range [][]int{{1}, {1, 2}} {
		s, r := setup("X/variant=serial", "X/variant=b", "Y", "Z")
		s.Procs = procs
		if err := Run(t.Context(), s, r.subject(t), Options{Seed: 1, Now: func() time.Time { return r.now }}); err != nil {
			t.Fatal(err)
		}
		measured := len(s.Samples[Cell{Bench: "BenchmarkY", Procs: 1}]) > 0
		x, left := Unpaired("p", s.Families, procs)
		if left == measured || left && !strings.HasPrefix(x.Reason, "2 benchmarks without a base are not measured") {
			t.Errorf("at %v processors Y measured: %v; said: %v %q", procs, measured, left, x.Reason)
		}
	}
}
