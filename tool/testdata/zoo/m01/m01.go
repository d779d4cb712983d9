// Package m01 sums by workers that each add to their slot of one slice.
package m01

import "sync"

func sum(xs []int) (total int) {
	for _, x := range xs {
		total += x
	}
	return total
}

func sumSlots(xs []int, workers int) (total int) {
	sums := make([]int, workers)
	var wg sync.WaitGroup
	for w := range workers {
		part := xs[len(xs)*w/workers : len(xs)*(w+1)/workers]
		wg.Go(func() {
			for _, x := range part {
				sums[w] += x // mistake: hotslot
			}
		})
	}
	wg.Wait()
	for _, s := range sums {
		total += s
	}
	return total
}
