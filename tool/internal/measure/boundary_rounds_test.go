package measure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/contest"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// bare is a schedule that has run nothing, with a clock that stands still.
func bare(s *Series, budget time.Duration) *rounds {
	now := time.Unix(1000, 0)
	m := &rounds{s: s, rng: rand.New(rand.NewPCG(1, 1)), comparisons: Comparisons(s.Families, s.Procs), broken: map[string]bool{}, n: map[Cell]int64{}, walls: map[Cell][]float64{},
		had: map[Cell]int64{}, whole: map[Cell]float64{}, guess: map[string]Listed{}, families: make([]family, len(s.Families)), took: map[Cell]time.Duration{}, start: now,
		o: Options{Budget: budget, Sample: 50 * time.Millisecond, Rule: stats.DefaultRule, Bounds: stats.DefaultBounds, MaxLayouts: MaxLayouts, Now: func() time.Time { return now }}}
	m.state = make([]state, len(m.comparisons))
	for _, c := range m.comparisons {
		f := &m.families[c.Family]
		for _, cell := range []Cell{c.Base, c.New} {
			if !slices.Contains(f.cells, cell) {
				f.cells = append(f.cells, cell)
			}
		}
	}
	return m
}

// close decides all comparisons but those that keep says.
func (m *rounds) close(keep func(Comparison) bool) {
	for i, c := range m.comparisons {
		if !keep(c) {
			m.state[i].decision = stats.Faster
		}
	}
}

// TestPartnersOf: with a sample that others disturbed goes its partner, whichever
// side it was, and its twin; what is decided stays.
func TestPartnersOf(t *testing.T) {
	variants := func(c Comparison) bool { return c.Kind == Variant }
	at8 := []Cell{variant("serial", 8), variant("b", 8), twinOf(variant("b", 8)), variant("c", 8), variant("serial", 1), variant("b", 1)}
	for _, tt := range []struct {
		name    string
		spoiled []Cell
		open    func(Comparison) bool
		ran     []Cell
		want    []Cell
	}{
		{"nothing", nil, variants, at8, nil},
		{"the variant", []Cell{variant("b", 8)}, variants, at8, []Cell{variant("serial", 8), variant("b", 8), twinOf(variant("b", 8))}},
		{"the base", []Cell{variant("serial", 8)}, variants, at8, []Cell{variant("serial", 8), variant("b", 8), variant("c", 8)}},
		{"the twin", []Cell{twinOf(variant("b", 8))}, variants, at8, []Cell{variant("b", 8), twinOf(variant("b", 8))}},
		{"the base, of which one variant is decided", []Cell{variant("serial", 8)}, func(c Comparison) bool { return variants(c) && c.New == variant("c", 8) }, at8, []Cell{variant("serial", 8), variant("c", 8)}},
		{"of scaling, the one at 1", []Cell{variant("b", 1)}, func(c Comparison) bool { return c.Kind == Scaling }, at8, []Cell{variant("b", 8), variant("b", 1)}},
		{"of scaling, the one at 8", []Cell{variant("b", 8)}, func(c Comparison) bool { return c.Kind == Scaling }, at8, []Cell{variant("b", 8), twinOf(variant("b", 8)), variant("b", 1)}},
		{"two", []Cell{variant("b", 8), variant("c", 8)}, variants, at8, []Cell{variant("serial", 8), variant("b", 8), twinOf(variant("b", 8)), variant("c", 8)}},
		{"decided, of all", []Cell{variant("b", 8)}, func(Comparison) bool { return false }, at8, []Cell{variant("b", 8), twinOf(variant("b", 8))}},
		{"the partner did not run", []Cell{variant("b", 8)}, variants, []Cell{variant("b", 8), variant("c", 8)}, []Cell{variant("b", 8)}},
	} {
		m := bare(three(), time.Hour)
		m.close(tt.open)
		b := contest.Block[Cell]{Pairs: m.compared(tt.ran)}
		if got := b.Again(tt.spoiled, tt.ran); !slices.Equal(got, tt.want) {
			t.Errorf("%s: again %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestSpoiledAgain: in a whole block, a pair of which others disturbed one side,
// or a twin, has both sides of one attempt; the third attempt counts as it is.
func TestSpoiledAgain(t *testing.T) {
	for _, disturb := range []struct {
		name  string
		which Cell
		times int // attempts that are disturbed
	}{
		{"the variant, once", at("BenchmarkX/variant=b", 2), 1}, {"the base, once", at("BenchmarkX/variant=serial", 2), 1},
		{"the variant, twice", at("BenchmarkX/variant=b", 2), 2}, {"the base, always", at("BenchmarkX/variant=serial", 2), 99},
	} {
		s, r := setup("X/variant=serial", "X/variant=b")
		s.Procs = []int{2}
		hits := 0
		calibrated := false
		r.change = func(c Cell, call int, x *Sample) error {
			if calibrated && c == disturb.which && hits < disturb.times {
				hits++
				x.Others = 0.3
			}
			return nil
		}
		var kept, dropped []string
		record := func(c Cell, x Sample, drop string) error {
			if calibrated = true; drop == Calibration {
				return nil
			}
			what := fmt.Sprintf("%d/%d %s", x.Round, x.Attempt, c.Bench[len("BenchmarkX/variant="):])
			if drop == "" {
				kept = append(kept, what)
			} else {
				dropped = append(dropped, what)
			}
			return nil
		}
		if err := Run(t.Context(), s, r.subject(t), Options{Sample: 50 * time.Millisecond, Seed: 1, Rule: stats.Rule{Alpha: 0.05, Looks: []int{1}}, Record: record, Now: func() time.Time { return r.now }}); err != nil {
			t.Fatal(err)
		}
		c := Comparison{New: at("BenchmarkX/variant=b", 2), Base: at("BenchmarkX/variant=serial", 2)}
		p := s.Pairs(c)
		if len(p.Logs) != 1 {
			t.Fatalf("%s: %d pairs, want that of one round", disturb.name, len(p.Logs))
		}
		want := min(disturb.times, contest.Attempts-1) // the attempt that counts
		a, b := s.Samples[c.Base], s.Samples[c.New]
		if n := len(s.Spoiled[disturb.which]); n != want {
			t.Errorf("%s: %d disturbed samples are at hand, want %d", disturb.name, n, want)
		}
		last := func(x []Sample) int { return int(x[len(x)-1].Attempt) }
		if last(a) != want || last(b) != want || len(dropped) != want {
			t.Errorf("%s: kept %v, dropped %v; want both sides of attempt %d last, and the disturbed ones dropped", disturb.name, kept, dropped, want)
		}
	}
}

// TestStuck: on a machine that others never leave alone, pairs are taken again in
// two blocks and no more.
func TestStuck(t *testing.T) {
	s, r := setup("X/variant=serial", "X/variant=b")
	s.Procs = []int{2}
	r.wall = func(c Cell, call int) float64 { return 1e5 * (1 + 0.4*math.Sin(float64(call*call))) } // not decided
	r.change = func(_ Cell, _ int, x *Sample) error { x.Steal = 0.3; return nil }
	by := map[int32]int32{} // attempts by round
	record := func(_ Cell, x Sample, drop string) error {
		if drop != Calibration {
			by[x.Round] = max(by[x.Round], x.Attempt+1)
		}
		return nil
	}
	if err := Run(t.Context(), s, r.subject(t), Options{Seed: 1, Rule: stats.Rule{Alpha: 0.05, Looks: []int{6}}, Record: record, Now: func() time.Time { return r.now }}); err != nil {
		t.Fatal(err)
	}
	for round, n := range by {
		want := int32(1)
		if round <= contest.Stuck {
			want = contest.Attempts
		}
		if n != want {
			t.Errorf("round %d: %d attempts, want %d", round, n, want)
		}
	}
	if got, want := s.Dropped["steal"], contest.Stuck*(contest.Attempts-1)*2; got < want || got > want+4 { // and twins
		t.Errorf("%d samples dropped for steal, want %d and those of twins", got, want)
	}
}

// TestAffordable: of a block all cells, or those of comparisons of which both
// sides fit into what is left.
func TestAffordable(t *testing.T) {
	all := []Cell{variant("serial", 8), variant("b", 8), variant("c", 8), twinOf(variant("c", 8))}
	for _, tt := range []struct {
		left   time.Duration
		broken string
		want   []Cell
	}{
		{13 * time.Second, "", all}, // 1 + 2 + 5 + 5
		{13*time.Second - 1, "", []Cell{variant("serial", 8), variant("b", 8), variant("c", 8)}},
		{8 * time.Second, "", []Cell{variant("serial", 8), variant("b", 8), variant("c", 8)}},
		{8*time.Second - 1, "", []Cell{variant("serial", 8), variant("b", 8)}},
		{3 * time.Second, "", []Cell{variant("serial", 8), variant("b", 8)}},
		{3*time.Second - 1, "", nil},
		{7 * time.Second, "BenchmarkX/variant=b", []Cell{variant("serial", 8), variant("c", 8)}},
		{7 * time.Second, "BenchmarkX/variant=serial", nil},
	} {
		m := bare(three(), tt.left)
		m.close(func(c Comparison) bool { return c.Kind == Variant })
		for i, v := range []string{"serial", "b", "c"} {
			m.took[variant(v, 8)] = []time.Duration{1, 2, 5}[i] * time.Second
		}
		if tt.broken != "" {
			m.broken[tt.broken] = true
		}
		if got := m.affordable(block{0, slices.Clone(all)}); !slices.Equal(got, tt.want) {
			t.Errorf("%v left, %q broken: %v, want %v", tt.left, tt.broken, got, tt.want)
		}
	}
	// Of the other family nothing is asked.
	m := bare(three(), time.Second)
	m.took[at("BenchmarkY", 8)], m.took[at("BenchmarkY", 1)] = time.Second/2, time.Second/2
	m.took[at("BenchmarkY", 2)] = time.Minute
	if got, want := m.affordable(block{1, []Cell{at("BenchmarkY", 1), at("BenchmarkY", 2), at("BenchmarkY", 8)}}), []Cell{at("BenchmarkY", 1), at("BenchmarkY", 8)}; !slices.Equal(got, want) {
		t.Errorf("a second left: %v, want %v", got, want)
	}
}

// TestExpected: as long as the last process took; before the first what processes
// take beside their operations, and these.
func TestExpected(t *testing.T) {
	m := bare(three(), time.Hour)
	c := variant("b", 8)
	m.n[c], m.guess[c.Bench] = 10, Listed{PerOp: 2e6, Whole: 1e6}
	m.spent, m.timed, m.processes = 5*time.Second, 3*time.Second, 4
	if got := m.expected(c); got != 500*time.Millisecond+20*time.Millisecond {
		t.Errorf("before the first: %v, want 520ms", got)
	}
	m.guess[c.Bench] = Listed{PerOp: 2e6, Whole: 3e6}
	if got := m.expected(twinOf(c)); got != 530*time.Millisecond {
		t.Errorf("with more outside the timer: %v, want 530ms", got)
	}
	m.took[c] = time.Minute
	if got := m.expected(twinOf(c)); got != time.Minute {
		t.Errorf("a twin of what took a minute: %v", got)
	}
	if got := m.cost([]Cell{c, twinOf(c)}); got != 2*time.Minute {
		t.Errorf("both: %v", got)
	}
}

// TestOwnOperations: as many as fill a sample, by the median of the times or the
// listing's guess, and no more than three times its length with what is not timed.
func TestOwnOperations(t *testing.T) {
	c := variant("b", 8)
	for _, tt := range []struct {
		name         string
		guess, whole float64
		walls        []float64
		seen         float64 // whole time of an operation, as measured
		had          int64
		want         int64
	}{
		{"by the listing", 1e6, 0, nil, 0, 0, 50},
		{"by the times", 9e6, 0, []float64{1e6, 1e9, 1e6}, 0, 0, 50},
		{"slow", 1e9, 0, nil, 0, 0, 1},
		{"rounded", 51e6 / 2, 0, nil, 0, 0, 2},
		{"unknown", 0, 0, nil, 0, 0, 1},
		{"outside the timer, at most", 1e6, 3e6, nil, 0, 0, 50},
		{"outside the timer, more", 1e6, 3.1e6, nil, 0, 0, 48},
		{"much outside the timer", 1e6, 1e9, nil, 0, 0, 1},
		{"outside the timer, as measured", 1e6, 0, []float64{1e6}, 30e6, 0, 5},
		{"of a run that goes on", 1e6, 0, []float64{1e6}, 0, 7, 7},
	} {
		m := bare(three(), time.Hour)
		m.guess[c.Bench] = Listed{PerOp: tt.guess, Whole: tt.whole}
		m.walls[c] = tt.walls
		m.whole[c] = tt.seen
		if tt.had > 0 {
			m.had[c] = tt.had
		}
		if got := m.own(c); got != tt.want {
			t.Errorf("%s: %d operations, want %d", tt.name, got, tt.want)
		}
	}
}

// TestCalibrateAlike: compared cells whose own numbers differ by less than 1.35
// run as many operations, the geometric mean, by whatever chain; others their own.
func TestCalibrateAlike(t *testing.T) {
	for _, tt := range []struct {
		serial, b, c int64 // own numbers at 8
		want         [3]int64
	}{
		{100, 134, 300, [3]int64{116, 116, 300}}, {100, 135, 300, [3]int64{100, 135, 300}},
		{134, 100, 300, [3]int64{116, 116, 300}}, {135, 100, 300, [3]int64{135, 100, 300}},
		{120, 100, 150, [3]int64{122, 122, 122}}, // b and c are not compared, but each with the base
		{100, 100, 100, [3]int64{100, 100, 100}},
	} {
		m := bare(three(), time.Hour)
		m.close(func(Comparison) bool { return true })
		for _, f := range m.s.Families {
			for _, member := range f.Members {
				for i, p := range m.s.Procs {
					m.had[at(member.Bench, p)] = []int64{1, 1000, 0}[i] // far from those at 8
				}
			}
		}
		m.had[variant("serial", 8)], m.had[variant("b", 8)], m.had[variant("c", 8)] = tt.serial, tt.b, tt.c
		m.calibrate()
		for i, v := range []string{"serial", "b", "c"} {
			if got := m.n[variant(v, 8)]; got != tt.want[i] {
				t.Errorf("own %d, %d, %d: %s runs %d, want %d", tt.serial, tt.b, tt.c, v, got, tt.want[i])
			}
			if got := m.n[variant(v, 2)]; got != 1000 {
				t.Errorf("own %d, %d, %d: %s at 2 runs %d, want 1000", tt.serial, tt.b, tt.c, v, got)
			}
		}
	}
}

// TestCalibrateLong: what must run many operations gives its number to no side of which
// that many take longer than go test's second: ants' AntsMultiPool, 2.7 s an operation,
// ran 16 for the sake of a RunParallel.
func TestCalibrateLong(t *testing.T) {
	for _, tt := range []struct {
		perOp        float64
		base, length int64 // operations of the base and of RunParallel
	}{
		{2.7e9, 1, 16}, {2e8, 5, 16}, {1e7, 16, 16}, {1e5, 500, 500},
	} {
		s := three()
		s.Procs = []int{2}
		m := bare(s, time.Hour)
		m.close(func(Comparison) bool { return true })
		for _, v := range []string{"serial", "b", "c"} {
			m.guess[variant(v, 2).Bench] = Listed{PerOp: tt.perOp, Parallel: v == "b"}
		}
		m.calibrate()
		if base, b := m.n[variant("serial", 2)], m.n[variant("b", 2)]; base != tt.base || b != tt.length {
			t.Errorf("%v ns an operation: the base runs %d, RunParallel %d, want %d and %d", tt.perOp, base, b, tt.base, tt.length)
		}
	}
}

// TestFit: samples are shortened in so far as a round takes more than a 24th of
// what is left, to 10 ms at least; what has one operation does not count.
func TestFit(t *testing.T) {
	for _, tt := range []struct {
		took   time.Duration // of each of two processes
		n      int64
		sample time.Duration
		want   time.Duration
	}{
		{500 * time.Millisecond, 5, 50 * time.Millisecond, 50 * time.Millisecond}, // a round of one second of 24
		{time.Second, 5, 50 * time.Millisecond, 25 * time.Millisecond},
		{time.Second, 1, 50 * time.Millisecond, 50 * time.Millisecond},
		{10 * time.Second, 5, 50 * time.Millisecond, 10 * time.Millisecond},
		{10 * time.Second, 5, 5 * time.Millisecond, 5 * time.Millisecond},
	} {
		m := bare(three(), 24*time.Second)
		m.o.Sample = tt.sample
		for _, c := range []Cell{variant("b", 8), variant("serial", 8)} {
			m.took[c], m.n[c] = tt.took, tt.n
		}
		if m.fit(); m.o.Sample != tt.want {
			t.Errorf("processes of %v with %d operations, samples of %v: %v, want %v", tt.took, tt.n, tt.sample, m.o.Sample, tt.want)
		}
	}
}

// TestTurn: which families a round visits.
func TestTurn(t *testing.T) {
	const second = time.Second
	type fam struct {
		rounds int
		cost   time.Duration
		each   time.Duration // of its two cells, before it has rounds
	}
	for _, tt := range []struct {
		name   string
		round  int32
		budget time.Duration
		fams   []fam
		want   []int
	}{
		{"the round before the first", 0, 30 * second, []fam{{0, 0, 1}, {0, 0, 100 * second}}, []int{0, 1}},
		// A share is 10 s. Three rounds of 3 s fit, of 4 s they do not.
		{"the quick ones first", 1, 30 * second, []fam{{0, 0, 3 * second}, {0, 0, 4 * second}, {0, 0, second}}, []int{0, 2}},
		{"what it has cost counts", 1, 30 * second, []fam{{0, 2 * second, 3 * second}, {0, 0, second}, {0, second, 3 * second}}, []int{1, 2}},
		{"no more of what had its look", 4, 30 * second, []fam{{3, 3 * second, 0}, {2, 2 * second, 0}, {3, second, 0}}, []int{1}},
		{"the quickest of the slow alone", 1, 30 * second, []fam{{0, 0, 9 * second}, {0, 0, 5 * second}, {0, 0, 8 * second}}, []int{1}},
		// 12 s and a quarter, beside what the two that had their look need for a full one: 2 × 5 s.
		{"a slow one, where the others keep what they need", 4, 36 * second, []fam{{3, 3 * second, 0}, {3, 3 * second, 0}, {0, 0, 4*second + second/10}}, []int{2}},
		{"and not where they would not", 4, 21 * second, []fam{{3, 3 * second, 0}, {3, 3 * second, 0}, {0, 0, 4 * second}}, []int{0, 1}},
		{"all had their look", 9, 30 * second, []fam{{3, second, 0}, {5, 2 * second, 0}, {4, second, 0}}, []int{0, 1, 2}},
		{"one had its share", 9, 30 * second, []fam{{3, second, 0}, {5, 10 * second, 0}, {4, second, 0}}, []int{0, 2}},
		{"all had their share", 9, 30 * second, []fam{{3, 10 * second, 0}, {5, 11 * second, 0}, {4, 12 * second, 0}}, []int{0, 1, 2}},
	} {
		s := &Series{Procs: []int{4}}
		for i := range tt.fams {
			base := fmt.Sprintf("Benchmark%d/variant=", i)
			s.Families = append(s.Families, discover.Families([]string{base + "serial", base + "b"}, discover.Hints{})...)
		}
		m := bare(s, tt.budget)
		m.round = tt.round
		open := map[int][]Cell{}
		for i, f := range tt.fams {
			m.families[i].rounds, m.families[i].cost = f.rounds, f.cost
			for _, c := range m.families[i].cells {
				m.took[c] = f.each / 2
			}
			open[i] = m.families[i].cells
		}
		if got := m.turn(open); !slices.Equal(got, tt.want) {
			t.Errorf("%s: families %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestUntil: a family's rounds as they took, without the one before the first.
func TestUntil(t *testing.T) {
	m := bare(three(), time.Hour)
	m.families[0] = family{rounds: 4, cost: 10 * time.Second, calibration: 2 * time.Second}
	if got := m.each(0); got != 2*time.Second {
		t.Errorf("each of 4 rounds that took 8 s: %v", got)
	}
	if got := m.until(0, 8); got != 8*time.Second {
		t.Errorf("until 8 rounds: %v, want 8s", got)
	}
	if got := m.until(0, 3); got != 0 {
		t.Errorf("until 3 rounds: %v, want 0", got)
	}
	if got := m.firstLook(); got != 3 {
		t.Errorf("first look at %d pairs, want 3", got)
	}
	if m.o.Rule = (stats.Rule{Alpha: 0.05, Looks: []int{6, 9}}); m.firstLook() != 6 {
		t.Errorf("first look at %d pairs, want 6", m.firstLook())
	}
}

// TestAffordablePairs: the last look that what is left of the budget allows.
func TestAffordablePairs(t *testing.T) {
	for _, tt := range []struct {
		n, rounds int // so far, and that are affordable
		want      int
	}{{0, 2, 0}, {0, 3, 3}, {0, 4, 3}, {0, 5, 5}, {0, 9, 5}, {0, 10, 10}, {3, 1, 3}, {3, 2, 5}, {9, 1, 10}, {10, 5, 10}, {10, 6, 16}, {10, 38, 48}, {100, 91, 100}, {100, 92, 192}, {200, 500, 200}} {
		m := bare(three(), time.Duration(tt.rounds)*time.Second)
		m.families[0] = family{rounds: 1, cost: time.Second}
		if got := m.affordablePairs(0, tt.n); got != tt.want {
			t.Errorf("%d pairs, %d rounds to come: look at %d, want %d", tt.n, tt.rounds, got, tt.want)
		}
	}
	m := bare(three(), time.Hour)
	if got := m.affordablePairs(0, 5); got != 5 {
		t.Errorf("nothing is known of its rounds: look at %d, want 5", got)
	}
}

// TestFutileAt: what the budget hardly decides waits, from the second round on.
func TestFutileAt(t *testing.T) {
	for _, tt := range []struct {
		round  int32
		pairs  int
		budget time.Duration
		futile bool // by its last look
		want   bool
	}{{1, 0, time.Second, false, false}, {2, 1, time.Second, false, true}, {2, 1, 2 * time.Second, false, false}, {11, 10, time.Hour, true, true}, {1, 10, time.Hour, true, true}, {11, 10, 6 * time.Second, false, false}, {11, 10, 5 * time.Second, false, true}} {
		m := bare(three(), tt.budget)
		m.round, m.state[0].pairs, m.state[0].futile = tt.round, tt.pairs, tt.futile
		m.families[0] = family{rounds: 1, cost: time.Second}
		if got := m.futile(0); got != tt.want {
			t.Errorf("round %d, %d pairs, %v left, futile %t: %t, want %t", tt.round, tt.pairs, tt.budget, tt.futile, got, tt.want)
		}
	}
}

// TestNeeded: the cells of comparisons that are open, each once, without what
// broke, and first without what can hardly be decided.
func TestNeeded(t *testing.T) {
	m := bare(three(), time.Hour)
	m.close(func(c Comparison) bool { return c.Kind == Variant && c.New.Procs == 8 })
	both := map[int][]Cell{0: {variant("serial", 8), variant("b", 8), variant("c", 8)}}
	check := func(name string, all bool, want map[int][]Cell) {
		t.Helper()
		got := m.needed(all)
		if len(got) != len(want) || !slices.Equal(got[0], want[0]) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	check("open", false, both)
	for i, c := range m.comparisons {
		if c.New == variant("b", 8) && c.Kind == Variant {
			m.state[i].futile = true
		}
	}
	check("one is futile", false, map[int][]Cell{0: {variant("serial", 8), variant("c", 8)}})
	check("one is futile, of all", true, both)
	m.broken[variant("c", 8).Bench] = true
	check("one broke", true, map[int][]Cell{0: {variant("serial", 8), variant("b", 8)}})
	m.broken[variant("serial", 8).Bench] = true
	check("the base broke", true, map[int][]Cell{})
	for i, c := range m.comparisons {
		if c.Kind == Scaling && c.New == variant("b", 8) {
			m.state[i].decision, m.state[i].exhausted = stats.Open, true
		}
	}
	check("exhausted", true, map[int][]Cell{})
}

// TestMissing: how many pairs a comparison is short of the first look that will
// probably decide it.
func TestMissing(t *testing.T) {
	pairs := func(n int, centre, noise float64) *rounds {
		s := three()
		for i := range n {
			s.Add(variant("serial", 1), Sample{Round: int32(i), Layout: int32(i), Wall: 100 * math.Exp(centre+noise*math.Sin(float64(i*i)))})
			s.Add(variant("b", 1), Sample{Round: int32(i), Layout: int32(i), Wall: 100})
		}
		return bare(s, time.Hour)
	}
	for _, tt := range []struct {
		n             int
		centre, noise float64
		want          int
	}{{0, 0, 0, 10}, {5, 0, 0.1, 5}, {9, 0, 3, 1}, {10, 0.3, 0.25, 6}, {24, 0.05, 0.1, 24}, {24, 0.02, 4, 0}, {192, 0.05, 1, 0}} {
		m := pairs(tt.n, tt.centre, tt.noise)
		if got := m.missing(0); got != tt.want {
			t.Errorf("%d pairs around %v, noise %v: %d are missing, want %d", tt.n, tt.centre, tt.noise, got, tt.want)
		}
	}
	// What is open needs the rounds of its family; two of one family the more.
	m := pairs(5, 0, 0.1)
	m.close(func(c Comparison) bool { return c.Kind == Variant && c.New.Procs < 8 })
	m.families[0] = family{rounds: 1, cost: time.Second}
	m.families[1] = family{rounds: 1, cost: time.Minute}
	if got, want := m.needs(), 10*time.Second; got != want {
		t.Errorf("5 and 10 pairs are missing of one family, a second a round: %v, want %v", got, want)
	}
	for i, c := range m.comparisons {
		if c.Family == 1 && c.New.Procs == 8 {
			m.state[i].decision = stats.Open
		}
	}
	if got, want := m.needs(), 10*time.Second+10*time.Minute; got != want {
		t.Errorf("and 10 of another: %v, want %v", got, want)
	}
	m.broken["BenchmarkY"], m.broken[variant("serial", 1).Bench] = true, true
	if got := m.needs(); got != 0 {
		t.Errorf("of what broke: %v, want 0", got)
	}
}

// TestLooks: what a look takes, with the correction for all that had one.
func TestLooks(t *testing.T) {
	s := three()
	m := bare(s, time.Hour)
	for i := range m.families {
		m.families[i] = family{rounds: 1, cost: time.Second}
	}
	put := func(c Cell, n int, wall float64) {
		for i := range n {
			s.Add(c, Sample{Round: int32(i), Layout: int32(i), Wall: wall * (1 + 0.001*float64(i%3))})
		}
	}
	for _, p := range s.Procs {
		put(variant("serial", p), 16, 100)
		put(variant("b", p), 16, 80)
		put(variant("c", p), 7, 20) // no look at 7
	}
	m.look()
	for i, c := range m.comparisons {
		x := m.state[i]
		looked := c.Kind == Variant && c.Member == 1 || c.Kind == Scaling && c.Member < 2 && c.Family == 0
		if x.looked != looked || looked && x.pairs != 16 {
			t.Errorf("%v: looked %t after %d pairs, want %t", c, x.looked, x.pairs, looked)
		}
		want := stats.Open
		if c.Kind == Variant && c.Member == 1 {
			want = stats.Faster
		} else if looked {
			want = stats.Same
		}
		if x.decision != want {
			t.Errorf("%v: %v, want %v", c, x.decision, want)
		}
	}
	// Without anything new nothing is taken again.
	m.state[0].estimate = stats.Estimate{}
	if m.look(); m.state[0].estimate.Pairs != 0 {
		t.Error("a look at what did not change")
	}
}

// TestExhaustedAt: the last look without a decision is the end of a comparison.
func TestExhaustedAt(t *testing.T) {
	for _, tt := range []struct {
		pairs int
		want  bool
	}{{191, false}, {192, true}, {193, true}} {
		m := bare(three(), time.Hour)
		m.state[0] = state{looked: true, pairs: tt.pairs, estimate: stats.Estimate{Ratio: 1.5, Low: 0.5, High: 5, P: 1, Pairs: tt.pairs, EvenHigh: 9}}
		if m.decide(); m.state[0].exhausted != tt.want || m.state[0].open() == tt.want {
			t.Errorf("open after %d pairs: exhausted %t, want %t", tt.pairs, m.state[0].exhausted, tt.want)
		}
		m.state[0].estimate = stats.Estimate{Ratio: 1.5, Low: 1.4, High: 1.6, P: 0.001}
		if m.decide(); m.state[0].exhausted || m.state[0].open() {
			t.Errorf("decided after %d pairs: %+v", tt.pairs, m.state[0])
		}
	}
}

// TestProgressLeft: what is left, at most by the rounds to come; from the last
// planned round on what is left of the budget.
func TestProgressLeft(t *testing.T) {
	for _, tt := range []struct {
		round int32
		last  time.Duration
		want  time.Duration
	}{{1, 0, time.Hour}, {190, time.Second, 3 * time.Second}, {192, time.Second, time.Second}, {193, time.Second, time.Hour}} {
		m := bare(three(), time.Hour)
		m.round, m.last = tt.round, tt.last
		m.close(func(c Comparison) bool { return c.Kind == Scaling })
		m.s.Dropped = map[string]int{"steal": 2, "other processes": 3}
		var got Progress
		m.o.Progress = func(p Progress) { got = p }
		m.progress()
		if got.Left != tt.want || got.Decided != 6 || got.All != len(m.comparisons) || got.Dropped != 5 || got.Rounds != 192 || got.Round != int(tt.round) || got.Package != "p" {
			t.Errorf("round %d of %v: %+v, want %v left, 6 decided, 5 dropped", tt.round, tt.last, got, tt.want)
		}
	}
	m := bare(three(), time.Hour)
	m.start = m.start.Add(-2 * time.Hour)
	m.o.Progress = func(p Progress) {
		if p.Left != 0 {
			t.Errorf("%v left, want 0", p.Left)
		}
	}
	m.progress()
}

// TestLeft: of the budget what was spent before the rounds, by a run before and
// since the start is gone.
func TestLeft(t *testing.T) {
	m := bare(three(), 100*time.Second)
	m.o.Spent, m.before = 7*time.Second, 11*time.Second
	m.start = m.start.Add(-13 * time.Second)
	if got := m.left(); got != 69*time.Second {
		t.Errorf("left of 100s after 7s, 11s and 13s: %v", got)
	}
}

// layoutsOf is a Runner that only has layouts.
type layoutsOf struct {
	Runner
	used []int
	fail func(k int) error
}

func (l *layoutsOf) Use(_ context.Context, k int) error {
	if l.fail != nil {
		if err := l.fail(k); err != nil {
			return err
		}
	}
	l.used = append(l.used, k)
	return nil
}

// TestNextLayout: a new one for each round of a family while there is time, which
// is a fifth of the budget, and half of what is left for one.
func TestNextLayout(t *testing.T) {
	for _, tt := range []struct {
		name        string
		round       int32
		rounds, max int
		have        []int
		spent, left time.Duration // on linking; of 100 s
		none        bool
		want        int
		made        bool
	}{
		{"the round before the first", 0, 3, 24, []int{0}, 0, 100 * time.Second, false, 0, false},
		{"one is asked for", 1, 3, 1, []int{0}, 0, 100 * time.Second, false, 0, false},
		{"one that is there", 1, 3, 24, []int{0, 1, 2, 3}, 0, 100 * time.Second, false, 3, false},
		{"a new one", 1, 4, 24, []int{0, 1, 2, 3}, 0, 100 * time.Second, false, 4, true},
		{"round again", 30, 25, 24, []int{0, 1, 2, 3}, 0, 100 * time.Second, false, 1, false},
		{"no more can be had", 1, 6, 24, []int{0, 1, 2, 3}, 0, 100 * time.Second, true, 2, false},
		{"a fifth of the budget", 1, 6, 24, []int{0, 1, 2, 3}, 15 * time.Second, 100 * time.Second, false, 6, true}, // 15 and a third of it
		{"more than a fifth", 1, 6, 24, []int{0, 1, 2, 3}, 15*time.Second + 3, 100 * time.Second, false, 2, false},
		{"half of what is left", 1, 6, 24, []int{0, 1, 2, 3}, 15 * time.Second, 10 * time.Second, false, 6, true},
		{"more than half of it", 1, 6, 24, []int{0, 1, 2, 3}, 15 * time.Second, 10*time.Second - 2, false, 2, false},
	} {
		m := bare(three(), 100*time.Second)
		m.round, m.o.MaxLayouts = tt.round, tt.max
		m.o.Spent = 100*time.Second - tt.left
		from := &layoutsOf{}
		l := &layouts{from: from, have: slices.Clone(tt.have), Layouts: contest.Layouts{N: len(tt.have) - 1, Spent: tt.spent, None: tt.none}}
		if got := l.next(t.Context(), m, tt.rounds); got != tt.want || (len(from.used) > 0) != tt.made || tt.made && !slices.Contains(l.have, got) {
			t.Errorf("%s: layout %d, made %v, have %v; want %d, made %t", tt.name, got, from.used, l.have, tt.want, tt.made)
		}
	}
	// One that cannot be made ends the making, with a word; not where the run ends.
	for _, ended := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		m := bare(three(), 100*time.Second)
		m.round = 1
		l := &layouts{from: &layoutsOf{fail: func(int) error {
			if ended {
				cancel()
			}
			return errors.New("no linker")
		}}, have: []int{0, 1}}
		if got := l.next(ctx, m, 3); got != 1 || !l.None || (len(m.s.Missing) == 1) == ended || len(l.have) != 2 {
			t.Errorf("without a linker, ended %t: layout %d, none %t, missing %q", ended, got, l.None, m.s.Missing)
		}
		cancel()
	}
	l := &layouts{have: []int{0, 1, 2}}
	for k, want := range map[int]int{0: 1, 1: 2, 2: 0} {
		if got := l.other(k); got != want {
			t.Errorf("another than %d of three: %d, want %d", k, got, want)
		}
	}
}

// TestCodesUse: where one of two codes cannot have a layout both stay in that
// which they had, and both errors arrive.
func TestCodesUse(t *testing.T) {
	for _, side := range []string{"old", "new"} {
		subject := func(code string) *Subject {
			_, r := setup("X")
			r.link = func(k int) error {
				if code == side && k > 1 {
					return errors.New(code + " has no more")
				}
				return nil
			}
			return r.subject(t)
		}
		c := Codes{subject("old"), subject("new")}
		if err := c.Use(t.Context(), 1); err != nil || c.Old.layout != 1 || c.New.layout != 1 {
			t.Fatal(err)
		}
		if err := c.Use(t.Context(), 2); err == nil || err.Error() != side+" has no more" || c.Old.layout != 1 || c.New.layout != 1 {
			t.Errorf("%s code: %v, in layouts %d and %d, want the error and 1", side, err, c.Old.layout, c.New.layout)
		}
		c.Wait(7 * time.Second)
		if c.Old.Patience != 7*time.Second || c.New.Patience != 7*time.Second {
			t.Errorf("patience %v and %v", c.Old.Patience, c.New.Patience)
		}
	}
}

// TestAfterRounds: the binary that the linker made is in use when the rounds end,
// and if it cannot be the error arrives.
func TestAfterRounds(t *testing.T) {
	for _, fails := range []bool{false, true} {
		s, r := setup("X/variant=serial", "X/variant=b")
		s.Procs = []int{2}
		r.link = func(int) error { return nil }
		over := &failing{Subject: r.subject(t), fails: fails}
		// Two rounds, of which the second has another layout.
		err := Run(t.Context(), s, over, Options{Seed: 1, Rule: stats.Rule{Alpha: 0.05, Looks: []int{2}}, Now: func() time.Time { return r.now }})
		if p := s.Pairs(Comparisons(s.Families, s.Procs)[0]); !slices.Equal(p.Layouts, []int32{0, 1}) {
			t.Fatalf("layouts %v, want 0 and 1: %v", p.Layouts, err)
		}
		if (err != nil) != fails || (over.layout == 0) == fails {
			t.Errorf("fails %t: %v, in layout %d", fails, err, over.layout)
		}
	}
}

// failing is a Subject that cannot go back to the first layout.
type failing struct {
	*Subject
	fails bool
}

func (f *failing) Use(ctx context.Context, k int) error {
	if f.fails && k == 0 && f.layout > 0 {
		return errors.New("the binary is gone")
	}
	return f.Subject.Use(ctx, k)
}
