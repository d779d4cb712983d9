package judge_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
	"github.com/gopayoff/payoff/tool/internal/stats/noise"
)

func kinds(v judge.Verdict) (out []judge.DoubtKind) {
	for _, d := range v.Doubts {
		out = append(out, d.Kind)
	}
	return out
}

// TestDoubts: a time that no operation has, and a gain that no number of
// processors gives, are questioned wherever the cell is compared, and no other.
func TestDoubts(t *testing.T) {
	costs := map[string]cost{
		"S/variant=serial-1": {100, 1}, "S/variant=serial-2": {100, 1},
		"S/variant=good-1": {110, 1}, "S/variant=good-2": {55, 2}, // 2x: what two processors give
		"S/variant=more-1": {110, 1}, "S/variant=more-2": {22, 1.9}, // 5x
		"S/variant=gone-1": {0.3, 1}, "S/variant=gone-2": {0.3, 1},
		"S/variant=split-1": {0.8, 1}, "S/variant=split-2": {0.4, 2}, // 0.8 ns of processor time each
	}
	s := series(12, costs)
	s.Usable = 2
	r := judge.Judge(s, stats.DefaultRule, stats.DefaultBounds)
	for _, tt := range []struct {
		kind    measure.Kind
		variant string
		procs   int
		want    []judge.DoubtKind
	}{
		{measure.Scaling, "good", 2, nil},
		{measure.Scaling, "more", 2, []judge.DoubtKind{judge.Superlinear}},
		{measure.Variant, "more", 2, []judge.DoubtKind{judge.Superlinear}},
		{measure.Variant, "more", 1, nil},
		{measure.Variant, "gone", 1, []judge.DoubtKind{judge.CompiledAway}},
		{measure.Scaling, "gone", 2, []judge.DoubtKind{judge.CompiledAway, judge.CompiledAway}},
		{measure.Scaling, "split", 2, nil},
	} {
		if v := find(t, r, tt.kind, tt.variant, tt.procs); !slices.Equal(kinds(v), tt.want) {
			t.Errorf("%s of %s at %d: doubts %q, want %q", tt.kind, tt.variant, tt.procs, kinds(v), tt.want)
		}
	}
	if n := len(r.Warnings); n != 2 { // each benchmark once
		t.Errorf("%d warnings, want 2: %q", n, r.Warnings)
	}
	if w := strings.Join(r.Warnings, "\n"); !strings.Contains(w, "variant=more at 2: 5.02 [4.94, 5.14] times as fast with GOMAXPROCS=2 as with 1, where the same work gains 2 at most") || !strings.Contains(w, "variant=gone at 1: 0.3 ns") {
		t.Errorf("warnings %q", r.Warnings)
	}
	// Without CPU time each processor may have been at work.
	for _, samples := range s.Samples {
		for i := range samples {
			samples[i].CPU = math.NaN()
		}
	}
	r = judge.Judge(s, stats.DefaultRule, stats.DefaultBounds)
	for variant, want := range map[string][]judge.DoubtKind{"split": nil, "gone": {judge.CompiledAway}} {
		if v := find(t, r, measure.Scaling, variant, 2); !slices.Equal(kinds(v), want) {
			t.Errorf("without CPU time, %s: doubts %q, want %q", variant, kinds(v), want)
		}
	}
}

// TestSuperlinear: the interval decides, and the processors that there were.
func TestSuperlinear(t *testing.T) {
	const both = 2.0
	for _, tt := range []struct {
		name   string
		times  []float64 // as fast on two as on one, by round
		cores  float64   // used
		given  float64   // to busy threads; 0: not known
		usable int
		procs  int
		doubt  bool
	}{
		{"all above", []float64{2.4, 3.7, 5}, both, 0, 2, 2, true},
		{"a little, surely", []float64{2.08, 2.1, 2.12}, both, 0, 2, 2, true},
		{"what two give", []float64{1.95, 2, 2.02}, both, 0, 2, 2, false},
		{"perhaps above", []float64{1.5, 3, 4.5}, both, 0, 2, 2, false},
		{"on four", []float64{3.8, 3.9, 4}, both, 0, 4, 4, false},
		{"above four", []float64{4.9, 5, 5.1}, both, 0, 4, 4, true},
		{"of four there are two", []float64{3.8, 3.9, 4}, both, 0, 2, 4, true},
		{"of two it got less", []float64{1.9, 1.92, 1.94}, 1.6, 1.6, 2, 2, true},
		{"of two it used less than it got", []float64{1.9, 1.92, 1.94}, 1.6, 1.95, 2, 2, false},
		{"of two it used more than was given before", []float64{1.9, 1.92, 1.94}, 1.95, 1.6, 2, 2, false},
	} {
		s := series(12, map[string]cost{
			"S/variant=serial-1": {100, 1}, "S/variant=serial-2": {100, 1},
			"S/variant=more-1": {100, 1}, "S/variant=more-2": {50, 2},
		})
		s.Usable, s.Procs = tt.usable, []int{1, tt.procs}
		if tt.given > 0 {
			s.Given = map[int]float64{tt.procs: tt.given}
		}
		for c, samples := range s.Samples {
			if c.Procs == 2 {
				delete(s.Samples, c)
				for i := range samples {
					if strings.HasSuffix(c.Bench, "more") {
						samples[i].Wall = 100 / tt.times[i%len(tt.times)]
						samples[i].CPU = samples[i].Wall * tt.cores
					}
				}
				s.Samples[measure.Cell{Bench: c.Bench, Procs: tt.procs}] = samples
			}
		}
		r := judge.Judge(s, stats.DefaultRule, stats.DefaultBounds)
		for _, kind := range []measure.Kind{measure.Scaling, measure.Variant} {
			v := find(t, r, kind, "more", tt.procs)
			if got := slices.Contains(kinds(v), judge.Superlinear); got != tt.doubt {
				t.Errorf("%s: %s %.2f [%.2f, %.2f]: in doubt %t, want %t", tt.name, kind, v.Ratio, v.Low, v.High, got, tt.doubt)
			}
		}
	}
}

// TestGrowing: a cost that grows with b.N shows in the numbers of operations
// that the first rounds try, whatever the noise; one that does not, does not.
func TestGrowing(t *testing.T) {
	seeds := uint64(5)
	if !stress.Long() {
		seeds = 1
	}
	for _, p := range noise.All() {
		for power, want := range map[float64]bool{0: false, 0.1: false, 1: true} {
			found, n := 0, 0
			for seed := range seeds {
				w := world{profile: p, grows: power}
				for _, v := range simulate(t, w, seed+1, 1, stats.DefaultRule, 1, 2).Verdicts {
					n++
					if slices.Contains(kinds(v), judge.DependsOnN) {
						found++
					}
				}
			}
			t.Logf("%-10s power %.1f: %d of %d", p.Name, power, found, n)
			if share := float64(found) / float64(n); want && share < 0.5 || !want && found > 0 {
				t.Errorf("%s: a cost that grows as the power %.1f of b.N is doubted in %d of %d verdicts, want %t", p.Name, power, found, n, want)
			}
		}
	}
}
