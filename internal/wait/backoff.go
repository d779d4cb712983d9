package wait

import "runtime"

// Tries is how often to try for a lock with [Backoff] before queueing up for it.
const Tries = 32

// Backoff waits before the i-th try, from 0, for a lock that is held for some
// nanoseconds. If it is held for longer its holder does not run, and this yields.
//
// It never sleeps: in a bubble of testing/synctest a goroutine that does would
// look as if it had nothing to do.
func Backoff(i int) {
	if i < 3 && Procs() > 1 {
		busy(64 << i)
		return
	}
	runtime.Gosched()
}
