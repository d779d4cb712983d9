package stats

import (
	"math"
	"slices"
)

// A Scatter is how far apart the pairs of a comparison lie as far as others of
// its run tell: a variance of log ratios, which counts like DF pairs more than
// there are. The zero Scatter says nothing.
type Scatter struct {
	Variance float64
	DF       float64
}

const (
	// fewScatter is the least number of comparisons that say how much variances
	// differ from one to another.
	fewScatter = 6
	// mostScatter bounds DF: a comparison's own pairs have the last word.
	mostScatter = 4
	// ownScatter is the least number of pairs of a comparison's own.
	ownScatter = 3
)

// Scattered estimates the scatter of a comparison from the log ratios of others.
// The variances of comparisons are taken to differ like Variance × DF over
// chi-square of DF, whose logarithm has the mean and the variance that those of
// the samples must have beside their own error (Smyth, Stat. Appl. Genet. Mol.
// Biol. 3, 2004, 6.2). Of fewer than six comparisons with three pairs each it is
// zero. It costs O(pairs).
func Scattered(logs [][]float64) Scatter {
	var variances, dfs []float64
	for _, x := range logs {
		if len(x) >= 3 && finite(x) {
			variances, dfs = append(variances, variance(x)), append(dfs, float64(len(x)-1))
		}
	}
	n := float64(len(variances))
	if n < fewScatter {
		return Scatter{}
	}
	// One whose samples were equal to the last bit has no logarithm.
	least := 1e-5 * Median(slices.Clone(variances))
	if least == 0 {
		return Scatter{}
	}
	each := make([]float64, len(variances))
	mean := 0.0
	for i, v := range variances {
		each[i] = math.Log(max(v, least)) - digamma(dfs[i]/2) + math.Log(dfs[i]/2)
		mean += each[i] / n
	}
	beyond := 0.0
	for i, e := range each {
		beyond += (e-mean)*(e-mean)/(n-1) - trigamma(dfs[i]/2)/n
	}
	df := float64(mostScatter)
	if beyond > 0 {
		df = min(df, 2*trigammaInverse(beyond))
	}
	return Scatter{Variance: math.Exp(mean + digamma(df/2) - math.Log(df/2)), DF: df}
}

// moderated is the reading of few sorted pairs by their own scatter and that of
// others: Student's test with the two variances as one (Smyth, ibid.), and its
// interval. The centre is the median of averages, which an outlier moves less
// than the mean; it moves the variance even so. ok is false where the pairs are
// too few for that, or no others are known.
func (p Pairs) moderated(x []float64, alpha float64) (low, high, pv float64, ok bool) {
	n := float64(len(x))
	if len(x) < ownScatter || p.Others.DF == 0 {
		return 0, 0, 1, false
	}
	df := n - 1 + p.Others.DF
	se := math.Sqrt(((n-1)*variance(x) + p.Others.DF*p.Others.Variance) / df / n)
	u := p.unseen()
	se, df = math.Hypot(se, u.sd), min(df, u.df)
	centre := walshMedian(x)
	out := se * studentQuantile(df, alpha/2)
	return centre - out, centre + out, studentP(df, centre/se), true
}

// variance is the unbiased one of at least two values.
func variance(x []float64) float64 {
	mean, sum := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		sum += (v - mean) * (v - mean)
	}
	return sum / float64(len(x)-1)
}

// digamma and trigamma are the first derivatives of the logarithm of the gamma
// function, for x > 0 (Abramowitz and Stegun, 6.3 and 6.4: recurrence, then the
// asymptotic series).
func digamma(x float64) float64 {
	below := 0.0
	for ; x < 10; x++ {
		below -= 1 / x
	}
	s := 1 / (x * x)
	return below + math.Log(x) - 1/(2*x) - s*(1./12-s*(1./120-s*(1./252-s/240)))
}

func trigamma(x float64) float64 {
	below := 0.0
	for ; x < 10; x++ {
		below += 1 / (x * x)
	}
	s := 1 / (x * x)
	return below + 1/x + s/2 + s/x*(1./6-s*(1./30-s*(1./42-s/30)))
}

// trigammaInverse is the x > 0 at which trigamma, which falls, is y > 0.
func trigammaInverse(y float64) float64 {
	low, high := 0.0, 1.0
	for trigamma(high) > y {
		high *= 2
	}
	for range 60 {
		if mid := (low + high) / 2; trigamma(mid) > y {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}
