package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
)

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
		if c.Procs != d.top(c.Package) || c.Pairs == 0 {
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
	procs := figure.Plural(cs[0].Procs, "processor")
	if len(families) > 1 {
		return fmt.Sprintf("At %s concurrency %s: of %s %d pay, %d even, %d lose, %d cannot say",
			procs, inGeneral(by), figure.Plural(len(cs), "comparison"), len(by[judge.Pays]), len(by[judge.Even]), len(by[judge.Loses]), len(by[judge.CannotSay]))
	}
	var parts []string
	if pays := by[judge.Pays]; len(pays) > 0 {
		best := slices.MaxFunc(pays, func(a, b Comparison) int {
			return int(math.Copysign(1, Number(a.Ratio)-Number(b.Ratio)))
		})
		s := fmt.Sprintf("Concurrency pays: %s is %sx as fast as %s at %s", best.Variant, figure.Ratio(Number(best.Ratio)), best.Base, procs)
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
	procs := figure.Plural(cs[0].Procs, "processor")
	if len(cs) == 1 {
		c := cs[0]
		switch c.Verdict {
		case judge.Pays:
			return fmt.Sprintf("Concurrency pays: %s is %sx as fast on %s as on 1", c.Benchmark, figure.Ratio(Number(c.Ratio)), procs)
		case judge.Loses:
			return fmt.Sprintf("Concurrency loses: %s takes %sx the time on %s that it takes on 1", c.Benchmark, figure.Ratio(1/Number(c.Ratio)), procs)
		case judge.Even:
			return fmt.Sprintf("Concurrency makes no difference: %s is even on 1 and %s", c.Benchmark, procs)
		}
		return fmt.Sprintf("Cannot say yet whether %s gains from %s", c.Benchmark, procs)
	}
	return fmt.Sprintf("On %s instead of 1: of %s %d pay, %d even, %d lose, %d cannot say (no base to compare with: -base names one)",
		procs, figure.Plural(len(cs), "benchmark"), n[judge.Pays], n[judge.Even], n[judge.Loses], n[judge.CannotSay])
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
