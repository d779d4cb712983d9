// Package report says what a run found: as text for a terminal, as JSON for
// programs. The first line answers the question, the last is the next command.
//
// Both forms hold the same content, a [Doc]. It knows nothing of how the
// verdicts were reached.
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// Schema is the version of the JSON form; docs/json.md describes it. Fields
// are added without a new version, never renamed or taken away.
const Schema = 1

// A Doc is a report.
type Doc struct {
	Schema      int                `json:"schema"`
	Payoff      string             `json:"payoff"`
	Summary     string             `json:"summary"`
	Environment machine.Env        `json:"environment"`
	Capacity    []machine.Capacity `json:"capacity"`
	Prices      machine.Prices     `json:"prices"`
	Packages    []Package          `json:"packages"`
	Comparisons []Comparison       `json:"comparisons"`
	Crossovers  []Crossover        `json:"crossovers"`
	Laws        []Law              `json:"laws"`
	Problems    []discover.Problem `json:"problems"`
	Warnings    []string           `json:"warnings"` // doubts about the figures
	Missing     []string           `json:"missing"`  // what could not be had here
	Record      string             `json:"record"`   // folder of the raw results
	Seconds     float64            `json:"seconds"`  // of the whole run
	Next        string             `json:"next"`

	loses int
	dir   string
}

// A Package is what was measured of one package.
type Package struct {
	Package    string         `json:"package"`
	Procs      []int          `json:"procs"`
	End        measure.End    `json:"end"`
	Samples    int            `json:"samples"` // kept
	Layouts    int            `json:"layouts"` // of the code, that they ran in
	Dropped    map[string]int `json:"dropped"` // by reason
	Control    Interval       `json:"control"` // the same code against itself: the noise floor
	Resolution *float64       `json:"resolution"`
	Margin     float64        `json:"margin"` // smaller differences do not count
	Even       float64        `json:"even"`   // what even rules out: any difference is smaller
	Cost       measure.Cost   `json:"costNs"`
}

// An Interval is an estimate with its 95 % interval; null where unknown.
type Interval struct {
	Value *float64 `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
	Pairs int      `json:"pairs,omitempty"`
}

// A Comparison is one verdict.
type Comparison struct {
	Package   string       `json:"package"`
	Benchmark string       `json:"benchmark"`
	Variant   string       `json:"variant"`
	Base      string       `json:"base"` // the base variant; for kind scaling the variant itself, at baseProcs
	Kind      measure.Kind `json:"kind"`
	Procs     int          `json:"procs"`
	BaseProcs int          `json:"baseProcs"`
	Verdict   judge.Word   `json:"verdict"`
	Ratio     *float64     `json:"ratio"` // base time / variant time: above 1 is faster
	Low       *float64     `json:"low"`
	High      *float64     `json:"high"`
	Pairs     int          `json:"pairs"`
	P         *float64     `json:"p"` // corrected for the number of looks and of comparisons
	// EvenLow and EvenHigh are the interval from which even is read: it must lie
	// within the margin and the precision together.
	EvenLow  *float64 `json:"evenLow"`
	EvenHigh *float64 `json:"evenHigh"`
	Layouts  int      `json:"layouts"` // of the code, that the pairs ran in
	Layout   Layout   `json:"layout"`  // what they do to the ratio; null values where that is not known
	// Unclean is the estimate from all samples, those that others disturbed too;
	// null values where none was disturbed.
	Unclean   Interval           `json:"unclean"`
	Why       string             `json:"why,omitempty"`
	Wall      *float64           `json:"ns"` // per operation, median
	BaseWall  *float64           `json:"baseNs"`
	Cores     Interval           `json:"cores"`
	BaseCores Interval           `json:"baseCores"`
	Overhead  Interval           `json:"overhead"`
	Inflation Interval           `json:"inflation"`
	Params    map[string]float64 `json:"params,omitempty"`
	Name      string             `json:"name"` // as go test prints it

	// Explained says that causes were looked for. Causes are those found, most
	// first; none is an answer.
	Explained   bool     `json:"explained"`
	Causes      []Cause  `json:"causes"`
	Lost        *float64 `json:"lostNs"`      // processor time per operation beyond the base's
	Unexplained *float64 `json:"unexplained"` // share of it that no cause claims
	// Known is what is known of a loss without a cause.
	Known []Evidence `json:"known,omitempty"`
	Bound Bound      `json:"bound"`

	v       judge.Verdict
	finding *explain.Finding
}

// A Layout is what the layout of the code does to a ratio.
type Layout struct {
	Low     *float64 `json:"low"` // the ratio in eight of ten layouts
	High    *float64 `json:"high"`
	P       *float64 `json:"p"`       // of "it does nothing"
	Decides bool     `json:"decides"` // the difference changes its sign, or by half
}

// A Cause is a reason for a verdict, from the catalogue (payoff explain).
type Cause struct {
	Slug     string     `json:"slug"`
	Title    string     `json:"title"`
	Share    float64    `json:"share"` // of the lost processor time
	Low      *float64   `json:"low,omitempty"`
	High     *float64   `json:"high,omitempty"`
	Tie      bool       `json:"tie,omitempty"`
	NS       float64    `json:"ns"` // per operation
	Evidence []Evidence `json:"evidence"`
	Price    string     `json:"price,omitempty"`
	Do       string     `json:"do"`
}

// Evidence is what speaks for a cause, with the place it points at, if any.
type Evidence struct {
	Text string `json:"text"`
	source.Place
}

// A Bound is what work and span allow on any machine; null where there is no
// trace.
type Bound struct {
	Parallelism *float64 `json:"parallelism"` // work / span
	Burdened    *float64 `json:"burdened"`    // with the prices of hand-offs and spawns on the span
	Work        *float64 `json:"workNs"`
	Span        *float64 `json:"spanNs"`
}

// A Crossover is the size from which a variant pays.
type Crossover struct {
	Package   string   `json:"package"`
	Benchmark string   `json:"benchmark"`
	Variant   string   `json:"variant"`
	Base      string   `json:"base"`
	Procs     int      `json:"procs"`
	Param     string   `json:"param"`
	At        Interval `json:"at"`
	Below     float64  `json:"below"` // the largest size measured where it does not pay
	Above     float64  `json:"above"` // the smallest from which it does
}

// A Law is the universal scalability law fitted to one benchmark's speedups.
type Law struct {
	Package string   `json:"package"`
	Name    string   `json:"name"` // as go test prints it
	Sigma   Interval `json:"sigma"`
	Kappa   Interval `json:"kappa"`
	// Knee is the number of processors from which more make it slower; null
	// where there is none.
	Knee  *float64   `json:"knee"`
	Curve []LawPoint `json:"curve"`
	Why   string     `json:"why,omitempty"` // there is no law
}

// A LawPoint is a speedup against one processor.
type LawPoint struct {
	Procs    int      `json:"procs"`
	Speedup  Interval `json:"speedup"`
	Measured *float64 `json:"measured"` // null beyond the measured counts
}

// Input is what a report is made from.
type Input struct {
	Payoff   string
	Env      machine.Env
	Capacity []machine.Capacity
	Prices   machine.Prices
	Advice   []string
	Series   []*measure.Series
	Results  []judge.Result      // of Series, in the same order
	Findings [][]explain.Finding // likewise; nil if there are none
	Dir      string              // places in the source are shown relative to it; "" leaves them
	Problems []discover.Problem
	Record   string
	Seconds  float64
}

// New makes the report.
func New(in Input) *Doc {
	d := &Doc{
		Schema: Schema, Payoff: in.Payoff, Environment: in.Env, Capacity: append([]machine.Capacity{}, in.Capacity...), Prices: in.Prices,
		Packages: []Package{}, Comparisons: []Comparison{}, Crossovers: []Crossover{}, Laws: []Law{}, Problems: []discover.Problem{},
		Warnings: slices.Clone(in.Advice), Missing: slices.Concat(in.Env.Missing, in.Prices.Missing), Record: in.Record, Seconds: in.Seconds, dir: in.Dir,
	}
	d.Problems = append(d.Problems, in.Problems...)
	for i, r := range in.Results {
		s := in.Series[i]
		p := Package{Package: s.Package, Procs: s.Procs, End: s.End, Dropped: s.Dropped, Control: estimate(r.Control), Resolution: finite(r.Resolution), Margin: r.Margin, Even: r.Even, Cost: s.Cost}
		for _, samples := range s.Samples {
			p.Samples += len(samples)
			for _, x := range samples {
				p.Layouts = max(p.Layouts, int(x.Layout)+1)
			}
		}
		d.Packages = append(d.Packages, p)
		d.Problems = append(d.Problems, s.Problems...)
		d.Missing = append(d.Missing, s.Missing...)
		for _, w := range r.Warnings {
			d.Warnings = append(d.Warnings, s.Package+": "+w)
		}
		for _, v := range r.Verdicts {
			c := comparison(v)
			if i < len(in.Findings) {
				c.explain(in.Findings[i], in.Dir)
			}
			d.Comparisons = append(d.Comparisons, c)
			if v.Word == judge.Loses {
				d.loses++
			}
		}
		for _, fam := range s.Families {
			for _, m := range fam.Members {
				if len(s.Samples[measure.Cell{Bench: m.Bench, Procs: 1}]) > 0 && len(s.Procs) > 1 {
					d.Laws = append(d.Laws, law(s, m.Bench))
				}
			}
		}
		for _, c := range r.Crossovers {
			d.Crossovers = append(d.Crossovers, Crossover{c.Package, c.Group, c.Variant, c.Base, c.Procs, c.Param,
				Interval{Value: finite(c.At), Low: finite(c.Low), High: finite(c.High)}, c.Below, c.Above})
		}
		if s.End == measure.Interrupted {
			d.Warnings = append(d.Warnings, s.Package+": interrupted: judged from what there is")
		}
	}
	d.Missing = unique(d.Missing)
	if d.Warnings == nil {
		d.Warnings = []string{}
	}
	d.Summary = d.summarize()
	d.Next = d.next()
	return d
}

// Keep leaves out comparisons and laws of benchmarks whose names do not match.
func (d *Doc) Keep(match func(name string) bool) {
	d.Comparisons = slices.DeleteFunc(d.Comparisons, func(c Comparison) bool { return !match(c.Name) })
	d.Laws = slices.DeleteFunc(d.Laws, func(l Law) bool { return !match(l.Name) })
}

// Loses reports whether anything loses.
func (d *Doc) Loses() bool { return d.loses > 0 }

// Failed reports whether something could not be measured.
func (d *Doc) Failed() bool {
	return slices.ContainsFunc(d.Problems, func(p discover.Problem) bool { return !p.Note })
}

// JSON writes the report as JSON.
func (d *Doc) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(d)
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

func comparison(v judge.Verdict) Comparison {
	c := Comparison{
		Package: v.Package, Benchmark: v.Benchmark, Variant: v.Variant, Base: v.Base, Kind: v.Kind, Procs: v.New.Procs, BaseProcs: v.BaseCell.Procs,
		Verdict: v.Word, Ratio: finite(v.Ratio), Low: finite(v.Low), High: finite(v.High), Pairs: v.Pairs, P: finite(v.AdjustedP), Why: v.Why,
		Wall: finite(v.Wall), BaseWall: finite(v.BaseWall), Cores: factor(v.Identity.Cores), BaseCores: factor(v.Identity.BaseCores),
		Overhead: factor(v.Identity.Overhead), Inflation: factor(v.Identity.Inflation), Name: v.New.Bench, Causes: []Cause{}, v: v,
	}
	c.EvenLow, c.EvenHigh, c.Layouts = finite(v.EvenLow), finite(v.EvenHigh), v.Estimate.Layouts
	if v.Layout != nil {
		low, high := v.LayoutRange()
		c.Layout = Layout{finite(low), finite(high), finite(v.Layout.P), v.ByLayout}
	}
	if v.Unclean != nil {
		c.Unclean = estimate(*v.Unclean)
	}
	for _, p := range v.Params {
		if p.Key != "" {
			if c.Params == nil {
				c.Params = map[string]float64{}
			}
			c.Params[p.Key] = p.Value
		}
	}
	return c
}

// explain takes over what was found on c.
func (c *Comparison) explain(findings []explain.Finding, dir string) {
	i := slices.IndexFunc(findings, func(f explain.Finding) bool {
		return f.Verdict.Kind == c.Kind && f.Verdict.New == c.v.New && f.Verdict.BaseCell == c.v.BaseCell
	})
	if i < 0 {
		return
	}
	f := &findings[i]
	c.finding = f
	c.Explained = true
	c.Lost, c.Unexplained = finite(f.Lost), finite(f.Unexplained)
	for _, x := range f.Causes {
		cause := Cause{Slug: x.Slug, Title: x.Title, Share: x.Share, Low: finite(x.Low), High: finite(x.High), Tie: x.Tie, NS: x.NS, Evidence: []Evidence{}, Price: x.Price, Do: x.Do}
		for _, e := range x.Evidence {
			cause.Evidence = append(cause.Evidence, Evidence{e.Text, e.Site.Near(dir)})
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

// top is the largest processor count of a comparison's package.
func (d *Doc) top(pkg string) int {
	for _, p := range d.Packages {
		if p.Package == pkg {
			return slices.Max(p.Procs)
		}
	}
	return 1
}

// summarize answers in one line: does concurrency pay here?
func (d *Doc) summarize() string {
	var variants, scaling []Comparison
	for _, c := range d.Comparisons {
		if c.Procs != d.top(c.Package) || c.v.Pairs == 0 {
			continue
		}
		if c.Kind == measure.Variant {
			variants = append(variants, c)
		} else {
			scaling = append(scaling, c)
		}
	}
	switch {
	case len(variants) > 0:
		return answer(variants)
	case len(scaling) > 0:
		return scale(scaling)
	case slices.ContainsFunc(d.Packages, func(p Package) bool { return p.Samples > 0 }):
		return "Nothing to compare: one processor count and no variants. Give -procs or -base"
	case len(d.Problems) > 0:
		return "Nothing was measured: " + d.Problems[0].Reason
	default:
		return "Nothing was measured"
	}
}

func answer(cs []Comparison) string {
	by := map[judge.Word][]Comparison{}
	families := map[string]bool{}
	for _, c := range cs {
		by[c.Verdict] = append(by[c.Verdict], c)
		families[c.Package+c.Benchmark] = true
	}
	procs := plural(cs[0].Procs, "processor")
	if len(families) > 1 {
		return fmt.Sprintf("At %s concurrency %s: of %s %d pay, %d even, %d lose, %d cannot say",
			procs, inGeneral(by), plural(len(cs), "comparison"), len(by[judge.Pays]), len(by[judge.Even]), len(by[judge.Loses]), len(by[judge.CannotSay]))
	}
	var parts []string
	if pays := by[judge.Pays]; len(pays) > 0 {
		best := slices.MaxFunc(pays, func(a, b Comparison) int {
			return int(math.Copysign(1, a.v.Ratio-b.v.Ratio))
		})
		s := fmt.Sprintf("Concurrency pays: %s is %sx as fast as %s at %s", best.Variant, ratio(best.v.Ratio), best.Base, procs)
		if n := len(pays) - 1; n > 0 {
			s += fmt.Sprintf(" (%s)", also(pays, best, "pays too", "pay too"))
		}
		parts = append(parts, s)
	} else {
		verb := "does not pay"
		if len(by[judge.CannotSay]) == len(cs) {
			verb = "cannot be judged yet"
		}
		parts = append(parts, fmt.Sprintf("Concurrency %s at %s", verb, procs))
	}
	for _, w := range []struct {
		word     judge.Word
		one, all string
	}{{judge.Loses, "loses", "lose"}, {judge.Even, "is even", "are even"}, {judge.CannotSay, "cannot say", "cannot say"}} {
		if list := by[w.word]; len(list) > 0 {
			if w.word == judge.CannotSay {
				parts = append(parts, "cannot say for "+names(list))
			} else {
				parts = append(parts, also(list, Comparison{}, w.one, w.all))
			}
		}
	}
	return strings.Join(parts, "; ")
}

func inGeneral(by map[judge.Word][]Comparison) string {
	pays, other := len(by[judge.Pays]), len(by[judge.Even])+len(by[judge.Loses])
	switch {
	case pays > 0 && other == 0:
		return "pays"
	case pays > 0:
		return "pays in part"
	case other > 0:
		return "does not pay"
	}
	return "cannot be judged yet"
}

func scale(cs []Comparison) string {
	n := map[judge.Word]int{}
	for _, c := range cs {
		n[c.Verdict]++
	}
	procs := plural(cs[0].Procs, "processor")
	if len(cs) == 1 {
		c := cs[0]
		switch c.Verdict {
		case judge.Pays:
			return fmt.Sprintf("Concurrency pays: %s is %sx as fast on %s as on 1", c.Benchmark, ratio(c.v.Ratio), procs)
		case judge.Loses:
			return fmt.Sprintf("Concurrency loses: %s takes %sx the time on %s that it takes on 1", c.Benchmark, ratio(1/c.v.Ratio), procs)
		case judge.Even:
			return fmt.Sprintf("Concurrency makes no difference: %s is even on 1 and %s", c.Benchmark, procs)
		}
		return fmt.Sprintf("Cannot say yet whether %s gains from %s", c.Benchmark, procs)
	}
	return fmt.Sprintf("On %s instead of 1: of %s %d pay, %d even, %d lose, %d cannot say (no base to compare with: -base names one)",
		procs, plural(len(cs), "benchmark"), n[judge.Pays], n[judge.Even], n[judge.Loses], n[judge.CannotSay])
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func also(cs []Comparison, but Comparison, one, many string) string {
	rest := slices.DeleteFunc(slices.Clone(cs), func(c Comparison) bool { return c.Name != "" && c.Name == but.Name })
	if len(rest) == 1 {
		return rest[0].Variant + " " + one
	}
	return names(rest) + " " + many
}

func names(cs []Comparison) string {
	var n []string
	for i, c := range cs {
		if i == 4 && len(cs) > 5 {
			n = append(n, fmt.Sprintf("%d more", len(cs)-4))
			break
		}
		n = append(n, c.Variant)
	}
	if len(n) < 2 {
		return strings.Join(n, "")
	}
	return strings.Join(n[:len(n)-1], ", ") + " and " + n[len(n)-1]
}

// next is the command to type now.
func (d *Doc) next() string {
	var open, lose *Comparison
	for i := range d.Comparisons {
		c := &d.Comparisons[i]
		switch {
		case c.Verdict == judge.CannotSay && c.Pairs > 0 && open == nil:
			open = c
		case c.Verdict == judge.Loses && c.Kind == measure.Variant && lose == nil:
			lose = c
		}
	}
	for _, p := range d.Problems {
		switch {
		case p.Note:
		case p.Benchmark != "":
			return fmt.Sprintf("go test -run='^$' -bench='%s' %s", pattern(p.Benchmark), p.Package)
		default:
			return p.Next
		}
	}
	switch {
	case len(d.Packages) > 0 && open == nil && d.Packages[0].End == measure.Interrupted:
		return "payoff run " + d.Packages[0].Package
	case len(d.Comparisons) == 0:
		return "go help testfunc"
	case open != nil:
		if !d.budgetSpent() {
			return "payoff machine" // more pairs do not help; a steadier machine does
		}
		fn, _, _ := strings.Cut(open.Name, "/")
		return fmt.Sprintf("payoff run -budget 10m -bench '^%s$' %s", fn, open.Package)
	case lose != nil && len(lose.Causes) > 0:
		return fmt.Sprintf("payoff explain %s", lose.Causes[0].Slug)
	case lose != nil:
		return fmt.Sprintf("payoff why '%s' %s", functions(lose.v), lose.Package)
	}
	return "payoff replay -json " + d.Record
}

func (d *Doc) budgetSpent() bool {
	return slices.ContainsFunc(d.Packages, func(p Package) bool { return p.End == measure.Budget })
}

// functions matches the functions of both sides, so that a base is measured
// with what is compared with it.
func functions(v judge.Verdict) string {
	var out []string
	for _, bench := range []string{v.New.Bench, v.BaseCell.Bench} {
		fn, _, _ := strings.Cut(bench, "/")
		if p := "^" + regexp.QuoteMeta(fn) + "$"; !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return strings.Join(out, "|")
}

func pattern(name string) string {
	levels := strings.Split(name, "/")
	for i, l := range levels {
		levels[i] = "^" + regexp.QuoteMeta(l) + "$"
	}
	return strings.Join(levels, "/")
}
