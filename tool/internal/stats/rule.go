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
// A claim that two things are the same has an error of its own, which Even spends
// over the looks, as shares of Alpha: one would else need an interval as sure of both
// directions as a difference has to be (two one-sided tests: Schuirmann, J.
// Pharmacokin. Biopharm. 15, 1987).
//
// The zero Rule is [DefaultRule]: an Alpha of 0 stands for its Alpha, no Looks
// for all its other fields.
type Rule struct {
	Alpha   float64   `json:"alpha"`           // chance of a false verdict over all looks; 0 < Alpha < 1
	Looks   []int     `json:"looks"`           // numbers of pairs, increasing
	Weights []float64 `json:"weights"`         // share of Alpha that each look spends; nil: equal shares
	Early   []Look    `json:"early,omitempty"` // looks before the first, for differences that anyone can see
	Even    []float64 `json:"even,omitempty"`  // share of Alpha that each look spends on "the same"; nil: equal shares
}

// A Look is a number of pairs with the share of Alpha that it spends.
type Look struct {
	Pairs  int     `json:"pairs"`
	Weight float64 `json:"weight"`
}

// DefaultRule has its first full look at 10 pairs, whose smallest p-value is
// 2/1024. That look spends most, because the value must still be small enough
// when it is corrected for other comparisons; later looks reach far smaller
// ones. Where a budget ends after four or five pairs, that is the last look there is. By simulation, its error leaves at most 2 % of false verdicts where the
// noise is worst (TestLayoutPower). "The same" may have twice that error: it is wrong
// by little. Do not assign to it.
var DefaultRule = Rule{
	Alpha: 0.025, Looks: []int{10, 16, 24, 48, 96, 192}, Weights: []float64{0.315, 0.14, 0.09, 0.065, 0.05, 0.03},
	Early: []Look{{3, 0.18}, {5, 0.13}},
	Even:  []float64{0.20, 0.26, 0.40, 0.40, 0.40, 0.34},
}

// Pairs are the paired log ratios of one comparison.
type Pairs struct {
	Logs []float64
	// Layouts says which layout of the code each pair ran in; nil: layouts do
	// not matter. Pairs in one layout share what it does to the ratio (Curtsinger
	// and Berger, Stabilizer, ASPLOS 2013): see [Pairs.unseen].
	Layouts []int32
	// Alike says that both sides are the same code, which a layout moves alike as
	// far as is known.
	Alike bool
	// Control are log ratios of code with itself on the same machine, for early
	// looks. Rounds and ControlRounds say when each pair was taken; with them an
	// early look that is read again later finds the control that it had.
	Control               []float64
	Rounds, ControlRounds []int32
	// Others is the scatter of other comparisons of the run, for pairs too few
	// for their signs and their own.
	Others Scatter
}

// An Estimate is what a sample of paired log ratios says about the ratio.
type Estimate struct {
	Ratio float64 // the Hodges–Lehmann estimate; NaN if there is none
	Low   float64 // the ends of the repeated confidence interval (Jennison
	High  float64 // and Turnbull, J. R. Stat. Soc. B 51, 1989); 0 and +Inf if too few pairs
	P     float64 // the p-value of "the ratio is 1", adjusted for the looks
	Pairs int
	// EvenLow and EvenHigh are the ends of the interval from which "the same" is
	// read; 0 and +Inf before the first full look.
	EvenLow, EvenHigh float64
	Layouts           int // observed; 1 if Pairs.Layouts was nil
	// Unseen is the standard error of the log ratio by layouts of the code that
	// were not seen; 0 where each pair had its own. Interval and P contain it.
	Unseen float64
}

// Whole reports whether r, which may have been read from a file, can be used as it is.
func (r Rule) Whole() bool {
	each := func(weights []float64) bool { return weights == nil || len(weights) == len(r.Looks) }
	return len(r.Looks) > 0 && slices.IsSorted(r.Looks) && r.Looks[0] >= 1 && r.Alpha > 0 && r.Alpha < 1 && each(r.Weights) && each(r.Even)
}

// looks returns the full looks in force.
func (r Rule) looks() []int {
	if len(r.Looks) == 0 {
		return DefaultRule.Looks
	}
	return r.Looks
}

// early returns the early looks in force.
func (r Rule) early() []Look {
	if len(r.Looks) == 0 {
		return DefaultRule.Early
	}
	return r.Early
}

// Error returns the error over all looks.
func (r Rule) Error() float64 {
	alpha := r.Alpha
	if alpha == 0 {
		alpha = DefaultRule.Alpha
	}
	if !(alpha > 0 && alpha < 1) {
		panic("stats.Rule: Alpha outside (0, 1)")
	}
	return alpha
}

// A spending is the error that one look may spend: on a difference, and on "the
// same", which only a full look can find.
type spending struct{ differ, even float64 }

// at is what a look at n pairs may spend: what the first look at n or more may,
// which it replaces if n is not one itself.
func (r Rule) at(n int) spending {
	s := spending{r.shares(r.weights(), n)[0], r.shares(r.evens(), n)[0]}
	for _, l := range r.early() {
		if n <= l.Pairs {
			s.differ = l.Weight
			break
		}
	}
	return s.of(r.Error())
}

// few is the share of Alpha that looks before the first full one may spend
// together. They take for granted how scatter differs, so they err a little more
// often than they say.
const few = 0.7

// left is what a look at n pairs may spend if it is the last: its own share and
// those of all looks after it, which are not made.
func (r Rule) left(n int) spending {
	s := spending{sum(r.shares(r.weights(), n)), sum(r.shares(r.evens(), n))}
	if n < r.looks()[0] {
		s.differ = few
		for _, l := range r.early() {
			if l.Pairs < n {
				s.differ -= l.Weight
			}
		}
		s.differ = max(s.differ, r.at(n).differ/r.Error())
	}
	return s.of(r.Error())
}

func (s spending) of(alpha float64) spending { return spending{alpha * s.differ, alpha * s.even} }

func sum(x []float64) (all float64) {
	for _, v := range x {
		all += v
	}
	return all
}

// weights and evens return the shares in force.
func (r Rule) weights() []float64 {
	if len(r.Looks) == 0 {
		return DefaultRule.Weights
	}
	return r.Weights
}

func (r Rule) evens() []float64 {
	if len(r.Looks) == 0 {
		return DefaultRule.Even
	}
	return r.Even
}

// shares are those of the full looks at n pairs and more, one at least.
func (r Rule) shares(weights []float64, n int) []float64 {
	looks := r.looks()
	if weights == nil {
		weights = slices.Repeat([]float64{1 / float64(len(looks))}, len(looks))
	}
	if len(weights) != len(looks) {
		panic("stats.Rule: not one weight for each look")
	}
	i, _ := slices.BinarySearch(looks, n)
	return weights[min(i, len(looks)-1):]
}

// At reports whether n pairs is a look. Past the last look every n is one,
// because a plan that overshot must still be read; the guarantee then holds for
// a single reading, as the last.
func (r Rule) At(n int) bool {
	looks := r.looks()
	return n >= looks[len(looks)-1] || slices.Contains(looks, n) ||
		slices.ContainsFunc(r.early(), func(l Look) bool { return l.Pairs == n })
}

// Level returns the confidence level of the interval at a look at n pairs.
func (r Rule) Level(n int) float64 { return 1 - r.at(n).differ }

// Estimate is [Rule.Read] of pairs in one layout, without a control.
func (r Rule) Estimate(logRatios []float64) Estimate { return r.Read(Pairs{Logs: logRatios}) }

// Read returns the estimate of the ratio from all pairs so far. Its interval
// and P hold at whichever look one stops, so it may be acted upon only where
// [Rule.At] reports true; in between it is for display. Of pairs too few for the
// signs to be significant it is an early look: moderated and earlyLook say how it
// is made.
// Read does not reorder its argument. A value that is not finite leaves the
// ratio unknown: Ratio NaN, Low 0, High +Inf, P 1.
func (r Rule) Read(p Pairs) Estimate { return r.read(p, r.at(len(p.Logs))) }

func (r Rule) read(p Pairs, spend spending) Estimate {
	n := len(p.Logs)
	e := Estimate{Ratio: math.NaN(), High: math.Inf(1), P: 1, Pairs: n, EvenHigh: math.Inf(1), Layouts: p.layouts()}
	if n == 0 || !finite(p.Logs) {
		return e
	}
	alpha := spend.differ
	var buf [exactMax + 4]float64
	x := sorted(buf[:0], p.Logs)
	centre := walshMedian(x)
	e.Ratio = math.Exp(centre)
	signs := critical(n, alpha) >= 0 // are enough
	low, high, pv, ok := 0.0, 0.0, 1.0, false
	if n < r.looks()[0] {
		low, high, pv, ok = p.moderated(x, alpha)
	}
	u := unseen{}
	switch {
	case signs:
		u = p.unseen()
		e.Unseen = u.sd
		if !ok {
			low, high = walshInterval(x, alpha)
			low, high = widen(centre, low, high, u.at(alpha))
			pv = u.p(x, centre)
		}
	case !ok:
		low, high, pv = earlyLook(x, p.Control, alpha)
	}
	e.Low, e.High = math.Exp(low), math.Exp(high)
	e.P = min(1, r.Error()/alpha*pv)
	if !signs {
		return e
	}
	low, high = walshInterval(x, 2*spend.even)
	low, high = widen(centre, low, high, quantile(spend.even)*u.seen)
	e.EvenLow, e.EvenHigh = math.Exp(low), math.Exp(high)
	return e
}

// Surest returns the estimate that a verdict is taken from: that of all pairs,
// whose number stands for the next look, or of the last planned look before, or
// of an early one, where that decides and this does not. Each spends its own share
// of the error, so any may decide; that the others may not keeps a look that erred
// from standing against all that came after. Where several find the same
// difference, P is that of the surest of them.
func (r Rule) Surest(p Pairs, b Bounds) Estimate { return r.surest(p, b, r.Read(p)) }

// Last is Surest of a comparison that no look decided and none follows: the look at
// all pairs may spend what those that are not made would have. That holds whatever
// ends the comparison other than its own pairs, as its budget does (Lan and DeMets,
// Biometrika 70, 1983).
func (r Rule) Last(p Pairs, b Bounds) Estimate {
	return r.surest(p, b, r.read(p, r.left(len(p.Logs))))
}

func (r Rule) surest(p Pairs, b Bounds, best Estimate) Estimate {
	decision := b.Decide(best, best.P, r.Error())
	for _, n := range r.before(len(p.Logs)) {
		e := r.Read(p.First(n))
		switch d := b.Decide(e, e.P, r.Error()); {
		case d == Open:
		case decision == Open:
			best, decision = e, d
		case d == decision && d != Same:
			best.P = min(best.P, e.P)
		}
	}
	return best
}

// First returns the first n pairs with the control of that time.
func (p Pairs) First(n int) Pairs {
	out := Pairs{Logs: p.Logs[:n], Alike: p.Alike, Control: p.Control, Others: p.Others}
	if p.Layouts != nil {
		out.Layouts = p.Layouts[:n]
	}
	if len(p.Rounds) == len(p.Logs) && len(p.ControlRounds) == len(p.Control) {
		out.Control = nil
		for i, c := range p.Control {
			if p.ControlRounds[i] <= p.Rounds[n-1] {
				out.Control = append(out.Control, c)
			}
		}
	}
	return out
}

// before returns the last planned look before n pairs and the early ones.
func (r Rule) before(n int) []int {
	var out []int
	looks := r.looks()
	for _, look := range slices.Backward(looks) {
		if look < n && n <= looks[len(looks)-1] { // past the last look all pairs stand for it
			out = append(out, look)
			break
		}
	}
	for _, l := range slices.Backward(r.early()) {
		if l.Pairs < n {
			out = append(out, l.Pairs)
		}
	}
	return out
}

// layouts returns how many layouts the pairs ran in.
func (p Pairs) layouts() int {
	n := 0
	for i, l := range p.Layouts {
		if !slices.Contains(p.Layouts[:i], l) {
			n++
		}
	}
	return max(1, n)
}

// byLayout returns the log ratios of each layout, in the order of layouts.
func (p Pairs) byLayout() [][]float64 {
	at := map[int32]int{}
	var by [][]float64
	for i, l := range p.Layouts {
		k, ok := at[l]
		if !ok {
			k = len(by)
			at[l] = k
			by = append(by, nil)
		}
		by[k] = append(by[k], p.Logs[i])
	}
	return by
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
	k := critical(max(pairs, 0), r.at(pairs).differ)
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
