package affinity

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// startHogs starts goroutines that keep processors busy: each computes for about
// burst, and yields, and so on. The function it returns ends them.
func startHogs(hogs int, burst time.Duration) (stop func()) {
	var wg sync.WaitGroup
	var stopped atomic.Bool
	for range hogs {
		wg.Go(func() {
			for !stopped.Load() {
				hog(burst)
				runtime.Gosched()
			}
		})
	}
	return func() {
		stopped.Store(true)
		wg.Wait()
	}
}

// hog computes until burst has passed.
func hog(burst time.Duration) {
	v := uint64(1)
	for from := time.Now(); time.Since(from) < burst; {
		v = work(v)
	}
	if v == 0 {
		panic("affinity: the work of a hog came to nothing")
	}
}
