package loop

import (
	"sync/atomic"
	"time"

	"github.com/gopayoff/payoff/internal/cacheline"
)

// A lane is what one participant of a shared loop has to do, as units of the loop:
// it takes parts at the low end, and who has nothing to do takes the upper half.
// A lane whose owner left keeps what was left in it.
//
// It fills a cache line of its own, which nobody else writes but thieves, a few
// times in a loop.
type lane struct {
	lanePart
	_ [(cacheline.Size - laneSize%cacheline.Size) % cacheline.Size]byte
}

type lanePart struct {
	// rest is the units [lo, hi) that nobody has begun, as lo<<32 | hi. Its owner
	// moves lo up, thieves move hi down, and only its owner fills an empty one: so
	// the word says all there is to know of the lane, and a compare-and-swap that
	// succeeds is right, whatever the lane held in between.
	rest atomic.Uint64

	// perElem is what an element takes, in ps. Its owner stores it.
	perElem atomic.Int64

	// owned is set by the participant that takes the lane over, and cleared when it
	// leaves.
	owned atomic.Bool

	// last is what an element of the last part took, in ps, and worked the time that
	// helpers have spent on parts. They are the owner's, and worked is the caller's
	// once all have left.
	last   int64
	worked time.Duration
}

const laneSize = 8 + 8 + 8 + 8 + 8

// unpack returns the units of a rest, and how many there are.
func unpack(rest uint64) (lo, hi, n uint64) {
	lo, hi = rest>>32, rest&(1<<32-1)
	return lo, hi, hi - lo
}

func (ln *lane) empty() bool {
	_, _, n := unpack(ln.rest.Load())
	return n == 0
}

// take takes the first units of its own lane: a quarter of what is left, but at
// least least and at most most, where there are so many. Parts are guided: large
// first, so that few are handed out, and small in the end, so that all
// participants end at about the same time (Polychronopoulos and Kuck, IEEE
// Transactions on Computers, 1987).
//
// Half of what is left stays for thieves where that is more than whole, which is not
// 0: then least may be all that there is.
func (ln *lane) take(least, most, whole uint64) (lo, hi uint64) {
	for {
		rest := ln.rest.Load()
		lo, hi, n := unpack(rest)
		if n == 0 {
			return 0, 0
		}
		size := min(max(n/4, least), most, n)
		if whole != 0 && n > whole {
			size = min(size, n/2)
		}
		if ln.rest.CompareAndSwap(rest, (lo+size)<<32|hi) {
			return lo, lo + size
		}
	}
}

// halve takes the upper half of another's lane, or all where that is a single unit
// or at most whole, and returns nothing if the lane is empty.
func (ln *lane) halve(whole uint64) (taken uint64) {
	for {
		rest := ln.rest.Load()
		lo, hi, n := unpack(rest)
		if n == 0 {
			return 0
		}
		mid := lo + n/2
		if n <= whole {
			mid = lo
		}
		if ln.rest.CompareAndSwap(rest, lo<<32|mid) {
			return mid<<32 | hi
		}
	}
}
