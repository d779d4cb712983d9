// Package user is a program as a user has one: its goroutines have too little to
// do.
package user

import "sync"

// Serial returns the squares of the numbers.
func Serial(xs []int) []int {
	out := make([]int, len(xs))
	for i, x := range xs {
		out[i] = x * x
	}
	return out
}

// Each does so with a goroutine for each number.
func Each(xs []int) []int {
	out := make([]int, len(xs))
	var wg sync.WaitGroup
	for i, x := range xs {
		wg.Go(func() { out[i] = x * x })
	}
	wg.Wait()
	return out
}
