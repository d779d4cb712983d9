// Package n04 decides by a cost function whether a goroutine pays.
package n04

import "sync"

func cost(xs []int) int { return len(xs) * 2 }

func sum(xs []int) (total int) {
	for _, x := range xs {
		total += x
	}
	return total
}

func sumAtOnce(xs []int, worth int) int {
	half := len(xs) / 2
	if c := cost(xs[:half]); c < worth {
		return sum(xs)
	}
	var left int
	var wg sync.WaitGroup
	wg.Go(func() { left = sumAtOnce(xs[:half], worth) })
	right := sumAtOnce(xs[half:], worth)
	wg.Wait()
	return left + right
}
