package main

import (
	"sync"
	"sync/atomic"
)

// The multiples of some numbers are marked in one bitmap.
func marked(xs []int, workers int) (bits []uint32) {
	bits = make([]uint32, 8)
	var wg sync.WaitGroup
	for w := range workers {
		own := part(xs, w, workers)
		wg.Go(func() {
			for _, x := range own {
				for m := max(x, 2); m < 256; m += max(x, 2) {
					atomic.OrUint32(&bits[m/32], 1<<(m%32)) // want `elements of bits are updated atomically in each iteration by goroutines that share it`
				}
			}
		})
	}
	wg.Wait()
	return bits
}

func digit(x int) int { return max(x, -x) % 10 }

// A histogram, whose bins a function tells.
func histogram(xs []int, workers int) (out [10]int64) {
	bins := make([]atomic.Int64, 10)
	each(workers, func(w int) {
		for _, x := range part(xs, w, workers) {
			bins[digit(x)].Add(1) // want `elements of bins are updated atomically` // dearer "local: each goroutine takes more memory: as many elements as bins has"
		}
	})
	for i := range bins {
		out[i] = bins[i].Load()
	}
	return out
}

// What is added and taken away may cancel out.
func moved(xs []int, workers int) (out [5]int32) {
	var at [5]atomic.Int32
	each(workers, func(w int) {
		for i, x := range part(xs, w, workers) {
			at[i%5].Add(int32(x)) // want `elements of at are updated atomically`
			at[(i+1)%5].Add(-1)
		}
	})
	for i := range at {
		out[i] = at[i].Load()
	}
	return out
}

// The elements of a row.
func inRow(xs []int, workers int) []int64 {
	rows := [][]int64{make([]int64, 4)}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for _, x := range part(xs, w, workers) {
				atomic.AddInt64(&rows[0][x&3], int64(x)) // want `elements of rows\[0\] are updated atomically`
			}
		})
	}
	wg.Wait()
	return rows[0]
}
