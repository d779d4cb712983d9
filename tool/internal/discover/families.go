package discover

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/problem"
)

// A Member is one benchmark in its family.
type Member struct {
	Bench   string `json:"bench"`   // full name: BenchmarkSum/variant=packed/n=1000
	Variant string `json:"variant"` // packed
}

// A Param is a key=value part of a name with a number for its value.
type Param struct {
	Key   string  `json:"key"`
	Value float64 `json:"value"`
}

// A Family is one job done in several ways at one set of parameters: the base
// and what is compared with it. A benchmark that nothing else does the job of
// is a family of its own, without a base.
type Family struct {
	Name    string   `json:"name"`  // without the variant: Sum/n=1000
	Group   string   `json:"group"` // without variant and numeric parameters: Sum/n=
	Base    int      `json:"base"`  // index in Members; -1: none
	Params  []Param  `json:"params,omitempty"`
	Members []Member `json:"members"`
	// Codes says that the members are one benchmark in two states of the code: see
	// [Codes]. Then nothing else is compared.
	Codes bool `json:"codes,omitempty"`
}

// Hints is what the user says of bases and variants beyond the names.
type Hints struct {
	Base, Vs *regexp.Regexp // match full names; nil: not told
	Funcs    []Func         // for their //payoff:base marks, and what starts goroutines
	// Starts has the benchmarks that were seen to start goroutines.
	Starts map[string]bool
}

// Families is [Pair] for names that call for no comment.
func Families(names []string, h Hints) []Family {
	families, _ := Pair("", names, h)
	return families
}

// Pair groups the benchmarks of one package, given by their full names in
// the order they run. The base is, in this order: what Hints.Base matches;
// what a //payoff:base comment marks; the variant=… whose value is a base
// word (serial, sequential, seq, single, naive, baseline, base); the simplest of those
// that do one job by their source (see alike); a name with such a word, against the names
// that share what stands before and after it; a name to which the others add a word of
// concurrency (Sum, SumParallel); one worker beside several; the only sub-benchmark that
// was seen to start no goroutine; one of what goroutines are made by in the source (see
// bounds).
// Where there are several bases, a variant goes to the one with which it shares
// most of its name.
//
// What a person should know of the pairs is among the problems. Without
// families they say why there can be none: it is left open to which base a
// variant belongs.
func Pair(pkg string, names []string, h Hints) ([]Family, []problem.Problem) {
	g := grouper{pkg: pkg, names: names, hints: h, of: make([]int, len(names))}
	for i := range g.of {
		g.of[i] = -1
	}
	if h.Base != nil {
		g.told()
	} else {
		g.marked()
		g.keyed()
		g.alike()
		g.words()
		g.plain()
		g.counts(false)
		g.deeds()
		g.counts(true)
		g.contended()
	}
	if g.refused {
		return nil, g.problems
	}
	g.alone()
	for i := range g.families {
		g.families[i].finish()
	}
	slices.SortStableFunc(g.families, func(a, b Family) int {
		return cmp.Compare(slices.Index(names, a.Members[0].Bench), slices.Index(names, b.Members[0].Bench))
	})
	return g.families, g.problems
}

// A grouper makes families step by step; each step takes names that none
// before it took.
type grouper struct {
	pkg      string
	names    []string
	hints    Hints
	of       []int // family of each name, -1: none yet
	families []Family
	rivals   [][2]int // a base, and a name that could have been it as well
	problems []problem.Problem
	refused  bool // it is left open what belongs together
}

// whole is the place of what tells the members of a family apart where that is
// no one path element.
const whole = -1

// add makes a family of base (-1: none) and the others. elem is the path
// element that tells the members apart, or [whole].
func (g *grouper) add(base int, others []int, elem int) {
	f := Family{Base: -1}
	var all []int
	if base >= 0 {
		f.Base, all = 0, append(all, base)
	}
	all = append(all, others...)
	for _, i := range all {
		g.of[i] = len(g.families)
		variant := strings.TrimPrefix(g.names[i], "Benchmark")
		if elem != whole {
			variant = elements(g.names[i])[elem]
		}
		f.Members = append(f.Members, Member{Bench: g.names[i], Variant: variant})
	}
	f.trimKey()
	f.Name = strings.Join(elements(g.names[all[0]]), "/")
	if elem > 0 { // functions share no name
		f.Name = strings.Join(without(elements(g.names[all[0]]), elem), "/")
	}
	g.families = append(g.families, f)
}

// trimKey leaves of variants like impl=serial and impl=pool the values; numbers
// keep their key.
func (f *Family) trimKey() {
	key, _, _ := strings.Cut(f.Members[0].Variant, "=")
	key += "="
	for _, m := range f.Members {
		value, ok := strings.CutPrefix(m.Variant, key)
		if _, err := number(value); !ok || err == nil && key != "variant=" {
			return
		}
	}
	for i := range f.Members {
		f.Members[i].Variant = strings.TrimPrefix(f.Members[i].Variant, key)
	}
}

// keyed groups by variant=….
func (g *grouper) keyed() {
	for i, n := range g.names {
		elem := variantElem(n)
		if elem < 0 || g.of[i] >= 0 {
			continue
		}
		key := without(elements(n), elem)
		base := -1
		var all []int
		for j, o := range g.names {
			if g.of[j] < 0 && variantElem(o) == elem && slices.Equal(without(elements(o), elem), key) {
				all = append(all, j)
				value := strings.TrimPrefix(elements(o)[elem], "variant=")
				switch {
				case !slices.Contains(baseWords, strings.ToLower(value)):
				case base < 0:
					base = j
				default:
					g.rivals = append(g.rivals, [2]int{base, j})
				}
			}
		}
		if len(all) == 1 {
			base = -1 // nothing is compared with it
		}
		others := all
		if base >= 0 {
			others = slices.DeleteFunc(slices.Clone(all), func(j int) bool { return j == base })
		}
		g.add(base, others, elem)
	}
}

func variantElem(name string) int {
	return slices.IndexFunc(elements(name), func(e string) bool { return strings.HasPrefix(e, "variant=") })
}

func (g *grouper) alone() {
	for i, n := range g.names {
		if g.of[i] < 0 {
			g.of[i] = len(g.families)
			g.families = append(g.families, Family{
				Name: strings.Join(elements(n), "/"), Base: -1, Members: []Member{{Bench: n}},
			})
		}
	}
}

func (f *Family) finish() {
	var group []string
	for _, e := range strings.Split(f.Name, "/") {
		key, value, ok := strings.Cut(e, "=")
		if !ok {
			key, value = "", e
		}
		if v, err := number(value); err == nil && len(group) > 0 {
			f.Params = append(f.Params, Param{key, v})
			e = key + "="
		}
		group = append(group, e)
	}
	f.Group = strings.Join(group, "/")
}
