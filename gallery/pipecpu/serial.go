package pipecpu

import "math"

// Sequential adds up the answers of items 0..n-1 in one loop. It ignores the
// number of workers.
func Sequential(n, _ int) uint64 {
	return sumRange(0, n)
}

// sumRange adds up the answers of items lo..hi-1.
//
// All that sum a range call it, so that they run the same instructions at the
// same addresses: with copies of their own, one was slower than another by a
// twentieth because of where its loop lay.
//
//go:noinline
func sumRange(lo, hi int) uint64 {
	var sum uint64
	for i := lo; i < hi; i++ {
		sum += power(i)
	}
	return sum
}

// period bounds the exponent: from 3.1415926^621 on a float64 overflows, and
// every answer would be the same +Inf.
const period = 512

// power is the work on one item: a floating-point power, returned as its bits.
// Sums of bits wrap around but do not round, so that the total is the same in
// whatever order the answers come in.
func power(item int) uint64 {
	return math.Float64bits(math.Pow(3.1415926, float64(item%period)))
}
