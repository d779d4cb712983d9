package loop

import (
	"math/rand/v2"
	"sync/atomic"

	"github.com/gopayoff/payoff/internal/cacheline"
	"github.com/gopayoff/payoff/internal/force"
	"github.com/gopayoff/payoff/internal/help"
	"github.com/gopayoff/payoff/internal/home"
)

// A call that is known to be small is done in one go. But a function is known by its
// code: where all loops of a program go through one line, what that calls may take a
// nanosecond in one call and 10 ms in the next. So a caller that goes through a small
// call element by element takes a glance at the time after the first one, and leaves the
// rest to [Run] where elements turn out to be long:
//
//	lo, hi := 0, First(key, n)
//	for lo < hi {
//		for ; lo < hi; lo++ {
//			… // element lo
//		}
//		hi = More(key, lo, n)
//	}
//	// Elements lo to n-1 are left to Run.
//
// It is tempting to read the clock before the first element and after it. That takes
// longer than many a small call. A glance is one look at a counter, [help.Ticks]. The
// first element has taken no longer than what has passed since the last glance of the
// same goroutine, and most often that is short enough. Where it is not, the time may have
// passed before the call; then the caller looks again after the second element, the
// fourth, the eighth, and so on.

// glances have the time of glances, by the place of the stack that took them. One is
// stored where a while has passed. Where two goroutines have one place, either may miss
// that its elements are long.
var glances [1 << glanceBits]struct {
	ticks atomic.Int64
	_     [cacheline.Size - 8]byte
}

const (
	glanceBits = 6

	// while is how many ticks make a difference. It is about as long as a call may take
	// that is small.
	while = 1 << 13

	// shortTick is less than a tick takes, in ps. That elements are taken to be shorter
	// than they are does no harm: Run corrects it.
	shortTick = 200

	mostTicks = 1 << 40 // some minutes
)

// First returns how many of n elements a caller does in one go before it calls [More]:
// none where they are not known to be little work.
func First(key uintptr, n int) int {
	if n <= 2 { // More comes too late for these
		if n > 0 && Small(key, n) {
			return 1
		}
		return 0
	}
	t := &table[index(key)]
	for w := range t.code {
		if t.code[w].Load() == key {
			if uint(n) <= uint(t.most[w].Load()) {
				return 1
			}
			break
		}
	}
	return 0
}

// More returns how far a caller goes on in one go that has done the first elements of n.
// That is no further where there are no others, where they are long, or where the call is
// to be timed, as one in some is.
func More(key uintptr, done, n int) int {
	if done == n || n <= 2 {
		return n
	}
	now, g := help.Ticks(), &glances[uint32(home.Page())*0x9E3779B1>>(32-glanceBits)]
	passed := now - g.ticks.Load()
	if uint64(passed) < while {
		if done > 1 && rand.Uint32()%sample == 0 {
			return done
		}
		return n
	}
	g.ticks.Store(now)
	if force.Current() != force.Auto {
		return n
	}
	// The counter of another processor may be behind: then less than nothing has passed.
	if done > 1 && passed > 0 {
		long(key, passed, done/2)
		return done
	}
	return done + min(done, n-done)
}

// long notes that so many elements have taken so many ticks.
func long(key uintptr, ticks int64, elems int) {
	t := &table[index(key)]
	for w := range t.code {
		if t.code[w].Load() != key {
			continue
		}
		s := &t.sites[w]
		if perElem := min(ticks, mostTicks) * shortTick / int64(elems); perElem > s.perElem.Load() {
			s.perElem.Store(perElem)
		}
		return
	}
}
