package report

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/gather"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/problem"
)

// next is the command to type now: what mends a problem, or else explains the
// largest loss, or else decides what is open. It repeats what was asked, and is
// never the command that was just given.
func (d *Doc) next() string {
	if s, ok := d.mend(); ok {
		return s
	}
	if d.Tried() {
		return d.nextFix()
	}
	interrupted := slices.Contains(d.Missing, gather.CutShort) || slices.ContainsFunc(d.Packages, func(p Package) bool { return p.End == measure.Interrupted })
	open := d.open()
	loss := d.loss()
	switch {
	case d.pages && d.cause(loss) != "":
		return plain.Shell("payoff", "explain", d.cause(loss))
	case d.pages && !d.explained() && len(d.Comparisons) > 0: // the record has no evidence
		return d.why(cmp.Or(loss, d.worst(paired), &d.Comparisons[0]))
	case d.pages:
		return "payoff explain"
	case interrupted && d.Asked != nil:
		return d.Asked.Resume(d.Record)
	case interrupted: // older records cannot go on
		return d.again().Command()
	case len(d.Comparisons) == 0 && d.Failed():
		return "payoff help run" // an editor mends it
	case len(d.Comparisons) == 0:
		return d.compare()
	case loss != nil && d.curable():
		return d.fix()
	case d.dearest() != "":
		return plain.Shell("payoff", "explain", d.dearest())
	case len(open) > 0:
		return d.more(open)
	case loss != nil && loss.Explained:
		return plain.Shell("payoff", "why", "-from", d.Record)
	case loss != nil:
		return d.why(loss)
	case slices.ContainsFunc(d.Packages, func(p Package) bool { return p.End == measure.Budget && p.Needs > 0 }): // not one pair of what is open
		return d.more(nil)
	case d.explained():
		return plain.Shell("payoff", "why", "-from", d.Record)
	}
	if c := d.worst(paired); c != nil {
		return d.why(c)
	}
	return "payoff help run"
}

// cause is that of the largest loss, or else the first one found, or "".
func (d *Doc) cause(loss *Comparison) string {
	if loss != nil && len(loss.Causes) > 0 {
		return loss.Causes[0].Slug
	}
	for _, c := range d.Comparisons {
		if len(c.Causes) > 0 {
			return c.Causes[0].Slug
		}
	}
	return ""
}

// dearest is the cause without which most would be won over all that loses, at the
// most processors of each package: the sum of the times that it takes, in the time of
// the benchmark; "" without one.
func (d *Doc) dearest() string {
	won := map[string]float64{}
	best := ""
	atTop := slices.ContainsFunc(d.Comparisons, func(c Comparison) bool {
		return c.Verdict == judge.Loses && c.Procs == d.top(c.Package) && len(c.Causes) > 0
	})
	for i := range d.Comparisons {
		c := &d.Comparisons[i]
		if c.Verdict != judge.Loses || c.Procs != d.top(c.Package) && atTop {
			continue
		}
		for _, x := range c.Causes {
			won[x.Slug] += x.Share * max(0, 1-Number(c.Ratio))
			if best == "" || won[x.Slug] > won[best] {
				best = x.Slug
			}
		}
	}
	return best
}

// explained reports whether there is evidence on anything.
func (d *Doc) explained() bool {
	return slices.ContainsFunc(d.Comparisons, func(c Comparison) bool { return c.Explained })
}

// mend is the command for the first problem that one can help with. What is to
// be done in an editor stands with the problem.
func (d *Doc) mend() (string, bool) {
	for _, p := range d.Problems {
		if p.Note && !(p.Next == cmdline.MoreBudget && len(d.Comparisons) == 0) {
			continue
		}
		if s := d.remedy(p); s != "" {
			return s, true
		}
	}
	return "", false
}

func (d *Doc) remedy(p problem.Problem) string {
	command := func(s string) bool { return strings.HasPrefix(s, "go ") || strings.HasPrefix(s, "payoff ") }
	again := d.again()
	switch {
	case p.Pairs && p.Base != "":
		again.Base, again.Vs = p.Base, ""
		return again.Command()
	case p.Pairs:
		return "payoff help run" // what -base and -vs match, nobody knows but the user
	case p.Next == cmdline.MoreBudget && d.Tried():
		return d.longer()
	case p.Next == cmdline.MoreBudget:
		again.Budget = max(ample, 4*again.Budget)
		return again.Command()
	case p.Benchmark != "" && strings.Contains(p.Next, "go test "):
		args := []string{"go", "test", "-run=^$", "-timeout=30s", "-bench=" + pattern(p.Benchmark)} // it may never end
		if again.Tags != "" {
			args = append(args, "-tags="+again.Tags)
		}
		return again.Line(append(args, p.Package)...)
	case strings.HasPrefix(p.Next, "make go test "): // all tests of a package
		pkg := strings.TrimSuffix(strings.TrimPrefix(p.Next, "make go test "), " pass")
		if again.Tags != "" {
			return again.Line("go", "test", "-tags="+again.Tags, pkg)
		}
		return again.Line("go", "test", pkg)
	case command(p.Next):
		return p.Next
	}
	return ""
}

// ample is a budget, ns, where nothing tells which would do.
const ample = 10 * 60e9

// again is what was asked. Of older records only the packages are known.
func (d *Doc) again() (a cmdline.Asked) {
	if d.Asked != nil {
		a = *d.Asked
	} else {
		for _, p := range d.Packages {
			a.Packages = append(a.Packages, p.Package)
		}
	}
	if d.base != "" {
		a.Base, a.Vs = d.base, d.vs
	}
	return a
}

// compare is how to come to a comparison where there was none.
func (d *Doc) compare() string {
	if i := slices.IndexFunc(d.Packages, func(p Package) bool { return len(p.Procs) == 1 }); i >= 0 && d.Environment.UsableCPUs > 1 {
		again := d.again()
		again.Procs = []int{1, d.Environment.UsableCPUs}
		return again.Command()
	}
	return "go help testfunc"
}

// loss is the comparison that loses most.
func (d *Doc) loss() *Comparison {
	return d.worst(func(c *Comparison) bool { return c.Verdict == judge.Loses })
}

// worst is the comparison with the smallest ratio: at the most processors, of
// those with a cause, against a base rather than against itself.
func (d *Doc) worst(of func(*Comparison) bool) *Comparison {
	var worst *Comparison
	for i := range d.Comparisons {
		c := &d.Comparisons[i]
		if of(c) && (worst == nil || d.worse(c, worst)) {
			worst = c
		}
	}
	return worst
}

func (d *Doc) worse(a, b *Comparison) bool {
	rank := func(c *Comparison) (n int) {
		if len(c.Causes) > 0 {
			n += 4
		}
		if c.Kind == measure.Variant {
			n += 2
		}
		if c.Procs == d.top(c.Package) {
			n++
		}
		return n
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(Number(b.Ratio), Number(a.Ratio))) > 0
}

// open returns the comparisons of which nothing can be said.
func (d *Doc) open() (open []*Comparison) {
	for i := range d.Comparisons {
		if c := &d.Comparisons[i]; c.Verdict == judge.CannotSay && c.Pairs > 0 {
			open = append(open, c)
		}
	}
	return open
}

// narrow is how many functions a command names rather than all.
const narrow = 3

// more is a run with a budget that decides what is open, or, where time is not
// what it lacks, a look at the machine: a steadier one might do.
func (d *Doc) more(open []*Comparison) string {
	var needs int64
	spent, regrouped := false, false
	for _, p := range d.Packages {
		needs = max(needs, cmdline.Round(time.Duration(p.Needs)).Nanoseconds())
		spent = spent || p.End == measure.Budget
		regrouped = regrouped || p.End == measure.Regrouped
	}
	switch {
	case slices.ContainsFunc(open, func(c *Comparison) bool { return strings.HasPrefix(c.Why, "the machine gave") }):
		return "payoff machine"
	case d.Asked == nil && spent: // older records do not tell
		needs = ample
	case needs == 0 && !regrouped:
		return "payoff machine"
	}
	if d.Asked != nil && !regrouped { // what there is counts
		return d.Asked.Resume(d.Record, "-budget", cmdline.Duration(time.Duration(needs)))
	}
	again := d.again()
	again.Budget = max(needs, again.Budget)
	if again.Bench == "" {
		if functions := functions(open...); len(functions) <= narrow {
			again.Bench = strings.Join(functions, "|")
			again.Packages = packages(open)
		}
	}
	return again.Command()
}

// why measures a comparison once more, with all evidence.
func (d *Doc) why(c *Comparison) string {
	again := d.again()
	again.Bench, again.Packages, again.Verdicts = "", nil, false
	both := unique([]string{pattern(c.Name), pattern(c.BaseName)})
	return again.Line(slices.Concat([]string{"payoff", "why"}, again.Flags(), []string{strings.Join(both, "|"), c.Package})...)
}

// functions returns expressions that match the functions of both sides, so
// that a base is measured with what is compared with it.
func functions(cs ...*Comparison) (out []string) {
	for _, c := range cs {
		for _, bench := range []string{c.Name, c.BaseName} {
			fn, _, _ := strings.Cut(bench, "/")
			if p := "^" + regexp.QuoteMeta(fn) + "$"; !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

func packages(cs []*Comparison) (out []string) {
	for _, c := range cs {
		if !slices.Contains(out, c.Package) {
			out = append(out, c.Package)
		}
	}
	return out
}

func pattern(name string) string {
	levels := strings.Split(name, "/")
	for i, l := range levels {
		levels[i] = "^" + regexp.QuoteMeta(l) + "$"
	}
	return strings.Join(levels, "/")
}
