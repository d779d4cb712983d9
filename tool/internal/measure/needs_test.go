package measure

import (
	"math"
	"strings"
	"testing"
	"time"
)

// TestNeeds: a run whose budget is spent tells the budget that would do, from
// what its rounds took; with that, a run decides what it could not.
func TestNeeds(t *testing.T) {
	world := func(noise float64) (*Series, *script) {
		s, r := setup("X/variant=serial", "X/variant=b", "Slow/variant=serial", "Slow/variant=b")
		s.Procs = []int{1}
		s.Listed[2].PerOp, s.Listed[3].PerOp = 3e8, 3e8
		r.link = func(int) error { return nil }
		r.wall = func(c Cell, call int) float64 {
			w := 1e5 * (1 + noise*math.Sin(float64(call*call)))
			if strings.HasSuffix(c.Bench, "b") {
				w *= 1.2
			}
			if strings.Contains(c.Bench, "Slow") {
				w *= 3000
			}
			return w
		}
		return s, r
	}
	run := func(noise float64, budget time.Duration) *Series {
		s, r := world(noise)
		if err := Run(t.Context(), s, r.subject(t), Options{Seed: 1, Budget: budget, Spent: time.Second, Now: func() time.Time { return r.now }}); err != nil {
			t.Fatal(err)
		}
		t.Logf("budget %v: end %s, needs %v", budget, s.End, s.Needs)
		return s
	}
	short := run(0.2, 4*time.Second)
	if short.End != Budget || short.Needs < 6*time.Second || short.Needs > 30*time.Second {
		t.Errorf("end %q, needs %v; 8 rounds of 0.7s and more were to come", short.End, short.Needs)
	}
	for range 4 { // from ten pairs on the looks say more
		if next := run(0.2, short.Needs); next.End == Budget {
			short = next
		} else if next.Needs != 0 {
			t.Errorf("decided, and needs %v", next.Needs)
		} else {
			return
		}
	}
	t.Errorf("undecided with %v, the budget it asked for", short.Needs)
}

// TestNeedsNothing: what no look promises to decide is no matter of time.
func TestNeedsNothing(t *testing.T) {
	s, r := setup("X/variant=serial", "X/variant=b")
	s.Procs = []int{1}
	r.wall = func(c Cell, call int) float64 { return 1e5 * math.Exp(2*math.Sin(float64(call*call))) }
	if err := Run(t.Context(), s, r.subject(t), Options{Sample: 50 * time.Millisecond, Seed: 1, Budget: 8 * time.Second, Now: func() time.Time { return r.now }}); err != nil {
		t.Fatal(err)
	}
	if s.End != Budget || s.Needs != 0 {
		t.Errorf("end %q, needs %v; want the budget spent and no promise", s.End, s.Needs)
	}
}
