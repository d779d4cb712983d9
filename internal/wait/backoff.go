package wait

import (
	"runtime"
	"time"
)

// Backoff waits before the i-th try, from 0, for a lock that is held for some
// nanoseconds. If it is held for longer its holder does not run: then this
// yields, and at last sleeps, so that the holder gets a processor.
func Backoff(i int) {
	switch {
	case i < 3 && Procs() > 1:
		busy(64 << i)
	case i < 32:
		runtime.Gosched()
	default:
		time.Sleep(50 * time.Microsecond)
	}
}
