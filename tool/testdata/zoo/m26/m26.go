// Package m26 has workers that do all their work under one lock.
package m26

import "sync"

func weigh(x int) int {
	for range 500 {
		x = x*1103515245 + 12345
	}
	return x
}

func weights(xs []int) (total int) {
	for _, x := range xs {
		total += weigh(x)
	}
	return total
}

func weightsLocked(xs []int, workers int) (total int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := range workers {
		part := xs[len(xs)*w/workers : len(xs)*(w+1)/workers]
		wg.Go(func() {
			mu.Lock() // mistake: lockslow sharedacc
			defer mu.Unlock()
			for _, x := range part {
				total += weigh(x)
			}
		})
	}
	wg.Wait()
	return total
}
