// Package n02 halves its work down to a length that is worth a goroutine.
package n02

import "sync"

const enough = 1 << 14

func largest(xs []int) int {
	best := xs[0]
	for _, x := range xs {
		best = max(best, x)
	}
	return best
}

func largestAtOnce(xs []int) int {
	if len(xs) <= enough {
		return largest(xs)
	}
	mid := len(xs) / 2
	var left int
	var wg sync.WaitGroup
	wg.Go(func() { left = largestAtOnce(xs[:mid]) })
	right := largestAtOnce(xs[mid:])
	wg.Wait()
	return max(left, right)
}
