package measure

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"
)

// reloaded is a Series as its record has it.
func reloaded(s *Series) *Series {
	out := &Series{Package: s.Package, Procs: s.Procs, Families: s.Families, Listed: s.Listed, Problems: s.Problems, End: s.End, Cost: s.Cost, Dropped: map[string]int{}}
	for c, samples := range s.Samples {
		for _, x := range samples {
			out.Add(c, x)
		}
	}
	for c, samples := range s.Spoiled {
		for _, x := range samples {
			out.Spoil(c, x)
		}
	}
	return out
}

// TestResume: a run that is interrupted, wherever it is, and taken up from its
// record is as good as one that is not.
func TestResume(t *testing.T) {
	for name, tt := range map[string]struct {
		budget        time.Duration
		noise, slower float64
		end           End
	}{
		"spent":     {15 * time.Second, 0.4, 1, Budget},
		"exhausted": {time.Hour, 0.4, 1, Exhausted},
		"decided":   {time.Hour, 0.01, 1.5, Decided},
	} {
		world := func() (*Series, *script, Options) {
			s, r := setup("X/variant=serial", "X/variant=b", "Y/variant=serial", "Y/variant=b")
			r.wall = func(c Cell, call int) float64 {
				w := 1e5 * (1 + tt.noise*math.Sin(float64(call*call)))
				if strings.HasSuffix(c.Bench, "b") {
					w *= tt.slower
				}
				return w
			}
			s.Listed[3].PerOp = 3e5 // the listing was wrong
			r.link = func(int) error { return nil }
			return s, r, Options{Sample: 50 * time.Millisecond, Seed: 1, Budget: tt.budget, Now: func() time.Time { return r.now }}
		}
		whole, r, o := world()
		if err := Run(t.Context(), whole, r.subject(t), o); err != nil || whole.End != tt.end {
			t.Fatalf("%s: Run = %v, end %q", name, err, whole.End)
		}
		calls := len(r.calls)
		for _, at := range []int{3, 12, calls / 2, calls - 5} {
			s, r, o := world()
			ctx, cancel := context.WithCancel(t.Context())
			r.change = func(_ Cell, call int, _ *Sample) error {
				if call == at {
					cancel()
					return ctx.Err()
				}
				return nil
			}
			if err := Run(ctx, s, r.subject(t), o); err != nil || s.End != Interrupted {
				t.Fatalf("Run = %v, end %q, want interrupted", err, s.End)
			}
			first := s
			s = reloaded(s)
			r.change = nil
			if err := Run(t.Context(), s, r.subject(t), o); err != nil {
				t.Fatal(err)
			}
			if s.End != whole.End {
				t.Errorf("%s, interrupted at %d: end %q, want %q", name, at, s.End, whole.End)
			}
			if got, want := count(s), count(whole); got < want*8/10-8 || got > want*14/10+8 {
				t.Errorf("%s, interrupted at %d: %d samples, %d without", name, at, got, want)
			}
			if tt.end == Exhausted {
				for _, c := range Comparisons(s.Families, s.Procs) {
					got, want := s.Pairs(c), whole.Pairs(c)
					if n := distinct(got.Layouts); n != distinct(want.Layouts) || len(got.Logs) < 192 {
						t.Errorf("%s, interrupted at %d: %v has %d pairs in %d layouts", name, at, c.New, len(got.Logs), n)
					}
				}
			}
			for c, samples := range s.Samples {
				seen := map[[2]int32]bool{}
				for _, x := range samples {
					if key := [2]int32{x.Round, x.Attempt}; seen[key] {
						t.Errorf("%s, interrupted at %d: %v has two samples of round %d", name, at, c, x.Round)
					} else {
						seen[key] = true
					}
				}
				if before := first.Samples[c]; len(before) > 0 && len(samples) > len(before) {
					was, is := before[len(before)-1].N, samples[len(before)].N
					if r := float64(is) / float64(was); r > 1.3 || r < 1/1.3 {
						t.Errorf("%s, interrupted at %d: %v goes on with %d operations, had %d", name, at, c, is, was)
					}
				}
			}
		}
	}
}

// TestResumeBudget: the budget is that of both parts, with what their processes
// take beside their samples.
func TestResumeBudget(t *testing.T) {
	s, r := setup("X/variant=serial", "X/variant=b")
	r.wall = func(_ Cell, call int) float64 { return 1e5 * (1 + 0.4*math.Sin(float64(call*call))) }
	r.change = func(Cell, int, *Sample) error { r.now = r.now.Add(50 * time.Millisecond); return nil }
	for _, budget := range []time.Duration{10 * time.Second, 20 * time.Second} {
		s = reloaded(s)
		if err := Run(t.Context(), s, r.subject(t), Options{Seed: 1, Budget: budget, Now: func() time.Time { return r.now }}); err != nil || s.End != Budget {
			t.Fatalf("Run = %v, end %q", err, s.End)
		}
		if took := r.now.Sub(time.Unix(0, 0)); took > budget+time.Second || took < budget*8/10 {
			t.Errorf("took %v of %v", took, budget)
		}
	}
}

// TestResumeUnseen: what had no turn before the run ended finds its number of
// operations afterwards, however late.
func TestResumeUnseen(t *testing.T) {
	s, r := setup("X/variant=serial", "X/variant=b", "Y/variant=serial", "Y/variant=b")
	r.wall = func(_ Cell, call int) float64 { return 1e5 * (1 + 0.1*math.Sin(float64(call*call))) }
	for round := range int32(20) {
		for _, bench := range []string{"BenchmarkX/variant=serial", "BenchmarkX/variant=b"} {
			for _, procs := range s.Procs {
				s.Add(Cell{Bench: bench, Procs: procs}, Sample{Round: round + 1, N: 500, Wall: 1e5 * (1 + 0.1*math.Sin(float64(round*round)))})
			}
		}
	}
	s.Listed[2].PerOp, s.Listed[3].PerOp = 1e6, 1e6 // ten times too long
	if err := Run(t.Context(), s, r.subject(t), Options{Seed: 1, Budget: time.Minute, Now: func() time.Time { return r.now }}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"BenchmarkX/variant=b", "BenchmarkY/variant=b"} {
		samples := s.Samples[Cell{Bench: name, Procs: 1}]
		if n := samples[len(samples)-1].N; n < 400 || n > 600 || samples[0].Round == 1 != strings.Contains(name, "X") {
			t.Errorf("%s ends with %d operations, want about 500", name, n)
		}
	}
}

func count(s *Series) (n int) {
	for _, samples := range s.Samples {
		n += len(samples)
	}
	return n
}

func distinct(x []int32) int {
	seen := map[int32]bool{}
	for _, v := range x {
		seen[v] = true
	}
	return len(seen)
}
