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
	order := ranked(p)
	least := 1.0 // of the adjusted values of this rank and above
	for rank := len(order); rank >= 1; rank-- {
		i := order[rank-1]
		least = min(least, p[i]*float64(len(order))/float64(rank))
		adjusted[i] = least
	}
	return adjusted
}

// Holm returns the p-values adjusted for being many, in the order given, by the
// step-down procedure of Holm (Scand. J. Stat. 6, 1979): calling those that are
// <= alpha makes the chance that any of them is false at most alpha, however the
// tests depend on each other. A NaN stays NaN and does not count as a test. Holm
// does not change p.
func Holm(p []float64) []float64 {
	adjusted := slices.Clone(p)
	order := ranked(p)
	most := 0.0 // of the adjusted values of this rank and below
	for rank, i := range order {
		most = max(most, min(1, p[i]*float64(len(order)-rank)))
		adjusted[i] = most
	}
	return adjusted
}

// ranked returns the places of the values that are not NaN, the least first.
func ranked(p []float64) []int {
	order := make([]int, 0, len(p))
	for i, v := range p {
		if !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	return order
}
