package par

import (
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// rounds is how often tests with hostile parts try.
func rounds(n int) int {
	if !stress.Long() {
		return n / 10
	}
	return n
}

// Whatever the parts, results are joined in order, all of them, once.
func TestJoinerHostile(t *testing.T) {
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	stress.Procs(t, func(t *testing.T) {
		for range rounds(500) {
			n := 1 + rnd.IntN(2000)
			var joins, parts atomic.Int64
			j := joiner[interval]{join: func(a, b interval) interval {
				joins.Add(1)
				return glue(a, b)
			}}
			hostile(rnd, n, func(lo, hi int) bool {
				parts.Add(1)
				j.add(lo, hi, interval{lo, hi})
				return true
			})
			if got := j.all(); got != (interval{0, n}) {
				t.Fatalf("the result is of %v, want of [0, %d)", got, n)
			}
			if joins.Load() != parts.Load()-1 {
				t.Fatalf("%d joins of %d parts", joins.Load(), parts.Load())
			}
		}
	})
}

// A join that copies its operands copies each element some log n times, and few
// results wait. With parts from left to right, that is certain.
func TestJoinsAreBalanced(t *testing.T) {
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	for range 5 {
		copied, most := 0, 0
		j := joiner[interval]{join: func(a, b interval) interval {
			copied += b.hi - a.lo
			return glue(a, b)
		}}
		const n = 100_000
		for lo := 0; lo < n; {
			hi := min(n, lo+1+rnd.IntN(8))
			j.add(lo, hi, interval{lo, hi})
			most = max(most, len(j.done))
			lo = hi
		}
		j.all()
		if copied > 40*n || most > 40 {
			t.Errorf("%d elements are copied %d times, and up to %d results wait", n, copied, most)
		}
	}
}

// Long parts first, then the short ones between them: those join their
// neighbours, or all would wait for the end.
func TestJoinerFillsGaps(t *testing.T) {
	const n = 1000
	j := joiner[interval]{join: glue}
	for lo := 0; lo < 11*n; lo += 11 {
		j.add(lo, lo+10, interval{lo, lo + 10})
	}
	for lo := 10; lo < 11*n; lo += 11 {
		j.add(lo, lo+1, interval{lo, lo + 1})
	}
	if len(j.done) > 40 {
		t.Errorf("%d results wait", len(j.done))
	}
	if got := j.all(); got != (interval{0, 11 * n}) {
		t.Errorf("the result is of %v", got)
	}
}
