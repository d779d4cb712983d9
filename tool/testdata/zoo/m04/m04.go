// Package m04 starts a goroutine for every half, down to single numbers.
package m04

import "sync"

func largest(xs []int) int {
	if len(xs) == 1 {
		return xs[0]
	}
	mid := len(xs) / 2
	return max(largest(xs[:mid]), largest(xs[mid:]))
}

func largestAtOnce(xs []int) int {
	if len(xs) == 1 {
		return xs[0]
	}
	mid := len(xs) / 2
	var left, right int
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { // mistake: recgo
		defer wg.Done()
		left = largestAtOnce(xs[:mid])
	}()
	go func() {
		defer wg.Done()
		right = largestAtOnce(xs[mid:])
	}()
	wg.Wait()
	return max(left, right)
}
