package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/plain"
)

// A Compared says what became of the benchmarks from one state of the code to
// another.
type Compared struct {
	Old   discover.Code `json:"old"`
	New   discover.Code `json:"new"`
	Apart bool          `json:"apart"` // measured at different times
	// Changes are all benchmarks that both have, the largest loss first.
	Changes []Change    `json:"changes"`
	Gone    []Unmatched `json:"gone"`
	Added   []Unmatched `json:"added"`
	// Same are packages whose benchmarks are the same program in both: nothing was
	// measured of them.
	Same []string `json:"same,omitempty"`
	Gate *Gate    `json:"gate,omitempty"` // of payoff ci
}

// A Change is what became of a benchmark at a processor count.
type Change struct {
	Package   string     `json:"package"`
	Benchmark string     `json:"benchmark"`
	Procs     int        `json:"procs"`
	Word      ChangeWord `json:"word"`
	// More is by how much its time grew: 0.1 is 10 % more, below 0 it takes less.
	More  Interval `json:"more"`
	OldNs *float64 `json:"oldNs"` // per operation, medians
	NewNs *float64 `json:"newNs"`
	// Within is what no difference rules out: any is smaller. Left out of others.
	Within float64 `json:"within,omitempty"`
	Why    string  `json:"why,omitempty"` // for cannot say
	// File, relative to the repository, and Line are where the function begins; left
	// out where that is not known.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

// A ChangeWord is what became of a benchmark in a word.
type ChangeWord string

const (
	Faster       ChangeWord = "faster"
	Slower       ChangeWord = "slower"
	NoDifference ChangeWord = "no difference"
	CannotSay    ChangeWord = "cannot say"
)

var changeWords = map[judge.Word]ChangeWord{judge.Pays: Faster, judge.Loses: Slower, judge.Even: NoDifference, judge.CannotSay: CannotSay}

// ChangeOf is what a verdict on the new code against the old one says.
func ChangeOf(w judge.Word) ChangeWord { return changeWords[w] }

// An Unmatched is a benchmark of one state of the code alone.
type Unmatched struct {
	Package   string `json:"package"`
	Benchmark string `json:"benchmark"`
}

// Name is how reports call it: Sum/n=1000-4.
func (c *Change) Name() string {
	return fmt.Sprintf("%s-%d", strings.TrimPrefix(c.Benchmark, "Benchmark"), c.Procs)
}

// compared makes the report one of two states of the code.
func (d *Doc) compared(in Input) {
	x := &Compared{Old: in.Codes.Old, New: in.Codes.New, Apart: in.Codes.Apart(), Changes: []Change{}, Gone: []Unmatched{}, Added: []Unmatched{}, Same: in.Codes.Same}
	for i, r := range in.Results {
		s := in.Series[i]
		for _, v := range r.Verdicts {
			bench, _ := discover.CutCode(v.New.Bench)
			c := Change{Package: v.Package, Benchmark: bench, Procs: v.New.Procs, Word: ChangeOf(v.Word), Why: v.Why, OldNs: finite(v.BaseWall), NewNs: finite(v.Wall),
				More: Interval{Value: finite(1/v.Ratio - 1), Low: finite(1/v.High - 1), High: finite(1/v.Low - 1), Pairs: v.Pairs}}
			fn, _, _ := strings.Cut(bench, "/")
			if at, ok := s.Places[fn]; ok {
				c.File, c.Line = at.File, at.Line
			}
			if c.Word == NoDifference {
				c.Within = r.Even
			}
			x.Changes = append(x.Changes, c)
		}
		for _, n := range s.Gone {
			x.Gone = append(x.Gone, Unmatched{s.Package, n})
		}
		for _, n := range s.Added {
			x.Added = append(x.Added, Unmatched{s.Package, n})
		}
	}
	slices.SortStableFunc(x.Changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(slices.Index(changeOrder, a.Word), slices.Index(changeOrder, b.Word)), cmp.Compare(Number(b.More.Value), Number(a.More.Value)))
	})
	d.Compared, d.Laws, d.Crossovers = x, []Law{}, []Crossover{}
	if x.Apart {
		d.Warnings = append(d.Warnings, "the two runs are of different sessions: what changed with the machine between them counts as a change of the code, and no interval has it; "+
			"compare the commits to have them measured side by side")
	}
	d.Summary = x.summary(d)
	d.Next = d.nextCompared()
}

// changeOrder is that of the words in a report.
var changeOrder = []ChangeWord{Slower, CannotSay, Faster, NoDifference}

// Count is how many of the changes have a word.
func (x *Compared) Count(w ChangeWord) (n int) {
	for _, c := range x.Changes {
		if c.Word == w {
			n++
		}
	}
	return n
}

// Said is a code as a person would write it.
func Said(c discover.Code) string {
	s := c.Name
	if c.Commit != "" && !strings.HasPrefix(c.Commit, c.Name) {
		s += fmt.Sprintf(" (%.12s)", c.Commit)
		if c.Dirty {
			s = fmt.Sprintf("%s (%.12s and changes that are not committed)", c.Name, c.Commit)
		}
	}
	return s
}

func (x *Compared) summary(d *Doc) string {
	if len(x.Changes) == 0 {
		if len(d.Problems) > 0 {
			return "Nothing was compared: " + d.Problems[0].Reason
		}
		return "Nothing was compared: no benchmark is in both"
	}
	var parts []string
	for _, w := range changeOrder {
		n := x.Count(w)
		if n == 0 {
			continue
		}
		part := fmt.Sprintf("%d %s", n, w)
		switch w {
		case CannotSay:
			part = fmt.Sprintf("of %d nothing can be said", n)
		case NoDifference:
			part = fmt.Sprintf("%d without a difference", n)
		case Slower:
			c := x.Changes[0]
			part += fmt.Sprintf(" (%s %s)", c.Name(), Percent(c.More.Value))
		}
		parts = append(parts, part)
	}
	if n := len(x.Same); n > 0 {
		parts = append(parts, figure.Plural(n, "package")+" the same")
	}
	return fmt.Sprintf("%s against %s: %s", Said(x.New), Said(x.Old), strings.Join(parts, ", "))
}

// Unchanged is the report of payoff ci where there was nothing to compare, for the
// reason given: no rule is broken.
func Unchanged(payoff, why string, rules []Rule) *Doc {
	d := New(Input{Payoff: payoff, Codes: &discover.Compared{}})
	g := &Gate{Rules: []string{}, Failed: []string{}}
	for _, r := range rules {
		g.Rules = append(g.Rules, r.String())
	}
	d.Compared.Gate, d.Summary, d.Next = g, "Passed: "+why, ""
	return d
}

// Percent writes a share as a change: +12.3 %, or 15x the time.
func Percent(x *float64) string {
	if x == nil {
		return "?"
	}
	if *x >= 9 {
		return figure.Ratio(1+*x) + "x"
	}
	return fmt.Sprintf("%+.1f %%", 100**x)
}

// Span is the interval of a change.
func (c *Change) Span() string {
	return "[" + Percent(c.More.Low) + ", " + Percent(c.More.High) + "]"
}

// Times is the change as a ratio of times, to be drawn: above 1 is slower.
func (c *Change) Times() *Comparison {
	ratio := func(more *float64) *float64 {
		if more == nil {
			return nil
		}
		return finite(1 + *more)
	}
	return &Comparison{Ratio: ratio(c.More.Value), Low: ratio(c.More.Low), High: ratio(c.More.High), Pairs: c.More.Pairs}
}

func (d *Doc) nextCompared() string {
	x := d.Compared
	if d.Failed() {
		if s, ok := d.mend(); ok {
			return s
		}
	}
	switch {
	case x.Apart && x.Old.Commit != "" && x.New.Commit != "" && !x.Old.Dirty && !x.New.Dirty && x.Old.Commit != x.New.Commit:
		return plain.Shell("payoff", "compare", x.Old.Commit[:min(12, len(x.Old.Commit))], x.New.Commit[:min(12, len(x.New.Commit))])
	case x.Count(Slower) > 0:
		c := x.Changes[0]
		return plain.Shell("payoff", "run", "-bench", pattern(c.Benchmark), c.Package)
	case x.Apart:
		return plain.Shell("payoff", "replay", x.New.Run)
	}
	return plain.Shell("payoff", "replay", d.Record)
}

// A Gate is what payoff ci decides by.
type Gate struct {
	Rules  []string `json:"rules"`
	Failed []string `json:"failed"` // what broke a rule, a sentence each
	// Open are benchmarks of which it is not known whether they break a rule.
	Open int `json:"open"`
	// Refused is why nothing is decided: "" where it is.
	Refused string `json:"refused,omitempty"`
	// Unconfirmed are what broke a rule on one machine and not on another of its kind.
	Unconfirmed []string `json:"unconfirmed,omitempty"`

	breaches []breach // of which Failed is made, one each
}

// A breach is what broke a rule.
type breach struct {
	rule, pkg, bench string
	procs            int
	figures          string // the rest of the sentence
}

func (b breach) String() string {
	if b.figures == "" {
		return fmt.Sprintf("%s: %s %s is not there any more", b.rule, b.pkg, b.bench)
	}
	return fmt.Sprintf("%s: %s %s at %d %s", b.rule, b.pkg, b.bench, b.procs, b.figures)
}

// is reports whether another machine says the same of the same benchmark.
func (b breach) is(other breach) bool {
	b.figures, other.figures = "", ""
	return b == other
}

// A Rule is a condition under which payoff ci fails.
type Rule struct {
	Verb string  // loses, unsure or gone
	By   float64 // of loses and unsure: a share
}

// RuleHelp says what the verbs of rules are.
const RuleHelp = "loses:10% (a benchmark is slower, and its whole interval is 10 % or more), unsure:10% (it cannot be ruled out that one takes 10 % longer), gone (a benchmark is not there any more)"

// ParseRule reads a rule.
func ParseRule(s string) (r Rule, err error) {
	verb, by, has := strings.Cut(strings.TrimSpace(s), ":")
	r.Verb = verb
	bad := func(why string) (Rule, error) {
		return r, fmt.Errorf("-fail-on %q: %s: want %s", s, why, RuleHelp)
	}
	switch verb {
	case "gone":
		if has {
			return bad("gone has no size")
		}
		return r, nil
	case "loses", "unsure":
	default:
		return bad("no such rule")
	}
	if !has {
		return bad("by how much is missing")
	}
	number, percent := strings.CutSuffix(by, "%")
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || !percent || !(n > 0) || math.IsInf(n, 0) {
		return bad("the size is no percentage above 0")
	}
	r.By = n / 100
	return r, nil
}

func (r Rule) String() string {
	if r.Verb == "gone" {
		return r.Verb
	}
	return fmt.Sprintf("%s:%g%%", r.Verb, math.Round(1e8*r.By)/1e6)
}

// surely reports whether a benchmark takes so much longer: all of its interval does.
func (c *Change) surely(by float64) bool {
	return c.Word == Slower && c.More.Low != nil && *c.More.Low >= by
}

// open reports whether it is not known whether a benchmark takes so much longer.
func (c *Change) open(by float64) bool {
	return !c.surely(by) && (c.Word == CannotSay || c.Word == Slower) && (c.More.High == nil || *c.More.High >= by)
}

// Decide holds the report to rules. What surely breaks a rule breaks it, however
// little can be said of the rest.
func (d *Doc) Decide(rules []Rule) {
	g := &Gate{Rules: []string{}, Failed: []string{}}
	x := d.Compared
	x.Gate = g
	for _, r := range rules {
		g.Rules = append(g.Rules, r.String())
		if r.Verb == "gone" {
			for _, b := range x.Gone {
				g.breaches = append(g.breaches, breach{rule: r.Verb, pkg: b.Package, bench: b.Benchmark})
			}
			continue
		}
		open := 0
		var could []float64
		for i := range x.Changes {
			c := &x.Changes[i]
			could = append(could, Number(c.More.High))
			by := r.By
			if r.Verb == "loses" {
				by = max(by, d.margin(c.Package))
			}
			is := breach{rule: r.String(), pkg: c.Package, bench: c.Benchmark, procs: c.Procs}
			switch {
			case c.surely(by):
				is.figures = fmt.Sprintf("takes %s %s", Percent(c.More.Value), c.Span())
				g.breaches = append(g.breaches, is)
			case r.Verb == "unsure" && c.open(r.By):
				is.figures = fmt.Sprintf("may take more: %s %s", Percent(c.More.Value), c.Span())
				g.breaches = append(g.breaches, is)
				open++
			case c.open(r.By) || by > r.By: // no interval is believed that is closer than the machine is to itself
				open++
			}
		}
		g.Open = max(g.Open, open)
		if r.Verb == "loses" && g.Refused == "" && 2*open > len(x.Changes) {
			g.Refused = fmt.Sprintf("the machine is too noisy, or -budget too short, for %s: that is open for %d of %d benchmarks; %s", r, open, len(x.Changes), resolves(could))
			for _, p := range d.Packages {
				if p.Samples > 0 && p.Margin > r.By {
					g.Refused = fmt.Sprintf("%s: the machine is too noisy for %s: the same code against itself differed by %.1f %%", p.Package, r, 100*p.Margin)
				}
			}
		}
	}
	if len(x.Changes) == 0 {
		g.Refused = "nothing was compared"
	}
	for _, b := range g.breaches {
		g.Failed = append(g.Failed, b.String())
	}
	switch {
	case len(g.Failed) > 0:
		d.Summary, g.Refused = "Failed: "+d.Summary, ""
	case g.Refused != "":
		d.Summary = "Not judged: " + g.Refused
	default:
		d.Summary = "Passed: " + d.Summary
	}
}

// Unsettled are the packages of which another machine is to be asked, by name: those in
// which a measurement broke a rule. That a benchmark is gone needs no second look.
func (g *Gate) Unsettled() (packages []string) {
	for _, b := range g.breaches {
		if b.figures != "" && !slices.Contains(packages, b.pkg) {
			packages = append(packages, b.pkg)
		}
	}
	return packages
}

// Confirm takes back what broke a rule here and not in again, the report of another
// machine of the kind by the same rules. One that did not come to a judgement takes
// nothing back. It is called after [Doc.Decide].
func (d *Doc) Confirm(again *Doc, machine string) {
	g := d.Compared.Gate
	other := again.Compared.Gate
	judged := func(b breach) bool {
		return other.Refused == "" && slices.ContainsFunc(again.Compared.Changes, func(c Change) bool { return c.Package == b.pkg && c.Benchmark == b.bench && c.Procs == b.procs })
	}
	was := g.breaches
	g.breaches, g.Failed = nil, []string{}
	for _, b := range was {
		i := slices.IndexFunc(other.breaches, b.is)
		switch {
		case i >= 0 && b.figures != "":
			b.figures += fmt.Sprintf("; %s confirms it: %s", machine, other.breaches[i].figures)
		case b.figures != "" && judged(b):
			g.Unconfirmed = append(g.Unconfirmed, fmt.Sprintf("%v; not on %s", b, machine))
			continue
		case b.figures != "":
			b.figures += fmt.Sprintf("; %s could not judge it", machine)
		}
		g.breaches = append(g.breaches, b)
		g.Failed = append(g.Failed, b.String())
	}
	if len(was) > 0 && len(g.breaches) == 0 {
		d.Summary = "Passed: " + strings.TrimPrefix(d.Summary, "Failed: ")
	}
}

// margin is the smallest difference that counts in a package.
func (d *Doc) margin(pkg string) float64 {
	for _, p := range d.Packages {
		if p.Package == pkg && p.Samples > 0 {
			return p.Margin
		}
	}
	return 0
}

// resolves says what half of the benchmarks could have been held to, by the upper
// ends of their intervals.
func resolves(could []float64) string {
	slices.SortFunc(could, func(a, b float64) int { // NaN is more than all
		return cmp.Or(cmp.Compare(b2i(math.IsNaN(a)), b2i(math.IsNaN(b))), cmp.Compare(a, b))
	})
	switch middle := could[len(could)/2]; {
	case math.IsNaN(middle) || math.IsInf(middle, 0):
		return "it could resolve nothing"
	case middle >= 1: // a percentage would promise what such an interval does not hold
		return "half of them may take more than twice as long, and it would not show"
	default:
		return fmt.Sprintf("it could resolve %.0f %%", math.Ceil(100*max(middle, 0)))
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
