// Package m21 starts as many workers as the machine has processors, not as
// the program may use, and each has a large table.
package m21

import (
	"runtime"
	"sync"
)

const buckets = 1 << 16

func common(xs []int) (best int) {
	n := make([]int, buckets)
	for _, x := range xs {
		n[x%buckets]++
	}
	for i := range n {
		if n[i] > n[best] {
			best = i
		}
	}
	return best
}

func commonAtOnce(xs []int) (best int) {
	workers := 4 * runtime.NumCPU() // mistake: fewworkers
	ns := make([][]int, workers)
	var wg sync.WaitGroup
	for w := range workers {
		part := xs[len(xs)*w/workers : len(xs)*(w+1)/workers]
		wg.Go(func() {
			n := make([]int, buckets)
			for _, x := range part {
				n[x%buckets]++
			}
			ns[w] = n
		})
	}
	wg.Wait()
	n := ns[0]
	for _, more := range ns[1:] {
		for i, x := range more {
			n[i] += x
		}
	}
	for i := range n {
		if n[i] > n[best] {
			best = i
		}
	}
	return best
}
