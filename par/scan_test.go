package par

import (
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// Whatever the parts, each element becomes what is before and with it, in order,
// by at most two operations for each element.
func TestScannerHostile(t *testing.T) {
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	stress.Procs(t, func(t *testing.T) {
		for range rounds(500) {
			n := 1 + rnd.IntN(2000)
			var ops atomic.Int64
			c := scanner[interval]{s: units(n), out: make([]interval, n), op: func(a, b interval) interval {
				ops.Add(1)
				return glue(a, b)
			}}
			hostile(rnd, n, func(lo, hi int) bool {
				c.part(lo, hi)
				return true
			})
			if late := c.late(); late > 0 {
				hostile(rnd, late, func(lo, hi int) bool {
					c.raisePart(lo, hi)
					return true
				})
			}
			for i, v := range c.out {
				if v != (interval{0, i + 1}) {
					t.Fatalf("n = %d: element %d is of %v", n, i, v)
				}
			}
			if ops.Load() > 2*int64(n) {
				t.Fatalf("%d operations for %d elements", ops.Load(), n)
			}
		}
	})
}

// Parts in order are the plain loop.
func TestScannerInOrder(t *testing.T) {
	ops := 0
	c := scanner[interval]{s: units(1000), out: make([]interval, 1000), op: func(a, b interval) interval {
		ops++
		return glue(a, b)
	}}
	for lo := 0; lo < 1000; lo += 10 {
		c.part(lo, lo+10)
	}
	if late := c.late(); ops != 999 || late != 0 {
		t.Errorf("%d operations and %d elements left, want 999 and 0", ops, late)
	}
}

// Two that take parts by turns, each as fast as the other: one scans for good,
// the other scans and raises. That is half as many operations again, not twice.
func TestScannerByTurns(t *testing.T) {
	ops := 0
	const n, part = 3000, 10
	c := scanner[interval]{s: units(n), out: make([]interval, n), op: func(a, b interval) interval {
		ops++
		return glue(a, b)
	}}
	for lo := 0; lo < n; lo += 2 * part {
		c.part(lo+part, lo+2*part) // finds that the one before it is under way
		c.part(lo, lo+part)
	}
	left := c.late()
	if want := n + n/2; ops+left > want || left > 2*part {
		t.Errorf("%d operations and %d elements left, want at most %d in all", ops, left, want)
	}
	c.raisePart(0, left)
	for i, v := range c.out {
		if v != (interval{0, i + 1}) {
			t.Fatalf("element %d is of %v", i, v)
		}
	}
}
