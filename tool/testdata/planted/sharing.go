package planted

import (
	"math"
	"sync/atomic"
)

// Cache lines that two processors want at once, and the read-modify-write of
// memory that costs without a second processor.

const adds = 100_000

// stats are two counters with one writer each, neighbours on one cache line.
// Serial pays for the same atomics, so nothing but the line differs.
type stats struct {
	hits, misses atomic.Int64
}

func statsSerial() int {
	s := new(stats)
	for range adds {
		s.hits.Add(1)
	}
	for range adds {
		s.misses.Add(2)
	}
	return int(s.hits.Load() + s.misses.Load())
}

func statsOwners() int {
	s := new(stats)
	each(2, func(w int) {
		c, n := &s.hits, int64(1)
		if w == 1 {
			c, n = &s.misses, 2
		}
		for range adds {
			c.Add(n)
		}
	})
	return int(s.hits.Load() + s.misses.Load())
}

// Slots of a struct type with atomics: four to a line. Serial has a register.
type slot struct {
	total atomic.Int64
	_     int64
}

func tally() int {
	total := 0
	for i := range adds {
		total += i & 7
	}
	return total
}

func tallySlots() int {
	slots := make([]slot, workers)
	halves(adds, func(w, lo, hi int) {
		for i := lo; i < hi; i++ {
			slots[w].total.Add(int64(i & 7))
		}
	})
	total := 0
	for w := range slots {
		total += int(slots[w].total.Load())
	}
	return total
}

// pump is two globals in one struct, updated by the reader and by the writer.
var pump struct {
	read, written uint64
}

func pumpSerial() int {
	var read, written uint64
	for i := range adds {
		read += uint64(i & 15)
		written += uint64(i & 31)
	}
	return int(read + written)
}

func pumpGlobals() int {
	atomic.StoreUint64(&pump.read, 0)
	atomic.StoreUint64(&pump.written, 0)
	each(2, func(w int) {
		if w == 0 {
			for i := range adds {
				atomic.AddUint64(&pump.read, uint64(i&15))
			}
			return
		}
		for i := range adds {
			atomic.AddUint64(&pump.written, uint64(i&31))
		}
	})
	return int(pump.read + pump.written)
}

// The locals escape into goroutines, and the allocator puts such small ones
// side by side.
func paritySerial(xs []int) int {
	mid := len(xs) / 2
	left, right := 0, 0
	for _, x := range xs[:mid] {
		left += x & 1
	}
	for _, x := range xs[mid:] {
		right += x & 1
	}
	return left<<32 + right
}

func parityEscaped(xs []int) int {
	var left, right int64
	halves(len(xs), func(w, lo, hi int) {
		if w == 0 {
			for _, x := range xs[lo:hi] {
				atomic.AddInt64(&left, int64(x&1))
			}
			return
		}
		for _, x := range xs[lo:hi] {
			atomic.AddInt64(&right, int64(x&1))
		}
	})
	return int(left<<32 + right)
}

// A dispenser hands out one index per atomic addition, and an index is worth
// less than the addition: all workers want the same word all the time.
func lookup(xs []int) int {
	total := 0
	for _, x := range xs {
		total += x & 0xff
	}
	return total
}

func lookupDispenser(xs []int) int {
	var next atomic.Int64
	sums := make([]int, workers)
	each(workers, func(w int) {
		total := 0
		for i := next.Add(1) - 1; i < int64(len(xs)); i = next.Add(1) - 1 {
			total += xs[i] & 0xff
		}
		sums[w] = total
	})
	return sum(sums)
}

// A floating-point sum swapped in by compare-and-swap, for every item. The
// terms are whole numbers, so that their order does not matter.
func accumulate(xs []int) int {
	var total float64
	for _, x := range xs {
		total += float64(x & 0xff)
	}
	return int(total)
}

func accumulateSwap(xs []int) int {
	var bits atomic.Uint64
	halves(len(xs), func(_, lo, hi int) {
		for _, x := range xs[lo:hi] {
			for {
				old := bits.Load()
				if bits.CompareAndSwap(old, math.Float64bits(math.Float64frombits(old)+float64(x&0xff))) {
					break
				}
			}
		}
	})
	return int(math.Float64frombits(bits.Load()))
}

// A reference count goes up and down around each use of one object. Serial
// counts as well; only two processors make the word travel.
type object struct {
	refs atomic.Int64
	uses [64]int
}

func (o *object) use(i int) int {
	o.refs.Add(1)
	v := o.uses[i&63]
	o.refs.Add(-1)
	return v
}

func newObject() *object {
	o := new(object)
	for i := range o.uses {
		o.uses[i] = i * i
	}
	return o
}

func refsSerial(o *object) int {
	total := 0
	for i := range adds {
		total += o.use(i)
	}
	return total
}

func refsShared(o *object) int {
	sums := make([]int, workers)
	halves(adds, func(w, lo, hi int) {
		total := 0
		for i := lo; i < hi; i++ {
			total += o.use(i)
		}
		sums[w] = total
	})
	return sum(sums)
}

// Every worker has a line of its own and yet loses: an atomic addition per
// item costs ten times the loop it replaced, whoever else is there.
type apart struct {
	total atomic.Int64
	_     [120]byte
}

func tallyApart() int {
	slots := make([]apart, workers+1)
	halves(adds, func(w, lo, hi int) {
		for i := lo; i < hi; i++ {
			slots[w].total.Add(int64(i & 7))
		}
	})
	total := 0
	for w := range slots {
		total += int(slots[w].total.Load())
	}
	return total
}

// Progress is published by an atomic store after each item, into a word that
// nobody shares: a store that waits until it is visible, per item.
func publish(xs []int) int {
	best := 0
	for i, x := range xs {
		best = max(best, x^i)
	}
	return best
}

func publishStores(xs []int) int {
	var progress [workers]apart
	best := make([]int, workers)
	halves(len(xs), func(w, lo, hi int) {
		high := 0
		for i := lo; i < hi; i++ {
			high = max(high, xs[i]^i)
			progress[w].total.Store(int64(i))
		}
		best[w] = high
	})
	return max(best[0], best[1])
}
