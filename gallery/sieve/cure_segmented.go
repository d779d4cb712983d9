package sieve

import (
	"math"
	"slices"

	"github.com/gopayoff/payoff/par"
)

// Eratosthenes returns the primes below limit by crossing out the multiples of
// those below its root, segment by segment. It divides nothing, and ignores the
// number of workers.
func Eratosthenes(limit, _ int) []int {
	small := smallPrimes(limit)
	parts := make([][]int, segments(limit))
	for s := range parts {
		parts[s] = segment(s, limit, small)
	}
	return slices.Concat(parts...)
}

// Segmented is Eratosthenes with its segments on as many processors as make it
// faster: no segment needs another. par finds the number of workers.
func Segmented(limit, _ int) []int {
	small := smallPrimes(limit)
	return slices.Concat(par.MapN(segments(limit), func(s int) []int {
		return segment(s, limit, small)
	})...)
}

// segmentSize is how many odd numbers a segment has, a byte for each: they stay
// in the first cache.
const segmentSize = 1 << 14

// segments returns how many segments hold the numbers below limit.
func segments(limit int) int {
	return (limit + 2*segmentSize - 1) / (2 * segmentSize)
}

// smallPrimes returns the odd primes up to the root of limit, and a few
// more.
func smallPrimes(limit int) []int {
	return Serial(int(math.Sqrt(float64(limit)))+3, 1)[1:]
}

// segment returns the primes of segment s. It needs the odd ones up to the root
// of limit.
func segment(s, limit int, small []int) []int {
	lo := 2*segmentSize*s + 1
	hi := min(lo+2*segmentSize, limit)
	var crossed [segmentSize]bool // whether lo, lo+2, lo+4, … are composite
	for _, p := range small {
		if p*p >= hi {
			break
		}
		m := max(p*p, (lo+p-1)/p*p)
		if m%2 == 0 {
			m += p
		}
		for k := (m - lo) / 2; k < segmentSize; k += p {
			crossed[k] = true
		}
	}

	odd := max(hi-lo+1, 0) / 2
	primes := make([]int, 0, odd/4)
	if s == 0 {
		crossed[0] = true // 1 is none
		if limit > 2 {
			primes = append(primes, 2)
		}
	}
	for k, c := range crossed[:odd] {
		if !c {
			primes = append(primes, lo+2*k)
		}
	}
	return primes
}
