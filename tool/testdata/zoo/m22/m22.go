// Package m22 counts its goroutines where they may not have begun: the wait may
// end too early.
package m22

import (
	"sync"
	"sync/atomic"
)

func total(xs []int) (n int64) {
	for _, x := range xs {
		n += int64(x)
	}
	return n
}

func totalAdded(xs []int, workers int) int64 {
	var n atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		part := xs[len(xs)*w/workers : len(xs)*(w+1)/workers]
		go func() {
			wg.Add(1) // mistake: none
			defer wg.Done()
			n.Add(total(part))
		}()
	}
	wg.Wait()
	return n.Load()
}
