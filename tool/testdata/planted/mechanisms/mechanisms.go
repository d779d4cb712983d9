// Package mechanisms holds programs for causes that came late to the
// catalogue: pools, maps, timers, select, the network, the collector, fresh
// memory and the memory's bandwidth. Each benchmark compares a serial loop with
// a variant that has one of these diseases, or that looks like it and is
// healthy. want.json says which. The names tell what a program does.
package mechanisms

import "sync"

// workers is fixed, so that a variant does the same on one processor as on two.
const workers = 2

// split runs f on two halves of 0..n-1 at once and adds up what they return.
func split(n int, f func(lo, hi int) int) int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { sums[w] = f(w*n/workers, (w+1)*n/workers) })
	}
	wg.Wait()
	return sums[0] + sums[1]
}

// mix is work that touches no memory: rounds of about 2 ns.
//
//go:noinline
func mix(x uint64, rounds int) uint64 {
	x = x*2 + 1
	for range rounds {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x >> 16
}

// numbers returns n numbers, the same every time.
func numbers(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = int(mix(uint64(i), 4) & 0xffffff)
	}
	return out
}
