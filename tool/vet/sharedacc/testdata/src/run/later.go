package main

import "sync"

func lockedFloats(xs []int, workers int) (total float64) {
	var mu sync.Mutex
	each(workers, func(w int) {
		for _, x := range part(xs, w, workers) {
			mu.Lock() // want `mu is locked in each iteration`
			total += float64(x & 7)
			mu.Unlock()
		}
	})
	return total
}
