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
	"slices"

	"github.com/gopayoff/payoff/tool/internal/discover"
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

// A Factor is a ratio with its 95 % interval. All NaN if it could not be had.
type Factor struct{ Value, Low, High float64 }

// An Identity takes a speedup apart:
//
//	Ratio = Cores / BaseCores / (Overhead × Inflation)
//
// Cores is the processors the new side used, BaseCores those of the base
// (about 1 for a serial base that computes). Overhead is the CPU time of the
// new side on one processor over the base's: what the concurrent code costs
// before anything runs at once. Inflation is its CPU time on all processors
// over that on one: what running at once costs. The factors are Hodges–Lehmann
// estimates of their own, so the identity holds within their intervals.
type Identity struct{ Cores, BaseCores, Overhead, Inflation Factor }

// Known reports whether CPU time could be measured.
func (i Identity) Known() bool {
	return !math.IsNaN(i.Cores.Value) && !math.IsNaN(i.Overhead.Value) && !math.IsNaN(i.Inflation.Value)
}

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
	Why            string // for CannotSay: what is missing
	Group          string
	Params         []discover.Param
}

// A Crossover is the size from which a variant pays.
type Crossover struct {
	Package, Group, Variant, Base string
	Procs                         int
	Param                         string
	At, Low, High                 float64 // the size, interpolated, with its 95 % interval
	Below, Above                  float64 // the measured sizes around it
}

// A Result is all verdicts of one package.
type Result struct {
	Package    string
	Verdicts   []Verdict // variants against bases first, then scaling
	Control    stats.Estimate
	Resolution float64 // the smallest difference that a comparison as noisy as Control finds at the last look with 80 % power
	Margin     float64 // the smallest difference that counts here
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
	alpha := rule.Alpha
	if alpha == 0 {
		alpha = stats.DefaultRule.Alpha
	}
	if d := bounds.Decide(r.Control, r.Control.P, alpha); d == stats.Faster || d == stats.Slower {
		// The same binary differed from itself: nothing smaller is believed.
		far := math.Max(math.Abs(math.Log(r.Control.Low)), math.Abs(math.Log(r.Control.High)))
		bounds.Margin = math.Max(bounds.Margin, math.Expm1(far))
		r.Warnings = append(r.Warnings, fmt.Sprintf("the machine was not steady: the same code against itself came out %.3f [%.3f, %.3f]; differences under %.0f%% are not believed",
			r.Control.Ratio, r.Control.Low, r.Control.High, 100*bounds.Margin))
	}
	r.Margin = bounds.Margin

	comparisons := measure.Comparisons(s.Families, s.Procs)
	logs := make([][]float64, len(comparisons))
	p := make([]float64, len(comparisons))
	for i, c := range comparisons {
		logs[i] = s.LogRatios(c)
		v := newVerdict(s, c)
		v.Estimate = lastLook(logs[i], rule, bounds)
		p[i] = v.P
		if v.Pairs == 0 {
			p[i] = math.NaN() // not measured: no comparison
		}
		r.Verdicts = append(r.Verdicts, v)
	}
	for i, adjusted := range stats.Adjust(p) {
		r.Verdicts[i].AdjustedP = adjusted
		r.Verdicts[i].decide(s, rule, bounds)
		r.Verdicts[i].Identity = identity(s, comparisons[i])
	}
	r.Crossovers = crossovers(s, comparisons, r.Verdicts, logs)
	return r
}

// Compare judges two cells of a series that were not compared in the run, on
// their own: there is no correction for other comparisons. c.Member names the
// new side, c.Base any cell of the series.
func Compare(s *measure.Series, c measure.Comparison, rule stats.Rule, bounds stats.Bounds) Verdict {
	v := newVerdict(s, c)
	v.Estimate = lastLook(s.LogRatios(c), rule, bounds)
	v.AdjustedP = v.P
	v.decide(s, rule, bounds)
	v.Identity = identity(s, c)
	return v
}

// lastLook is the estimate a verdict is taken from: of the last planned look
// and of all pairs, whose number stands for the next look, the one that is
// surer. Both are looks of the plan, so either may decide.
func lastLook(logs []float64, rule stats.Rule, bounds stats.Bounds) stats.Estimate {
	all := rule.Estimate(logs)
	for _, n := range slices.Backward(rule.Looks) {
		if n < len(logs) {
			planned := rule.Estimate(logs[:n])
			open := bounds.Decide(all, all.P, rule.Alpha) == stats.Open
			if bounds.Decide(planned, planned.P, rule.Alpha) != stats.Open && (open || planned.P < all.P) {
				return planned
			}
			break
		}
	}
	return all
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
			cores := make([]float64, len(samples))
			for i, x := range samples {
				cores[i] = x.Cores()
			}
			if m := stats.Median(cores); m > given { // never if unknown
				given = m
			}
		}
	}
	return given, true
}

// decide chooses the word.
func (v *Verdict) decide(s *measure.Series, rule stats.Rule, bounds stats.Bounds) {
	n := v.New.Procs
	if s.Usable > 0 {
		n = min(n, s.Usable)
	}
	if given, ok := Given(s, v.New.Procs); ok && n > 1 && given < Enough*float64(n) {
		v.Word = CannotSay
		v.Why = fmt.Sprintf("the machine gave %.2f of %d processors", given, n)
		return
	}
	alpha := rule.Alpha
	if alpha == 0 {
		alpha = stats.DefaultRule.Alpha
	}
	switch bounds.Decide(v.Estimate, v.AdjustedP, alpha) {
	case stats.Faster:
		v.Word = Pays
	case stats.Slower:
		v.Word = Loses
	case stats.Same:
		v.Word = Even
	default:
		v.Word = CannotSay
		v.Why = why(*v, rule, alpha)
	}
}

func newVerdict(s *measure.Series, c measure.Comparison) Verdict {
	f := s.Families[c.Family]
	v := Verdict{
		Kind: c.Kind, Package: s.Package, Benchmark: f.Name, Variant: f.Members[c.Member].Variant, Base: f.Members[c.Member].Variant,
		New: c.New, BaseCell: c.Base, Group: f.Group, Params: f.Params,
		Wall: medianWall(s.Samples[c.New]), BaseWall: medianWall(s.Samples[c.Base]),
	}
	if c.Kind == measure.Variant {
		v.Base = f.Members[f.Base].Variant
	}
	return v
}

func why(v Verdict, rule stats.Rule, alpha float64) string {
	switch {
	case v.Pairs == 0:
		return "not measured"
	case v.Pairs < rule.Looks[0]:
		return fmt.Sprintf("%d pairs; %d are needed", v.Pairs, rule.Looks[0])
	case v.AdjustedP > alpha && (v.Low > 1 || v.High < 1):
		return "one of many comparisons: could be chance"
	default:
		return fmt.Sprintf("the interval is too wide after %d pairs", v.Pairs)
	}
}

func medianWall(s []measure.Sample) float64 {
	w := make([]float64, len(s))
	for i := range s {
		w[i] = s[i].Wall
	}
	return stats.Median(w)
}

func identity(s *measure.Series, c measure.Comparison) Identity {
	cpu := func(x measure.Sample) float64 { return x.CPU }
	ratio := func(num, den measure.Cell) Factor {
		if num == den {
			return Factor{1, 1, 1}
		}
		return factor(s.PairLogs(measure.Comparison{Base: num, New: den}, cpu))
	}
	one := c.New
	one.Procs = 1
	id := Identity{
		Cores:     factor(coreLogs(s.Samples[c.New])),
		BaseCores: factor(coreLogs(s.Samples[c.Base])),
		Inflation: ratio(c.New, one),
		Overhead:  ratio(one, c.Base),
	}
	return id
}

func coreLogs(samples []measure.Sample) []float64 {
	var out []float64
	for _, s := range samples {
		if l := math.Log(s.Cores()); !math.IsNaN(l) && !math.IsInf(l, 0) {
			out = append(out, l)
		}
	}
	return out
}

func factor(logs []float64) Factor {
	low, high := stats.SignedRankInterval(logs, 0.95)
	return Factor{math.Exp(stats.HodgesLehmann(logs)), math.Exp(low), math.Exp(high)}
}

// crossovers finds, where families differ in one number, the size from which
// a variant pays: between a size where it does not and the next where it does.
func crossovers(s *measure.Series, comparisons []measure.Comparison, verdicts []Verdict, logs [][]float64) []Crossover {
	type key struct {
		group, variant string
		procs          int
	}
	groups := map[key][]int{}
	var order []key
	for i, v := range verdicts {
		if v.Kind == measure.Variant && len(v.Params) == 1 && v.Pairs > 0 {
			k := key{v.Group, v.Variant, v.New.Procs}
			if groups[k] == nil {
				order = append(order, k)
			}
			groups[k] = append(groups[k], i)
		}
	}
	var out []Crossover
	for _, k := range order {
		is := groups[k]
		slices.SortFunc(is, func(a, b int) int {
			return int(math.Copysign(1, verdicts[a].Params[0].Value-verdicts[b].Params[0].Value))
		})
		for j := 1; j < len(is); j++ {
			lo, hi := verdicts[is[j-1]], verdicts[is[j]]
			if hi.Word != Pays || lo.Word == Pays || lo.Ratio >= 1 ||
				slices.ContainsFunc(is[j:], func(i int) bool { return verdicts[i].Word != Pays }) {
				continue
			}
			a, b := lo.Params[0].Value, hi.Params[0].Value
			la, lb := logs[is[j-1]], logs[is[j]]
			cross := func(x, y float64) float64 { // where the line through both points is 0, in log-log
				t := -x / (y - x)
				return math.Exp(math.Log(a) + min(max(t, 0), 1)*(math.Log(b)-math.Log(a)))
			}
			n := len(la)
			low, high := stats.Bootstrap(n+len(lb), 1000, 0.95, 1, func(draw []int) float64 {
				var x, y []float64
				for _, d := range draw {
					if d < n {
						x = append(x, la[d])
					} else {
						y = append(y, lb[d-n])
					}
				}
				return cross(stats.Median(x), stats.Median(y))
			})
			out = append(out, Crossover{
				Package: s.Package, Group: k.group, Variant: k.variant, Base: lo.Base, Procs: k.procs, Param: lo.Params[0].Key,
				At: cross(math.Log(lo.Ratio), math.Log(hi.Ratio)), Low: low, High: high, Below: a, Above: b,
			})
			break
		}
	}
	return out
}
