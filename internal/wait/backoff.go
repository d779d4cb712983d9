package wait

import (
	"runtime"
	"sync/atomic"
	"time"
)

// Tries is how often to try for a lock with [Backoff] before queueing up for it.
const Tries = 32

// yields is the try from which on [Backoff] sleeps.
const yields = 128

// Backoff waits before the i-th try, from 0, for a lock that is held for some
// nanoseconds. If it is held for longer its holder does not run, and this yields.
// If that does not help, the system has taken the holder's thread off its
// processor, for milliseconds: then this sleeps, so that the system sees a
// processor that is idle, and moves the holder there.
//
// In a bubble of testing/synctest it may sleep, for the holder is in the bubble
// and has not blocked: the clock stands.
func Backoff(i int) {
	switch {
	case i < 3:
		busy(64 << i)
	case i < yields:
		runtime.Gosched()
	default:
		time.Sleep(20 * time.Microsecond)
	}
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
