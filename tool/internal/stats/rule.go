package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// A Rule is a group-sequential plan: it fixes the numbers of pairs at which one
// may look at a comparison and stop. Each look spends its share of the error
// (weighted Bonferroni), so the chance that the interval at any look excludes
// the truth is at most Alpha however the looks depend on each other. Pocock's
// boundary (Biometrika 64, 1977) would be a little narrower, but assumes normal
// increments that are independent.
//
// The zero Rule is [DefaultRule]: an Alpha of 0 stands for its Alpha, no Looks
// for its Looks and Weights.
type Rule struct {
	Alpha   float64   `json:"alpha"`   // chance of a false verdict over all looks; 0 < Alpha < 1
	Looks   []int     `json:"looks"`   // numbers of pairs, increasing
	Weights []float64 `json:"weights"` // share of Alpha that each look spends, sum 1; nil: equal shares
}

// DefaultRule begins at 8 pairs, whose smallest p-value is 2/256. The first
// look spends most, because that value must still be small enough when it is
// corrected for other comparisons; later looks reach far smaller ones. Do not
// assign to it.
var DefaultRule = Rule{Alpha: 0.05, Looks: []int{8, 12, 24, 48, 96}, Weights: []float64{0.4, 0.2, 0.15, 0.15, 0.1}}

// An Estimate is what a sample of paired log ratios says about the ratio.
type Estimate struct {
	Ratio float64 // the Hodges–Lehmann estimate; NaN if there is none
	Low   float64 // the ends of the repeated confidence interval (Jennison
	High  float64 // and Turnbull, J. R. Stat. Soc. B 51, 1989); 0 and +Inf if too few pairs
	P     float64 // the p-value of "the ratio is 1", adjusted for the looks
	Pairs int
}

// looks returns the looks in force.
func (r Rule) looks() []int {
	if len(r.Looks) == 0 {
		return DefaultRule.Looks
	}
	return r.Looks
}

// alpha returns the error over all looks.
func (r Rule) alpha() float64 {
	alpha := r.Alpha
	if alpha == 0 {
		alpha = DefaultRule.Alpha
	}
	if !(alpha > 0 && alpha < 1) {
		panic("stats.Rule: Alpha outside (0, 1)")
	}
	return alpha
}

// lookAlpha returns the error that a look at n pairs may spend: that of the
// first look at n or more, which it replaces if n is not one itself.
func (r Rule) lookAlpha(n int) float64 {
	looks, weights := r.Looks, r.Weights
	if len(looks) == 0 {
		looks, weights = DefaultRule.Looks, DefaultRule.Weights
	}
	if weights == nil {
		return r.alpha() / float64(len(looks))
	}
	if len(weights) != len(looks) {
		panic("stats.Rule: not one weight for each look")
	}
	i, _ := slices.BinarySearch(looks, n)
	return r.alpha() * weights[min(i, len(looks)-1)]
}

// At reports whether n pairs is a look. Past the last look every n is one,
// because a plan that overshot must still be read; the guarantee then holds for
// a single reading, as the last.
func (r Rule) At(n int) bool {
	looks := r.looks()
	return n >= looks[len(looks)-1] || slices.Contains(looks, n)
}

// Level returns the confidence level of the interval at a look at n pairs.
func (r Rule) Level(n int) float64 { return 1 - r.lookAlpha(n) }

// Estimate returns the estimate of the ratio from the log ratios of all pairs so
// far. Its interval and P hold at whichever look one stops, so it may be acted
// upon only where [Rule.At] reports true; in between it is for display.
// Estimate does not reorder logRatios. A value that is not finite leaves the
// ratio unknown: Ratio NaN, Low 0, High +Inf, P 1.
func (r Rule) Estimate(logRatios []float64) Estimate {
	alpha := r.lookAlpha(len(logRatios))
	e := Estimate{Ratio: math.NaN(), High: math.Inf(1), P: 1, Pairs: len(logRatios)}
	if len(logRatios) == 0 || !finite(logRatios) {
		return e
	}
	var buf [exactMax + 4]float64
	x := sorted(buf[:0], logRatios)
	low, high := walshInterval(x, alpha)
	e.Ratio = math.Exp(walshMedian(x))
	e.Low, e.High = math.Exp(low), math.Exp(high)
	e.P = min(1, r.alpha()/alpha*SignedRank(x))
	return e
}

// HalfWidth returns half the width of the interval in relative terms,
// sqrt(High/Low) - 1: 0.03 reads "give or take 3 %". It is +Inf if there were
// too few pairs.
func (e Estimate) HalfWidth() float64 {
	return math.Sqrt(e.High/e.Low) - 1
}

// Resolve returns the smallest relative difference (0.03 is 3 %) that a look at
// the given number of pairs would find with a chance of 80 %, if those pairs are
// as spread as logRatios. It tells what a budget can resolve. It is +Inf if that
// look can find nothing, or if logRatios are too few (under 5) or not finite; it
// is 0 if they are all equal. The same arguments give the same result.
//
// The power is estimated by resampling (Collings and Hamilton, Biometrics 44,
// 1988). A sample z around 0, moved up by d, is found if the lower end of its
// interval, moved along, is above 0. So log(1+Resolve) is the 80 % quantile of
// -low(z), over 400 samples z of the given size drawn from the residuals
//
//	± sqrt(n/(n-1)) (x[i] - HodgesLehmann(x))
//
// whose signs are random, because the test supposes symmetry, and whose factor
// makes up for having estimated the centre.
//
// It is tempting to put a robust standard deviation (MAD, IQR, or the length of
// the interval of x) into a formula for the sample size. Where processes have two
// modes those see mostly the pairs that agree, and promise differences that the
// rule then misses more often than not.
func (r Rule) Resolve(logRatios []float64, pairs int) float64 {
	const (
		atLeast = 5
		samples = 400
		power   = 0.8
	)
	n := len(logRatios)
	k := critical(max(pairs, 0), r.lookAlpha(pairs))
	if k < 0 || n < atLeast || !finite(logRatios) {
		return math.Inf(1)
	}
	centre := HodgesLehmann(logRatios)
	scale := math.Sqrt(float64(n) / float64(n-1))
	rng := rand.New(rand.NewPCG(0, 0x7265736f6c7665))
	z := make([]float64, pairs)
	var needed [samples]float64
	for s := range needed {
		for i := range z {
			z[i] = scale * (logRatios[rng.IntN(n)] - centre)
			if rng.Uint64()&1 == 0 {
				z[i] = -z[i]
			}
		}
		slices.Sort(z)
		needed[s] = -walsh(z, k+1)
	}
	slices.Sort(needed[:])
	return math.Expm1(max(0, needed[samples*power-1]))
}
