package stats

import "math"

// Chance estimates how likely a look at the given number of pairs, in so many
// layouts, is to decide, if the pairs still to come are like those that e was made from (conditional
// power under the current trend: Lan and Wittes, Biometrics 44, 1988). It takes
// the spread from the interval of e, supposes that means are normal, and knows
// no other comparison: with a correction for many the chance is smaller. Giving
// up where it is small never makes a verdict false. It is 0 where e is not of a
// full look.
func (r Rule) Chance(e Estimate, pairs, layouts int, b Bounds) float64 {
	n, m := float64(e.Pairs), float64(pairs)
	if e.Pairs < r.looks()[0] || pairs < e.Pairs || !(e.Low > 0) || math.IsInf(e.High, 1) {
		return 0
	}
	centre := math.Log(e.Ratio)
	now := math.Log(e.High/e.Low) / 2 / quantile(r.at(e.Pairs).differ/2)
	sd := math.Sqrt(max(0, now*now-e.Unseen*e.Unseen) * n)
	half := math.Hypot(sd/math.Sqrt(m), e.unseenLater(pairs, layouts)) * quantile(r.at(pairs).differ/2)
	even := sd / math.Sqrt(m) * quantile(r.at(pairs).even)
	move := sd * math.Sqrt(m-n) / m // of the centre, until then
	margin, band := math.Log1p(b.Margin), math.Log1p(b.Band())
	// above is the chance that the centre ends above x.
	above := func(x float64) float64 {
		if move == 0 {
			if centre > x {
				return 1
			}
			return 0
		}
		return math.Erfc((x-centre)/move/math.Sqrt2) / 2
	}
	differ := max(margin, half)
	chance := above(differ) + 1 - above(-differ)
	if same := min(margin, band-even); same > 0 {
		chance += above(-same) - above(same)
	}
	return min(1, chance)
}

// unseenLater is what Unseen will be of so many pairs in so many layouts.
func (e Estimate) unseenLater(pairs, layouts int) float64 {
	later := 1/float64(max(layouts, e.Layouts)) - 1/float64(pairs)
	if e.Unseen == 0 || later <= 0 {
		return 0
	}
	return e.Unseen * math.Sqrt(later/(1/float64(e.Layouts)-1/float64(e.Pairs)))
}

// quantile is where the upper tail of the normal law is p.
func quantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(1-2*p) }
