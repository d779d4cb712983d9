package main

import (
	"math"
	"sync"
	"sync/atomic"
)

// Sums by compare-and-swap. The numbers are whole: they round to nothing.
func swappedFloats(xs []int, workers int) float64 {
	var bits atomic.Uint64
	each(workers, func(w int) {
		for _, x := range part(xs, w, workers) {
			for {
				old := bits.Load()
				if bits.CompareAndSwap(old, math.Float64bits(math.Float64frombits(old)-float64(x&7))) { // want `bits is updated atomically`
					break
				}
			}
		}
	})
	return math.Float64frombits(bits.Load())
}

func swappedInts(xs []int, workers int) (uint32, int64) {
	var set uint32
	var sum atomic.Int64
	each(workers, func(w int) {
		for _, x := range part(xs, w, workers) {
			for {
				old := atomic.LoadUint32(&set)
				if atomic.CompareAndSwapUint32(&set, old, 1<<(x&15)|old) { // want `set is updated atomically`
					break
				}
			}
		}
		for _, x := range part(xs, w, workers) {
			for {
				old := sum.Load()
				if sum.CompareAndSwap(old, old-int64(x)) { // want `sum is updated atomically`
					break
				}
			}
		}
	})
	return set, sum.Load()
}

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
