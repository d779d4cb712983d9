// Package m05 starts a goroutine for every number.
package m05

import "sync"

func squares(xs, out []int) int {
	for i, x := range xs {
		out[i] = x * x
	}
	return out[len(out)-1]
}

func squaresEach(xs, out []int) int {
	var wg sync.WaitGroup
	for i, x := range xs {
		wg.Add(1)
		go func() { // mistake: goperelem
			defer wg.Done()
			out[i] = x * x
		}()
	}
	wg.Wait()
	return out[len(out)-1]
}
