package wait

import (
	"runtime"
	"sync/atomic"
)

// Tries is how often to try for a lock with [Backoff] before queueing up for it.
const Tries = 32

// Backoff waits before the i-th try, from 0, for a lock that is held for some
// nanoseconds. If it is held for longer its holder does not run, and this yields.
//
// It waits for much longer than the lock is held, 300 ns at first: meanwhile the
// other processor takes the lock many times, with all it needs at hand. Two that take
// it in turn wait for its cache lines at each turn, and need twice the time
// (MPSC/producers=100).
//
// The locks that wait by it stay apart: that of a ring's end is a bit in the word that has
// the end's count, and that of a shard (package snapmap) is also looked at by goroutines
// that do not take it, and tries more often before it gives way. The stripes of a
// recycle.FreeList wait for no other: what finds one locked goes on to the next.
//
// It never sleeps: in a bubble of testing/synctest a goroutine that does would
// look as if it had nothing to do.
func Backoff(i int) {
	if i < 2 {
		busy(1024 << i)
		return
	}
	runtime.Gosched()
}

// busy takes about n/3 ns and touches nothing that others use.
//
//go:noinline
func busy(n int) {
	var x atomic.Uint32
	for range n {
		x.Load()
	}
}
