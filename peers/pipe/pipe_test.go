package pipe

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/peers/internal/burn"
)

// A tally is what comes out of a pipeline.
type tally struct {
	n, sum uint64
	order  uint64 // changes with the order of the items
}

func (t *tally) add(v uint64) {
	t.n++
	t.sum += v
	t.order = t.order*31 + v
}

// rounds is how much work each stage does for an item, 0: a few instructions. The
// first stage does a thousand times as much for items below heavy. Neither is an
// argument, so that a stage takes an item and nothing else.
var (
	rounds int
	heavy  uint64
)

// The stages are out of line, as the functions of a user's stages are.

//go:noinline
func first(x uint64) uint64 {
	if rounds == 0 {
		return x*3 + 1
	}
	if x < heavy {
		return burn.Rounds(x, 1000*rounds)
	}
	return burn.Rounds(x, rounds)
}

//go:noinline
func second(x uint64) uint64 {
	if rounds == 0 {
		return x ^ x>>7
	}
	return burn.Rounds(x+1, rounds)
}

//go:noinline
func third(x uint64) uint64 {
	if rounds == 0 {
		return x*5 + 3
	}
	return burn.Rounds(x+2, rounds)
}

// A work is what all three stages do for an item together.
type work struct {
	ns     int
	rounds int // of each stage
}

// works are those of the goals.
var works = []work{{0, 0}, {95, 29}, {1000, 308}, {10_000, 3170}}

// small is the work of the items of small runs.
var small = work{17, 4}

// newItems returns n random words, the same in every process.
func newItems(n int) []uint64 {
	rnd := rand.New(rand.NewPCG(1, 2))
	items := make([]uint64, n)
	for i := range items {
		items[i] = rnd.Uint64()
	}
	return items
}

// A variant sends items through the stages. The first of a list is the base.
type variant struct {
	name string
	run  func(items []uint64) tally
	// unordered: the order of what comes out is not that of the items.
	unordered bool
	// prepare, where not nil, returns run for the items.
	prepare func(items []uint64) func(items []uint64) tally
}

func (v variant) ready(items []uint64) func([]uint64) tally {
	if v.prepare != nil {
		return v.prepare(items)
	}
	return v.run
}

// A load is what a benchmark sends through the stages.
type load struct {
	key  string // follows variant=NAME in the name of the benchmark
	n    int
	work work
	// heavy: items below it are those that weigh more.
	heavy uint64
	// unbuffered: a channel that is the source is.
	unbuffered bool
}

// set makes the stages do the work of the load.
func (l load) set() {
	rounds, heavy, sourceRoom = l.work.rounds, l.heavy, room
	if l.unbuffered {
		sourceRoom = 0
	}
}

func stagesLoads() (loads []load) {
	for _, w := range works {
		loads = append(loads, load{key: fmt.Sprintf("/work=%d", w.ns), n: 100_000, work: w})
	}
	return loads
}

func smallLoads() (loads []load) {
	for _, n := range []int{1, 10, 100, 1000, 10_000} {
		loads = append(loads, load{key: fmt.Sprintf("/n=%d", n), n: n, work: small})
	}
	return loads
}

// bench measures all variants under all loads. One op is a run over all items.
func bench(b *testing.B, loads []load, variants []variant) {
	for _, l := range loads {
		items := newItems(l.n)
		for _, v := range variants {
			b.Run("variant="+v.name+l.key, func(b *testing.B) {
				l.set()
				run := v.ready(items)
				runtime.GC() // what making the items left is not the variant's
				for b.Loop() {
					run(items)
				}
			})
		}
	}
}

// same tests that all variants give what the first does: all loads at sizes of
// their own, and at those around which batches end.
func same(t *testing.T, loads []load, variants []variant) {
	t.Helper()
	sizes := []int{0, 1, 2, 255, 257, 1001}
	if stress.Long() {
		sizes = append(sizes, 10_007)
	}
	for _, l := range loads {
		if l.work.ns > 1000 {
			continue // as those of 1 µs, but longer
		}
		l.set()
		for _, n := range sizes {
			items := newItems(n)
			want := variants[0].ready(items)(items)
			for _, v := range variants[1:] {
				got := v.ready(items)(items)
				if v.unordered {
					got.order = want.order
				}
				if got != want {
					t.Errorf("variant=%s%s of %d items = %+v, want %+v", v.name, l.key, n, got, want)
				}
			}
		}
	}
}

func procs() int { return runtime.GOMAXPROCS(0) }

func BenchmarkStages(b *testing.B) { bench(b, stagesLoads(), stagesVariants) }
func TestStages(t *testing.T)      { same(t, stagesLoads(), stagesVariants) }

func BenchmarkSmall(b *testing.B) { bench(b, smallLoads(), stagesVariants) }
func TestSmall(t *testing.T)      { same(t, smallLoads()[:1], stagesVariants) }

// A tally that a lost, repeated or misplaced item does not change would compare
// nothing.
func TestTallyFindsFaults(t *testing.T) {
	rounds, heavy = 0, 0
	items := newItems(100)
	want := serial(items)
	lost, repeated, swapped := items[1:], append(items[:1:1], items...), append([]uint64{items[1], items[0]}, items[2:]...)
	for i, faulty := range [][]uint64{lost, repeated, swapped} {
		got := serial(faulty)
		if got == want {
			t.Errorf("fault %d: %+v is the tally of the items without fault", i, got)
		}
		if same := got.sum == want.sum; same != (i == 2) {
			t.Errorf("fault %d: sum the same: %v", i, same)
		}
	}
}
