// Package judge says whether concurrency pays: a verdict with its interval for
// each comparison of a measured series, the identity that takes the speedup
// apart, and the size from which a variant pays.
//
// It runs nothing and reads no clock: the same series gives the same verdicts.
// A comparison of 48 pairs costs some tens of microseconds.
package judge

import (
	"fmt"
	"math"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A Word is a verdict in one of four words.
type Word string

const (
	Pays      Word = "pays"
	Even      Word = "even"
	Loses     Word = "loses"
	CannotSay Word = "cannot say"
)

// A Verdict answers one comparison.
type Verdict struct {
	Kind      measure.Kind
	Package   string
	Benchmark string // the family: Sum/n=1000
	Variant   string // "" for a benchmark without variants
	Base      string // the base variant; for Scaling the variant itself
	New       measure.Cell
	BaseCell  measure.Cell
	Word      Word
	stats.Estimate
	AdjustedP      float64 // P, corrected for the number of comparisons
	Wall, BaseWall float64 // ns per operation, medians
	Identity       Identity
	// Goroutines is how many the new side computes with, BaseGoroutines the base.
	Goroutines, BaseGoroutines Goroutines
	Why                        string              // for CannotSay: what is missing
	Layout                     *stats.LayoutEffect // nil where too few layouts were seen
	// ByLayout says that the layout of the code decides: from one to the next
	// the difference changes its sign, or by half and more.
	ByLayout bool
	// Unclean is the estimate from all samples, disturbed ones too; nil if none
	// was disturbed.
	Unclean *stats.Estimate
	// Doubts say why the figures may not mean what they seem to: of New, then of
	// BaseCell.
	Doubts []Doubt
	// unsettled says that longer samples would move the ratio, and that the word is open
	// for that.
	unsettled bool
	Group     string
	Params    []discover.Param
}

// A Result is all verdicts of one package.
type Result struct {
	Package    string
	Verdicts   []Verdict // variants against bases first, then scaling
	Control    stats.Estimate
	Resolution float64 // the smallest difference that a comparison as noisy as Control finds at the last look with 80 % power
	Margin     float64 // the smallest difference that counts here
	Unsteady   bool    // the same code against itself came out as a difference: Margin is larger for it
	Even       float64 // what Even rules out
	Warnings   []string
	Crossovers []Crossover
}

// Judge judges a series. The correction for many comparisons
// (Benjamini–Hochberg) is over the package.
func Judge(s *measure.Series, rule stats.Rule, bounds stats.Bounds) Result {
	if len(rule.Looks) == 0 {
		rule = stats.DefaultRule
	}
	r := Result{Package: s.Package}
	control := s.LogRatios(measure.Comparison{Kind: measure.Control})
	r.Control = rule.Estimate(control)
	r.Resolution = rule.Resolve(control, rule.Looks[len(rule.Looks)-1])
	alpha := rule.Error()
	if d := bounds.Decide(r.Control, r.Control.P, alpha); d == stats.Faster || d == stats.Slower {
		// The same binary differed from itself: nothing smaller is believed.
		far := math.Max(math.Abs(math.Log(r.Control.Low)), math.Abs(math.Log(r.Control.High)))
		bounds.Margin = math.Max(bounds.Margin, math.Expm1(far))
		r.Unsteady = true
	}
	r.Margin, r.Even = bounds.Margin, bounds.Band()

	comparisons := measure.Comparisons(s.Families, s.Procs)
	logs := make([][]float64, len(comparisons))
	for i, c := range comparisons {
		v := newVerdict(s, c)
		logs[i] = v.estimate(s, c, bounds, rule.Surest)
		r.Verdicts = append(r.Verdicts, v)
	}
	r.adjust()
	for i, c := range comparisons {
		if v := &r.Verdicts[i]; bounds.Decide(v.Estimate, v.AdjustedP, alpha) == stats.Open {
			v.estimate(s, c, bounds, rule.Last)
		}
	}
	r.adjust() // no p-value has grown, so what was decided stays
	for i, c := range comparisons {
		r.Verdicts[i].conclude(s, c, rule, bounds)
	}
	r.doubt(s, comparisons, rule)
	r.Crossovers = crossovers(r.Verdicts, logs)
	return r
}

// Compare judges two cells of a series that were not compared in the run, on
// their own: there is no correction for other comparisons. c.Member names the
// new side, c.Base any cell of the series.
func Compare(s *measure.Series, c measure.Comparison, rule stats.Rule, bounds stats.Bounds) Verdict {
	v := newVerdict(s, c)
	v.estimate(s, c, bounds, rule.Surest)
	if bounds.Decide(v.Estimate, v.P, rule.Error()) == stats.Open {
		v.estimate(s, c, bounds, rule.Last)
	}
	v.AdjustedP = v.P
	v.conclude(s, c, rule, bounds)
	return v
}

// conclude fills in what follows from the estimate, and the word.
func (v *Verdict) conclude(s *measure.Series, c measure.Comparison, rule stats.Rule, bounds stats.Bounds) {
	if e, ok := s.Pairs(c).LayoutEffect(); ok {
		v.Layout = &e
		v.ByLayout = v.byLayout(bounds.Margin)
	}
	v.Identity = identity(s, c)
	v.decide(s, rule, bounds)
}

// adjust corrects the p-values for the number of comparisons that were measured.
func (r *Result) adjust() {
	p := make([]float64, len(r.Verdicts))
	for i, v := range r.Verdicts {
		if p[i] = v.P; v.Pairs == 0 {
			p[i] = math.NaN()
		}
	}
	for i, adjusted := range stats.Adjust(p) {
		r.Verdicts[i].AdjustedP = adjusted
	}
}

// estimate reads the pairs of c and returns their log ratios.
func (v *Verdict) estimate(s *measure.Series, c measure.Comparison, bounds stats.Bounds, read func(stats.Pairs, stats.Bounds) stats.Estimate) []float64 {
	pairs := s.Pairs(c)
	v.Estimate = read(pairs, bounds)
	if len(s.Spoiled[c.New])+len(s.Spoiled[c.Base]) > 0 {
		e := read(s.AllPairs(c), bounds)
		v.Unclean = &e
	}
	return pairs.Logs
}

// Enough is the share of its processors that a machine must give for a
// verdict on them. With two threads in turns on one processor, what sharing
// costs cannot be seen.
const Enough = 0.75

// Given is how many processors the machine gave at a count: what busy threads
// got before the run, or what any of its benchmarks used, if that is more. It
// reports whether that is known.
func Given(s *measure.Series, procs int) (float64, bool) {
	given, ok := s.Given[procs]
	if !ok || given >= Enough*float64(procs) {
		return given, ok
	}
	for c, samples := range s.Samples {
		if c.Procs == procs {
			if m := medianCores(samples); m > given { // never if unknown
				given = m
			}
		}
	}
	return given, true
}

// Short reports whether the machine gave too few processors for the verdict v,
// and how many it gave. What the code could not have used is not missing: where
// both sides wanted less than half of that, they mostly waited for something
// else. lack is by how much the ratio may be off even so, a logarithm: all of
// the time in which they ran they may have had less than there was.
func Short(s *measure.Series, v Verdict) (given, lack float64, short bool) {
	given, ok := Given(s, v.New.Procs)
	if !ok {
		return given, 0, false
	}
	lack, short = Missed(given, Usable(s.Usable, v.New.Procs), wanted(v.New, s.Samples[v.New]), wanted(v.BaseCell, s.Samples[v.BaseCell]))
	return given, lack, short
}

// Missed is what Short says of two sides that wanted so many processors, where the
// machine gave so many of n.
func Missed(given float64, n int, wanted ...float64) (lack float64, short bool) {
	if n < 2 || given >= Enough*float64(n) {
		return 0, false
	}
	for _, want := range wanted {
		if !(want < given/2) { // so where it is not known
			return 0, true
		}
		lack -= math.Log1p(-min(1, want) * (1 - given/float64(n)))
	}
	return lack, false
}

// Usable is how many processors there are for so many that are asked for, on a
// machine that has so many; 0 where that is not known.
func Usable(has, procs int) int {
	if has > 0 {
		return min(procs, has)
	}
	return procs
}

// decide chooses the word.
func (v *Verdict) decide(s *measure.Series, rule stats.Rule, bounds stats.Bounds) {
	given, lack, short := Short(s, *v)
	if short {
		v.Word = CannotSay
		v.Why = fmt.Sprintf("the machine gave %.2f of %d processors", given, Usable(s.Usable, v.New.Procs))
		return
	}
	if n := v.Times(); n > 0 {
		v.Word = CannotSay
		v.Why = fmt.Sprintf("an operation seems to have %s times the work of one of the base, as the numbers in their names say: it takes %s times the processor time; give both the same work", figure.Count(n), figure.Ratio(v.Identity.Overhead.Value))
		return
	}
	if what := unsteady(s, v.New, v.BaseCell); what != "" {
		v.Word = CannotSay
		v.Why = fmt.Sprintf("the samples are not of the same work (%s): start what is measured after b.StartTimer or b.ResetTimer", what)
		return
	}
	v.widen(lack)
	switch bounds.Decide(v.Estimate, v.AdjustedP, rule.Error()) {
	case stats.Faster:
		v.Word = Pays
	case stats.Slower:
		v.Word = Loses
	case stats.Same:
		v.Word = Even
	default:
		v.Word = CannotSay
		v.Why = why(*v, rule, bounds)
		return
	}
	if off, which := unsettled(s, v.New, v.BaseCell); off != 0 {
		// What the ratio would be in samples that are long enough is part of the interval.
		if !math.IsNaN(off) {
			v.Low, v.High = v.Low*math.Exp(min(0, off)), v.High*math.Exp(max(0, off))
		}
		if math.IsNaN(off) || v.Word == Pays && v.Low <= 1 || v.Word == Loses && v.High >= 1 || v.Word == Even {
			v.Word, v.unsettled = CannotSay, true
			v.Why = fmt.Sprintf("the time of an operation still depends on b.N (%s): a larger -budget gives longer samples", which)
			if math.IsNaN(off) {
				v.Why = fmt.Sprintf("an operation may take far less than the samples say, as most of their time may be of what runs once (%s): a larger -budget gives longer samples, or call b.ResetTimer after the set-up", which)
			}
			return
		}
	}
	if v.Unclean == nil {
		return
	}
	// What is left out must not decide: with it the interval is the wider one, and
	// the word may be no other.
	if other := side(*v.Unclean, bounds); other != v.Word {
		v.Why = fmt.Sprintf("with the samples that were dropped it is %.3g [%.3g, %.3g], %s rather than %s: measure again on a quieter machine", v.Unclean.Ratio, v.Unclean.Low, v.Unclean.High, other, v.Word)
		v.Word = CannotSay
		return
	}
	v.Low, v.High = min(v.Low, v.Unclean.Low), max(v.High, v.Unclean.High)
}

// widen makes the interval as much wider on both sides, a logarithm.
func (v *Verdict) widen(by float64) {
	v.Low, v.High = v.Low*math.Exp(-by), v.High*math.Exp(by)
	v.EvenLow, v.EvenHigh = v.EvenLow*math.Exp(-by), v.EvenHigh*math.Exp(by)
}

// side is the word that e would have if it were sure.
func side(e stats.Estimate, bounds stats.Bounds) Word {
	switch margin := math.Log1p(bounds.Margin); {
	case math.Log(e.Ratio) >= margin:
		return Pays
	case math.Log(e.Ratio) <= -margin:
		return Loses
	}
	return Even
}

// byLayout reports what [Verdict.ByLayout] says.
func (v *Verdict) byLayout(margin float64) bool {
	if v.Layout == nil || v.Layout.P > 0.01 {
		return false
	}
	usual := spread * v.Layout.SD
	return usual >= math.Log1p(margin) && usual > math.Abs(math.Log(v.Ratio))/2
}

// spread is how many standard deviations from the middle eight of ten layouts lie.
const spread = 1.28

// LayoutRange is where the ratio lies in eight of ten layouts.
func (v *Verdict) LayoutRange() (low, high float64) {
	return v.Ratio * math.Exp(-spread*v.Layout.SD), v.Ratio * math.Exp(spread*v.Layout.SD)
}

func newVerdict(s *measure.Series, c measure.Comparison) Verdict {
	f := s.Families[c.Family]
	v := Verdict{
		Kind: c.Kind, Package: s.Package, Benchmark: f.Name, Variant: f.Members[c.Member].Variant, Base: f.Members[c.Member].Variant,
		New: c.New, BaseCell: c.Base, Group: f.Group, Params: f.Params,
		Wall: medianWall(s.Samples[c.New]), BaseWall: medianWall(s.Samples[c.Base]),
		Goroutines: goroutines(s, c.New.Bench), BaseGoroutines: goroutines(s, c.Base.Bench),
	}
	if c.Kind == measure.Variant && f.Base >= 0 { // two that are compared on their own may have none
		v.Base = f.Members[f.Base].Variant
	}
	return v
}

// why is the reason for which nothing can be said. The order is that in which
// [stats.Bounds.Decide] asks.
func why(v Verdict, rule stats.Rule, bounds stats.Bounds) string {
	alpha, under := rule.Error(), fmt.Sprintf("the margin of %.3g %%", 100*bounds.Margin)
	switch {
	case v.Pairs == 0:
		return "not measured"
	case v.Pairs < rule.Looks[0]:
		return fmt.Sprintf("%s; %d are needed", pairs(v.Pairs), rule.Looks[0])
	case v.AdjustedP > alpha && (v.Low > 1 || v.High < 1):
		return "one of many comparisons: could be chance"
	case v.Low > 1 || v.High < 1:
		if edge := 1 + bounds.Margin; v.Low >= 1/edge && v.High <= edge { // even is read from a wider interval
			return fmt.Sprintf("the difference is below %s, but after %d pairs that is not sure enough for even: that interval is [%.3g, %.3g]", under, v.Pairs, v.EvenLow, v.EvenHigh)
		}
		return fmt.Sprintf("there is a difference, but after %d pairs it may be below %s", v.Pairs, under)
	case v.Unseen > math.Log(v.High/v.Low)/8: // over half of its width squared
		return fmt.Sprintf("the interval is too wide after %d pairs in %s of the code: others may move it", v.Pairs, figure.Plural(v.Estimate.Layouts, "layout"))
	default:
		return fmt.Sprintf("the interval is too wide after %d pairs", v.Pairs)
	}
}

func pairs(n int) string {
	if n == 1 {
		return "1 pair"
	}
	return fmt.Sprintf("%d pairs", n)
}

// wanted is how many processors a cell would have used.
func wanted(c measure.Cell, samples []measure.Sample) float64 {
	x := make([]float64, len(samples))
	for i, s := range samples {
		x[i] = s.Wanted(c.Procs)
	}
	return stats.Median(x)
}

func medianCores(s []measure.Sample) float64 {
	c := make([]float64, len(s))
	for i := range s {
		c[i] = s[i].Cores()
	}
	return stats.Median(c)
}

func medianWall(s []measure.Sample) float64 {
	w := make([]float64, len(s))
	for i := range s {
		w[i] = s[i].Wall
	}
	return stats.Median(w)
}
