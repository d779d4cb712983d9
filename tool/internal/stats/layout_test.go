package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestLayoutEffect: scatter between layouts is found, and its size; where there
// is none, not more often than P says, outliers or not.
func TestLayoutEffect(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 31))
	const trials = 300
	for _, tt := range []struct{ sd, found, at float64 }{{0, 0, 0.03}, {0.04, 0.25, 1}, {0.08, 0.7, 1}} {
		low, sum := 0, 0.0
		for range trials {
			var p Pairs
			var move [24]float64
			for i := range move {
				move[i] = tt.sd * rng.NormFloat64()
			}
			for i := range 48 {
				v := move[i%24] + 0.04*rng.NormFloat64()
				if rng.IntN(20) == 0 {
					v += 0.5
				}
				p.Logs, p.Layouts = append(p.Logs, v), append(p.Layouts, int32(i%24))
			}
			e, ok := p.LayoutEffect()
			if !ok {
				t.Fatal("24 layouts with 2 pairs each are not enough")
			}
			if e.P <= 0.01 {
				low++
			}
			sum += e.SD
		}
		rate := float64(low) / trials
		t.Logf("sd between layouts %.2f: found in %.1f%%, as %.3f on average", tt.sd, 100*rate, sum/trials)
		if rate < tt.found || rate > tt.at || tt.sd > 0.05 && math.Abs(sum/trials-tt.sd) > 0.03 {
			t.Errorf("sd %v: found in %.2f as %.3f", tt.sd, rate, sum/trials)
		}
	}
	for _, p := range []Pairs{{}, {Logs: []float64{1, 2}, Layouts: []int32{0, 0}}, {Logs: make([]float64, 24), Layouts: make([]int32, 24)}} {
		if e, ok := p.LayoutEffect(); ok {
			t.Errorf("%v: %+v, want nothing of one layout", p, e)
		}
	}
}
