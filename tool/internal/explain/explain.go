// Package explain names the causes behind a verdict, in the order of the
// processor time they explain, each with the evidence a person can check.
//
// It keeps an account. What the processors could have done in the time of one
// operation, less the processor time of the base, is lost; each rule claims a
// part of that by a mechanism of its own: time in the channel code, processors
// idle behind a lock, a slow instruction on a line that two goroutines write.
// What no rule claims stays unexplained and is said to be. No rule fires on a
// slow number alone. The same account by line says where each cause took its
// part.
//
// It runs nothing, reads no file and no clock, and takes microseconds. Which evidence
// would change what a rule claims it says by [Want]; package gather has it taken.
package explain

import (
	"cmp"
	"math"
	"slices"

	"github.com/gopayoff/payoff/tool/catalog"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// A Finding is what explains one verdict.
type Finding struct {
	Verdict judge.Verdict

	// Avail is the processor time of all processors in the time of one
	// operation, Useful the part that the base shows to be needed, Lost the
	// rest; ns per operation.
	Avail, Useful, Lost float64

	// Causes are those that explain a tenth of Lost or more, most first. None
	// is an answer: nothing here explains it.
	Causes []Cause
	// Unexplained is the share of Lost that no rule claimed; NaN where there
	// was nothing to explain.
	Unexplained float64
	// Costs says that Lost is what may be needed: nothing shows that it is not. See [Costs].
	Costs    bool
	Accounts []Account // Lost by kind, and what each was charged to; nil where nothing was looked for
	// Losses say where each of Causes was lost, those of the first cause first.
	// The losses of a cause add up to its NS.
	Losses []Loss
	placed map[string]placed // by slug

	// Known is what is known of a loss that has no cause: where its time goes
	// that the base does not need.
	Known []Line
	// Self says that the account is against the same code on one processor,
	// which needs less than the base of the comparison.
	Self bool

	Bound *Bound // what the trace allows on any machine; nil without a trace
	Page  Page   // the evidence itself
	// Missing says what evidence could not be had.
	Missing []string
}

// A Cause is one reason, from the catalogue.
type Cause struct {
	Slug  string
	Title string
	Share float64 // of the lost processor time
	NS    float64 // lost to it, ns per operation
	// Low and High bound Share with 95 % confidence; NaN where the evidence is
	// that of one process. Tie says that the evidence does not tell which of
	// the causes so marked, the first among them, is the largest.
	Low, High float64
	Tie       bool

	Evidence []Line
	Price    string // what one hand-off, goroutine, lock costs against the work it carries; "" where there is no such thing
	Do       string
}

// A Line is a piece of evidence, with the place in the source it points at.
type Line struct {
	Text string
	Site source.Place // zero if there is no place
}

// A Bound is what work and span say about any machine.
type Bound struct {
	Parallelism float64 // no machine makes it faster than this many times one processor
	Burdened    float64 // with the prices of hand-offs and spawns on the path
	Work, Span  float64 // ns per operation
	Procs       int     // GOMAXPROCS of the trace it comes from
	Path        []exectrace.Step
}

// A Page is the evidence on a verdict: the account's three sides.
type Page struct {
	New, One, Base *Side
	Idle           exectrace.Idle // of all traces, charged to what it belongs to
}

func (p Page) sides() []*Side { return []*Side{p.New, p.One, p.Base} }

// Evidence is that on the new side, nil if there is none.
func (p Page) Evidence() *evidence.Set {
	if p.New == nil {
		return nil
	}
	return p.New.Set
}

// plain is the share of the processors that a speedup must reach to need no
// explanation.
const plain = 2. / 3

// Wanted reports whether a verdict calls for an explanation: it is not plainly
// "pays". On one processor nobody expects a gain, but from code that waits:
// there a loss calls for one, or a wait. What is faster than its base and loses
// by running on more processors calls for one as well. What depends on b.N is not
// explained: report says what the figures are of.
func Wanted(s *measure.Series, r judge.Result, v judge.Verdict) bool {
	if v.Pairs == 0 || v.Unlike() {
		return false
	}
	if v.Kind == measure.Scaling && (hasBase(s, v.New.Bench) || v.Word != judge.Loses && alone(s, v.New)) {
		return false // the comparison with the base says more; one goroutine says enough
	}
	switch {
	case v.Word == judge.Pays:
		return !plainly(s, v) || falls(r, v)
	case v.Word == judge.Loses || v.New.Procs > 1:
		return true
	case v.Word == judge.CannotSay && v.Ratio < 1-least:
		return true
	}
	return v.Identity.Cores.High < asleep
}

// plainly reports whether v, which pays, pays as it should, or whether its
// interval allows that. Code that waits may gain more than the processors: where it
// leaves them idle and gains no more, something holds it back.
func plainly(s *measure.Series, v judge.Verdict) bool {
	procs := float64(judge.Usable(s.Usable, v.New.Procs))
	return v.High >= plain*procs && !(v.Identity.Cores.High < asleep && v.High < manyFor*procs)
}

const (
	asleep  = 0.5 // processors that code which waits uses at most
	manyFor = 1.5 // times the processors: more than workers gain that are as many
)

// falls reports whether the new side of v loses by running on more processors.
func falls(r judge.Result, v judge.Verdict) bool {
	return slices.ContainsFunc(r.Verdicts, func(x judge.Verdict) bool {
		return x.Kind == measure.Scaling && x.New == v.New && x.Word == judge.Loses
	})
}

func hasBase(s *measure.Series, bench string) bool {
	return slices.ContainsFunc(s.Families, func(f discover.Family) bool {
		return f.Base >= 0 && slices.ContainsFunc(f.Members, func(m discover.Member) bool { return m.Bench == bench })
	})
}

// alone reports whether a benchmark starts no goroutine at all in its timed
// region, nor uses more than a processor. What leaves that idle waits: for what was
// started before, or for the world.
func alone(s *measure.Series, c measure.Cell) bool {
	return s.StartsNone(c) && !slices.ContainsFunc(s.Samples[c], func(x measure.Sample) bool { return !(asleep <= x.Cores() && x.Cores() < 1.1) }) // also where it is not known
}

// oneGoroutine explains, without any evidence but the samples, why more
// processors do nothing for code that runs on one.
func oneGoroutine(s *measure.Series, v judge.Verdict) Finding {
	procs := float64(judge.Usable(s.Usable, v.New.Procs))
	c := whole(catalog.Serial, (procs-1)*v.Wall, say("it starts no goroutine in its timed region: one processor is all it can use"))
	c.Do = divide
	return Finding{Verdict: v, Avail: procs * v.Wall, Useful: v.Wall, Lost: (procs - 1) * v.Wall, Causes: []Cause{c}}
}

// least is the smallest share of the lost time that is worth a cause, and of
// the processors' time that is worth an explanation.
const least = 0.10

// Explain explains the verdicts of a series for which there is evidence. all
// asks for those that pay, too.
func Explain(s *measure.Series, r judge.Result, prices machine.Prices, all bool) []Finding {
	var out []Finding
	for _, v := range r.Verdicts {
		if v.Kind == measure.Scaling && v.New.Procs > 1 && v.Word != judge.Loses && v.Word != judge.Pays && !hasBase(s, v.New.Bench) && s.Evidence[v.New] == nil && alone(s, v.New) {
			f := oneGoroutine(s, v)
			f.locate()
			out = append(out, f)
			continue
		}
		if v.Pairs == 0 || v.Unlike() || !all && !Wanted(s, r, v) || v.Kind == measure.Scaling && hasBase(s, v.New.Bench) {
			continue
		}
		if f := explain(s, r, v, prices); f != nil {
			out = append(out, *f)
		}
	}
	return out
}

func explain(s *measure.Series, r judge.Result, v judge.Verdict, prices machine.Prices) *Finding {
	out := account(s, r, v, prices)
	if out != nil {
		out.certain(s, r, prices)
		out.locate()
	}
	return out
}

// account divides what a verdict lost among causes.
func account(s *measure.Series, r judge.Result, v judge.Verdict, prices machine.Prices) *Finding {
	f := newFacts(s, v, prices)
	if f == nil {
		return nil
	}
	out := &Finding{Verdict: v, Avail: f.avail, Useful: f.useful, Lost: f.lost, Bound: f.bound(), Page: Page{f.new, f.one, f.base, f.away}, Self: f.self, Missing: f.missing()}
	if c := unfit(f); c != nil {
		out.Causes = []Cause{*c} // figures of such a machine explain nothing else
		return out
	}
	if f.lost < least*f.avail || v.New.Procs == 1 && v.High >= 1 && f.idle < f.new.CPU || v.Word == judge.Pays && plainly(s, v) && !falls(r, v) {
		out.Unexplained = math.NaN() // there is nothing to explain
		if c := f.layoutAlone(); c != nil {
			out.Causes = []Cause{*c}
		}
		if v.Word == judge.Loses {
			out.Known = f.known()
		}
		return out
	}
	if f.blind() {
		out.Unexplained = 1
		out.Missing = append(out.Missing, "causes: "+f.unseen())
		return out
	}
	f.charge(out, func(_ string, ns float64) bool { return ns >= least*f.lost && ns >= least/2*f.avail })
	if len(out.Causes) == 0 {
		out.Known = f.known()
	}
	return out
}

// charge lets the rules take from the ledger. Causes are those that are worth it.
func (f *facts) charge(out *Finding, worth func(slug string, ns float64) bool) {
	claimed := 0.0
	out.placed = map[string]placed{}
	for _, rule := range rules {
		f.book.by = rule.cause.Slug
		c := rule.claim(f)
		if c.ns > 0 {
			out.placed[rule.cause.Slug] = f.place(rule.cause.Slug, c)
		}
		claimed += c.ns
		if c.ns <= 0 || !worth(rule.cause.Slug, c.ns) {
			continue
		}
		out.Causes = append(out.Causes, Cause{Slug: rule.cause.Slug, Title: cmp.Or(c.title, rule.cause.Title), Share: c.ns / f.lost, NS: c.ns, Evidence: c.evidence, Price: c.price, Do: cmp.Or(c.do, rule.cause.Do)})
	}
	slices.SortStableFunc(out.Causes, func(a, b Cause) int { return cmp.Compare(b.NS, a.NS) })
	out.Accounts = f.book.accounts()
	out.Unexplained = max(0, 1-claimed/f.lost)
}
