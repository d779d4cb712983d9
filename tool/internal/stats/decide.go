package stats

import "math"

// A Decision is what an estimate says about a ratio.
type Decision int

const (
	Open   Decision = iota // cannot say yet
	Same                   // any difference is too small to matter
	Faster                 // the ratio is above 1 by at least the margin
	Slower                 // the ratio is below 1 by at least the margin
)

// Bounds are the sizes of differences that matter, as relative differences:
// 0.03 is 3 %.
type Bounds struct {
	Margin    float64 `json:"margin"`    // a smaller difference is none
	Precision float64 `json:"precision"` // "the same" may be this much wider than Margin
}

// DefaultBounds suit a machine shared with others; code layout alone moves
// small loops by more. Do not assign to it.
var DefaultBounds = Bounds{Margin: 0.03, Precision: 0.02}

// Decide reads an estimate whose p-value, corrected for the other comparisons
// of the run, is p. Faster and Slower need all of: p at most alpha, the
// interval on one side of 1, the estimate at least Margin away. Same needs the
// estimate inside Margin and the interval for it inside Margin and Precision
// together, which is what it shows: any difference is smaller than [Bounds.Band].
func (b Bounds) Decide(e Estimate, p, alpha float64) Decision {
	margin := math.Log1p(b.Margin)
	centre := math.Log(e.Ratio)
	band := math.Log1p(b.Band())
	switch {
	case centre >= margin && e.Low > 1 && p <= alpha:
		return Faster
	case centre <= -margin && e.High < 1 && p <= alpha:
		return Slower
	case math.Abs(centre) < margin && math.Log(e.EvenLow) >= -band && math.Log(e.EvenHigh) <= band:
		return Same
	}
	return Open
}

// Band is the relative difference that Same rules out.
func (b Bounds) Band() float64 { return (1+b.Margin)*(1+b.Precision) - 1 }
