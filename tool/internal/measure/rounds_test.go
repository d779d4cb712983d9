package measure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/contest"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/host/sim"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A script is a host without a machine: wall tells the time per operation, and
// the clock moves with it.
type script struct {
	now    time.Time
	calls  []Cell
	n      []int64
	wall   func(c Cell, call int) float64
	change func(c Cell, call int, s *Sample) error
	hangs  func(c Cell, call int) bool
	link   func(layout int) error // nil: the linker's layout is the only one
}

func (r *script) run(_ context.Context, p sim.Process) (sim.Figures, error) {
	c, call := Cell{Bench: p.Bench, Procs: p.Procs}, len(r.calls)
	r.calls, r.n = append(r.calls, c), append(r.n, p.N)
	if r.hangs != nil && r.hangs(c, call) {
		r.now = r.now.Add(p.Timeout)
		return sim.Figures{Hangs: true}, nil
	}
	s := Sample{Wall: r.wall(c, call), Got: 1}
	s.CPU = s.Wall
	var err error
	if r.change != nil {
		err = r.change(c, call, &s)
	}
	r.now = r.now.Add(time.Duration(s.Wall*float64(p.N)) + time.Millisecond)
	return sim.Figures{Wall: s.Wall, CPU: s.CPU, Got: float64(s.Got), Others: float64(s.Others), Steal: float64(s.Steal)}, err
}

// subject is the binary behind the script.
func (r *script) subject(t *testing.T) *Subject {
	t.Helper()
	s, err := Build(t.Context(), &sim.Host{Process: r.run, Link: r.link}, discover.Target{Package: "p"}, BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func setup(names ...string) (*Series, *script) {
	var listed []Listed
	for i := range names {
		names[i] = "Benchmark" + names[i]
		listed = append(listed, Listed{Name: names[i], PerOp: 1e5})
	}
	s := &Series{Package: "p", Procs: []int{1, 2}, Families: discover.Families(names, discover.Hints{}), Listed: listed}
	return s, &script{now: time.Unix(0, 0), wall: func(Cell, int) float64 { return 1e5 }}
}

// steady makes the variant b take 1.5 times as long, with a ripple that differs by call.
func steady(c Cell, call int) float64 {
	w := 1e5 * (1 + 0.01*math.Sin(float64(call)))
	if strings.HasSuffix(c.Bench, "b") {
		w *= 1.5
	}
	return w
}

func TestRounds(t *testing.T) {
	s, r := setup("X/variant=serial", "X/variant=b", "Y/variant=serial", "Y/variant=b")
	r.wall = steady
	var ran []Cell
	err := Run(t.Context(), s, r.subject(t), Options{Sample: 50 * time.Millisecond, Seed: 1, Now: func() time.Time { return r.now },
		Record: func(c Cell, _ Sample, _ string) error { ran = append(ran, c); return nil }})
	if err != nil || s.End != Decided {
		t.Fatalf("Run = %v, end %q, want decided", err, s.End)
	}
	if len(ran) != len(r.calls) {
		t.Errorf("recorded %d samples of %d", len(ran), len(r.calls))
	}
	// The round before the first calibrates; the first holds every cell once,
	// and one twin beside its cell.
	round := ran[8:17]
	seen := map[Cell]int{}
	twins := 0
	for i, c := range round {
		if c.Twin {
			twins++
			c.Twin = false
			if !(i > 0 && round[i-1] == c || i+1 < len(round) && round[i+1] == c) {
				t.Errorf("twin of %v is not beside it in %v", c, round)
			}
			continue
		}
		seen[c]++
	}
	if len(seen) != 8 || twins != 1 {
		t.Errorf("round 1 = %v, want 8 cells once and 1 twin", round)
	}
	// A family's cells follow each other.
	changes := 0
	for i := 1; i < len(round); i++ {
		if round[i].Bench[:len("BenchmarkX")] != round[i-1].Bench[:len("BenchmarkX")] {
			changes++
		}
	}
	if changes != 1 {
		t.Errorf("round 1 = %v, want one block per family", round)
	}
	for _, c := range Comparisons(s.Families, s.Procs) {
		logs := s.LogRatios(c)
		if len(logs) < 8 {
			t.Errorf("%v: %d pairs, want 8 at least", c, len(logs))
		}
		want := 0.0
		if c.Kind == Variant {
			want = -math.Log(1.5)
		}
		if got := stats.Median(logs); math.Abs(got-want) > 0.03 {
			t.Errorf("%v: median log ratio %v, want %v", c, got, want)
		}
	}
	if n := len(s.LogRatios(Comparison{Kind: Control})); n < 8 {
		t.Errorf("control has %d pairs, want one in 8 cells", n)
	}
}

// TestOrder: either side of a pair comes first about as often, independently
// of the round before. The signed-rank test is exact only then.
func TestOrder(t *testing.T) {
	first, same, rounds := 0, 0, 0
	for seed := range uint64(40) {
		s, r := setup("X/variant=serial", "X/variant=b")
		s.Procs = []int{1}
		r.wall = func(Cell, int) float64 { return 1e5 * (1 + 0.2*float64(len(r.calls)%7)) } // never decided early
		order := []string{}
		record := func(c Cell, _ Sample, drop string) error {
			if !c.Twin && drop != Calibration {
				order = append(order, c.Bench)
			}
			return nil
		}
		if err := Run(t.Context(), s, r.subject(t), Options{Seed: seed, Record: record, Now: func() time.Time { return r.now }}); err != nil {
			t.Fatal(err)
		}
		last := ""
		for i := 0; i+1 < len(order); i += 2 {
			rounds++
			if strings.HasSuffix(order[i], "b") {
				first++
			}
			if order[i] == last {
				same++
			}
			last = order[i]
		}
	}
	for what, n := range map[string]int{"variant first": first, "same order as the round before": same} {
		if share := float64(n) / float64(rounds); math.Abs(share-0.5) > 0.1 {
			t.Errorf("%s in %.0f%% of %d rounds, want half", what, 100*share, rounds)
		}
	}
}

func TestCalibration(t *testing.T) {
	s, r := setup("X/variant=serial", "X/variant=b")
	r.wall = func(c Cell, call int) float64 { return steady(c, call) / 100 } // the listing was wrong by far
	var drops []string
	err := Run(t.Context(), s, r.subject(t), Options{Seed: 1, Sample: 20 * time.Millisecond, Now: func() time.Time { return r.now },
		Record: func(c Cell, _ Sample, drop string) error { drops = append(drops, drop); return nil }})
	if err != nil {
		t.Fatal(err)
	}
	for c, samples := range s.Samples {
		for _, x := range samples {
			if d := time.Duration(float64(x.N) * x.Wall); d < 18*time.Millisecond || d > 22*time.Millisecond {
				t.Errorf("%v kept a sample of %d operations, %v; want about 20ms", c, x.N, d)
			}
		}
	}
	if !slices.Contains(drops, Calibration) || s.Dropped[Calibration] != 0 {
		t.Errorf("drops = %v, counted %v: calibration is recorded but does not count as noise", drops, s.Dropped)
	}
}

// TestAlike: code that is the same runs the same number of operations, or the
// longer process comes out faster.
func TestAlike(t *testing.T) {
	s, r := setup("X/variant=serial", "X/variant=same", "X/variant=slow")
	s.Listed[1].PerOp *= 1.9 // the listing hit a slow phase
	r.wall = func(c Cell, call int) float64 {
		w := 1e5 * (1 + 0.1*math.Sin(float64(call*call)))
		if strings.HasSuffix(c.Bench, "slow") {
			w *= 4
		}
		return w
	}
	if err := Run(t.Context(), s, r.subject(t), Options{Sample: 50 * time.Millisecond, Seed: 1, Now: func() time.Time { return r.now }}); err != nil {
		t.Fatal(err)
	}
	n := map[int32]map[int64]bool{}
	for c, samples := range s.Samples {
		if strings.HasSuffix(c.Bench, "slow") {
			continue
		}
		for _, x := range samples {
			if n[x.Round] == nil {
				n[x.Round] = map[int64]bool{}
			}
			n[x.Round][x.N] = true
		}
	}
	for round, ns := range n {
		if len(ns) != 1 {
			t.Errorf("round %d: operations %v, want one number", round, ns)
		}
	}
	for _, x := range s.Samples[Cell{Bench: "BenchmarkX/variant=slow", Procs: 1}] {
		if d := time.Duration(float64(x.N) * x.Wall); d > 100*time.Millisecond {
			t.Errorf("the slow one took %v a sample, want its own number", d)
		}
	}
}

// TestDisturbed: a pair of which others disturbed one side is taken again as a
// whole, and all samples stay in the record.
func TestDisturbed(t *testing.T) {
	s, r := setup("X/variant=serial", "X/variant=b", "X/variant=c")
	r.wall = steady
	hit := map[int]bool{}
	r.change = func(c Cell, call int, x *Sample) error {
		x.Got = 0.5 // its own threads wait for each other: no reason to drop
		switch {
		case call%23 == 5:
			x.Others, x.Wall = 0.3, 3*x.Wall
		case call%23 == 17:
			x.Steal, x.Wall = 0.2, 3*x.Wall
		}
		hit[call] = x.Others+x.Steal > 0
		return nil
	}
	recorded := map[string]int{}
	if err := Run(t.Context(), s, r.subject(t), Options{Seed: 1, Now: func() time.Time { return r.now }, Record: func(_ Cell, _ Sample, drop string) error {
		recorded[drop]++
		return nil
	}}); err != nil {
		t.Fatal(err)
	}
	if s.Dropped["other processes"] == 0 || s.Dropped["steal"] == 0 {
		t.Errorf("dropped = %v, want both reasons", s.Dropped)
	}
	for _, c := range Comparisons(s.Families, s.Procs) {
		for cell := range map[Cell]bool{c.New: true, c.Base: true} {
			for _, x := range s.Samples[cell] {
				if x.Steal+x.Others > 0 {
					t.Errorf("%v kept a disturbed sample %+v", cell, x)
				}
			}
		}
		p := s.Pairs(c)
		rounds := map[int32]bool{}
		for _, x := range s.Samples[c.New] {
			rounds[x.Round] = true
		}
		if len(p.Logs) > len(rounds) || len(p.Logs) < len(rounds)-3 { // what is decided is not taken again
			t.Errorf("%v: %d pairs of %d rounds, want one of each", c, len(p.Logs), len(rounds))
		}
		all := s.AllPairs(c)
		if len(all.Logs) < len(p.Logs) {
			t.Errorf("%v: %d pairs in all, %d of them kept", c, len(all.Logs), len(p.Logs))
		}
		for _, l := range p.Logs {
			if math.Abs(l) > 0.5 {
				t.Errorf("%v: a pair of log ratio %.2f: one side is of another attempt", c, l)
			}
		}
	}
	if n := recorded[""] + recorded["steal"] + recorded["other processes"] + recorded[Calibration]; n != len(r.calls) {
		t.Errorf("recorded %v of %d samples", recorded, len(r.calls))
	}
	if s.End != Decided {
		t.Errorf("end = %q, want decided", s.End)
	}
}

// notNegative takes progress that has no less than no time left, however many rounds
// it takes.
func notNegative(t *testing.T) func(Progress) {
	return func(p Progress) {
		if p.Left < 0 {
			t.Errorf("round %d of %d: %v left", p.Round, p.Rounds, p.Left)
		}
	}
}

// TestAlwaysDisturbed: where others never leave the machine alone, nothing is
// repeated for ever.
func TestAlwaysDisturbed(t *testing.T) {
	s, r := setup("X/variant=serial", "X/variant=b")
	r.wall = steady
	r.change = func(_ Cell, _ int, x *Sample) error { x.Others = 0.4; return nil }
	if err := Run(t.Context(), s, r.subject(t), Options{Seed: 1, Now: func() time.Time { return r.now }}); err != nil {
		t.Fatal(err)
	}
	if d := s.Dropped["other processes"]; d == 0 || d > 5*(contest.Attempts-1)*contest.Stuck {
		t.Errorf("dropped %d, want those of the first rounds and then none", d)
	}
	if s.End != Decided {
		t.Errorf("end = %q, want decided", s.End)
	}
}

func sameRound(samples []Sample, x Sample) *Sample {
	for i, y := range samples {
		if y.Round == x.Round && y.Attempt == x.Attempt {
			return &samples[i]
		}
	}
	return nil
}

// TestLayouts: each round of a family has a layout of its own as long as there
// are some, both sides of a pair the same, a twin another.
func TestLayouts(t *testing.T) {
	for _, most := range []int{1, 3, 100} {
		s, r := setup("X/variant=serial", "X/variant=b", "Y/variant=serial", "Y/variant=b")
		r.wall = func(c Cell, call int) float64 { return 1e5 * (1 + 0.4*math.Sin(float64(call*call))) } // not decided
		made := 1
		r.link = func(k int) error {
			if k != made {
				t.Errorf("layout %d was made after %d of them", k, made)
			}
			if k >= most {
				return errors.New("no more")
			}
			made++
			return nil
		}
		if err := Run(t.Context(), s, r.subject(t), Options{Seed: 1, Budget: time.Hour, Now: func() time.Time { return r.now }, Progress: notNegative(t)}); err != nil {
			t.Fatal(err)
		}
		for _, c := range Comparisons(s.Families, s.Procs) {
			p := s.Pairs(c)
			seen := map[int32]int{}
			for _, k := range p.Layouts {
				seen[k]++
			}
			if want := min(most, MaxLayouts, len(p.Logs)); len(seen) != want {
				t.Errorf("%d layouts to be had: %v has pairs in %d, want %d", most, c, len(seen), want)
			}
			for _, x := range s.Samples[c.New] {
				if y := sameRound(s.Samples[c.Base], x); y != nil && x.Layout != y.Layout {
					t.Errorf("%v: a pair in layouts %d and %d", c, x.Layout, y.Layout)
				}
			}
		}
		for cell, twins := range s.Samples {
			for _, x := range twins {
				if y := sameRound(s.Samples[cell.key()], x); cell.Twin && most > 1 && y.Layout == x.Layout && x.Round > 1 {
					t.Errorf("%v and its twin both have layout %d", cell, x.Layout)
				}
			}
		}
		if missing := most < MaxLayouts; missing != (len(s.Missing) > 0) {
			t.Errorf("%d layouts: missing = %q", most, s.Missing)
		}
	}
}

// TestTwins: of two cells not every third sample is a control.
func TestTwins(t *testing.T) {
	s, r := setup("X/variant=serial", "X/variant=b")
	s.Procs = []int{1}
	r.wall = func(c Cell, call int) float64 { return 1e5 * (1 + 0.4*math.Sin(float64(call*call))) }
	if err := Run(t.Context(), s, r.subject(t), Options{Seed: 1, Budget: time.Hour, Now: func() time.Time { return r.now }}); err != nil {
		t.Fatal(err)
	}
	twins, early := 0, 0
	for cell, samples := range s.Samples {
		for _, x := range samples {
			if cell.Twin {
				twins++
				if x.Round <= 3 {
					early++
				}
			}
		}
	}
	if share := float64(twins) / float64(len(r.calls)); share > 0.15 || early != 3 {
		t.Errorf("%d of %d samples are twins, %d of them in the first 3 rounds; want few, and 3", twins, len(r.calls), early)
	}
}

// TestTied: what is compared runs as many operations, by whatever chain of
// comparisons: a warm-up that each process must spread over its operations would
// else be a difference.
func TestTied(t *testing.T) {
	names := []string{"X/variant=serial"}
	for i := range 5 {
		names = append(names, fmt.Sprintf("X/variant=v%d", i))
	}
	s, r := setup(names...)
	r.wall = func(c Cell, call int) float64 {
		w := 1e5 * (1 + 0.02*math.Sin(float64(call)))
		var i int
		fmt.Sscanf(c.Bench[len("BenchmarkX/variant="):], "v%d", &i)
		return w * math.Pow(1.12, float64(i)) * map[int]float64{1: 1, 2: 1.25}[c.Procs]
	}
	if err := Run(t.Context(), s, r.subject(t), Options{Seed: 1, Now: func() time.Time { return r.now }}); err != nil {
		t.Fatal(err)
	}
	for _, c := range Comparisons(s.Families, s.Procs) {
		for _, x := range s.Samples[c.New] {
			y := sameRound(s.Samples[c.Base], x)
			if y == nil {
				continue
			}
			if ratio := x.Wall / y.Wall; ratio < 1.3 && ratio > 1/1.3 && x.N != y.N {
				t.Errorf("%v, round %d: %d and %d operations", c, x.Round, x.N, y.N)
			}
		}
	}
}

// TestPartners: what no longer fits into the budget with its partner does not
// run without it.
func TestPartners(t *testing.T) {
	s, r := setup("X/variant=serial", "X/variant=b")
	s.Procs = []int{1}
	r.wall = func(c Cell, call int) float64 {
		w := 1e9 * (1 + 0.4*math.Sin(float64(call*call)))
		if strings.HasSuffix(c.Bench, "b") {
			w *= 5
		}
		return w
	}
	s.Listed[0].PerOp, s.Listed[1].PerOp = 1e9, 5e9
	if err := Run(t.Context(), s, r.subject(t), Options{Sample: 50 * time.Millisecond, Seed: 1, Budget: 65 * time.Second, Now: func() time.Time { return r.now }}); err != nil {
		t.Fatal(err)
	}
	a, b := len(s.Samples[Cell{Bench: s.Listed[0].Name, Procs: 1}]), len(s.Samples[Cell{Bench: s.Listed[1].Name, Procs: 1}])
	if a != b || a < 4 {
		t.Errorf("%d samples of the base and %d of the slow variant, want as many of both", a, b)
	}
}

// TestPlain: a difference that anyone can see takes three rounds.
func TestPlain(t *testing.T) {
	s, r := setup("X/variant=serial", "X/variant=b")
	s.Procs = []int{1}
	r.wall = func(c Cell, call int) float64 {
		w := 1e5 * (1 + 0.05*math.Sin(float64(call*call)))
		if strings.HasSuffix(c.Bench, "b") {
			w *= 13
		}
		return w
	}
	if err := Run(t.Context(), s, r.subject(t), Options{Seed: 1, Now: func() time.Time { return r.now }}); err != nil {
		t.Fatal(err)
	}
	if n := len(s.LogRatios(Comparisons(s.Families, s.Procs)[0])); n != 3 || s.End != Decided {
		t.Errorf("%d pairs, end %q; want 3, decided", n, s.End)
	}
}

// TestFutile: what the rest of the budget cannot decide leaves it to others.
func TestFutile(t *testing.T) {
	x, y := 0, 0
	for seed := range uint64(10) { // in any one the noise may look like a difference
		s, r := setup("X/variant=serial", "X/variant=b", "Y/variant=serial", "Y/variant=b")
		r.link = func(int) error { return nil }
		r.wall = func(c Cell, call int) float64 {
			if strings.HasPrefix(c.Bench, "BenchmarkX") {
				return 1e5 * math.Exp(1.2*math.Sin(float64(call*call)))
			}
			return 1e5 * (1 + 0.1*math.Sin(float64(call*call)))
		}
		if err := Run(t.Context(), s, r.subject(t), Options{Sample: 50 * time.Millisecond, Seed: seed + 1, Budget: 20 * time.Second, Now: func() time.Time { return r.now }}); err != nil {
			t.Fatal(err)
		}
		if s.End != Budget {
			t.Errorf("seed %d: end %q, want budget", seed+1, s.End)
		}
		x += len(s.Samples[Cell{Bench: "BenchmarkX/variant=b", Procs: 1}])
		y += len(s.Samples[Cell{Bench: "BenchmarkY/variant=b", Procs: 1}])
	}
	if 2*y < 3*x {
		t.Errorf("%d samples of what cannot be decided, %d of the rest", x, y)
	}
}

func TestBudget(t *testing.T) {
	s, r := setup("Slow/variant=serial", "Slow/variant=b", "Quick/variant=serial", "Quick/variant=b")
	r.wall = func(c Cell, call int) float64 {
		w := 1e5 * (1 + 0.3*math.Sin(float64(call*call))) // never decided
		if strings.Contains(c.Bench, "Slow") {
			w *= 2e4 // 2 s
		}
		return w
	}
	s.Listed[0].PerOp, s.Listed[1].PerOp = 2e9, 2e9
	budget := 40 * time.Second
	if err := Run(t.Context(), s, r.subject(t), Options{Sample: 50 * time.Millisecond, Seed: 1, Budget: budget, Now: func() time.Time { return r.now }}); err != nil {
		t.Fatal(err)
	}
	if s.End != Budget {
		t.Errorf("end = %q, want budget", s.End)
	}
	if used := r.now.Sub(time.Unix(0, 0)); used > budget+3*time.Second {
		t.Errorf("took %v of a budget of %v", used, budget)
	}
	quick := len(s.Samples[Cell{Bench: "BenchmarkQuick/variant=b", Procs: 1}])
	slow := len(s.Samples[Cell{Bench: "BenchmarkSlow/variant=b", Procs: 1}])
	if quick < 40 || slow < 2 || slow > 8 {
		t.Errorf("%d quick and %d slow samples: a slow benchmark must leave the quick one its share", quick, slow)
	}
}

// crowd is a world of many quick families, none of which is decided early, and
// of slow ones whose operation takes two seconds.
func crowd(quick, slow int) (*Series, *script) {
	var names []string
	for i := range slow + quick {
		kind := "Quick"
		if i < slow {
			kind = "Slow"
		}
		names = append(names, fmt.Sprintf("%s%d/variant=serial", kind, i), fmt.Sprintf("%s%d/variant=b", kind, i))
	}
	s, r := setup(names...)
	r.wall = func(c Cell, call int) float64 {
		w := 1e5 * (1 + 0.3*math.Sin(float64(call*call)))
		if strings.Contains(c.Bench, "Slow") {
			w *= 2e4
		}
		return w
	}
	for i := range s.Listed[:2*slow] {
		s.Listed[i].PerOp = 2e9
	}
	return s, r
}

// A diary holds the cells of kept samples as they came.
type diary []Cell

func (d *diary) write(c Cell, _ Sample, drop string) error {
	if drop == "" {
		*d = append(*d, c)
	}
	return nil
}

// reached returns where in the diary each family, by the name of its function,
// had a number of pairs of its variant at one processor.
func (d diary) reached(pairs int) map[string]int {
	seen, at := map[Cell]int{}, map[string]int{}
	for i, c := range d {
		seen[c]++
		fn, _, _ := strings.Cut(c.Bench, "/")
		base, b := Cell{Bench: fn + "/variant=serial", Procs: 1}, Cell{Bench: fn + "/variant=b", Procs: 1}
		if at[fn] == 0 && min(seen[base], seen[b]) == pairs {
			at[fn] = i
		}
	}
	return at
}

// TestFirstLooks: every family has its first look before any has its fifth
// round, as long as the budget holds them.
func TestFirstLooks(t *testing.T) {
	s, r := crowd(12, 1)
	var d diary
	if err := Run(t.Context(), s, r.subject(t), Options{Sample: 43 * time.Millisecond, Seed: 1, Budget: time.Minute, Now: func() time.Time { return r.now }, Record: d.write}); err != nil {
		t.Fatal(err)
	}
	looks, fifth := d.reached(3), d.reached(5)
	if len(looks) != 13 {
		t.Errorf("%d of 13 families had their first look", len(looks))
	}
	first := len(d)
	for _, at := range fifth {
		first = min(first, at)
	}
	for fn, at := range looks {
		if at > first {
			t.Errorf("%s had its first look at sample %d, another its fifth round at %d", fn, at, first)
		}
	}
	t.Logf("first looks %v, fifth rounds %v", looks, fifth)
}

// TestSlowCrowd: slow families do not take the first looks of quick ones, nor
// the budget that would decide them.
func TestSlowCrowd(t *testing.T) {
	s, r := crowd(6, 8)
	budget := time.Minute
	var d diary
	if err := Run(t.Context(), s, r.subject(t), Options{Seed: 1, Budget: budget, Now: func() time.Time { return r.now }, Record: d.write}); err != nil {
		t.Fatal(err)
	}
	looks := d.reached(3)
	slow := slices.IndexFunc(d, func(c Cell) bool { return strings.Contains(c.Bench, "Slow") })
	for fn, at := range looks {
		if strings.Contains(fn, "Quick") && at > slow {
			t.Errorf("%s had its first look at sample %d, after a slow one at %d", fn, at, slow)
		}
	}
	for _, c := range Comparisons(s.Families, s.Procs) {
		if n := len(s.LogRatios(c)); strings.Contains(c.New.Bench, "Quick") && n < 8 {
			t.Errorf("%v has %d pairs, want a full look", c.New, n)
		}
	}
	some := 0
	for fn := range looks {
		if strings.Contains(fn, "Slow") {
			some++
		}
	}
	if some == 0 || some > 2 {
		t.Errorf("%d slow families had their first look, 24 s each; want one or two", some)
	}
	if used := r.now.Sub(time.Unix(0, 0)); used > budget+3*time.Second {
		t.Errorf("took %v of a budget of %v", used, budget)
	}
}

func TestBroken(t *testing.T) {
	s, r := setup("X/variant=serial", "X/variant=b", "X/variant=c")
	r.wall = steady
	r.change = func(c Cell, call int, _ *Sample) error {
		if strings.HasSuffix(c.Bench, "c") && call > 20 {
			return fmt.Errorf("run: %w", &Broken{Problem: problem.Problem{Package: "p", Benchmark: c.Bench, Reason: "panics", Next: "mend it"}})
		}
		return nil
	}
	if err := Run(t.Context(), s, r.subject(t), Options{Seed: 1, Now: func() time.Time { return r.now }}); err != nil {
		t.Fatal(err)
	}
	if len(s.Problems) != 1 || s.End != Decided {
		t.Errorf("problems = %v, end %q, want one problem and the others decided", s.Problems, s.End)
	}
}

// TestHangs: a benchmark that hangs takes no more than its share of the budget,
// once, and the others go on.
func TestHangs(t *testing.T) {
	s, r := crowd(9, 1)
	slow := s.Listed[0].Name
	hung := 0
	r.hangs = func(c Cell, call int) bool {
		if h := c.Procs == 1 && c.Bench == "BenchmarkQuick3/variant=b" || c.Bench == slow && call > 140; !h {
			return false
		}
		hung++
		return true
	}
	budget := 60 * time.Second
	if err := Run(t.Context(), s, r.subject(t), Options{Sample: 30 * time.Millisecond, Seed: 1, Budget: budget, Now: func() time.Time { return r.now }}); err != nil {
		t.Fatal(err)
	}
	// What had no sample yet is tried again with one operation.
	if hung != 3 || len(s.Problems) != 2 {
		t.Fatalf("hung %d times, problems %v; want two, of three processes", hung, s.Problems)
	}
	// 20 benchmarks: 3s each, by halves for the first sample, or four times as long as one usually takes.
	for i, want := range []string{"BenchmarkQuick3/variant=b: did not end within 1.5s, as long as the budget allows", slow + ": did not end within "} {
		if p := s.Problems[i].String(); !strings.Contains(p, want) || !strings.Contains(p, "give it longer with -timeout") {
			t.Errorf("problem %q, want %q", p, want)
		}
	}
	if used := r.now.Sub(time.Unix(0, 0)); used > budget+8*time.Second {
		t.Errorf("took %v of %v", used, budget)
	}
	for _, c := range Comparisons(s.Families, s.Procs) {
		if n := len(s.LogRatios(c)); strings.Contains(c.New.Bench, "Quick") && !strings.Contains(c.New.Bench, "Quick3") && n < stats.DefaultRule.Looks[0] {
			t.Errorf("%v has %d pairs", c.New, n)
		}
	}
}

// TestSlowOnFew: what was listed at two processors and takes a thousand times as long on
// one, since it waits by running there, is measured there, by fewer operations.
func TestSlowOnFew(t *testing.T) {
	s, r := setup("X/variant=serial", "X/variant=b")
	spins := func(c Cell) bool { return c.Procs == 1 && strings.HasSuffix(c.Bench, "b") }
	r.wall = func(c Cell, call int) float64 {
		if spins(c) {
			return 75e6
		}
		return steady(c, call)
	}
	r.hangs = func(c Cell, _ int) bool { return spins(c) && r.n[len(r.n)-1] > 100 } // 7.5 s
	if err := Run(t.Context(), s, r.subject(t), Options{Seed: 1, Budget: 10 * time.Second, Now: func() time.Time { return r.now }}); err != nil {
		t.Fatal(err)
	}
	if n := len(s.Samples[Cell{Bench: "BenchmarkX/variant=b", Procs: 1}]); len(s.Problems) != 0 || n < 3 {
		t.Errorf("%d samples on one processor, problems %v; want 3 and more, none", n, s.Problems)
	}
	if len(s.Samples[Cell{Bench: "BenchmarkX/variant=b", Procs: 2}]) < 3 {
		t.Errorf("on two processors: %v", s.Samples)
	}
}

// TestPatience: who says how long, is obeyed.
func TestPatience(t *testing.T) {
	s, r := setup("X/variant=serial", "X/variant=b")
	r.hangs = func(c Cell, _ int) bool { return strings.HasSuffix(c.Bench, "b") }
	x := r.subject(t)
	x.Timeout = 10 * time.Second
	if err := Run(t.Context(), s, x, Options{Seed: 1, Budget: 12 * time.Second, Now: func() time.Time { return r.now }}); err != nil {
		t.Fatal(err)
	}
	if len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Reason, "did not end within 10s") || strings.Contains(s.Problems[0].String(), "allows") || strings.Contains(s.Problems[0].String(), "with -timeout") {
		t.Errorf("problems %v", s.Problems)
	}
	if d := Patience(time.Hour, time.Second); d != time.Minute {
		t.Errorf("an hour's share: %v, want a minute", d)
	}
	if d := Patience(3*time.Second, 30*time.Second); d != 2*time.Minute {
		t.Errorf("what takes 30s: %v, want four times that", d)
	}
}

func TestInterruptAndRecordError(t *testing.T) {
	s, r := setup("X/variant=serial", "X/variant=b")
	r.wall = steady
	ctx, cancel := context.WithCancel(t.Context())
	r.change = func(_ Cell, call int, _ *Sample) error {
		if call == 30 {
			cancel()
			return ctx.Err()
		}
		return nil
	}
	if err := Run(ctx, s, r.subject(t), Options{Seed: 1, Now: func() time.Time { return r.now }}); err != nil || s.End != Interrupted {
		t.Errorf("Run = %v, end %q, want nil, interrupted", err, s.End)
	}
	if len(s.Samples) == 0 {
		t.Error("nothing kept of an interrupted run")
	}

	s, r = setup("X/variant=serial", "X/variant=b")
	r.wall = steady
	full := errors.New("no space left on device")
	err := Run(t.Context(), s, r.subject(t), Options{Seed: 1, Now: func() time.Time { return r.now }, Record: func(Cell, Sample, string) error {
		if len(r.calls) > 30 {
			return full
		}
		return nil
	}})
	if !errors.Is(err, full) || s.End != Failed || len(s.Samples) == 0 {
		t.Errorf("Run = %v, end %q, %d cells; want the error and what was measured", err, s.End, len(s.Samples))
	}
}

func TestExhausted(t *testing.T) {
	s, r := setup("X/variant=serial", "X/variant=b")
	r.wall = func(_ Cell, call int) float64 { return 1e5 * (1 + 0.4*math.Sin(float64(call*call))) }
	if err := Run(t.Context(), s, r.subject(t), Options{Seed: 1, Budget: time.Hour, Now: func() time.Time { return r.now }}); err != nil {
		t.Fatal(err)
	}
	if s.End != Exhausted {
		t.Errorf("end = %q, want exhausted", s.End)
	}
	for _, c := range Comparisons(s.Families, s.Procs) {
		// One whose cells others need may have more.
		if n := len(s.LogRatios(c)); n < 192 || n > 250 {
			t.Errorf("%v: %d pairs, want the 192 of the last look", c, n)
		}
	}
}

func TestPairLogs(t *testing.T) {
	a, b := Cell{Bench: "a", Procs: 1}, Cell{Bench: "b", Procs: 1}
	s := &Series{}
	for _, round := range []int32{1, 2, 4, 5} {
		s.Add(a, Sample{Round: round, Wall: 10})
	}
	for _, round := range []int32{2, 3, 4} {
		s.Add(b, Sample{Round: round, Wall: 5 * float64(round)})
	}
	got := s.LogRatios(Comparison{Base: a, New: b})
	if want := []float64{0, -math.Ln2}; !slices.Equal(got, want) {
		t.Errorf("LogRatios = %v, want %v: rounds 2 and 4", got, want)
	}
	if got := s.PairLogs(Comparison{Base: a, New: b}, func(Sample) float64 { return math.NaN() }); len(got) != 0 {
		t.Errorf("PairLogs of unknown figures = %v, want none", got)
	}
}

// TestBothHang: a round in which nothing gave a sample is not the end of the
// others' time.
func TestBothHang(t *testing.T) {
	s, r := setup("X/variant=serial", "X/variant=b", "Y/variant=serial", "Y/variant=b", "Z/variant=serial", "Z/variant=b")
	r.wall = func(_ Cell, call int) float64 { return 1e5 * (1 + 0.4*math.Sin(float64(call*call))) } // not decided
	s.Listed[0].PerOp, s.Listed[1].PerOp = 2e9, 2e9                                                 // so that X has a round for itself
	r.hangs = func(c Cell, _ int) bool { return strings.HasPrefix(c.Bench, "BenchmarkX") }
	if err := Run(t.Context(), s, r.subject(t), Options{Seed: 1, Sample: 50 * time.Millisecond, Budget: time.Minute, Now: func() time.Time { return r.now }}); err != nil {
		t.Fatal(err)
	}
	n := len(s.Samples[Cell{Bench: "BenchmarkY/variant=b", Procs: 2}])
	if left := time.Minute - r.now.Sub(time.Unix(0, 0)); len(s.Problems) != 2 || n < 24 || left > 10*time.Second {
		t.Errorf("%d samples beside what hangs, %v of the budget left; problems %v", n, left, s.Problems)
	}
}
