package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestChance follows comparisons from 24 pairs to 96 and counts how many are
// decided there: as many as Chance said, in classes of what it said.
func TestChance(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 51))
	var said, got, n [5]float64
	for range 6000 {
		centre, sd := 0.03*rng.NormFloat64(), 0.05+0.2*rng.Float64()
		x := make([]float64, 96)
		for i := range x {
			x[i] = centre + sd*rng.NormFloat64()
		}
		c := DefaultRule.Chance(DefaultRule.Estimate(x[:24]), 96, 24, DefaultBounds)
		e := DefaultRule.Estimate(x)
		k := min(4, int(5*c))
		n[k]++
		said[k] += c
		if DefaultBounds.Decide(e, e.P, 0.05) != Open {
			got[k]++
		}
	}
	for k := range n {
		t.Logf("chance %.2f on average: %.2f decided of %.0f", said[k]/n[k], got[k]/n[k], n[k])
		// The current trend is believed too much in the middle.
		if n[k] < 100 || math.Abs(said[k]-got[k])/n[k] > 0.25 {
			t.Errorf("chance %.2f on average: %.2f decided of %.0f", said[k]/n[k], got[k]/n[k], n[k])
		}
	}
	if got := DefaultRule.Chance(DefaultRule.Estimate([]float64{1, 2, 3}), 96, 24, DefaultBounds); got != 0 {
		t.Errorf("chance after 3 pairs = %v, want 0: nothing is known", got)
	}
	even := make([]float64, 24)
	if got := DefaultRule.Chance(DefaultRule.Estimate(even), 24, 24, DefaultBounds); got != 1 {
		t.Errorf("chance of what is even already = %v, want 1", got)
	}
}
