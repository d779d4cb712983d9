package stats

import (
	"cmp"
	"math"
	"slices"
)

// Adjust returns the p-values adjusted for being many, in the order given, by
// the step-up procedure of Benjamini and Hochberg (J. R. Stat. Soc. B 57, 1995):
// calling those that are <= q makes the expected share of false ones among them
// at most q, for independent or positively dependent tests. A NaN stays NaN and
// does not count as a test. Adjust does not change p.
func Adjust(p []float64) []float64 {
	adjusted := slices.Clone(p)
	order := make([]int, 0, len(p))
	for i, v := range p {
		if !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })

	least := 1.0 // of the adjusted values of this rank and above
	for rank := len(order); rank >= 1; rank-- {
		i := order[rank-1]
		least = min(least, p[i]*float64(len(order))/float64(rank))
		adjusted[i] = least
	}
	return adjusted
}
