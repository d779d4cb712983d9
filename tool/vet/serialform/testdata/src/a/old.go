//go:build go1.24

// Goldens show the edit parts alone.

package a

import "sync"

// Odds counts odd numbers.
func Odds(xs []int) (n int) {
	for _, x := range xs {
		n += x & 1
	}
	return n
}

// Go 1.24 has no method Go of wait groups.
func OddsAtOnce(xs []int) int { // want "Odds is its serial form"
	var wg sync.WaitGroup
	wg.Add(1)
	go wg.Done()
	wg.Wait()
	return Odds(xs)
}
