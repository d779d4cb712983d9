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

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A script is a Runner without a machine: wall tells the time per operation,
// and the clock moves with it.
type script struct {
	now    time.Time
	calls  []Cell
	n      []int64
	wall   func(c Cell, call int) float64
	change func(c Cell, call int, s *Sample) error
}

func (r *script) Run(ctx context.Context, c Cell, n int64) (Sample, error) {
	call := len(r.calls)
	r.calls, r.n = append(r.calls, c), append(r.n, n)
	s := Sample{N: n, Wall: r.wall(c, call), Got: 1, ActualProcs: int32(c.Procs)}
	s.CPU = s.Wall
	var err error
	if r.change != nil {
		err = r.change(c, call, &s)
	}
	r.now = r.now.Add(time.Duration(s.Wall*float64(n)) + time.Millisecond)
	return s, err
}

func setup(names ...string) (*Series, []Listed, *script) {
	var listed []Listed
	for i := range names {
		names[i] = "Benchmark" + names[i]
		listed = append(listed, Listed{Name: names[i], PerOp: 1e5})
	}
	s := &Series{Package: "p", Procs: []int{1, 2}, Families: discover.Families(names, discover.Hints{})}
	return s, listed, &script{now: time.Unix(0, 0), wall: func(Cell, int) float64 { return 1e5 }}
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
	s, listed, r := setup("X/variant=serial", "X/variant=b", "Y/variant=serial", "Y/variant=b")
	r.wall = steady
	recorded := 0
	err := Run(t.Context(), s, listed, r, Options{Seed: 1, Now: func() time.Time { return r.now },
		Record: func(Cell, Sample, string) error { recorded++; return nil }})
	if err != nil || s.End != Decided {
		t.Fatalf("Run = %v, end %q, want decided", err, s.End)
	}
	if recorded != len(r.calls) {
		t.Errorf("recorded %d samples of %d", recorded, len(r.calls))
	}
	// The round before the first calibrates; the first holds every cell once,
	// and one twin beside its cell.
	round := r.calls[8:17]
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
		t.Errorf("control has %d pairs, want one a round", n)
	}
}

// TestOrder: either side of a pair comes first about as often, independently
// of the round before. The signed-rank test is exact only then.
func TestOrder(t *testing.T) {
	first, same, rounds := 0, 0, 0
	for seed := range uint64(40) {
		s, listed, r := setup("X/variant=serial", "X/variant=b")
		s.Procs = []int{1}
		r.wall = func(Cell, int) float64 { return 1e5 * (1 + 0.2*float64(len(r.calls)%7)) } // never decided early
		if err := Run(t.Context(), s, listed, r, Options{Seed: seed, Now: func() time.Time { return r.now }}); err != nil {
			t.Fatal(err)
		}
		order := []string{}
		for _, c := range r.calls[2:] { // without the calibration
			if !c.Twin {
				order = append(order, c.Bench)
			}
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
	s, listed, r := setup("X/variant=serial", "X/variant=b")
	r.wall = func(c Cell, call int) float64 { return steady(c, call) / 100 } // the listing was wrong by far
	var drops []string
	err := Run(t.Context(), s, listed, r, Options{Seed: 1, Sample: 20 * time.Millisecond, Now: func() time.Time { return r.now },
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
	s, listed, r := setup("X/variant=serial", "X/variant=same", "X/variant=slow")
	listed[1].PerOp *= 1.9 // the listing hit a slow phase
	r.wall = func(c Cell, call int) float64 {
		w := 1e5 * (1 + 0.1*math.Sin(float64(call*call)))
		if strings.HasSuffix(c.Bench, "slow") {
			w *= 4
		}
		return w
	}
	if err := Run(t.Context(), s, listed, r, Options{Seed: 1, Now: func() time.Time { return r.now }}); err != nil {
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

func TestDisturbed(t *testing.T) {
	s, listed, r := setup("X/variant=serial", "X/variant=b")
	r.wall = steady
	r.change = func(c Cell, call int, x *Sample) error {
		switch {
		case call%10 == 5:
			x.Got, x.Wall = 0.5, 3*x.Wall
		case call%10 == 7:
			x.Steal, x.Wall = 0.2, 3*x.Wall
		}
		return nil
	}
	if err := Run(t.Context(), s, listed, r, Options{Seed: 1, Now: func() time.Time { return r.now }}); err != nil {
		t.Fatal(err)
	}
	if s.Dropped["other processes"] == 0 || s.Dropped["steal"] == 0 {
		t.Errorf("dropped = %v, want both reasons", s.Dropped)
	}
	for c, samples := range s.Samples {
		for _, x := range samples {
			if x.Got < 0.9 || x.Steal > 0 {
				t.Errorf("%v kept a disturbed sample %+v", c, x)
			}
		}
	}
	if s.End != Decided {
		t.Errorf("end = %q, want decided", s.End)
	}
}

// TestAlwaysDisturbed: where every sample is the same, nothing is repeated
// for ever: threads of the benchmark itself may stand in each other's way.
func TestAlwaysDisturbed(t *testing.T) {
	s, listed, r := setup("X/variant=serial", "X/variant=b")
	r.wall = steady
	r.change = func(_ Cell, _ int, x *Sample) error { x.Got = 0.6; return nil }
	if err := Run(t.Context(), s, listed, r, Options{Seed: 1, Now: func() time.Time { return r.now }}); err != nil {
		t.Fatal(err)
	}
	if d := s.Dropped["other processes"]; d == 0 || d > 4*repeats {
		t.Errorf("dropped %d, want some for each of 4 cells and then none", d)
	}
	if s.End != Decided {
		t.Errorf("end = %q, want decided", s.End)
	}
	// A capacity probe that already found less expects less.
	s, listed, r = setup("X/variant=serial", "X/variant=b")
	r.wall = steady
	r.change = func(_ Cell, _ int, x *Sample) error { x.Got = 0.6; return nil }
	if err := Run(t.Context(), s, listed, r, Options{Seed: 1, Now: func() time.Time { return r.now }, Capacity: map[int]float64{1: 0.62, 2: 1.25}}); err != nil {
		t.Fatal(err)
	}
	if len(s.Dropped) != 0 {
		t.Errorf("dropped %v on a machine that gives 0.6 of each processor, want none", s.Dropped)
	}
}

func TestBudget(t *testing.T) {
	s, listed, r := setup("Slow/variant=serial", "Slow/variant=b", "Quick/variant=serial", "Quick/variant=b")
	r.wall = func(c Cell, call int) float64 {
		w := 1e5 * (1 + 0.3*math.Sin(float64(call*call))) // never decided
		if strings.Contains(c.Bench, "Slow") {
			w *= 2e4 // 2 s
		}
		return w
	}
	listed[0].PerOp, listed[1].PerOp = 2e9, 2e9
	budget := 40 * time.Second
	if err := Run(t.Context(), s, listed, r, Options{Seed: 1, Budget: budget, Now: func() time.Time { return r.now }}); err != nil {
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

func TestBroken(t *testing.T) {
	s, listed, r := setup("X/variant=serial", "X/variant=b", "X/variant=c")
	r.wall = steady
	r.change = func(c Cell, call int, _ *Sample) error {
		if strings.HasSuffix(c.Bench, "c") && call > 20 {
			return fmt.Errorf("run: %w", &Broken{discover.Problem{Package: "p", Benchmark: c.Bench, Reason: "panics", Next: "mend it"}})
		}
		return nil
	}
	if err := Run(t.Context(), s, listed, r, Options{Seed: 1, Now: func() time.Time { return r.now }}); err != nil {
		t.Fatal(err)
	}
	if len(s.Problems) != 1 || s.End != Decided {
		t.Errorf("problems = %v, end %q, want one problem and the others decided", s.Problems, s.End)
	}
}

func TestInterruptAndRecordError(t *testing.T) {
	s, listed, r := setup("X/variant=serial", "X/variant=b")
	r.wall = steady
	ctx, cancel := context.WithCancel(t.Context())
	r.change = func(_ Cell, call int, _ *Sample) error {
		if call == 30 {
			cancel()
			return ctx.Err()
		}
		return nil
	}
	if err := Run(ctx, s, listed, r, Options{Seed: 1, Now: func() time.Time { return r.now }}); err != nil || s.End != Interrupted {
		t.Errorf("Run = %v, end %q, want nil, interrupted", err, s.End)
	}
	if len(s.Samples) == 0 {
		t.Error("nothing kept of an interrupted run")
	}

	s, listed, r = setup("X/variant=serial", "X/variant=b")
	r.wall = steady
	full := errors.New("no space left on device")
	err := Run(t.Context(), s, listed, r, Options{Seed: 1, Now: func() time.Time { return r.now }, Record: func(Cell, Sample, string) error {
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
	s, listed, r := setup("X/variant=serial", "X/variant=b")
	r.wall = func(_ Cell, call int) float64 { return 1e5 * (1 + 0.4*math.Sin(float64(call*call))) }
	if err := Run(t.Context(), s, listed, r, Options{Seed: 1, Budget: time.Hour, Now: func() time.Time { return r.now }}); err != nil {
		t.Fatal(err)
	}
	if s.End != Exhausted {
		t.Errorf("end = %q, want exhausted", s.End)
	}
	for _, c := range Comparisons(s.Families, s.Procs) {
		if n := len(s.LogRatios(c)); n > 96 {
			t.Errorf("%v: %d pairs, want 96 at most", c, n)
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
