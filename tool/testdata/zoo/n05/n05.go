// Package n05 has workers that write their slot once.
package n05

import "sync"

func sum(xs []int) (total int) {
	for _, x := range xs {
		total += x
	}
	return total
}

func sumParts(xs []int, workers int) int {
	sums := make([]int, workers)
	var wg sync.WaitGroup
	for w := range workers {
		part := xs[len(xs)*w/workers : len(xs)*(w+1)/workers]
		wg.Go(func() { sums[w] = sum(part) })
	}
	wg.Wait()
	return sum(sums)
}
