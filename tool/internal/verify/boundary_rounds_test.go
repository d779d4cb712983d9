package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/contest"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/host/sim"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/overlay"
)

// A bench is what stands behind a run of which a test calls the steps: a host
// whose processes and links are noted, and a clock that only they move.
type bench struct {
	now   time.Time
	wall  func(arm string, p sim.Process) float64 // ns; 0 hangs
	steal func(arm string, p sim.Process) float64
	link  error
	tests func(arm string, s host.Source, j host.Job) host.Outcome
	build func(arm string, s host.Source)
	ran   []string // "link ARM LAYOUT" and "ARM PROCS in LAYOUT", in order
	limit []time.Duration
	// forgot is "PACKAGE ARM LAYOUT race=RACE" of what may be taken away.
	forgot []string
}

const starting = 5 * time.Millisecond // of each process

// seat is a run with arms that are built: the untouched one and those of the ids.
func seat(t *testing.T, w *bench, ids ...string) *run {
	t.Helper()
	w.now = time.Unix(1000, 0)
	const file = "/m/x.go"
	name := func(c overlay.Overlay) string { return string(c[file]) }
	h := &sim.Host{
		Process: func(_ context.Context, p sim.Process) (sim.Figures, error) {
			arm := name(p.Change)
			w.ran = append(w.ran, fmt.Sprintf("%s %d in %d", arm, p.Procs, p.Layout))
			w.limit = append(w.limit, p.Timeout)
			f := sim.Figures{Wall: 1e6, CPU: 1e6}
			if w.wall != nil {
				f.Wall = w.wall(arm, p)
			}
			if w.steal != nil {
				f.Steal = w.steal(arm, p)
			}
			f.Hangs = f.Wall == 0
			w.now = w.now.Add(time.Duration(f.Wall*float64(p.N)) + starting)
			return f, nil
		},
		Tests: func(_ context.Context, s host.Source, j host.Job) (host.Outcome, error) {
			return w.tests(name(s.Change), s, j), nil
		},
		Compile: func(s host.Source) error {
			if w.build != nil {
				w.build(name(s.Change), s)
			}
			if s.Layout > 0 && w.link == nil {
				w.ran = append(w.ran, fmt.Sprintf("link %s %d", name(s.Change), s.Layout))
			}
			return nil
		},
		Link: func(int) error { w.now = w.now.Add(time.Second); return w.link },
	}
	o := Options{Budget: time.Minute, Series: &measure.Series{Procs: []int{1, 2, 4}}}
	for _, id := range ids {
		o.Candidates = append(o.Candidates, Candidate{Edit: edit.Edit{ID: id}, Claim: id, Cells: []measure.Cell{at(hot, 2)}, Change: overlay.Overlay{file: []byte(id)}})
	}
	r := newRun(Lab{Host: forgetful{h, w, name}, Target: discover.Target{Package: "p", Dir: "/m"}, Now: func() time.Time { return w.now }}, o)
	r.arms.Length = sample
	for i := -1; i < len(ids); i++ {
		var trial *Trial
		if i >= 0 {
			trial = &r.rec.Candidates[i]
		}
		if ok, err := r.build(t.Context(), trial); err != nil || !ok {
			t.Fatal(ok, err)
		}
	}
	return r
}

// A forgetful host notes what it is to forget.
type forgetful struct {
	*sim.Host
	w    *bench
	name func(overlay.Overlay) string
}

func (h forgetful) Forget(s host.Source) {
	h.w.forgot = append(h.w.forgot, fmt.Sprintf("%s %s %d race=%t", s.Package, h.name(s.Change), s.Layout, s.Race))
	h.Host.Forget(s)
}

// ready gives each arm n operations of a cell, so that no process calibrates.
func (r *run) ready(n int64, cells ...measure.Cell) {
	for _, a := range r.arms.All {
		for _, c := range cells {
			a.N[c] = n
		}
	}
}

// TestTakenAgain: a pair that others disturb is taken again, both its sides,
// whichever of them it was; the third attempt counts whatever it is. After two
// blocks that stayed disturbed there is one attempt, until one is not.
func TestTakenAgain(t *testing.T) {
	c := at(hot, 2)
	base, with := side{"", c}, side{"a", c}
	for _, tt := range []struct {
		name   string
		bad    func(arm string, k int) bool // the k-th process of an arm
		before int                          // blocks that stayed disturbed
		took   int                          // processes of each side
		drops  int                          // samples that do not count
		after  int
	}{
		{"undisturbed", func(string, int) bool { return false }, 0, 1, 0, 0},
		{"undisturbed at last", func(string, int) bool { return false }, 7, 1, 0, 0},
		{"the base, once", func(arm string, k int) bool { return arm == "" && k == 0 }, 0, 2, 1, 0},
		{"the candidate, once", func(arm string, k int) bool { return arm == "a" && k == 0 }, 1, 2, 1, 0},
		{"one, then the other", func(arm string, k int) bool { return arm == "a" && k == 0 || arm == "" && k == 1 }, 1, 3, 2, 0},
		{"both, each time", func(string, int) bool { return true }, 0, 3, 4, 1},
		{"one, each time", func(arm string, k int) bool { return arm == "" }, 1, 3, 2, 2},
		{"the machine stays like this", func(string, int) bool { return true }, 2, 1, 0, 3},
	} {
		k := map[string]int{}
		w := &bench{steal: func(arm string, _ sim.Process) float64 {
			k[arm]++
			if tt.bad(arm, k[arm]-1) {
				return 0.5
			}
			return 0
		}}
		r := seat(t, w, "a")
		r.ready(30, c)
		r.arms.Contest.Disturbed = tt.before
		var b contest.Block[side]
		b.Add(base, with)
		if err := r.visit(t.Context(), Confirming, 7, 3, []contest.Block[side]{b}); err != nil {
			t.Fatal(err)
		}
		drops, last := 0, int32(0)
		for _, x := range r.rec.Samples {
			if x.Drop != "" {
				drops++
			}
			last = max(last, x.Attempt)
			if x.Phase != Confirming || x.Round != 7 || x.Layout != 3 || x.N != 30 || x.Wall != 1e6 || x.CPU != 1e6 {
				t.Errorf("%s: sample %+v", tt.name, x)
			}
		}
		if k[""] != tt.took || k["a"] != tt.took || len(r.rec.Samples) != 2*tt.took || drops != tt.drops || int(last) != tt.took-1 || r.arms.Contest.Disturbed != tt.after {
			t.Errorf("%s: %v processes, %d samples of which %d do not count, last attempt %d, %d blocks disturbed; want %d of each, %d, %d, %d", tt.name, k, len(r.rec.Samples), drops, last, r.arms.Contest.Disturbed, tt.took, tt.drops, tt.took-1, tt.after)
		}
		if p := r.rec.pairs(Confirming, base, with, false); len(p.Logs) != 1 {
			t.Errorf("%s: %d pairs of the round, want 1", tt.name, len(p.Logs))
		}
	}
}

// TestLinkedBefore: all layouts of a round are made before its first process. A
// twin is in the layout of the round before, the other sides in that of the round,
// and an arm that is gone is left out.
func TestLinkedBefore(t *testing.T) {
	c, d := at(hot, 2), at(hot, 4)
	w := &bench{}
	r := seat(t, w, "a", "b")
	r.ready(30, c, d)
	blocks := func() []contest.Block[side] {
		var one, two contest.Block[side]
		one.Add(side{"", c}, side{"a", c})
		one.Add(side{"", c}, side{"", twinOf(c)})
		two.Add(side{"", d}, side{"b", d})
		two.Sides = append(two.Sides, side{"gone", d})
		return []contest.Block[side]{one, two}
	}
	if err := r.visit(t.Context(), Confirming, 0, 8, blocks()); err != nil {
		t.Fatal(err)
	}
	links, rest := slices.Clone(w.ran[:3]), w.ran[3:]
	slices.Sort(links)
	if want := []string{"link  8", "link a 8", "link b 8"}; !slices.Equal(links, want) || len(rest) != 5 {
		t.Errorf("round 1: %q, want %q before five processes", w.ran, want)
	}
	if r.arms.Layouts.N != 3 || r.arms.Layouts.Spent != 3*time.Second {
		t.Errorf("%d links in %v, want 3 in 3s", r.arms.Layouts.N, r.arms.Layouts.Spent)
	}
	r.arms.Twins, w.ran = 8, nil
	r.rec.Samples = nil
	if err := r.visit(t.Context(), Confirming, 1, 9, blocks()); err != nil {
		t.Fatal(err)
	}
	at := map[side]int32{}
	for _, x := range r.rec.Samples {
		at[x.side()] = x.Layout
	}
	want := map[side]int32{{"", c}: 9, {"a", c}: 9, {"", twinOf(c)}: 8, {"", d}: 9, {"b", d}: 9}
	if !maps.Equal(at, want) {
		t.Errorf("layouts %v, want %v", at, want)
	}
	// One process for each, in the layout that its sample tells.
	var got []string
	for _, s := range w.ran {
		if !strings.HasPrefix(s, "link") {
			got = append(got, s)
		}
	}
	slices.Sort(got)
	if want := []string{" 2 in 8", " 2 in 9", " 4 in 9", "a 2 in 9", "b 4 in 9"}; !slices.Equal(got, want) {
		t.Errorf("processes %q, want %q", got, want)
	}
	if r.arms.Layouts.N != 6 || r.arms.Layouts.Spent != 6*time.Second {
		t.Errorf("%d links in %v, want 6 in 6s: what is there is not made again", r.arms.Layouts.N, r.arms.Layouts.Spent)
	}

	// What is taken away is made again.
	r.arms.All["a"].Unlink(func(layout int) bool { return layout == 9 })
	alone := func() []contest.Block[side] { return []contest.Block[side]{{Sides: []side{{"a", c}}}} }
	w.ran = nil
	for _, k := range []int{8, 9} {
		if err := r.visit(t.Context(), Confirming, 2, k, alone()); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"a 2 in 8", "link a 9", "a 2 in 9"}; !slices.Equal(w.ran, want) {
		t.Errorf("after layout 9 was taken away: %q, want %q", w.ran, want)
	}

	// Where no more can be made, all stay in the linker's own, and it is said once.
	w = &bench{link: errors.New("no linker")}
	r = seat(t, w, "a")
	r.ready(30, c)
	for range 2 {
		if err := r.visit(t.Context(), Confirming, 0, 3, alone()); err != nil || r.rec.Samples[0].Layout != 0 {
			t.Errorf("%v, samples %+v, want layout 0", err, r.rec.Samples)
		}
	}
	if !r.arms.Layouts.None || r.arms.Layouts.N != 0 || len(r.rec.Notes) != 1 || r.arms.Layouts.Spent != time.Second {
		t.Errorf("one layout %t, %d links, notes %q, after %v", r.arms.Layouts.None, r.arms.Layouts.N, r.rec.Notes, w.now.Sub(time.Unix(1000, 0)))
	}
}

// TestOperationsOfAnArm: the untouched code runs as many operations as fill a
// sample. A candidate runs as many where its times are alike, up to a factor of
// 1.35 either way, and else its own.
func TestOperationsOfAnArm(t *testing.T) {
	for _, tt := range []struct {
		wall, guess float64 // of the untouched code, ns
		other       float64 // of the candidate
		base, with  int64   // operations
		ran         int     // processes of both
	}{
		{1e6, 1e6, 1e6, 30, 30, 2},
		{1e6, 1e6, 1.34e6, 30, 30, 2}, {1e6, 1e6, 1.36e6, 30, 22, 3},
		{1e6, 1e6, 1e6 / 1.34, 30, 30, 2}, {1e6, 1e6, 1e6 / 1.36, 30, 41, 3},
		{1e6, 1e6, 1e8, 30, 1, 3},
		{1e6, 0, 1e6, 30, 30, 3},           // no guess: one operation first
		{1e3, 0, 1e3, 30000, 30000, 5},     // a hundred times as many each time
		{1, 0, 1, 30000000, 30000000, 5},   // and at most four times
		{1e6, 2e6, 1e6, 30, 30, 2},         // half as many say enough,
		{1e6, 2.2e6, 1e6, 30, 30, 3},       // fewer do not
		{1e9, 1e6, 1e9, 1, 1, 2},           // too long: one
		{1e6, 1e6, 10, 30, 3000000, 1 + 4}, // much faster
	} {
		w := &bench{wall: func(arm string, p sim.Process) float64 {
			if arm == "a" {
				return tt.other
			}
			return tt.wall
		}}
		r := seat(t, w, "a")
		r.guess[hot] = tt.guess
		c := at(hot, 2)
		if err := r.arms.Calibrate(t.Context(), "a", c); err != nil {
			t.Fatal(err)
		}
		if base, with := r.arms.All[""].N[c], r.arms.All["a"].N[c]; base != tt.base || with != tt.with || len(w.ran) != tt.ran {
			t.Errorf("%v ns (guess %v) and %v ns: %d and %d operations after %d processes, want %d, %d, %d", tt.wall, tt.guess, tt.other, base, with, len(w.ran), tt.base, tt.with, tt.ran)
		}
		first := int64(0)
		for _, x := range r.rec.Samples {
			if x.Drop != measure.Calibration || x.Phase != "" {
				t.Errorf("sample %+v, want a calibration of no phase", x)
			}
			if x.Arm == "a" {
				first = cmp.Or(first, x.N)
			}
		}
		if want := max(1, tt.base/4); first != want { // it may be much slower
			t.Errorf("%v ns and %v ns: the candidate begins with %d operations, want %d", tt.wall, tt.other, first, want)
		}
	}
}

// TestProcessTimes: how long a process may be without news is by what the slower
// of the two took; what it takes to start is the least that was seen.
func TestProcessTimes(t *testing.T) {
	c := at(hot, 2)
	for _, tt := range []struct{ base, with, want time.Duration }{
		{0, 0, measure.Patience(time.Minute/hangShare, 0)},
		{time.Minute, time.Second, 4 * time.Minute}, {time.Second, time.Minute, 4 * time.Minute}, {time.Minute, 0, 4 * time.Minute},
	} {
		w := &bench{}
		r := seat(t, w, "a")
		r.arms.All[""].Took[c], r.arms.All["a"].Took[c] = tt.base, tt.with
		r.ready(10, c)
		process := func() {
			if err := r.visit(t.Context(), Selecting, 0, 0, []contest.Block[side]{{Sides: []side{{"a", c}}}}); err != nil {
				t.Fatal(err)
			}
		}
		process()
		if w.limit[0] != tt.want {
			t.Errorf("after %v and %v: without news for %v, want %v", tt.base, tt.with, w.limit[0], tt.want)
		}
		if took := r.arms.All["a"].Took[c]; took != 10*time.Millisecond+starting || r.arms.Startup != starting {
			t.Errorf("it took %v, %v of that to start; want 15ms, %v", took, r.arms.Startup, starting)
		}
		for _, tt := range []struct{ had, want time.Duration }{{time.Millisecond, time.Millisecond}, {time.Second, starting}, {starting, starting}} {
			r.arms.Startup = tt.had
			process()
			if r.arms.Startup != tt.want {
				t.Errorf("startup of %v, then of %v: %v, want the least", tt.had, starting, r.arms.Startup)
			}
		}
	}
}

// TestBrokenSide: a benchmark that fails with a change takes its candidate out; one
// that fails without it is not run again, by any arm.
func TestBrokenSide(t *testing.T) {
	c := at(hot, 2)
	for _, hangs := range []string{"", "a"} {
		w := &bench{wall: func(arm string, p sim.Process) float64 {
			if arm == hangs {
				return 0
			}
			return 1e6
		}}
		r := seat(t, w, "a", "b")
		r.ready(30, c)
		var b contest.Block[side]
		b.Add(side{"", c}, side{"a", c})
		b.Add(side{"", c}, side{"b", c})
		for round := range int32(2) {
			if err := r.visit(t.Context(), Selecting, round, 0, []contest.Block[side]{b}); err != nil {
				t.Fatal(err)
			}
		}
		n := map[string]int{}
		for _, s := range w.ran {
			n[s[:strings.Index(s, " ")]]++
		}
		trial := r.rec.trial("a")
		if n[hangs] != 1 || (trial.Stage == Measure) != (hangs == "a") || r.rec.trial("b").Stage != "" || (len(r.rec.Notes) > 0) != (hangs == "") {
			t.Errorf("%q hangs: processes %v, %+v, notes %q", hangs, n, trial, r.rec.Notes)
		}
		if hangs == "a" && (n[""] != 2 || n["b"] != 2 || r.arms.All["a"] != nil) {
			t.Errorf("a hangs: processes %v, want two of the others; its arm is %v", n, r.arms.All["a"])
		}
	}
}

// TestHalving: each stage of a choice measures as many rounds as there were before,
// four at the first, and leaves half of the candidates; two that are alike stay until
// the last.
func TestHalving(t *testing.T) {
	c := at(hot, 2)
	speeds := map[string]float64{"": 1, "a": 1.5, "b": 2, "c": 1.4, "d": 2, "e": 1.8}
	w := &bench{wall: func(arm string, _ sim.Process) float64 { return 1e6 / speeds[arm] }}
	r := seat(t, w, "a", "b", "c", "d", "e")
	r.ready(30, c)
	for i := range r.rec.Candidates {
		r.rec.Candidates[i].Claim = "f"
	}
	r.o.Budget = time.Hour
	r.begin(time.Hour)
	if err := r.choose(t.Context(), "f"); err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for _, x := range r.rec.Samples {
		n[x.Arm]++
	}
	if want := map[string]int{"": 16, "b": 16, "d": 16, "e": 8, "a": 4, "c": 4}; !maps.Equal(n, want) || r.rounds != 16 {
		t.Errorf("%d rounds, samples %v, want 16 and %v", r.rounds, n, want)
	}
	for id, want := range map[string]Stage{"a": Halved, "b": "", "c": Halved, "d": Halved, "e": Halved} {
		if got := r.rec.trial(id).Stage; got != want {
			t.Errorf("%s: stage %q, want %q", id, got, want)
		}
	}
}

// TestCombined: what is kept, that alone and two at the least, is tried as one
// change, at the cells of all.
func TestCombined(t *testing.T) {
	two, four := at(hot, 2), at(hot, 4)
	for _, tt := range []struct {
		name   string
		speeds map[string][2]float64 // at 2 and 4 processors
		want   []string
	}{
		{"two are kept", map[string][2]float64{"a": {1.5, 1.5}, "b": {1, 1}, "c": {1.5, 1.5}}, []string{"a", "c"}},
		{"all are", map[string][2]float64{"a": {1.5, 1.5}, "b": {1.5, 1}, "c": {1.5, 1.5}}, []string{"a", "b", "c"}},
		{"a trade is not", map[string][2]float64{"a": {1.5, 1.5}, "b": {1.5, 0.5}, "c": {1.5, 1.5}}, []string{"a", "c"}},
		{"one is", map[string][2]float64{"a": {1.5, 1.5}, "b": {1.5, 0.5}, "c": {0.5, 0.5}}, nil},
	} {
		r := seat(t, &bench{}, "a", "b", "c")
		var asked []string
		r.o.Together = func(ids []string) (Candidate, error) {
			asked = ids
			return Candidate{}, errors.New("one place")
		}
		r.together = true
		for i, c := range []measure.Cell{two, four} {
			r.rec.put(Confirming, side{"", c}, 100, 12)
			for id, speed := range tt.speeds {
				trial := r.rec.trial(id)
				trial.Cells, trial.Pairs = []measure.Cell{two, four}, 12
				r.rec.put(Confirming, side{id, c}, 100/speed[i], 12)
			}
		}
		if err := r.combine(t.Context()); err != nil || !slices.Equal(asked, tt.want) || r.rec.Together != nil || (len(r.rec.Notes) > 0) != (tt.want != nil) {
			t.Errorf("%s: %v, tried as one %q, notes %q, want %q", tt.name, err, asked, r.rec.Notes, tt.want)
		}
	}
}
