package machine

import (
	"context"
	"os"
	"runtime"
	"sync"
)

// procsMu is held by whoever has changed GOMAXPROCS.
var procsMu sync.Mutex

// holdProcs waits for its turn to change GOMAXPROCS and returns the function
// that puts it back and ends the turn.
func holdProcs() (restore func()) {
	procsMu.Lock()
	before := runtime.GOMAXPROCS(0)
	return func() {
		defer procsMu.Unlock()
		if os.Getenv("GOMAXPROCS") == "" {
			// Setting a number ends the runtime's automatic updates. Where the
			// number is the automatic one, hand it back to the runtime instead.
			runtime.SetDefaultGOMAXPROCS()
			if runtime.GOMAXPROCS(0) == before {
				return
			}
		}
		runtime.GOMAXPROCS(before)
	}
}

// defaultProcs returns what GOMAXPROCS is when nobody sets it. The caller
// holds the turn that holdProcs gives; GOMAXPROCS is left at the default.
func defaultProcs() int {
	runtime.SetDefaultGOMAXPROCS()
	return runtime.GOMAXPROCS(0)
}

// ended reports whether ctx has ended. On WebAssembly it lets other goroutines
// and timers run first: nothing preempts a busy goroutine there, so ctx could
// never end.
func ended(ctx context.Context) bool {
	if runtime.GOARCH == "wasm" {
		runtime.Gosched()
	}
	return ctx.Err() != nil
}
