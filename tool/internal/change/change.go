// Package change finds where the level of a series changes: of the results of one
// benchmark over runs, say. What it finds is where to look, and no verdict: the points
// of a series come from different sessions, and a machine changes, too.
//
// A split is judged by how far the means before and after it are apart, in standard
// errors, for the best of all splits (the statistic CUSUM; Page, Continuous inspection
// schemes, Biometrika 1954). How far that is by chance is told by the same points in
// other orders. What is found divides the series, and both parts are looked at (binary
// segmentation; Vostrikova 1981; Matteson and James, A nonparametric approach for
// multiple change point analysis, JASA 2014, test by permutation likewise).
package change

import (
	"math"
	"math/rand/v2"
	"slices"
)

const (
	shortest = 3    // points of a level
	orders   = 399  // that the points are put into
	level    = 0.01 // how often a series without a change is told to have one
	most     = 1000 // points that are looked at, the last ones
)

// Points returns the indices at which another level begins, rising. xs are compared by
// their differences: logarithms of ratios, say. A level has three points at least, so a
// change is found two points late. It is the same for the same points.
func Points(xs []float64) []int {
	first := max(0, len(xs)-most)
	r := rand.New(rand.NewPCG(1, 2))
	var found []int
	var look func(lo, hi int)
	look = func(lo, hi int) {
		if k := split(xs[lo:hi], r); k > 0 {
			look(lo, lo+k)
			found = append(found, lo+k)
			look(lo+k, hi)
		}
	}
	look(first, len(xs))
	return found
}

// split returns the best split of a series, or 0 where none is better than chance.
func split(xs []float64, r *rand.Rand) int {
	if len(xs) < 2*shortest {
		return 0
	}
	xs = tamed(xs)
	at, best := cusum(xs)
	if best == 0 {
		return 0
	}
	beaten := 0
	for range orders {
		r.Shuffle(len(xs), func(i, j int) { xs[i], xs[j] = xs[j], xs[i] })
		if _, z := cusum(xs); z >= best {
			// The order that there is counts as one of them.
			if beaten++; float64(beaten+1) > level*(orders+1) {
				return 0
			}
		}
	}
	return at
}

// tamed are points of which none is far from both its neighbours, by five times what
// neighbours are apart: one that stands alone is no level. The first and the last are
// held to the one that they have.
func tamed(xs []float64) []float64 {
	var steps []float64
	for i := 1; i < len(xs); i++ {
		steps = append(steps, math.Abs(xs[i]-xs[i-1]))
	}
	slices.Sort(steps)
	limit := 5 * steps[len(steps)/2]
	out := slices.Clone(xs)
	for i := range xs {
		a, b := xs[max(i-1, 0)], xs[min(i+1, len(xs)-1)]
		if i == 0 {
			a = b
		}
		if i == len(xs)-1 {
			b = a
		}
		out[i] = min(max(xs[i], min(a, b)-limit), max(a, b)+limit)
	}
	return out
}

// cusum returns the split with the means that are furthest apart in standard errors,
// and how far that is; 0 where all points are the same.
func cusum(xs []float64) (at int, best float64) {
	n := float64(len(xs))
	sum, squares := 0.0, 0.0
	for _, x := range xs {
		sum += x
	}
	mean := sum / n
	for _, x := range xs {
		squares += (x - mean) * (x - mean)
	}
	if !(squares > 0) {
		return 0, 0
	}
	before := 0.0
	for k := 1; k <= len(xs)-shortest; k++ {
		before += xs[k-1] - mean
		if k < shortest {
			continue
		}
		between := before * before * n / (float64(k) * (n - float64(k)))
		// What is left within the levels is the noise that the difference stands in.
		if z := between / math.Max(squares-between, 1e-12*squares); z > best {
			at, best = k, z
		}
	}
	return at, best
}
