package verify

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/contest"
	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// TestHope: half the margin at the best cell is enough to go on.
func TestHope(t *testing.T) {
	half := math.Sqrt(1.03)
	for _, tt := range []struct {
		gains map[int]float64
		want  bool
	}{
		{map[int]float64{1: half + 0.002}, true}, {map[int]float64{1: half - 0.002}, false},
		{map[int]float64{1: 0.5, 2: 1, 4: half + 0.002}, true}, {map[int]float64{1: half + 0.002, 2: 0.5, 4: 0.5}, true},
		{map[int]float64{1: 0.5, 2: 0.5, 4: half - 0.002}, false}, {nil, false},
	} {
		cells := []measure.Cell{at(hot, 1), at(hot, 2), at(hot, 4)}
		r := made(cells, "a")
		best := 0.0
		for procs, gain := range tt.gains {
			r.put(Selecting, side{"", at(hot, procs)}, 100, 8)
			r.put(Selecting, side{"a", at(hot, procs)}, 100/gain, 8)
			r.put(Confirming, side{"", at(hot, procs)}, 900, 8) // has no part in it
			r.put(Confirming, side{"a", at(hot, procs)}, 100, 8)
			best = max(best, gain)
		}
		got, ok := r.hope(&r.Candidates[0])
		if ok != tt.want || math.Abs(got-best) > 0.001 {
			t.Errorf("%v times as fast: hope %.4f, %t, want %.4f, %t", tt.gains, got, ok, best, tt.want)
		}
	}
	// Nothing else than the margin decides.
	r := made([]measure.Cell{at(hot, 1)}, "a")
	r.Bounds.Margin = 0.5
	r.put(Selecting, side{"", at(hot, 1)}, 100, 8)
	r.put(Selecting, side{"a", at(hot, 1)}, 100/1.2, 8)
	if _, ok := r.hope(&r.Candidates[0]); ok {
		t.Error("1.2 times as fast is hope for a margin of 50 %, want 1.22 at least")
	}
}

// TestFewest: the least pairs that can be significant: 2 · 2⁻ⁿ is at most alpha.
func TestFewest(t *testing.T) {
	for _, alpha := range []float64{0.05, 0.05 / 2, 0.05 / 6, 0.05 / 40, 2.0 / 64, 2.0/64 - 1e-9, 0.5} {
		want := 1
		for 2*math.Pow(2, -float64(want)) > alpha {
			want++
		}
		if got := fewest(alpha); got != want {
			t.Errorf("fewest(%v) = %d, want %d", alpha, got, want)
		}
	}
}

// TestPairsNeeded: the noisier what chose was, the more pairs a proof takes; a
// gain of less than the margin asks for as many as show a loss of twice that.
func TestPairsNeeded(t *testing.T) {
	need := func(gain, noise float64, cells ...measure.Cell) int {
		r := made(cells, "a")
		for k, c := range cells {
			r.put(Selecting, side{"", c}, 100, 24)
			r.put(Selecting, side{"a", c}, 100/gain, 24)
			for i := range r.Samples {
				if x := &r.Samples[i]; x.Arm == "a" && x.side().cell == c && k == len(cells)-1 {
					x.Wall *= math.Exp(noise * math.Sin(float64(i*i)))
				}
			}
		}
		return r.needs(&r.Candidates[0], false)
	}
	one := at(hot, 1)
	for _, tt := range []struct {
		gain, noise float64
		want        int
	}{
		{2, 0.01, 10}, {2, 2, mostPairs}, {1, 0.01, 10}, {1, 1, mostPairs}, {1.02, 0.01, 10}, {0.5, 0.01, 10},
	} {
		if got := need(tt.gain, tt.noise, one); got != tt.want {
			t.Errorf("%v times as fast, noise %v: %d pairs, want %d", tt.gain, tt.noise, got, tt.want)
		}
	}
	last := 0
	for _, noise := range []float64{0.05, 0.1, 0.15, 0.2, 0.25, 0.3} {
		got := need(1.2, noise, one)
		if got < last || !slices.Contains(enough, got) {
			t.Errorf("noise %v: %d pairs, want no fewer than the %d of less, of %v", noise, got, last, enough)
		}
		if twice := need(1.2*1.2, noise, one); twice > got {
			t.Errorf("noise %v: %d pairs for twice the gain, %d for it", noise, twice, got)
		}
		last = got
	}
	if last <= 10 {
		t.Errorf("noise makes no difference: %d pairs", last)
	}
	// The cell that needs most decides, wherever it stands.
	if got := need(1.2, 2, at(hot, 1), at(hot, 2), at(hot, 4)); got != mostPairs {
		t.Errorf("the last of three cells is noisy: %d pairs, want %d", got, mostPairs)
	}
	// By hand: what a look of so many pairs resolves is at most the share of the
	// gain, and what a look of fewer resolves is more.
	r := made([]measure.Cell{one}, "a")
	r.put(Selecting, side{"", one}, 100, 24)
	r.put(Selecting, side{"a", one}, 100/1.3, 24)
	for i := range r.Samples {
		r.Samples[i].Wall *= math.Exp(0.25 * math.Sin(float64(i*i)))
	}
	got := r.needs(&r.Candidates[0], false)
	logs := r.pairs(Selecting, side{"", one}, side{"a", one}, false).Logs
	resolves := func(n int) float64 {
		return math.Log1p(stats.Rule{Alpha: stats.DefaultRule.Error(), Looks: []int{n}}.Resolve(logs, n))
	}
	want := sureOf * stats.HodgesLehmann(logs)
	i := slices.Index(enough, got)
	if i < 1 || i == len(enough)-1 || resolves(got) > want || resolves(enough[i-1]) <= want {
		t.Errorf("%d pairs resolve %v, want the first of %v to resolve %v", got, resolves(got), enough, want)
	}
}

// bare is a run that runs nothing: a budget and a clock that stands still.
func bare(budget time.Duration, o Options) *run {
	o.Budget = budget
	if o.Series == nil {
		o.Series = &measure.Series{Procs: []int{1, 2, 4}}
	}
	now := time.Unix(1000, 0)
	return newRun(Lab{Now: func() time.Time { return now }}, o)
}

// TestMany: how many proofs there may be.
func TestMany(t *testing.T) {
	cells := []measure.Cell{at(hot, 1), at(hot, 2), at(hot, 4)}
	together := func([]string) (Candidate, error) { return Candidate{}, nil }
	for _, tt := range []struct {
		claims   []string
		stages   []Stage
		pairs    []int
		together bool
		want     int
	}{
		{[]string{"f"}, []Stage{""}, []int{0}, true, 3}, // nothing to try it with
		{[]string{"f", "f"}, []Stage{"", ""}, []int{0, 0}, false, 3},
		{[]string{"f", "g"}, []Stage{"", ""}, []int{0, 0}, false, 6},
		{[]string{"f", "g"}, []Stage{"", ""}, []int{0, 0}, true, 12},
		{[]string{"f", "g"}, []Stage{Halved, ""}, []int{0, 0}, false, 6}, // the next best may be asked for
		{[]string{"f", "g"}, []Stage{Tested, ""}, []int{0, 0}, false, 3},
		{[]string{"f", "g"}, []Stage{Hopeless, ""}, []int{0, 0}, false, 3},
		{[]string{"f", "g"}, []Stage{Measure, ""}, []int{12, 0}, false, 6}, // proven, as far as it came
	} {
		o := Options{}
		if tt.together {
			o.Together = together
		}
		for i, claim := range tt.claims {
			o.Candidates = append(o.Candidates, Candidate{Edit: edit.Edit{ID: fmt.Sprint(i)}, Claim: claim, Cells: cells})
		}
		r := bare(time.Minute, o)
		for i := range r.rec.Candidates {
			r.rec.Candidates[i].Stage, r.rec.Candidates[i].Pairs = tt.stages[i], tt.pairs[i]
		}
		if got := r.many(); got != tt.want {
			t.Errorf("%v, %q: %d proofs, want %d", tt.claims, tt.stages, got, tt.want)
		}
	}
}

// TestPlanOf: as many pairs as are needed, fewer where time is short but never
// fewer than can be significant; layouts as many as pairs, or few.
func TestPlanOf(t *testing.T) {
	c := at(hot, 2)
	var cells []measure.Cell
	for _, n := range []int{1, 2, 4} {
		cells = append(cells, at(hot, n))
	}
	make := func(budget time.Duration, noise float64, link time.Duration, one bool) (*run, *Trial) {
		r := bare(budget, Options{Candidates: []Candidate{{Edit: edit.Edit{ID: "a"}, Claim: "f", Cells: []measure.Cell{c}}}})
		r.arms.Length = 10 * time.Millisecond
		r.arms.Startup = 10 * time.Millisecond // 20 ms a process
		r.arms.Layouts.N, r.arms.Layouts.Spent, r.arms.Layouts.None = 10, 10*link, one
		r.rec.put(Selecting, side{"", c}, 100, 24)
		r.rec.put(Selecting, side{"a", c}, 50, 24)
		for i := range r.rec.Samples {
			r.rec.Samples[i].Wall *= math.Exp(noise * math.Sin(float64(i*i)))
		}
		return r, &r.rec.Candidates[0]
	}
	alpha := stats.DefaultRule.Error()
	least := fewest(alpha) // one proof
	for _, tt := range []struct {
		name           string
		budget         time.Duration
		noise          float64
		link           time.Duration
		one            bool
		pairs, layouts int
	}{
		// A round is three sides: 60 ms. Ten pairs take 0.6 s, and two links a layout.
		{"time enough", time.Minute, 0, time.Millisecond, false, 10, 10},
		{"noisy", time.Minute, 2, time.Millisecond, false, mostPairs, mostPairs},
		{"one layout", time.Minute, 0, time.Millisecond, true, 10, 1},
		{"just enough", 10*60*time.Millisecond + 20*10*time.Millisecond, 0, 10 * time.Millisecond, false, 10, 10},
		{"a layout fewer", 10*60*time.Millisecond + 19*10*time.Millisecond, 0, 10 * time.Millisecond, false, 10, 9},
		{"the fewest layouts for all pairs", 10*60*time.Millisecond + time.Duration(2*least)*10*time.Millisecond, 0, 10 * time.Millisecond, false, 10, least},
		{"fewer pairs, then", 10*60*time.Millisecond + time.Duration(2*least)*10*time.Millisecond - time.Millisecond, 0, 10 * time.Millisecond, false, 9, 9},
		{"the fewest", time.Duration(least) * (60 + 20) * time.Millisecond, 0, 10 * time.Millisecond, false, least, least},
		{"the fewest in a layout fewer", time.Duration(least)*(60+20)*time.Millisecond - time.Millisecond, 0, 10 * time.Millisecond, false, least, least - 1},
		{"the fewest in one layout", time.Duration(least)*60*time.Millisecond + 20*time.Millisecond, 0, 10 * time.Millisecond, false, least, 1},
		{"too short", time.Duration(least)*60*time.Millisecond + 19*time.Millisecond, 0, 10 * time.Millisecond, false, 0, 1},
	} {
		r, trial := make(tt.budget, tt.noise, tt.link, tt.one)
		p := r.plan(trial)
		if p.least != least || p.pairs != tt.pairs || p.layouts != tt.layouts || (p.short > 0) != (tt.pairs == 0) {
			t.Errorf("%s: %+v, want %d pairs in %d layouts, %d at least", tt.name, p, tt.pairs, tt.layouts, least)
		}
		if tt.pairs == 0 && p.short != time.Millisecond {
			t.Errorf("%s: short of %v, want 1ms", tt.name, p.short)
		}
	}
	// Three proofs that there may be, each corrected for the others, take more.
	r := bare(time.Minute, Options{Candidates: []Candidate{{Edit: edit.Edit{ID: "a"}, Claim: "f", Cells: cells}}})
	if p := r.plan(&r.rec.Candidates[0]); p.least != fewest(alpha/3) {
		t.Errorf("three cells: %d pairs at least, want %d", p.least, fewest(alpha/3))
	}
}

// TestProofBlocks: what a proof measures side by side, with its company and without.
func TestProofBlocks(t *testing.T) {
	r := bare(time.Minute, Options{Series: &measure.Series{Procs: []int{1, 2, 4}, Families: family().Families}, Controls: []string{"c1", "c2", "c3"}})
	r.rec.Others = []string{variant("a", 1).Bench}
	trial := &Trial{Candidate: Candidate{Edit: edit.Edit{ID: "t"}, Cells: []measure.Cell{variant("b", 1), variant("b", 4), at(hot, 1), at(hot, 4)}}}
	pair := func(base, other side) [2]side { return [2]side{base, other} }
	bare := func(c measure.Cell) [][2]side {
		return [][2]side{pair(side{"", c}, side{"t", c}), pair(side{"", c}, side{"", twinOf(c)})}
	}
	lone := r.proofs(trial, false)
	var got [][][2]side
	for _, b := range lone {
		got = append(got, b.Pairs)
	}
	want := [][][2]side{bare(variant("b", 1)), bare(variant("b", 4)), append(bare(at(hot, 1)), bare(at(hot, 4))...)}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("alone: %v, want %v", got, want)
	}
	more := r.proofs(trial, true)
	if len(more) != 3+mostControls*3 {
		t.Fatalf("%d blocks in company, want 3 and those of %d controls at three counts", len(more), mostControls)
	}
	c := variant("b", 4)
	if want := append(bare(c), pair(side{"", variant("serial", 4)}, side{"t", c}), pair(side{"t", variant("serial", 4)}, side{"t", c}), pair(side{"", variant("a", 4)}, side{"t", c})); !slices.Equal(more[1].Pairs, want) {
		t.Errorf("in company: %v, want %v", more[1].Pairs, want)
	}
	if want := slices.Concat(bare(at(hot, 1)), bare(at(hot, 4)), [][2]side{pair(side{"t", at(hot, 1)}, side{"t", at(hot, 4)})}); !slices.Equal(more[2].Pairs, want) {
		t.Errorf("without a base: %v, want %v", more[2].Pairs, want)
	}
	if want := [][2]side{pair(side{"", at("c1", 1)}, side{"t", at("c1", 1)})}; !slices.Equal(more[3].Pairs, want) || more[8].Pairs[0][1].cell != at("c2", 4) {
		t.Errorf("controls: %v, %v", more[3].Pairs, more[8].Pairs)
	}
	// What a round takes: what its processes took, or will.
	r.arms.Length, r.arms.Startup = 10*time.Millisecond, time.Millisecond
	r.guess = map[string]float64{hot: 2e9}
	b := contest.Block[side]{}
	b.Add(side{"", at(hot, 1)}, side{"t", at(hot, 1)})
	if got := r.arms.Expected([]contest.Block[side]{b}); got != 2*(2*time.Second+time.Millisecond) {
		t.Errorf("an operation of 2 s: a round of %v, want 4.002s", got)
	}
	r.arms.Enter("", "", nil)
	r.arms.Enter("t", "", nil)
	r.arms.All[""].Took[at(hot, 1)], r.arms.All["t"].Took[at(hot, 1)] = time.Second, 3*time.Second
	if got := r.arms.Expected([]contest.Block[side]{b}); got != 4*time.Second {
		t.Errorf("that took 1 s and 3 s: %v, want 4s", got)
	}
	delete(r.arms.All["t"].Took, at(hot, 1))
	if got := r.arms.Expected([]contest.Block[side]{b}); got != 2*time.Second {
		t.Errorf("of which one did not run yet: %v, want twice the other", got)
	}
}

// TestNeedsBudget: what a note names is the budget in the user's terms, and never
// less than what was short.
func TestNeedsBudget(t *testing.T) {
	r := bare(time.Minute, Options{Candidates: []Candidate{{Edit: edit.Edit{ID: "a"}, Claim: "f"}, {Edit: edit.Edit{ID: "b"}, Claim: "g"}}, Share: 0.5})
	r.arms.Length = 30 * time.Millisecond
	r.part = part{share: 1}
	// Nothing was spent on choosing: a proof of slack times (left + short) is 0.6 of it.
	if got, want := r.needs("g", 30*time.Second), 2*time.Duration(slack*90/(1-chooseShare))*time.Second; got != cmdline.Round(want) {
		t.Errorf("short of 30s after nothing: %v, want %v", got, cmdline.Round(want))
	}
	// Samples that were made shorter will be longer.
	r.arms.Length = 15 * time.Millisecond
	if got, want := r.needs("g", 30*time.Second), 2*time.Duration(2*slack*90/(1-chooseShare))*time.Second; got != cmdline.Round(want) {
		t.Errorf("with half as long samples: %v, want %v", got, cmdline.Round(want))
	}
	r.arms.Length = 30 * time.Millisecond
	r.hurried = 30 * time.Second
	if got, want := r.needs("g", 30*time.Second), time.Duration(2*(slack*90/(1-chooseShare)-30)/(1-glanceShare)*float64(time.Second)); got != cmdline.Round(want) {
		t.Errorf("with claims that had no time for an order: %v, want %v", got, cmdline.Round(want))
	}
	r.rec.Candidates[0].Stage = Untried
	if got := r.needs("g", time.Second); got != 0 {
		t.Errorf("another claim was cut short: %v, want 0", got)
	}
	if got := r.needs("f", time.Second); got == 0 {
		t.Error("its own claim was cut short: nothing, want a budget")
	}
}

// TestFreshLayouts: a proof uses layouts that nothing was measured in, each proof
// others. Where they are fewer than the pairs they are used in turn and made once.
func TestFreshLayouts(t *testing.T) {
	for _, tt := range []struct {
		layouts int // that there may be
		want    int
	}{{mostPairs, 10}, {1, 0}, {4, 4}} {
		w := &bench{}
		r := seat(t, w, "a", "b")
		c := at(hot, 2)
		r.ready(30, c)
		r.o.Layouts, r.o.Budget = tt.layouts, time.Hour
		r.begin(time.Hour)
		used := map[string][]int32{}
		for k, id := range []string{"a", "b"} {
			r.rec.put(Selecting, side{"", c}, 100, 24)
			r.rec.put(Selecting, side{id, c}, 50, 24)
			w.ran = nil
			r.arms.Twins = 77 // of what was measured before
			if err := r.confirm(t.Context(), Confirming, r.rec.trial(id)); err != nil {
				t.Fatal(err)
			}
			if pairs := r.rec.trial(id).Pairs; pairs != 10 {
				t.Fatalf("%d pairs, want 10", pairs)
			}
			before := int32(0)
			for _, x := range r.rec.Samples {
				if x.Phase != Confirming || int(x.Round)/10 != k || x.Arm != id {
					continue
				}
				if !slices.Contains(used[id], x.Layout) {
					used[id] = append(used[id], x.Layout)
				}
				for _, y := range r.rec.Samples {
					if y.Phase == Confirming && y.Round == x.Round && y.Twin && y.Layout != before {
						t.Errorf("round %d: the twin is in layout %d, want that of the round before, %d", x.Round, y.Layout, before)
					}
				}
				before = x.Layout
			}
			links := 0
			for _, s := range w.ran {
				if strings.HasPrefix(s, "link") {
					links++
				}
			}
			if links != 2*tt.want { // of both arms
				t.Errorf("at most %d layouts: %d were made for %s, want %d", tt.layouts, links, id, 2*tt.want)
			}
			if first := fewLayouts + k*tt.want; tt.want > 0 && (len(used[id]) != tt.want || int(slices.Min(used[id])) != first || int(slices.Max(used[id])) != first+tt.want-1) {
				t.Errorf("at most %d layouts: %s is proven in %v, want %d from %d on", tt.layouts, id, used[id], tt.want, first)
			}
		}
		// Layouts that are used once are taken away at once, but the last of them.
		left := 0
		r.arms.All[""].Unlink(func(int) bool { left++; return false })
		if tt.want == 10 && left != 2 || tt.want == 4 && left != 8 {
			t.Errorf("at most %d layouts: %d are left of the untouched code", tt.layouts, left)
		}
	}
}
