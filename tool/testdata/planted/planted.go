// Package planted holds programs of which it is known why concurrency does not
// pay: each benchmark compares a serial loop with one concurrent variant in
// which one disease was planted, or none. want.json says which cause is to be
// named first, by the number of processors.
//
//	cd tool && go test -bench . -cpu 1 ./testdata/planted
//	cd tool && go test -bench . -cpu 2 ./testdata/planted
//
// With -cpu 1,2 the first run of a b.Loop happens before testing has set the
// first number of processors, and counts for it.
//
// With PAYOFF_CURES=1 benchmarks have a third variant, cure, written by hand.
//
// The names tell what a program does, never what ails it.
package planted

import "sync"

// workers is fixed, so that a variant does the same on one processor as on two.
const workers = 2

// sink keeps results alive.
var sink int

// churn is work that touches no memory: n dependent steps of about 2 ns.
//
//go:noinline
func churn(seed, n int) int {
	x := uint64(seed)*2 + 1
	for range n {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return int(x >> 33)
}

// numbers returns n numbers that look random, the same every time.
func numbers(n int) []int {
	s := make([]int, n)
	x := uint64(88172645463325252)
	for i := range s {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		s[i] = int(x >> 40)
	}
	return s
}

// each runs f(0) to f(n-1) in goroutines of their own and waits for them.
func each(n int, f func(w int)) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() { f(w) })
	}
	wg.Wait()
}

// halves runs f on the two halves of 0..n-1 at once.
func halves(n int, f func(w, lo, hi int)) {
	each(workers, func(w int) { f(w, w*n/workers, (w+1)*n/workers) })
}

// sum of the parts.
func sum(parts []int) int {
	total := 0
	for _, p := range parts {
		total += p
	}
	return total
}
