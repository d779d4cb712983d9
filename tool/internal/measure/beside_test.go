package measure

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/host/sim"
)

// Each side runs its own binary, both in one layout; where one cannot be linked,
// neither changes.
func TestCodes(t *testing.T) {
	var ran []string
	build := func(code string, most int) *Subject {
		h := &sim.Host{
			Link: func(layout int) error {
				if layout > most {
					return errors.New("no more")
				}
				return nil
			},
			Process: func(_ context.Context, p sim.Process) (sim.Figures, error) {
				ran = append(ran, code+" "+p.Bench+" "+string(rune('0'+p.Layout)))
				return sim.Figures{Wall: 100, CPU: 100}, nil
			},
		}
		s, err := Build(t.Context(), h, discover.Target{Package: "m"}, BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	c := Codes{Old: build("old", 9), New: build("new", 1)}
	for _, layout := range []int{0, 1, 2} {
		if err := c.Use(t.Context(), layout); (err != nil) != (layout == 2) {
			t.Errorf("Use(%d): %v", layout, err)
		}
		for _, code := range []string{discover.Old, discover.New} {
			if _, err := c.Run(t.Context(), Cell{Bench: discover.CodeName("BenchmarkA/code=x", code), Procs: 1}, 10); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := []string{"old BenchmarkA/code=x 0", "new BenchmarkA/code=x 0", "old BenchmarkA/code=x 1", "new BenchmarkA/code=x 1", "old BenchmarkA/code=x 1", "new BenchmarkA/code=x 1"}
	if !slices.Equal(ran, want) {
		t.Errorf("ran %q, want %q", ran, want)
	}
}

// Two runs make one series: what both measured is compared at the counts that
// both have, in nothing but their code.
func TestSessions(t *testing.T) {
	series := func(wall float64, procs []int, names ...string) *Series {
		s := &Series{Package: "m", Procs: procs, Given: map[int]float64{2: wall}}
		for _, n := range names {
			s.Families = append(s.Families, discover.Family{Name: n, Base: -1, Members: []discover.Member{{Bench: n}}})
			for round := range int32(3) {
				s.Add(Cell{Bench: n, Procs: 2}, Sample{Wall: wall, Round: round + 1})
			}
		}
		return s
	}
	s := Sessions(series(2, []int{1, 2}, "BenchmarkA", "BenchmarkG"), series(1, []int{2, 4}, "BenchmarkA", "BenchmarkN"))
	if !slices.Equal(s.Procs, []int{2}) || !slices.Equal(s.Gone, []string{"BenchmarkG"}) || !slices.Equal(s.Added, []string{"BenchmarkN"}) || s.Given[2] != 1 {
		t.Errorf("procs %v, gone %q, added %q, given %v", s.Procs, s.Gone, s.Added, s.Given)
	}
	all := Comparisons(s.Families, []int{1, 2})
	if len(all) != 2 {
		t.Fatalf("comparisons %v, want one at each count", all)
	}
	if logs := s.LogRatios(all[1]); len(logs) != 3 || logs[0] < 0.69 {
		t.Errorf("log ratios %v, want three of log 2", logs)
	}
}
