package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/predict"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/stats"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

// Input is what a report is made from.
type Input struct {
	Payoff   string
	Env      machine.Env
	Capacity []machine.Capacity
	Prices   machine.Prices
	Series   []*measure.Series
	Results  []judge.Result      // of Series, in the same order
	Findings [][]explain.Finding // likewise; nil if there are none
	Dir      string              // places in the source are shown relative to it; "" leaves them
	Problems []problem.Problem
	Record   string
	Seconds  float64
	Asked    *cmdline.Asked // what the user asked for; nil: older records do not tell
	Base, Vs string         // what is compared here, where a record was asked for another base
	Pages    bool           // the evidence pages are shown
	// Treatments are the edits that were looked for, of Series in the same order;
	// nil where none were.
	Treatments []*verify.Treatment
	// Predictions are what a model says of more processors.
	Predictions []predict.Prediction
	// Codes are the two states of the code that are compared; nil where they are not.
	Codes *discover.Compared
}

// New makes the report.
func New(in Input) *Doc {
	d := &Doc{
		Schema: Schema, Payoff: in.Payoff, Environment: in.Env, Capacity: append([]machine.Capacity{}, in.Capacity...), Prices: in.Prices,
		Packages: []Package{}, Comparisons: []Comparison{}, Crossovers: []Crossover{}, Laws: []Law{}, Problems: []problem.Problem{},
		Warnings: []string{}, Record: in.Record, Seconds: in.Seconds, Asked: in.Asked, pages: in.Pages, dir: in.Dir, base: in.Base, vs: in.Vs,
		Predicted: predicted(in.Predictions),
	}
	if d.Asked != nil && d.base != "" {
		a := d.again()
		d.Asked = &a
	}
	d.Problems = append(d.Problems, in.Problems...)
	var warnings []string
	warned := map[string][]string{} // the packages that a warning is about
	warn := func(pkg, text string) {
		if warned[text] == nil {
			warnings = append(warnings, text)
		}
		warned[text] = append(warned[text], pkg)
	}
	var unsteady []string
	least, most := math.Inf(1), 0.0 // that is believed in these
	for i, r := range in.Results {
		s := in.Series[i]
		if r.Unsteady {
			unsteady = append(unsteady, s.Package)
			least, most = min(least, r.Margin), max(most, r.Margin)
		}
		p := Package{Package: s.Package, Procs: s.Procs, End: s.End, Dropped: s.Dropped, Control: estimate(r.Control), Resolution: finite(r.Resolution), Margin: r.Margin, Even: r.Even, Cost: s.Cost, Needs: s.Needs.Nanoseconds()}
		for _, samples := range s.Samples {
			p.Samples += len(samples)
			for _, x := range samples {
				p.Layouts = max(p.Layouts, int(x.Layout)+1)
			}
		}
		d.Packages = append(d.Packages, p)
		d.Problems = append(d.Problems, s.Problems...)
		for _, w := range r.Warnings {
			warn(s.Package, w)
		}
		for _, v := range r.Verdicts {
			c := comparison(v)
			c.spread(s, v)
			if i < len(in.Findings) {
				c.explain(v, in.Findings[i], in.Dir)
			}
			d.Comparisons = append(d.Comparisons, c)
		}
		for _, fam := range s.Families {
			for _, m := range fam.Members {
				if len(s.Samples[measure.Cell{Bench: m.Bench, Procs: 1}]) > 0 && len(s.Procs) > 1 {
					d.Laws = append(d.Laws, law(s, m.Bench))
				}
			}
		}
		for _, c := range r.Crossovers {
			d.Crossovers = append(d.Crossovers, Crossover{c.Package, c.Group, c.Variant, c.Base, c.Procs, paramKey(c.Param),
				Interval{Value: finite(c.At), Low: finite(c.Low), High: finite(c.High)}, c.Below, c.Above})
		}
		if s.End == measure.Interrupted {
			warn(s.Package, "interrupted: judged from what there is")
		}
	}
	if len(unsteady) > 0 {
		under := fmt.Sprintf("%.0f%%", 100*most)
		if low := fmt.Sprintf("%.0f%%", 100*least); low != under {
			under = low + " to " + under + ", by package,"
		}
		d.Warnings = append(d.Warnings, fmt.Sprintf("%s: the machine was not steady: the same code against itself showed a difference; differences under %s are not believed", SomeOf(unsteady), under))
	}
	for _, w := range warnings {
		d.Warnings = append(d.Warnings, SomeOf(warned[w])+": "+w)
	}
	owners := map[string]owner{}
	for i, seen := range in.Treatments {
		if seen == nil {
			d.treatments = append(d.treatments, nil)
			continue
		}
		t := &treated{Treatment: seen}
		d.treatments = append(d.treatments, t)
		if t.Prescription != nil {
			proofs := t.Proofs()
			t.settle(proofs, owners)
			d.Fixes = append(d.Fixes, t.fixes(proofs, in.Series[i].Taken, in.Dir))
			if t.Record != nil && t.Record.Problem != nil {
				d.Problems = append(d.Problems, *t.Record.Problem)
			}
		}
	}
	d.thin()
	d.Warnings = append(d.hints(), d.Warnings...)
	d.Missing = d.lacks(in)
	d.Summary = d.summarize()
	d.Cured = d.cured()
	if d.given() {
		d.Outcome, _ = d.outcome()
	}
	d.Next = d.next()
	if in.Codes != nil {
		d.compared(in)
	}
	return d
}

func unique(s []string) []string {
	out := []string{}
	for _, x := range s {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

// paramKey is what a number in a name is called: what has no key is a size.
func paramKey(key string) string { return cmp.Or(key, "size") }

// SomeOf names packages: of many the first.
func SomeOf(packages []string) string {
	const some = 3
	if rest := len(packages) - some; rest > 1 {
		return fmt.Sprintf("%s and %d more packages", strings.Join(packages[:some], ", "), rest)
	}
	return strings.Join(packages, ", ")
}

func comparison(v judge.Verdict) Comparison {
	c := Comparison{
		Package: v.Package, Benchmark: v.Benchmark, Variant: v.Variant, Base: v.Base, Kind: v.Kind, Procs: v.New.Procs, BaseProcs: v.BaseCell.Procs,
		Verdict: v.Word, Ratio: finite(v.Ratio), Low: finite(v.Low), High: finite(v.High), Pairs: v.Pairs, P: finite(v.AdjustedP), Why: v.Why,
		Wall: finite(v.Wall), BaseWall: finite(v.BaseWall), Cores: factor(v.Identity.Cores), BaseCores: factor(v.Identity.BaseCores),
		Overhead: factor(v.Identity.Overhead), Inflation: factor(v.Identity.Inflation), Name: v.New.Bench, BaseName: v.BaseCell.Bench, Causes: []Cause{},
	}
	c.Goroutines, c.BaseGoroutines = v.Goroutines, v.BaseGoroutines
	c.EvenLow, c.EvenHigh, c.Layouts = finite(v.EvenLow), finite(v.EvenHigh), v.Estimate.Layouts
	if v.Layout != nil {
		low, high := v.LayoutRange()
		c.Layout = Layout{finite(low), finite(high), finite(v.Layout.P), v.ByLayout}
	}
	if v.Unclean != nil {
		c.Unclean = estimate(*v.Unclean)
	}
	for _, x := range v.Doubts {
		c.Doubts = append(c.Doubts, Doubt{x.Kind, x.Cell.Bench, x.Cell.Procs, x.Text})
	}
	for _, p := range v.Params {
		if c.Params == nil {
			c.Params = map[string]float64{}
		}
		key := paramKey(p.Key)
		for n := 2; p.Key == ""; n++ {
			if _, taken := c.Params[key]; !taken {
				break
			}
			key = fmt.Sprintf("%s%d", paramKey(""), n)
		}
		c.Params[key] = p.Value
		c.Group = v.Group
	}
	return c
}

// fewPairs are so few that their interval is wide whatever they say: with it stands
// the range of the pairs.
const fewPairs = 5

func (c *Comparison) spread(s *measure.Series, v judge.Verdict) {
	if v.Pairs < 3 || v.Pairs > fewPairs {
		return
	}
	logs := s.Pairs(measure.Comparison{Kind: v.Kind, New: v.New, Base: v.BaseCell}).Logs
	if len(logs) < v.Pairs {
		return
	}
	logs = logs[:v.Pairs]
	c.PairsLow, c.PairsHigh = finite(math.Exp(slices.Min(logs))), finite(math.Exp(slices.Max(logs)))
}

// explain takes over what was found on v, the verdict that c is.
func (c *Comparison) explain(v judge.Verdict, findings []explain.Finding, dir string) {
	i := slices.IndexFunc(findings, func(f explain.Finding) bool {
		return !f.Costs && f.Verdict.Kind == v.Kind && f.Verdict.New == v.New && f.Verdict.BaseCell == v.BaseCell
	})
	if i < 0 {
		return
	}
	f := &findings[i]
	c.Explained = true
	c.Page = page(f, dir)
	c.Lost, c.Unexplained = finite(f.Lost), finite(f.Unexplained)
	for _, x := range f.Causes {
		cause := Cause{Slug: x.Slug, Title: x.Title, Share: x.Share, Low: finite(x.Low), High: finite(x.High), Tie: x.Tie, NS: x.NS, Evidence: []Evidence{}, Places: []Place{}, Price: x.Price, Do: x.Do}
		for _, e := range x.Evidence {
			cause.Evidence = append(cause.Evidence, Evidence{e.Text, e.Site.Near(dir)})
		}
		for _, l := range f.Losses {
			if l.Slug == x.Slug {
				cause.Places = append(cause.Places, Place{l.Place.Near(dir), l.NS, finite(l.Low), finite(l.High)})
			}
		}
		c.Causes = append(c.Causes, cause)
	}
	for _, e := range f.Known {
		c.Known = append(c.Known, Evidence{e.Text, e.Site.Near(dir)})
	}
	if b := f.Bound; b != nil {
		c.Bound = Bound{finite(b.Parallelism), finite(b.Burdened), finite(b.Work), finite(b.Span)}
	}
}

func law(s *measure.Series, bench string) Law {
	l := Law{Package: s.Package, Name: bench, Curve: []LawPoint{}}
	fit, err := explain.FitLaw(s, bench)
	if err != nil {
		l.Why = err.Error()
		return l
	}
	l.Sigma, l.Kappa, l.Knee = factor(fit.Sigma), factor(fit.Kappa), finite(fit.Knee)
	for _, p := range fit.Curve {
		l.Curve = append(l.Curve, LawPoint{p.Procs, Interval{Value: finite(p.Value), Low: finite(p.Low), High: finite(p.High)}, finite(p.Measured)})
	}
	return l
}

func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

func factor(f judge.Factor) Interval {
	return Interval{Value: finite(f.Value), Low: finite(f.Low), High: finite(f.High)}
}

func estimate(e stats.Estimate) Interval {
	return Interval{Value: finite(e.Ratio), Low: finite(e.Low), High: finite(e.High), Pairs: e.Pairs}
}
