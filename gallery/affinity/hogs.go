package affinity

import (
	"sync"
	"sync/atomic"
	"time"
)

// startHogs starts pairs of goroutines that keep processors busy: each computes
// for about burst, and then meets the other of its pair at a channel, as
// goroutines of real programs do. The function it returns ends them.
func startHogs(pairs int, burst time.Duration) (stop func()) {
	var wg sync.WaitGroup
	var stopped atomic.Bool
	for range pairs {
		c := make(chan struct{})
		wg.Go(func() {
			defer close(c)
			for !stopped.Load() {
				hog(burst)
				c <- struct{}{}
			}
		})
		wg.Go(func() {
			for range c {
				hog(burst)
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
