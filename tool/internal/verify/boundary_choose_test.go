package verify

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/contest"
	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// chosen is a record of candidates of one claim and what they were chosen by.
func chosen(cells []measure.Cell, speeds map[string][]float64, ids ...string) (*Record, []*Trial) {
	r := made(cells, ids...)
	for i, c := range cells {
		r.put(Selecting, side{"", c}, 100, 8)
		for _, id := range ids {
			if by := speeds[id]; i < len(by) {
				r.put(Selecting, side{id, c}, 100/by[i], 8)
			}
		}
	}
	var all []*Trial
	for i := range r.Candidates {
		r.Candidates[i].Claim, r.Candidates[i].Pairs, r.Candidates[i].Sweep = "f", 0, "only "+r.Candidates[i].ID
		all = append(all, &r.Candidates[i])
	}
	return r, all
}

// TestStandings: the best on the whole first; what plainly loses somewhere after
// all that does not, what was not measured last; a rank costs a percent.
func TestStandings(t *testing.T) {
	two := []measure.Cell{at(hot, 1), at(hot, 4)}
	for _, tt := range []struct {
		name   string
		speeds map[string][]float64
		ranks  map[string]int
		want   []string
	}{
		{"by the mean", map[string][]float64{"a": {1.1, 1.1}, "b": {1, 1.5}, "c": {1.3, 1}}, nil, []string{"b", "c", "a"}},
		{"one loses", map[string][]float64{"a": {0.8, 9}, "b": {1, 1}, "c": {1.01, 1}}, nil, []string{"c", "b", "a"}},
		{"one loses at the other", map[string][]float64{"a": {9, 0.8}, "b": {1, 1}, "c": {0.9, 0.9}}, nil, []string{"b", "a", "c"}},
		{"less than what counts is no loss", map[string][]float64{"a": {0.98, 2}, "b": {1, 1}, "c": {0.96, 2.2}}, nil, []string{"a", "b", "c"}},
		{"one was not measured", map[string][]float64{"a": nil, "b": {1, 1}, "c": {0.5, 0.5}}, nil, []string{"b", "a", "c"}},
		{"at one cell only", map[string][]float64{"a": {1.5}, "b": {1.2, 1.2}, "c": {1, 1}}, nil, []string{"a", "b", "c"}},
		{"a rank costs a percent", map[string][]float64{"a": {1.515, 1.515}, "b": {1.508, 1.508}, "c": {1, 1}}, map[string]int{"a": 1}, []string{"b", "a", "c"}},
		{"and no more", map[string][]float64{"a": {1.525, 1.525}, "b": {1.508, 1.508}, "c": {1, 1}}, map[string]int{"a": 1}, []string{"a", "b", "c"}},
		{"two ranks", map[string][]float64{"a": {1.525, 1.525}, "b": {1.508, 1.508}, "c": {1, 1}}, map[string]int{"a": 2}, []string{"b", "a", "c"}},
	} {
		r, all := chosen(two, tt.speeds, "a", "b", "c")
		for _, c := range all {
			c.Rank = tt.ranks[c.ID]
		}
		var got []string
		for _, s := range r.standings(all) {
			got = append(got, s.ID)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestPlainly: few pairs show no loss, however large it looks.
func TestPlainly(t *testing.T) {
	for pairs, want := range map[int]bool{2: false, 12: true} {
		c := at(hot, 1)
		r := made([]measure.Cell{c}, "a")
		r.put(Selecting, side{"", c}, 100, pairs)
		r.put(Selecting, side{"a", c}, 125, pairs)
		if s := r.standings([]*Trial{&r.Candidates[0]})[0]; s.loses != want {
			t.Errorf("0.8 times as fast in %d pairs: plainly slower %t, want %t", pairs, s.loses, want)
		}
	}
}

// TestLeftOut: which candidates go after a stage.
func TestLeftOut(t *testing.T) {
	two := []measure.Cell{at(hot, 1), at(hot, 4)}
	for _, tt := range []struct {
		name   string
		speeds map[string][]float64
		sweeps map[string]string
		last   bool
		spare  float64
		want   []string
	}{
		{"the worse half", map[string][]float64{"a": {1.5, 1.5}, "b": {1.499, 1.499}, "c": {1.4975, 1.4975}, "d": {1.497, 1.497}}, nil, false, 0, []string{"c", "d"}},
		{"of three one", map[string][]float64{"a": {1.5, 1.5}, "b": {1.499, 1.499}, "c": {1.4975, 1.4975}}, nil, false, 0, []string{"c"}},
		{"of two one", map[string][]float64{"a": {1.5, 1.5}, "b": {1.499, 1.499}}, nil, false, 0, []string{"b"}},
		{"one alone", map[string][]float64{"a": {1.5, 1.5}}, nil, true, 0, nil},
		{"at the last stage all but the best", map[string][]float64{"a": {1.4, 1.4}, "b": {1.5, 1.5}, "c": {1.499, 1.499}}, nil, true, 0.1, []string{"a", "c"}},
		{"what is surely slower", map[string][]float64{"a": {1.5, 1.5}, "b": {1.2, 1.2}, "c": {1.1, 1.1}}, nil, false, 0, []string{"b", "c"}},
		{"spared while it may be close", map[string][]float64{"a": {1.5, 1.5}, "b": {1.45, 1.45}, "c": {1.1, 1.1}}, nil, false, 0.1, []string{"c"}},
		{"spared, but surely further", map[string][]float64{"a": {1.5, 1.5}, "b": {1.3, 1.3}, "c": {1.45, 1.45}}, nil, false, 0.1, []string{"b"}},
		{"the best at the other cell stays", map[string][]float64{"a": {1.5, 1.5}, "b": {1.499, 1.499}, "c": {1.3, 1.6}, "d": {1.2, 1.2}}, nil, false, 0, []string{"d"}},
		{"a sweep counts as one", map[string][]float64{"a": {1.5, 1.5}, "b": {1.499, 1.499}, "c": {1.498, 1.498}, "d": {1.4975, 1.4975}}, map[string]string{"a": "s", "b": "s", "c": "s", "d": "t"}, false, 0, []string{"c", "d"}},
	} {
		var ids []string
		for id := range tt.speeds {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		r, all := chosen(two, tt.speeds, ids...)
		for _, c := range all {
			if s := tt.sweeps[c.ID]; s != "" {
				c.Sweep = s
			}
		}
		var got []string
		for id := range r.slower(all, tt.last, tt.spare) {
			got = append(got, id)
		}
		slices.Sort(got)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestBeaten: in words, by how much.
func TestBeaten(t *testing.T) {
	two := []measure.Cell{at(hot, 1), at(hot, 4)}
	r, all := chosen(two, map[string][]float64{"best": {1.5, 1.5}, "half": {0.75, 1}, "close": {1.4985, 1.4985}, "less": {1.48, 1.48}, "never": nil, "worse": {0.7, 0.7}}, "best", "half", "close", "less", "never", "worse")
	by := map[string]standing{}
	for _, s := range r.standings(all) {
		by[s.ID] = s
	}
	for _, tt := range []struct{ id, best, want string }{
		{"half", "best", "it slows BenchmarkHot-1 down, which best does not"},
		{"close", "best", "best was as fast"},
		{"less", "best", "best was faster: this has 0.99 of its speed"},
		{"never", "best", "best was measured instead"},
		{"worse", "half", "half was faster: this has 0.81 of its speed"},
	} {
		if got := r.beaten(by[tt.id], by[tt.best]); got != tt.want {
			t.Errorf("%s beside %s: %q, want %q", tt.id, tt.best, got, tt.want)
		}
	}
	if got := r.losses(all[1]); !slices.Equal(got, []string{"BenchmarkHot-1"}) {
		t.Errorf("losses %v, want those at one processor", got)
	}
	// A loss is one by more than counts.
	for speed, want := range map[float64]int{1/1.03 - 0.001: 2, 1/1.03 + 0.001: 0} {
		r, all := chosen(two, map[string][]float64{"a": {speed, speed}}, "a")
		if got := r.losses(all[0]); len(got) != want {
			t.Errorf("%v of the speed: losses %v, want %d", speed, got, want)
		}
	}
}

// TestPartnersOf: with a side that others disturbed goes what it is compared with,
// whichever of the two it was.
func TestPartnersOf(t *testing.T) {
	base, with, twin, other, third := side{"", at(hot, 2)}, side{"a", at(hot, 2)}, side{"", twinOf(at(hot, 2))}, side{"", at(still, 2)}, side{"b", at(hot, 2)}
	var b contest.Block[side]
	b.Add(base, with)
	b.Add(base, twin)
	b.Add(other, with)
	b.Add(base, third)
	if want := []side{base, with, twin, other, third}; !slices.Equal(b.Sides, want) || len(b.Pairs) != 4 {
		t.Fatalf("block %+v, want each side once and four pairs", b)
	}
	for _, tt := range []struct {
		spoiled, ran, want []side
	}{
		{nil, b.Sides, nil},
		{[]side{twin}, b.Sides, []side{base, twin}},
		{[]side{base}, b.Sides, []side{base, with, twin, third}},
		{[]side{with}, b.Sides, []side{base, with, other}},
		{[]side{other}, b.Sides, []side{with, other}},
		{[]side{third, other}, b.Sides, []side{base, with, other, third}},
		{[]side{other}, []side{other, base}, []side{other}}, // its partner did not run
	} {
		if got := b.Again(tt.spoiled, tt.ran); !slices.Equal(got, tt.want) {
			t.Errorf("spoiled %v: again %v, want %v", tt.spoiled, got, tt.want)
		}
	}
	// The blocks of a contest: of each cell the untouched code once, with all.
	var alive []*Trial
	for _, id := range []string{"a", "b", "c"} {
		alive = append(alive, &Trial{Candidate: Candidate{Edit: edit.Edit{ID: id}, Cells: []measure.Cell{at(hot, 1), at(hot, 4)}}})
	}
	blocks := beside(alive)
	if len(blocks) != 2 {
		t.Fatalf("%d blocks of two cells", len(blocks))
	}
	for i, c := range []measure.Cell{at(hot, 1), at(hot, 4)} {
		if want := []side{{"", c}, {"a", c}, {"b", c}, {"c", c}}; !slices.Equal(blocks[i].Sides, want) || len(blocks[i].Pairs) != 3 {
			t.Errorf("block %d: %+v, want %v in three pairs", i, blocks[i], want)
		}
	}
}

// TestOneClaim: candidates of one claim are compared on the cells of all, those of
// another are not.
func TestOneClaim(t *testing.T) {
	r := bare(time.Minute, Options{Candidates: []Candidate{
		{Edit: edit.Edit{ID: "a"}, Claim: "f", Cells: []measure.Cell{at(hot, 1)}}, {Edit: edit.Edit{ID: "b"}, Claim: "f", Cells: []measure.Cell{at(hot, 4), at(hot, 1)}, Sweep: "s"}, {Edit: edit.Edit{ID: "c"}, Claim: "g", Cells: []measure.Cell{at(still, 2)}}}})
	want := [][]measure.Cell{{at(hot, 1), at(hot, 4)}, {at(hot, 4), at(hot, 1)}, {at(still, 2)}}
	for i, c := range r.rec.Candidates {
		if !slices.Equal(c.Cells, want[i]) || c.Sweep != []string{"only a", "s", "only c"}[i] {
			t.Errorf("%s: cells %v, sweep %q, want %v", c.ID, c.Cells, c.Sweep, want[i])
		}
	}
	if got := r.claims(); !slices.Equal(got, []string{"f", "g"}) {
		t.Errorf("claims %v", got)
	}
	if o := r.o; o.Share != 1 || o.Sample != 30*time.Millisecond || o.Layouts != mostPairs || o.Bounds != stats.DefaultBounds || o.Budget != time.Minute {
		t.Errorf("defaults %+v", o)
	}
	if d := bare(0, Options{}).o.Budget; d != 2*time.Minute {
		t.Errorf("default budget %v", d)
	}
}

// TestSome: the layouts to choose in are few, and none while linking takes more
// than its share.
func TestSome(t *testing.T) {
	r := bare(100*time.Second, Options{})
	for round, want := range []int{0, 1, 2, 3, 0, 1} {
		if got := r.some(round, 4); got != want {
			t.Errorf("round %d of 4 layouts: %d, want %d", round, got, want)
		}
	}
	r.arms.Layouts.Spent = 20 * time.Second
	if got := r.some(3, 4); got != 3 {
		t.Errorf("linking took its share: layout %d, want 3", got)
	}
	r.arms.Layouts.Spent++
	if got := r.some(3, 4); got != 0 {
		t.Errorf("linking took more than its share: layout %d, want 0", got)
	}
	r.arms.Layouts.Spent, r.arms.Layouts.None = 0, true
	if got := r.some(3, 4); got != 0 {
		t.Errorf("no more can be made: layout %d, want 0", got)
	}
}

// TestSamples: as long as asked for, or so long that the first stages of all
// claims fit into the share for choosing, and no shorter than a sample can be.
func TestSampleLength(t *testing.T) {
	var candidates []Candidate
	for i := range 3 {
		candidates = append(candidates, Candidate{Edit: edit.Edit{ID: fmt.Sprint(i)}, Claim: "f", Cells: []measure.Cell{at(hot, 1), at(hot, 4)}})
	}
	candidates = append(candidates, Candidate{Edit: edit.Edit{ID: "g"}, Claim: "g", Cells: []measure.Cell{at(hot, 2)}})
	// f: three stages of four rounds of four arms at two cells; g: two, of two arms at one.
	const all = 3*4*4*2 + 2*4*2*1
	for _, tt := range []struct {
		budget time.Duration
		want   time.Duration
	}{
		{time.Hour, 30 * time.Millisecond},
		{all * 50 * time.Millisecond, 15 * time.Millisecond}, // 0.4 of it, three quarters of that
		{time.Second, 10 * time.Millisecond},
	} {
		r := bare(tt.budget, Options{Candidates: candidates})
		if got := r.samples(); got != tt.want {
			t.Errorf("a budget of %v: samples of %v, want %v", tt.budget, got, tt.want)
		}
	}
	r := bare(time.Hour, Options{Candidates: candidates})
	if got := []int{r.stages("f"), r.stages("g"), r.stages("none")}; !slices.Equal(got, []int{3, 2, 2}) {
		t.Errorf("stages of 3, 1 and 0 candidates: %v, want 3, 2, 2", got)
	}
	for n, want := range map[int]int{1: 2, 2: 2, 3: 3, 4: 3, 5: 4, 8: 4, 9: 5} {
		var many []Candidate
		for i := range n {
			many = append(many, Candidate{Edit: edit.Edit{ID: fmt.Sprint(i)}, Claim: "f"})
		}
		if got := bare(time.Hour, Options{Candidates: many}).stages("f"); got != want {
			t.Errorf("%d candidates: %d stages, want %d", n, got, want)
		}
	}
}

// TestTogetherAtSites: which candidates of a claim are tried as one: of each site
// the best, but those that plainly lose or seem to lose more than counts; without
// the last ones where they edit one place, and not where that takes too long.
func TestTogetherAtSites(t *testing.T) {
	type one struct {
		id, site string
		speed    float64 // 0: not measured
		stage    Stage
	}
	for _, tt := range []struct {
		name  string
		all   []one
		parts []string      // that were tried as one before
		end   time.Duration // of a minute, so much must be left
		want  [][]string    // in turn, while none of them can be
	}{
		{"two sites", []one{{"a", "x", 1.5, ""}, {"b", "y", 1.2, ""}}, nil, 0, [][]string{{"a", "b"}}},
		{"three, in their order", []one{{"c", "z", 1.1, ""}, {"b", "y", 1.2, Halved}, {"a", "x", 1.5, ""}}, nil, 0, [][]string{{"c", "b", "a"}, {"b", "a"}}},
		{"the best of a site", []one{{"a", "x", 1.2, ""}, {"b", "x", 1.5, ""}, {"c", "y", 1.1, ""}}, nil, 0, [][]string{{"b", "c"}}},
		{"one site", []one{{"a", "x", 1.5, ""}, {"b", "x", 1.2, ""}}, nil, 0, nil},
		{"no site", []one{{"a", "x", 1.5, ""}, {"b", "", 1.2, ""}}, nil, 0, nil},
		{"one went out", []one{{"a", "x", 1.5, ""}, {"b", "y", 1.2, Tested}}, nil, 0, nil},
		{"one was not measured", []one{{"a", "x", 1.5, ""}, {"b", "y", 0, ""}}, nil, 0, nil},
		{"seems to lose less than counts", []one{{"a", "x", 1.5, ""}, {"b", "y", 1.1, ""}, {"c", "z", 0.98, ""}}, nil, 0, [][]string{{"a", "b", "c"}, {"a", "b"}}},
		{"loses what counts", []one{{"a", "x", 1.5, ""}, {"b", "y", 1.1, ""}, {"c", "z", 0.96, ""}}, nil, 0, [][]string{{"a", "b"}}},
		{"one gains: all the same with what loses", []one{{"a", "x", 1.5, ""}, {"b", "y", 0.9, ""}}, nil, 0, [][]string{{"a", "b"}}},
		{"tried before", []one{{"a", "x", 1.5, ""}, {"b", "y", 1.2, ""}}, []string{"a", "b"}, 0, nil},
		{"other parts were", []one{{"a", "x", 1.5, ""}, {"b", "y", 1.2, ""}}, []string{"a", "c"}, 0, [][]string{{"a", "b"}}},
		{"just time enough", []one{{"a", "x", 1.5, ""}, {"b", "y", 1.2, ""}}, nil, 57 * time.Second, [][]string{{"a", "b"}}},
		{"less", []one{{"a", "x", 1.5, ""}, {"b", "y", 1.2, ""}}, nil, 57*time.Second + 1, nil},
	} {
		var asked [][]string
		o := Options{Together: func(ids []string) (Candidate, error) {
			asked = append(asked, ids)
			return Candidate{}, fmt.Errorf("one place")
		}}
		c := at(hot, 2)
		for _, x := range tt.all {
			o.Candidates = append(o.Candidates, Candidate{Edit: edit.Edit{ID: x.id}, Claim: "f", Site: x.site, Cells: []measure.Cell{c}})
		}
		o.Candidates = append(o.Candidates, Candidate{Edit: edit.Edit{ID: "other"}, Claim: "g", Site: "w", Cells: []measure.Cell{c}})
		r := bare(time.Minute, o)
		r.rec.put(Selecting, side{"", c}, 100, 8)
		r.rec.put(Selecting, side{"other", c}, 50, 8)
		for i, x := range tt.all {
			r.rec.Candidates[i].Stage = x.stage
			r.rec.Candidates[i].Checks = []Check{{Took: time.Second}, {Took: 2 * time.Second}}
			if x.speed > 0 {
				r.rec.put(Selecting, side{x.id, c}, 100/x.speed, 8)
			}
		}
		r.rec.Candidates[len(tt.all)].Parts = tt.parts
		if err := r.compound(t.Context(), "f", tt.end); err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(asked, tt.want, slices.Equal) {
			t.Errorf("%s: tried as one %q, want %q", tt.name, asked, tt.want)
		}
	}
}

// TestTold: what is kept is told once, and before the last claim only if the
// correction for all that may still be proven leaves it.
func TestTold(t *testing.T) {
	for _, tt := range []struct {
		name     string
		pairs    int // all of one sign: p is 2 · 2⁻ⁿ
		stage    Stage
		together bool
		last     bool
		want     int
	}{
		{"two proofs, p of 2/256", 8, "", false, false, 1},
		{"two proofs, p of 2/128", 7, "", false, false, 0},
		{"the other is out, p of 2/128", 7, Hopeless, false, false, 1},
		{"two, and once more together, p of 2/256", 8, "", true, false, 0},
		{"two, and once more together, p of 2/512", 9, "", true, false, 1},
		{"at the end", 7, "", true, true, 1},
	} {
		var told []string
		c := at(hot, 2)
		o := Options{Kept: func(p Proof) { told = append(told, p.Candidate) }}
		for _, id := range []string{"a", "b"} {
			o.Candidates = append(o.Candidates, Candidate{Edit: edit.Edit{ID: id}, Claim: id, Cells: []measure.Cell{c}})
		}
		r := bare(time.Minute, o)
		r.together = tt.together
		r.rec.Candidates[0].Pairs, r.rec.Candidates[1].Stage = tt.pairs, tt.stage
		r.rec.put(Confirming, side{"", c}, 100, tt.pairs)
		r.rec.put(Confirming, side{"a", c}, 50, tt.pairs)
		before := map[string]bool{}
		for range 2 {
			r.tell(before, tt.last)
		}
		if len(told) != tt.want || before["a"] != (tt.want > 0) {
			t.Errorf("%s: told %q (%s), want %d", tt.name, told, Judge(r.rec)[0].Word, tt.want)
		}
	}
}

// TestPartOf: what a claim gets of the budget, and what was spent before it.
func TestPartOf(t *testing.T) {
	now := time.Unix(1000, 0)
	r := newRun(Lab{Now: func() time.Time { return now }}, Options{Budget: time.Minute, Series: &measure.Series{Procs: []int{1, 2}}})
	now = now.Add(10 * time.Second)
	r.begin(25 * time.Second)
	if want := (part{spent: 10 * time.Second, checked: 10 * time.Second, chosen: 10 * time.Second, share: 0.5}); r.part != want || r.left() != 25*time.Second {
		t.Errorf("25s after 10s of a minute: %+v, %v left, want %+v", r.part, r.left(), want)
	}
	// What is free moves the end, and is not spent.
	since := now
	now = now.Add(4 * time.Second)
	r.free(since)
	if r.left() != 25*time.Second || now.Sub(r.start) != 10*time.Second {
		t.Errorf("after 4s that are free: %v left, %v spent, want 25s and 10s", r.left(), now.Sub(r.start))
	}
}
