package order

import (
	"math/bits"
	"runtime"

	"github.com/gopayoff/payoff/par/internal/loop"
)

// run calls body for parts of [0, n), maybe at the same time, until one is false.
// What is learned about its cost belongs to key.
func run(key uintptr, n int, body func(lo, hi int) bool) bool { return loop.Run(key, n, 0, body) }

func code[F any](f F) uintptr { return loop.Code(f) }

// What a user's function costs is not the same in each step of a sort: the step is
// added to its key.
const (
	forKeys   = 3 // it makes keys
	orderStep = 2 // it compares what may be in order
	tieStep   = 5 // it sorts those with equal fields
	cutStep   = 6 // it partitions
	leafStep  = 7 // it sorts a part
)

const (
	// grain is the least number of elements in what may run at the same time.
	grain = 1 << 13
	// parallel is the length from which it is worth asking for processors.
	parallel = 4 * grain
)

// A split takes n elements apart into buckets, in stable order and maybe on
// several processors: each block of the input counts how many of its elements
// go to which bucket; then it is known where each block's part of each bucket
// begins, and all blocks can move their elements there.
type split struct {
	n     int
	size  int     // elements in a block; the last may have fewer
	grain int     // the least elements in a group of buckets
	key   uintptr // what is learned about cost belongs to this and to the step
}

// wide reports whether n elements are to be sorted on several processors.
func wide(n int) bool { return n >= parallel && runtime.GOMAXPROCS(0) > 1 }

// newSplit returns a split into one block, or into several where that is wide.
func newSplit(n int) split {
	if !wide(n) {
		return split{n: n, size: n}
	}
	return split{n: n, size: max(grain, (n+63)/64), grain: grain}
}

// blocks returns how many there are.
func (s split) blocks() int { return (s.n + s.size - 1) / s.size }

// each calls f for the blocks, which are [lo, hi). What one costs depends on
// its size, so this is part of the key.
func (s split) each(key uintptr, f func(block, lo, hi int)) {
	if s.size == s.n {
		f(0, 0, s.n)
		return
	}
	run(s.key+key+uintptr(bits.Len(uint(s.size))), s.blocks(), func(from, to int) bool {
		for i := from; i < to; i++ {
			f(i, i*s.size, min(s.n, (i+1)*s.size))
		}
		return true
	})
}

// count has f count, for each block, the elements that go to each bucket, and
// returns how many those are.
func (s split) count(buckets int, f func(lo, hi int, c []uint32)) []uint32 {
	counts := make([]uint32, s.blocks()*buckets)
	s.each(code(f), func(i, lo, hi int) { f(lo, hi, counts[i*buckets:][:buckets]) })
	sums := counts[:buckets]
	for c := counts[buckets:]; len(c) > 0; c = c[buckets:] {
		for k, n := range c[:buckets] {
			sums[k] += n
		}
	}
	return sums
}

// move has count count, for each block, the elements that go to each bucket, and
// then has scatter move them. scatter finds in c[k] where the next element for
// bucket k belongs, and adds one. move returns where the buckets begin, and n.
func (s split) move(buckets int, count, scatter func(lo, hi int, c []uint32)) (starts []uint32) {
	counts := make([]uint32, (s.blocks()+1)*buckets+1)
	starts, counts = counts[:buckets+1], counts[buckets+1:]
	s.each(code(count), func(i, lo, hi int) { count(lo, hi, counts[i*buckets:][:buckets]) })

	// Row by row, because columns of a power of two share lines of the cache.
	// starts[k+1] is the number of elements of bucket k in the blocks seen, and
	// that is where in the bucket a block's part begins.
	for c := counts; len(c) > 0; c = c[buckets:] {
		sums := starts[1:][:buckets]
		for k, n := range c[:buckets] {
			c[k] = sums[k]
			sums[k] += n
		}
	}
	for k := range buckets {
		starts[k+1] += starts[k]
	}
	s.each(code(scatter), func(i, lo, hi int) {
		c := counts[i*buckets:][:buckets]
		for k, from := range starts[:buckets] {
			c[k] += from
		}
		scatter(lo, hi, c)
	})
	return starts
}

// parts calls one for each bucket that is worth several processors for itself,
// and then many for groups of the others, maybe at the same time. many gets the
// starts of consecutive buckets from k on, and the end of the last.
func (s split) parts(starts []uint32, one func(k, lo, hi int), many func(k int, starts []uint32)) {
	if s.size == s.n {
		many(0, starts)
		return
	}
	large := uint32(max(4*s.grain, s.n/16))
	var groups [][2]int
	for k, buckets := 0, len(starts)-1; k < buckets; {
		if starts[k+1]-starts[k] >= large {
			one(k, int(starts[k]), int(starts[k+1]))
			k++
			continue
		}
		from := k
		for k < buckets && starts[k+1]-starts[k] < large && starts[k]-starts[from] < uint32(s.grain) {
			k++
		}
		if starts[from] < starts[k] {
			groups = append(groups, [2]int{from, k})
		}
	}
	run(s.key+code(many), len(groups), func(from, to int) bool {
		for _, g := range groups[from:to] {
			many(g[0], starts[g[0]:g[1]+1])
		}
		return true
	})
}
