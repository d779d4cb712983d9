package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Bootstrap returns the percentile interval (Efron and Tibshirani, An
// Introduction to the Bootstrap, 1993, section 13.3) of a statistic of n
// observations. It calls stat reps times with n indices drawn from 0, …, n-1
// with replacement; stat must not keep draw. The same arguments give the same
// interval.
//
// Use [SignedRankInterval] where the statistic is a centre: this interval covers
// less often than it says when n is small (for the mean of 10 values about 90 %
// instead of 95 %). It serves statistics without a theory, such as a crossover
// size, which is also why it is not the BCa interval: those have no useful
// jackknife.
//
// A draw whose statistic is NaN could be anywhere: it counts as -Inf for low and
// as +Inf for high. The interval is (-Inf, +Inf) if n is 0 or reps is too small
// for the level (95 % needs 39; take 1000 or more). Bootstrap panics if n is
// negative or unless 0 < level < 1.
func Bootstrap(n, reps int, level float64, seed uint64, stat func(draw []int) float64) (low, high float64) {
	if n < 0 {
		panic("stats.Bootstrap: n < 0")
	}
	if !(level > 0 && level < 1) {
		panic("stats.Bootstrap: level outside (0, 1)")
	}
	// The ends are the k-th smallest and the k-th largest result. The tiny term
	// keeps a product such as 1000*0.025, inexact in binary, from falling short.
	k := int(float64(reps+1)*(1-level)/2 + 1e-9)
	if n == 0 || k < 1 {
		return math.Inf(-1), math.Inf(1)
	}
	rng := rand.New(rand.NewPCG(seed, 0x626f6f74))
	draw := make([]int, n)
	results := make([]float64, 0, reps)
	for range reps {
		for i := range draw {
			draw[i] = rng.IntN(n)
		}
		if v := stat(draw); !math.IsNaN(v) {
			results = append(results, v)
		}
	}
	slices.Sort(results)
	low, high = math.Inf(-1), math.Inf(1)
	if unknown := reps - len(results); unknown < k {
		low = results[k-unknown-1]
		high = results[len(results)-(k-unknown)]
	}
	return low, high
}
