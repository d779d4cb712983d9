package par

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// Whatever the parts, what is kept keeps its order, and the room made for it
// is not far from what it needs.
func TestCollectorHostile(t *testing.T) {
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	stress.Procs(t, func(t *testing.T) {
		for range rounds(500) {
			n, every := rnd.IntN(3000), 1+rnd.IntN(20)
			var c collector[int]
			hostile(rnd, n, func(lo, hi int) bool {
				p := c.begin(lo, hi)
				if p.hi != lo {
					t.Errorf("part [%d,%d) is to be appended to [%d,%d)", lo, hi, p.lo, p.hi)
				}
				out := p.kept
				for i := lo; i < hi; i++ {
					if i%every == 0 {
						out = append(out, i)
					}
				}
				c.end(p, hi, out)
				return true
			})
			var want []int
			for i := 0; i < n; i += every {
				want = append(want, i)
			}
			if got := c.all(nil); !slices.Equal(got, want) {
				t.Fatalf("n = %d, every %d: kept %v, want %v", n, every, got, want)
			}
		}
	})
}

// Parts in order make one slice, as append does, and no copy of it.
func TestCollectorInOrder(t *testing.T) {
	var c collector[int]
	for lo := 0; lo < 1000; lo += 10 {
		p := c.begin(lo, lo+10)
		out := p.kept
		for i := range 10 {
			out = append(out, lo+i)
		}
		c.end(p, lo+10, out)
	}
	if len(c.done) != 1 {
		t.Fatalf("%d pieces, want 1", len(c.done))
	}
	if got := c.all(nil); &got[0] != &c.done[0].kept[0] || len(got) != 1000 {
		t.Errorf("the result is a copy, or short: %d elements", len(got))
	}
}

// keep is called once for each element: it may count.
func TestFilterCallsOnce(t *testing.T) {
	stress.Procs(t, func(t *testing.T) {
		const n = 100_000
		calls := make([]atomic.Int32, n)
		Filter(upTo(n), func(i int) bool {
			calls[i].Add(1)
			return i%3 == 0
		})
		for i := range calls {
			if c := calls[i].Load(); c != 1 {
				t.Fatalf("element %d is tried %d times", i, c)
			}
		}
	})
}

// The result is a slice of its own.
func TestFilterDoesNotAlias(t *testing.T) {
	s := upTo(10_000)
	got := Filter(s, func(int) bool { return true })
	clear(got)
	if !slices.Equal(s, upTo(10_000)) {
		t.Error("Filter returns a slice of its operand")
	}
}
