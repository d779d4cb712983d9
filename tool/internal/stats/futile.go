package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Chance estimates how likely a look at the given number of pairs is to decide,
// if the pairs still to come are like those in p (conditional power under the
// current trend: Lan and Wittes, Biometrics 44, 1988). It resamples the pairs
// to come, with random signs about the centre, and knows no other comparison:
// with a correction for many the chance is smaller. Giving up where it is small
// never makes a verdict false. The same arguments give the same result; 0 where
// there are under 5 pairs or one is not finite.
func (r Rule) Chance(p Pairs, pairs int, b Bounds) float64 {
	const draws = 100
	n := len(p.Logs)
	if n < 5 || pairs < n || !finite(p.Logs) {
		return 0
	}
	x, _ := p.observations(nil, r.lookAlpha(n))
	centre := HodgesLehmann(x)
	rng := rand.New(rand.NewPCG(0, 0x667574696c65))
	decided := 0
	for range draws {
		z := slices.Clone(p.Logs)
		for len(z) < pairs {
			d := p.Logs[rng.IntN(n)] - centre
			z = append(z, centre+math.Copysign(d, float64(rng.IntN(2))-0.5))
		}
		e := r.Read(Pairs{Logs: z, Control: p.Control})
		if b.Decide(e, e.P, r.alpha()) != Open {
			decided++
		}
	}
	return float64(decided) / draws
}
