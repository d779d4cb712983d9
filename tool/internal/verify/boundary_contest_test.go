package verify

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/measure"
)

// spread makes the samples of a candidate differ: the centre stays, and what is
// sure of it is less.
func (r *Record) spread(id string, c measure.Cell, by float64) {
	n := 0
	for i := range r.Samples {
		if x := &r.Samples[i]; x.side() == (side{id, c}) {
			x.Wall *= math.Exp(by * float64(2*(n%2)-1) * float64(1+n/2))
			n++
		}
	}
}

// TestWorth: what gains more counts less if it may lose at any cell, as far as the
// samples say so; what only may is not sure to, and a gain that is much larger
// outweighs it.
func TestWorth(t *testing.T) {
	two := []measure.Cell{at(hot, 1), at(hot, 4)}
	for _, tt := range []struct {
		name   string
		speeds map[string][]float64
		spread float64 // of a and b at one processor
		want   []string
		may    bool // a may lose
	}{
		{"a seems to lose", map[string][]float64{"a": {0.9, 8.4}, "b": {1, 7}}, 0.1, []string{"b", "a"}, true},
		{"less than what counts", map[string][]float64{"a": {0.98, 7.4}, "b": {1, 7}}, 0.1, []string{"a", "b"}, false},
		{"but gains far more", map[string][]float64{"a": {0.93, 7.4}, "b": {1, 1.05}}, 0.2, []string{"a", "b"}, true},
		{"both seem to", map[string][]float64{"a": {0.9, 8.4}, "b": {0.9, 7}}, 0.1, []string{"a", "b"}, true},
		{"a plainly loses", map[string][]float64{"a": {0.9, 7.4}, "b": {1, 1}}, 0.001, []string{"b", "a"}, true},
		{"no gain is not made less", map[string][]float64{"a": {0.9, 1}, "b": {0.8, 1}}, 0.2, []string{"a", "b"}, true},
	} {
		r, all := chosen(two, tt.speeds, "a", "b")
		for _, id := range []string{"a", "b"} {
			r.spread(id, two[0], tt.spread)
		}
		var got []string
		for _, s := range r.standings(all) {
			got = append(got, s.ID)
			if s.ID == "a" && (s.keeps < 1) != tt.may {
				t.Errorf("%s: a is kept by %v, may lose: want %t", tt.name, s.keeps, tt.may)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}

	// It goes with the words that say so.
	r, all := chosen(two, map[string][]float64{"a": {0.9, 8.4}, "b": {1, 7}}, "a", "b")
	r.spread("a", two[0], 0.1)
	if got, want := r.slower(all, true, 0)["a"], "it may slow BenchmarkHot-1 down, and b gains more surely"; got != want {
		t.Errorf("a, which may lose: %q, want %q", got, want)
	}
	// What is sure to be slower than the best, but may be the only one that does not
	// lose, stays until the last stage.
	r, all = chosen(two, map[string][]float64{"a": {0.95, 7.4}, "b": {1, 1.5}}, "a", "b")
	r.spread("a", two[0], 0.3)
	if first, goes := r.standings(all)[0].ID, r.slower(all, false, 0); first != "a" || len(goes) > 0 {
		t.Errorf("%s comes first, %v goes: want a and none", first, goes)
	}
}

// TestUnlikely: 1 down to the bound, and below it the less the further away and the
// more there is.
func TestUnlikely(t *testing.T) {
	x := []float64{-0.3, -0.1, 0, 0.1, 0.2, 0.3, 0.2, -0.1}
	last := 1.0
	for _, down := range []float64{0, 0.05, 0.1, 0.2, 0.4, 0.6} {
		var moved []float64
		for _, v := range x {
			moved = append(moved, v-down)
		}
		got := unlikely(moved, -0.03)
		if got > last || down == 0 && got != 1 || down == 0.6 && got > 0.02 {
			t.Errorf("moved down by %v: %v, before it %v", down, got, last)
		}
		if more := unlikely(append(slices.Clone(moved), moved...), -0.03); more > got {
			t.Errorf("moved down by %v: %v, with twice as many %v", down, got, more)
		}
		last = got
	}
	if got := unlikely([]float64{-1}, -0.03); got != 1 {
		t.Errorf("one pair: %v, want 1", got)
	}
}

// TestSimplest: of what is not plainly slower by what counts, and worth nearly as
// much, the lowest rank wins, and of a rank what changes the fewest lines.
func TestSimplest(t *testing.T) {
	two := []measure.Cell{at(hot, 1), at(hot, 4)}
	short, long := "\n-a\n+b\n", "\n-a\n+b\n+c\n+d\n"
	for _, tt := range []struct {
		name   string
		speeds map[string][]float64
		ranks  map[string]int
		diffs  map[string]string
		want   string
	}{
		{"as good, a lower rank", map[string][]float64{"a": {1, 2.1}, "b": {1, 2.05}, "c": {1, 1}}, map[string]int{"a": 1}, nil, "b"},
		{"slower by what counts", map[string][]float64{"a": {1.1, 2.1}, "b": {1.05, 2}, "c": {1, 1}}, map[string]int{"a": 1}, nil, "a"},
		{"worth less than nearly as much", map[string][]float64{"a": {1.05, 1.05}, "b": {1.03, 1.03}, "c": {1, 1}}, map[string]int{"a": 1}, nil, "a"},
		{"a higher rank", map[string][]float64{"a": {1, 2.1}, "b": {1, 2.09}, "c": {1, 1}}, map[string]int{"b": 1}, nil, "a"},
		{"fewer lines", map[string][]float64{"a": {1, 2.1}, "b": {1, 2.09}, "c": {1, 1}}, nil, map[string]string{"a": long, "b": short}, "b"},
		{"more lines", map[string][]float64{"a": {1, 2.1}, "b": {1, 2.09}, "c": {1, 1}}, nil, map[string]string{"a": short, "b": long}, "a"},
		{"fewer lines, but a higher rank", map[string][]float64{"a": {1, 2.1}, "b": {1, 2.09}, "c": {1, 1}}, map[string]int{"b": 1}, map[string]string{"a": long, "b": short}, "a"},
		{"the simplest of three", map[string][]float64{"a": {1, 2.1}, "b": {1, 2.09}, "c": {1, 2.08}}, map[string]int{"a": 2, "b": 1}, nil, "c"},
		{"simpler, and plainly loses", map[string][]float64{"a": {1, 2.1}, "b": {0.9, 2.9}, "c": {1, 1}}, map[string]int{"a": 1}, nil, "a"},
		{"all lose", map[string][]float64{"a": {0.9, 2.1}, "b": {0.9, 2.09}, "c": {0.9, 1}}, map[string]int{"a": 1}, nil, "b"},
	} {
		r, all := chosen(two, tt.speeds, "a", "b", "c")
		for _, c := range all {
			c.Rank, c.Diff = tt.ranks[c.ID], tt.diffs[c.ID]
		}
		var left []string
		goes := r.slower(all, true, 0)
		for _, c := range all {
			if goes[c.ID] == "" {
				left = append(left, c.ID)
			}
		}
		if !slices.Equal(left, []string{tt.want}) {
			t.Errorf("%s: %q stay, want %s", tt.name, left, tt.want)
		}
		if tt.want == "b" && r.slower(all, false, 0)["b"] != "" {
			t.Errorf("%s: b goes before the last stage", tt.name)
		}
	}
}

// TestNextOf: in the place of what failed its proof comes what went last, the best
// of it, if it seemed to gain at some cell and more likely than not loses at none.
func TestNextOf(t *testing.T) {
	two := []measure.Cell{at(hot, 1), at(hot, 4)}
	for _, tt := range []struct {
		name   string
		speeds map[string][]float64
		pairs  map[string]int // more of them
		failed bool
		want   string
	}{
		{"the best", map[string][]float64{"a": {1, 1.5}, "b": {1, 2}}, nil, true, "b"},
		{"what went later", map[string][]float64{"a": {1, 1.5}, "b": {1, 2}}, map[string]int{"a": 8}, true, "a"},
		{"one that gains nothing", map[string][]float64{"a": {1, 1.02}, "b": {1, 1}}, nil, true, ""},
		{"likewise, where no proof failed", map[string][]float64{"a": {1, 1.02}, "b": {1, 1}}, nil, false, "a"},
		{"one that loses", map[string][]float64{"a": {0.9, 2}, "b": {0.8, 3}}, nil, true, ""},
		{"the other does not", map[string][]float64{"a": {1, 1.1}, "b": {0.8, 3}}, nil, true, "a"},
		{"not measured", map[string][]float64{"a": nil, "b": nil}, nil, true, ""},
	} {
		r := seat(t, &bench{}, "a", "b")
		for i, c := range two {
			r.rec.put(Selecting, side{"", c}, 100, 8)
			for _, id := range []string{"a", "b"} {
				if by := tt.speeds[id]; by != nil {
					r.rec.put(Selecting, side{id, c}, 100/by[i], 8)
				}
				for range tt.pairs[id] {
					r.rec.Samples = append(r.rec.Samples, Sample{Phase: Selecting, Arm: id, Bench: c.Bench, Procs: c.Procs, Wall: 100, Drop: measure.Calibration})
				}
			}
		}
		for i := range r.rec.Candidates {
			x := &r.rec.Candidates[i]
			x.Claim, x.Stage, x.Cells = "f", Halved, two
		}
		got := ""
		if x := r.next("f", tt.failed); x != nil {
			got = x.ID
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestProofsInTurn: of a claim the last proof is corrected with those of other
// claims, and what was proven before it does not make them count less; each proof
// after one that failed has half of the error.
func TestProofsInTurn(t *testing.T) {
	cells := []measure.Cell{at(hot, 1), at(hot, 4)}
	const pairs = 12
	r := made(cells, "first", "second", "other")
	for i, claim := range []string{"f", "f", "g"} {
		r.Candidates[i].Claim, r.Candidates[i].Pairs = claim, pairs
	}
	r.Candidates[1].After = 1
	for _, c := range cells {
		r.put(Confirming, side{"", c}, 100, pairs)
		for _, x := range r.Candidates {
			r.put(Confirming, side{x.ID, c}, 50, pairs)
		}
	}
	by := map[string]Proof{}
	for _, p := range Judge(r) {
		by[p.Candidate] = p
	}
	p := by["other"].Gains[0].P
	for id, want := range map[string]float64{"other": 4 * p, "second": 2 * 2 * p, "first": 4 * p} {
		for _, g := range by[id].Gains {
			if got := g.AdjustedP; math.Abs(got/want-1) > 1e-9 {
				t.Errorf("%s at %s: adjusted p %v, want %v of p %v", id, g.Cell, got, want, p)
			}
		}
	}

	// What is told before the last claim is decided counts as much.
	for _, late := range []bool{false, true} {
		told := 0
		r := bare(time.Minute, Options{Kept: func(Proof) { told++ }, Candidates: []Candidate{{Edit: edit.Edit{ID: "a"}, Claim: "f", Cells: cells[:1]}, {Edit: edit.Edit{ID: "b"}, Claim: "g", Cells: cells[:1]}}})
		r.rec.put(Confirming, side{"", cells[0]}, 100, pairs)
		r.rec.put(Confirming, side{"a", cells[0]}, 50, pairs)
		x := &r.rec.Candidates[0]
		x.Pairs = pairs
		p, want := Judge(r.rec)[0].Gains[0].P, 1
		for late && p*2*x.counts() <= r.o.Rule.Error() {
			x.After, want = x.After+1, 0
		}
		if r.tell(map[string]bool{}, false); told != want || Judge(r.rec)[0].Word != Kept {
			t.Errorf("p of %v after %d proofs, %s: told %d times, want %d", p, x.After, Judge(r.rec)[0].Word, told, want)
		}
	}

	// As many more pairs are the fewest, and only the first proof of a claim may
	// take what others wait for.
	for after, share := range []float64{1, 1. / 2, 1. / 4} {
		r := bare(time.Minute, Options{Candidates: []Candidate{{Edit: edit.Edit{ID: "a"}, Claim: "f", Cells: cells[:1]}}})
		r.rec.Candidates[0].After = after
		if got, want := r.plan(&r.rec.Candidates[0]).least, fewest(share*r.o.Rule.Error()); got != want {
			t.Errorf("after %d proofs: %d pairs at least, want %d", after, got, want)
		}
	}
	for after, want := range map[int]time.Duration{0: time.Minute, 1: time.Millisecond} {
		r := bare(time.Minute, Options{Candidates: []Candidate{{Edit: edit.Edit{ID: "a"}, Claim: "f", Cells: cells[:1]}, {Edit: edit.Edit{ID: "b"}, Claim: "g", Cells: cells[:1]}}})
		r.arms.Length, r.arms.Startup = time.Hour, time.Hour
		r.begin(time.Millisecond)
		r.rec.Candidates[0].After = after
		if err := r.confirm(t.Context(), Confirming, &r.rec.Candidates[0]); err != nil || r.left() != want || r.rec.Candidates[0].Stage != Untried {
			t.Errorf("after %d proofs: %v left to it, %s, want %v and %s", after, r.left(), r.rec.Candidates[0].Stage, want, Untried)
		}
	}
}
