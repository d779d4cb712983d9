// Package burn computes for a while, for benchmarks of what does work.
package burn

// Rounds computes for about 1.05 ns a round on an EPYC with 2 virtual processors (2 ns
// while its other thread is at work for somebody else), without memory. Rounds are not
// fitted at run time, so that all machines do the same work.
//
// Four chains of multiplications keep the multiplier busy. A single one would leave it
// idle most of the time, and the processor would fill the gaps with the next item's
// work, which is then had for nothing by whoever does two in a row: a serial loop would
// take less than the sum of its work, one with an atomic store between items would not.
//
// It is out of line, as the work of a user's function is.
//
//go:noinline
func Rounds(x uint64, rounds int) uint64 {
	const m, k = 6364136223846793005, 1442695040888963407
	a, b, c, d := x, x+1, x+2, x+3
	for range rounds {
		a = a*m + k
		b = b*m + k
		c = c*m + k
		d = d*m + k
	}
	return a + b + c + d
}
