package report

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
)

// summarize answers in one line what was asked. Where variants stand beside a
// base of one goroutine, that is whether concurrency pays; where the base is
// concurrent itself, which is faster and whether they gain from processors;
// without a base, the latter alone. Verdicts are those at the most processors
// that there are.
func (d *Doc) summarize() string {
	var variants, scaling, fewer []*Comparison // those without a pair count as open
	for i := range d.Comparisons {
		c := &d.Comparisons[i]
		switch {
		case c.Kind == measure.Scaling && c.Procs == d.top(c.Package):
			scaling = append(scaling, c)
		case c.Kind == measure.Variant && c.Procs == d.top(c.Package):
			variants = append(variants, c)
		case c.Kind == measure.Variant:
			fewer = append(fewer, c)
		}
	}
	ended := func(end measure.End) bool {
		return slices.ContainsFunc(d.Packages, func(p Package) bool { return p.End == end })
	}
	switch {
	case slices.ContainsFunc(variants, paired):
		return d.answer(variants) + d.elsewhere(variants, fewer) + d.from(variants) + d.without(variants, scaling) + d.unmeasured()
	case slices.ContainsFunc(scaling, paired):
		return d.scale(scaling) + d.unmeasured()
	case ended(measure.Interrupted):
		return "Nothing can be judged yet: interrupted before the first pair of samples"
	case len(variants)+len(scaling) > 0 && ended(measure.Budget):
		return "Nothing can be judged yet: the budget was spent before the first pair of samples"
	case slices.ContainsFunc(d.Packages, func(p Package) bool { return p.Samples > 0 }):
		return "Nothing to compare: one processor count and no variants. Give -procs or -base"
	case len(d.Problems) > 0:
		return "Nothing was measured: " + d.Problems[0].Reason
	default:
		return "Nothing was measured"
	}
}

func paired(c *Comparison) bool { return c.Pairs > 0 }

// top is the largest processor count of a package that the machine has; where it
// has none but 1 of them, the largest.
func (d *Doc) top(pkg string) int {
	most, had := 1, 1
	for _, p := range d.Packages {
		if p.Package == pkg {
			for _, n := range p.Procs {
				most = max(most, n)
				if !d.beyond(n) {
					had = max(had, n)
				}
			}
		}
	}
	if had > 1 {
		return had
	}
	return most
}

// beyond reports whether a GOMAXPROCS is more than the processors there are.
func (d *Doc) beyond(procs int) bool {
	return d.Environment.UsableCPUs > 0 && procs > d.Environment.UsableCPUs
}

// Processors names what a GOMAXPROCS had at work: no claim goes beyond the
// processors there are.
func (d *Doc) Processors(procs int) string {
	if d.beyond(procs) {
		return fmt.Sprintf("%s with GOMAXPROCS=%d", figure.Plural(d.Environment.UsableCPUs, "processor"), procs)
	}
	return figure.Plural(procs, "processor")
}

// asks reports whether c tells what concurrency buys: several goroutines
// against one, as far as that is known. Where nothing is known, a base that was
// found by its name is serial; one that was given can be anything.
func (d *Doc) asks(c *Comparison) bool {
	if c.BaseGoroutines == judge.Unknown && c.Goroutines == judge.Unknown {
		return d.again().Base == ""
	}
	return c.BaseGoroutines != judge.Several && c.Goroutines != judge.One
}

func (d *Doc) answer(cs []*Comparison) string {
	for _, c := range cs[1:] {
		if c.Package != cs[0].Package || c.Benchmark != cs[0].Benchmark {
			return d.answerAll(cs)
		}
	}
	return d.answerOne(cs)
}

// answerAll is the answer for several families.
func (d *Doc) answerAll(cs []*Comparison) string {
	var asked, concurrent, serial []*Comparison
	var unknown []*Comparison // of what has no samples
	for _, c := range cs {
		switch {
		case c.Pairs == 0:
			unknown = append(unknown, c)
		case d.asks(c):
			asked = append(asked, c)
		case c.BaseGoroutines == judge.Several:
			concurrent = append(concurrent, c)
		default:
			serial = append(serial, c)
		}
	}
	switch {
	case len(asked) > 0:
		asked = append(asked, unknown...)
	case len(concurrent) > 0:
		concurrent = append(concurrent, unknown...)
	default:
		serial = append(serial, unknown...)
	}
	procs := d.Processors(cs[0].Procs)
	if len(asked) == 0 {
		return fmt.Sprintf("At %s: %s", procs, d.tally(cs, "comparison"))
	}
	s := fmt.Sprintf("At %s concurrency %s: %s", procs, inGeneral(asked), d.tally(asked, "comparison"))
	if n := len(asked); len(words(asked)[judge.CannotSay]) == n {
		of := "any of "
		if n == 1 {
			of = ""
		}
		s = fmt.Sprintf("At %s concurrency cannot be judged yet in %s%s%s", procs, of, figure.Plural(n, "comparison"), cause(asked))
	}
	if len(concurrent) > 0 {
		s += "; with bases that are concurrent themselves, " + d.tally(concurrent, "comparison")
	}
	if len(serial) > 0 {
		s += "; where both are of one goroutine, " + d.tally(serial, "comparison")
	}
	return s
}

// answerOne is the answer for one family.
func (d *Doc) answerOne(cs []*Comparison) string {
	by := words(cs)
	first := cs[0]
	procs := d.Processors(first.Procs)
	asked := slices.ContainsFunc(cs, func(c *Comparison) bool { return c.Pairs > 0 && d.asks(c) })
	var parts []string
	pays := by[judge.Pays]
	switch {
	case len(pays) > 0:
		best := fastest(pays)
		s := fmt.Sprintf("%s is %sx as fast as %s at %s", best.Variant, figure.Ratio(Number(best.Ratio)), best.Base, procs)
		if d.asks(best) {
			s = "Concurrency pays: " + s
		}
		if rest := slices.DeleteFunc(slices.Clone(pays), func(c *Comparison) bool { return c == best }); len(rest) > 0 {
			s += fmt.Sprintf(" (%s too)", verb(rest, "pays", "pay"))
		}
		parts = append(parts, s)
	case len(by[judge.CannotSay]) == len(cs):
		if asked {
			parts = append(parts, "Concurrency cannot be judged yet at "+procs)
		} else {
			parts = append(parts, "What is faster cannot be judged yet at "+procs)
		}
		parts[0] += cause(cs)
	case unsure(by) == len(cs) && asked:
		parts = append(parts, "Whether concurrency pays at "+procs+" is in doubt")
	case unsure(by) == len(cs):
		parts = append(parts, "What is faster at "+procs+" is in doubt")
	case asked:
		parts = append(parts, "Concurrency does not pay at "+procs+judged(by))
	default:
		parts = append(parts, fmt.Sprintf("Nothing is faster than %s at %s%s", first.Base, procs, judged(by)))
	}
	for _, w := range []struct {
		word     judge.Word
		one, all string
	}{{judge.Loses, "loses", "lose"}, {judge.Even, "is even", "are even"}} {
		if list := by[w.word]; len(list) > 0 {
			parts = append(parts, verb(list, w.one, w.all))
		}
	}
	switch list := by[inDoubt]; len(list) {
	case 0:
	case 1:
		parts = append(parts, fmt.Sprintf("%s is in doubt (%s)", list[0].Variant, list[0].doubts()))
	default:
		parts = append(parts, names(list)+" are in doubt")
	}
	if list := by[judge.CannotSay]; len(list) > 0 && len(list) < len(cs) {
		parts = append(parts, "cannot say for "+names(list))
	}
	if len(pays) > 0 {
		if s := d.gains(fastest(pays)); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "; ")
}

// gains says what more processors do to the two sides of a comparison, where
// that is another question than the ratio between them: where both are
// concurrent, or the new side is slower on more.
func (d *Doc) gains(c *Comparison) string {
	var said []string
	both := c.Goroutines == judge.Several && c.BaseGoroutines == judge.Several
	for _, variant := range []string{c.Variant, c.Base} {
		i := slices.IndexFunc(d.Comparisons, func(x Comparison) bool {
			return x.Kind == measure.Scaling && x.Package == c.Package && x.Benchmark == c.Benchmark && x.Variant == variant && x.Procs == c.Procs && x.Pairs > 0
		})
		if i < 0 {
			continue
		}
		x := &d.Comparisons[i]
		if both || variant == c.Variant && x.Verdict == judge.Loses {
			said = append(said, variant+" "+x.change())
		}
	}
	if len(said) == 0 {
		return ""
	}
	return fmt.Sprintf("on %s instead of 1 %s", d.Processors(c.Procs), strings.Join(said, " and "))
}

// change is a verdict as a phrase.
func (c *Comparison) change() string {
	switch c.Verdict {
	case judge.Pays:
		return fmt.Sprintf("is %sx as fast", figure.Ratio(Number(c.Ratio)))
	case judge.Loses:
		return fmt.Sprintf("takes %sx the time", figure.Ratio(1/Number(c.Ratio)))
	case judge.Even:
		return "is even"
	}
	return "cannot be judged"
}

// elsewhere says what pays on fewer processors where nothing does on all.
func (d *Doc) elsewhere(top, fewer []*Comparison) string {
	if len(words(top)[judge.Pays]) > 0 {
		return ""
	}
	pays := words(fewer)[judge.Pays]
	if len(pays) == 0 {
		return ""
	}
	best := fastest(pays)
	name := best.Variant
	if top[0].Package != top[len(top)-1].Package || top[0].Benchmark != top[len(top)-1].Benchmark {
		name = strings.TrimPrefix(best.Name, "Benchmark")
	}
	return fmt.Sprintf("; at %s %s is %sx as fast as %s", d.Processors(best.Procs), name, figure.Ratio(Number(best.Ratio)), best.Base)
}

// from says from which sizes on variants of a sized family pay; of several such
// families only for how many there is one.
func (d *Doc) from(top []*Comparison) string {
	var all []*Crossover
	alike := true
	for i := range d.Crossovers {
		c := &d.Crossovers[i]
		if c.At.Value != nil && slices.ContainsFunc(top, func(x *Comparison) bool { return x.Package == c.Package && x.Procs == c.Procs }) {
			all = append(all, c)
			alike = alike && c.Package == all[0].Package && c.Benchmark == all[0].Benchmark
		}
	}
	if !alike {
		return fmt.Sprintf("; %d pay from some size on", len(all))
	}
	of := "" // its job, where there are others
	if len(all) > 0 && len(functions(top...)) > 1 {
		of, _, _ = strings.Cut(all[0].Benchmark, "/")
		of += ": "
	}
	var b strings.Builder
	for i, c := range all {
		if i == 2 && len(all) > 3 {
			fmt.Fprintf(&b, "; %d more pay from some size on", len(all)-2)
			break
		}
		fmt.Fprintf(&b, "; %s%s begins to pay %s", of, c.Variant, c.Between())
	}
	return b.String()
}

// Between says between which measured sizes a variant begins to pay.
func (c *Crossover) Between() string {
	return fmt.Sprintf("between %s = %s and %s", c.Param, figure.Size(c.Below), figure.Size(c.Above))
}

// without is what there is beside the families with a base.
func (d *Doc) without(variants, scaling []*Comparison) string {
	type family struct{ pkg, benchmark string }
	based := map[family]bool{}
	for _, c := range variants {
		based[family{c.Package, c.Benchmark}] = true
	}
	alone := slices.DeleteFunc(slices.Clone(scaling), func(c *Comparison) bool { return based[family{c.Package, c.Benchmark}] })
	if len(alone) == 0 {
		return ""
	}
	return fmt.Sprintf("; without a base, on %s instead of 1: %s", d.Processors(alone[0].Procs), d.tally(alone, "benchmark"))
}

// unmeasured names the packages of which there is nothing.
func (d *Doc) unmeasured() string {
	var none []string
	for _, x := range d.Problems {
		has := slices.ContainsFunc(d.Packages, func(p Package) bool { return p.Package == x.Package && p.Samples > 0 })
		if !x.Note && x.Package != "" && !has && !slices.Contains(none, x.Package) {
			none = append(none, x.Package)
		}
	}
	switch len(none) {
	case 0:
		return ""
	case 1:
		return "; " + none[0] + " was not measured"
	}
	return fmt.Sprintf("; %d packages were not measured", len(none))
}

// scale is the answer where there is no base.
func (d *Doc) scale(cs []*Comparison) string {
	procs := d.Processors(cs[0].Procs)
	if len(cs) > 1 {
		return fmt.Sprintf("On %s instead of 1: %s", procs, d.tally(cs, "benchmark"))
	}
	c := cs[0]
	// Without a base nothing says what concurrency buys: with one goroutine it might be
	// faster still.
	switch {
	case c.said() == inDoubt:
		return fmt.Sprintf("Whether %s gains from %s is in doubt (%s)", c.Benchmark, procs, c.doubts())
	case c.Verdict == judge.CannotSay:
		return fmt.Sprintf("Cannot say yet whether %s gains from %s", c.Benchmark, procs)
	case c.Goroutines == judge.One:
		return fmt.Sprintf("%s, of one goroutine, %s on %s instead of 1", c.Benchmark, c.change(), procs)
	}
	return fmt.Sprintf("%s %s on %s instead of 1; whether concurrency pays takes a base to compare with", c.Benchmark, c.change(), procs)
}

func inGeneral(cs []*Comparison) string {
	by := words(cs)
	pays, other := len(by[judge.Pays]), len(by[judge.Even])+len(by[judge.Loses])
	switch {
	case pays > 0 && other > 0:
		return "pays in part"
	case pays > 0:
		return "pays" + judged(by)
	case other > 0:
		return "does not pay" + judged(by)
	}
	return "cannot be judged"
}

// unsure is how many comparisons answer nothing.
func unsure(by map[judge.Word][]*Comparison) int { return len(by[judge.CannotSay]) + len(by[inDoubt]) }

// judged limits an answer to the comparisons that give it.
func judged(by map[judge.Word][]*Comparison) string {
	if unsure(by) > 0 {
		return " where it can be judged"
	}
	return ""
}

// tally counts verdicts: "of 18 comparisons 1 pays, 17 lose", "all 13 comparisons
// pay".
func (d *Doc) tally(cs []*Comparison, noun string) string {
	by := words(cs)
	var parts []string
	for _, w := range []struct {
		word     judge.Word
		one, all string
	}{{judge.Pays, "pays", "pay"}, {judge.Even, "is even", "are even"}, {judge.Loses, "loses", "lose"}, {inDoubt, "is in doubt", "are in doubt"}, {judge.CannotSay, "cannot be judged", "cannot be judged"}} {
		if w.word == inDoubt && len(by[inDoubt]) == 1 {
			c := by[inDoubt][0]
			w.one += fmt.Sprintf(" (%s: %s)", strings.TrimPrefix(c.Name, "Benchmark"), c.doubts())
		}
		of := ""
		if n := len(by[w.word]); n > 0 && (n < len(cs) || n == 1) && w.word != inDoubt {
			of = d.named(w.word, by[w.word], cs)
		}
		switch n := len(by[w.word]); {
		case n == 0:
		case n == len(cs) && n == 1:
			return fmt.Sprintf("1 %s %s%s", noun, w.one, of)
		case n == len(cs) && n > 1 && w.word == judge.CannotSay:
			return fmt.Sprintf("none of %s can be judged yet%s", figure.Plural(n, noun), cause(cs))
		case n == len(cs) && n == 2:
			return fmt.Sprintf("both %ss %s", noun, w.all)
		case n == len(cs) && n > 2:
			return fmt.Sprintf("all %s %s", figure.Plural(n, noun), w.all)
		case n == 1:
			parts = append(parts, "1 "+w.one+of)
		default:
			parts = append(parts, fmt.Sprintf("%d %s%s", n, w.all, of))
		}
	}
	return fmt.Sprintf("of %s %s", figure.Plural(len(cs), noun), strings.Join(parts, ", "))
}

// named are the first of the comparisons that have a word, in brackets: those that pay
// or lose most, by the names of their benchmarks, with the packages where all are of
// several.
func (d *Doc) named(w judge.Word, of, all []*Comparison) string {
	const some = 2
	of = slices.Clone(of)
	switch w {
	case judge.Pays:
		slices.SortStableFunc(of, func(a, b *Comparison) int { return cmp.Compare(Number(b.Ratio), Number(a.Ratio)) })
	case judge.Loses:
		slices.SortStableFunc(of, func(a, b *Comparison) int { return cmp.Compare(Number(a.Ratio), Number(b.Ratio)) })
	}
	packages := slices.ContainsFunc(all, func(c *Comparison) bool { return c.Package != all[0].Package })
	var n []string
	for _, c := range of {
		name := strings.TrimPrefix(c.Name, "Benchmark")
		if packages {
			name = path.Base(c.Package) + " " + name
		}
		n = append(n, name)
	}
	if len(n) > some+1 {
		n = []string{n[0], fmt.Sprintf("%d more", len(n)-1)}
	}
	if len(n) == 1 {
		return " (" + n[0] + ")"
	}
	return " (" + strings.Join(n[:len(n)-1], ", ") + " and " + n[len(n)-1] + ")"
}

// cause is why nothing can be said, where that is the same for all.
func cause(cs []*Comparison) string {
	why := cs[0].Why
	if why == "" || slices.ContainsFunc(cs, func(c *Comparison) bool { return c.Why != why }) {
		return ""
	}
	return ": " + why
}

// words sorts comparisons by what the headline says of them.
func words(cs []*Comparison) map[judge.Word][]*Comparison {
	by := map[judge.Word][]*Comparison{}
	for _, c := range cs {
		by[c.said()] = append(by[c.said()], c)
	}
	return by
}

func fastest(cs []*Comparison) *Comparison {
	return slices.MaxFunc(cs, func(a, b *Comparison) int { return cmp.Compare(Number(a.Ratio), Number(b.Ratio)) })
}

// verb puts the names of comparisons before a verb.
func verb(cs []*Comparison, one, many string) string {
	if len(cs) == 1 {
		return cs[0].Variant + " " + one
	}
	return names(cs) + " " + many
}

func names(cs []*Comparison) string {
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
