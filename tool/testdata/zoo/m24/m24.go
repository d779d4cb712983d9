// Package m24 takes a lock for every number.
package m24

import "sync"

func sum(xs []int) (total int) {
	for _, x := range xs {
		total += x
	}
	return total
}

func sumLocked(xs []int, workers int) (total int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := range workers {
		part := xs[len(xs)*w/workers : len(xs)*(w+1)/workers]
		wg.Go(func() {
			for _, x := range part {
				mu.Lock() // mistake: sharedacc
				total += x
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return total
}
