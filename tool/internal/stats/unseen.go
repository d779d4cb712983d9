package stats

import (
	"math"

	moremath "github.com/aclements/go-moremath/stats"
)

// What is known of layouts before a run: they move either side by up to 10 %,
// which is a standard deviation of log(1.1)√(2/3) of the ratio, and the same code
// alike. That counts like having seen so many layouts.
const (
	layoutPrior   = 24
	layoutPriorSD = 0.0778
	layoutMost    = 0.19 // 2 log(1.1): no layout was seen to do more
)

// An unseen is what layouts that were not seen may do to the centre of the pairs.
type unseen struct {
	sd   float64 // its standard error, with what is known of layouts in general
	df   float64
	most float64 // it moves the centre by no more
	// seen is the same by the pairs alone, 0 where they show no effect.
	seen float64
}

// unseen estimates the error of the centre that the scatter of the pairs does not
// show: they share layouts. With k layouts of equally many of the n pairs it is
//
//	τ √(1/k - 1/n)
//
// where τ, the standard deviation of the log ratio from layout to layout, is a
// component of variance (pairs between layouts against pairs within them) that is
// moderated by what is known in general (Smyth, Stat. Appl. Genet. Mol. Biol. 3,
// 2004). So one layout is a reading, too, and one more never says less. The test
// of layouts as observations would have no power at all with few of them.
func (p Pairs) unseen() unseen {
	n := float64(len(p.Logs))
	if len(p.Layouts) != len(p.Logs) {
		return unseen{df: math.Inf(1)}
	}
	var x []float64
	var sizes []int
	square := 0.0
	for _, logs := range p.byLayout() {
		x = append(x, logs...)
		sizes = append(sizes, len(logs))
		square += float64(len(logs)) * float64(len(logs))
	}
	k := float64(len(sizes))
	share := square/(n*n) - 1/n // beyond that of a layout for each
	if share <= 1e-12 {
		return unseen{df: math.Inf(1)}
	}
	variance := 0.0
	known := min(k-1, n-k)
	if known > 0 {
		between, within := squares(clip(x), sizes)
		each := (n - square/n) / (k - 1)
		variance = max(0, between/(k-1)-within/(n-k)) / each
	}
	prior := layoutPriorSD * layoutPriorSD
	if p.Alike {
		prior = 0
	}
	df := layoutPrior + known
	moderated := (layoutPrior*prior + known*variance) / df
	return unseen{sd: math.Sqrt(moderated * share), df: df, most: layoutMost * max(1, math.Sqrt(moderated)/layoutPriorSD), seen: math.Sqrt(variance * share)}
}

// at is how far it may move the centre with a chance of alpha, to either side.
func (u unseen) at(alpha float64) float64 {
	if u.sd == 0 {
		return 0
	}
	return min(u.most, u.sd*studentQuantile(u.df, alpha/2))
}

// p is the two-sided p-value of "the centre of x is 0": the least at which the
// interval, widened, excludes 0.
func (u unseen) p(x []float64, centre float64) float64 {
	if u.sd == 0 {
		return SignedRank(x)
	}
	moved := make([]float64, len(x))
	beyond := func(by float64) float64 { // is the p-value of a centre that is so much nearer to 0
		rest := centre*centre - by*by
		if rest <= 0 {
			return 1
		}
		shift := centre - math.Copysign(math.Sqrt(rest), centre)
		for i, v := range x {
			moved[i] = v - shift
		}
		return SignedRank(moved)
	}
	// At low standard errors the interval excludes 0.
	low, high := 0.0, u.most/u.sd
	if p := beyond(u.most); p <= studentP(u.df, high) {
		return p // whatever layouts do
	}
	for range 20 {
		if mid := (low + high) / 2; beyond(mid*u.sd) <= studentP(u.df, mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return studentP(u.df, low)
}

// widen moves the ends of an interval out by what else the centre may be off,
// independently of them.
func widen(centre, low, high, by float64) (float64, float64) {
	if by == 0 {
		return low, high // to the last bit
	}
	return centre - math.Hypot(centre-low, by), centre + math.Hypot(high-centre, by)
}

// studentP is the chance of t and more, to either side, by Student's law.
func studentP(df, t float64) float64 {
	return 2 * moremath.TDist{V: df}.CDF(-math.Abs(t))
}

// studentQuantile is where the upper tail of Student's law is p.
func studentQuantile(df, p float64) float64 {
	low, high := 0.0, 1.0
	for studentP(df, high) > 2*p {
		high *= 2
	}
	for range 50 {
		if mid := (low + high) / 2; studentP(df, mid) > 2*p {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}
