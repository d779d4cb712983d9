// Package m25 adds every number to one atomic total.
package m25

import (
	"sync"
	"sync/atomic"
)

func sum(xs []int) (total int64) {
	for _, x := range xs {
		total += int64(x)
	}
	return total
}

func sumAtomic(xs []int, workers int) int64 {
	var total atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		part := xs[len(xs)*w/workers : len(xs)*(w+1)/workers]
		wg.Go(func() {
			for _, x := range part {
				total.Add(int64(x)) // mistake: sharedacc
			}
		})
	}
	wg.Wait()
	return total.Load()
}
