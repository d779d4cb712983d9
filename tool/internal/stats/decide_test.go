package stats

import (
	"math"
	"testing"
)

func TestDecide(t *testing.T) {
	b := Bounds{Margin: 0.03, Precision: 0.02}
	for _, tt := range []struct {
		name             string
		ratio, low, high float64
		p                float64
		want             Decision
	}{
		{"clearly faster", 1.5, 1.4, 1.6, 0.01, Faster},
		{"clearly slower", 0.5, 0.4, 0.6, 0.01, Slower},
		{"five percent", 1.05, 1.01, 1.09, 0.01, Faster},
		{"five percent slower", 1 / 1.05, 0.92, 0.99, 0.01, Slower},
		{"real but small", 1.02, 1.01, 1.03, 0.001, Same},
		{"even", 1.001, 0.98, 1.02, 0.9, Same},
		{"even, wide for a difference", 1.001, 0.93, 1.08, 0.9, Same},
		{"even, wide", 1.001, 0.88, 1.12, 0.9, Open},
		{"faster, not sure", 1.2, 0.95, 1.4, 0.2, Open},
		{"faster by itself, not among many", 1.2, 1.02, 1.4, 0.2, Open},
		{"small estimate, wide interval", 1.02, 1.001, 1.2, 0.04, Open},
		{"nothing known", math.NaN(), 0, math.Inf(1), 1, Open},
		{"too few pairs", 1.5, 0, math.Inf(1), 1, Open},
	} {
		// The interval for "the same" is half as wide here.
		e := Estimate{Ratio: tt.ratio, Low: tt.low, High: tt.high, EvenLow: math.Sqrt(tt.low * tt.ratio), EvenHigh: math.Sqrt(tt.high * tt.ratio)}
		got := b.Decide(e, tt.p, 0.05)
		if got != tt.want {
			t.Errorf("%s: Decide(%v [%v, %v], p=%v) = %v, want %v", tt.name, tt.ratio, tt.low, tt.high, tt.p, got, tt.want)
		}
		// The mirror image has the mirrored answer.
		mirror := map[Decision]Decision{Faster: Slower, Slower: Faster, Same: Same, Open: Open}
		if got := b.Decide(Estimate{Ratio: 1 / e.Ratio, Low: 1 / e.High, High: 1 / e.Low, EvenLow: 1 / e.EvenHigh, EvenHigh: 1 / e.EvenLow}, tt.p, 0.05); got != mirror[tt.want] {
			t.Errorf("%s mirrored: Decide = %v, want %v", tt.name, got, mirror[tt.want])
		}
	}
}
