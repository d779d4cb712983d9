package discover

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/problem"
)

// Where no name tells, what benchmarks do tells: of those that do one job, some start
// goroutines, and one does not. Each base that is found so is said.

// amounts tell cases of a job, and no ways to do it.
var amounts = []string{"small", "large", "tiny", "big", "short", "long", "narrow", "wide", "few", "many", "hit", "hits", "miss", "misses", "hot", "cold", "empty", "full"}

// Why something is taken as a base.
const (
	startsNone  = "since it starts no goroutine"
	standsFirst = "since it stands first"
	plainest    = "since its lock is the plainest, or it has none"
)

// starts reports whether a benchmark starts goroutines, as was seen or stands in the source.
func (g *grouper) starts(i int) bool {
	if g.hints.Starts[g.names[i]] {
		return true
	}
	e := elements(g.names[i])
	for _, f := range g.hints.Funcs {
		if f.Name == "Benchmark"+e[0] {
			return f.Spawns && len(e) == 1 || len(e) > 1 && slices.Contains(f.Starts, e[1])
		}
	}
	return false
}

// known reports whether it is known what benchmarks do.
func (g *grouper) known() bool {
	return len(g.hints.Starts) > 0 || slices.ContainsFunc(g.hints.Funcs, func(f Func) bool { return f.Spawns || len(f.Starts) > 0 })
}

// deeds finds bases by what benchmarks do.
func (g *grouper) deeds() {
	if g.known() {
		g.siblings()
		g.tree()
	}
}

// siblings finds bases among sub-benchmarks that differ in one element.
func (g *grouper) siblings() {
	type job struct {
		elem int
		rest string
	}
	serial, others := map[job][]int{}, map[job][]int{}
	var order []job
	for i, n := range g.names {
		e := elements(n)
		for elem := 1; g.of[i] < 0 && elem < len(e); elem++ {
			at := job{elem, strings.Join(without(e, elem), "/")}
			if !slices.Contains(order, at) {
				order = append(order, at)
			}
			switch {
			case g.starts(i):
				others[at] = append(others[at], i)
			case !isSize(e[elem]) && !slices.ContainsFunc(words(e[elem]), func(w string) bool { return slices.Contains(amounts, w) }):
				serial[at] = append(serial[at], i)
			}
		}
	}
	taken := func(i int) bool { return g.of[i] >= 0 }
	for _, at := range order {
		all := slices.DeleteFunc(others[at], taken)
		if base := g.simplest(slices.DeleteFunc(serial[at], taken), at.elem); base >= 0 && len(all) > 0 {
			g.add(base, all, at.elem)
			g.tell(base, all[0], at.elem, startsNone)
		}
	}
}

// simplest is the only one of several, or the only one whose element says that it is
// the plain form; else -1.
func (g *grouper) simplest(all []int, elem int) int {
	if len(all) > 1 {
		all = slices.DeleteFunc(all, func(i int) bool {
			return !slices.ContainsFunc(words(elements(g.names[i])[elem]), func(w string) bool { return slices.Contains(plainForms, w) })
		})
	}
	if len(all) != 1 {
		return -1
	}
	return all[0]
}

// tree finds the base of sub-benchmarks of which some lie deeper than others: the only
// one of the function that starts no goroutine.
func (g *grouper) tree() {
	serial, others := map[string][]int{}, map[string][]int{}
	for i, n := range g.names {
		e := elements(n)
		switch {
		case len(e) == 1:
		case !g.starts(i):
			serial[e[0]] = append(serial[e[0]], i)
		case g.of[i] < 0:
			others[e[0]] = append(others[e[0]], i)
		}
	}
	for _, n := range g.names {
		f := elements(n)[0]
		if len(serial[f]) == 1 && g.open(serial[f][0]) {
			base := serial[f][0]
			deep := len(elements(g.names[base]))
			g.join(base, slices.DeleteFunc(others[f], func(v int) bool { return len(elements(g.names[v])) == deep }), whole, startsNone)
			delete(others, f)
		}
	}
}

// open reports whether a name has no family, or is the base of one.
func (g *grouper) open(i int) bool {
	if g.of[i] < 0 {
		return true
	}
	f := &g.families[g.of[i]]
	return f.Base >= 0 && f.Members[f.Base].Bench == g.names[i]
}

// join adds others to the family of base, or makes it, and tells why.
func (g *grouper) join(base int, others []int, elem int, why string) {
	if len(others) == 0 {
		return
	}
	if g.of[base] < 0 {
		g.add(base, others, elem)
	} else {
		f := &g.families[g.of[base]]
		for _, v := range others {
			g.of[v] = g.of[base]
			e := elements(g.names[v])
			variant := e[0]
			if elem != 0 && len(e) > 1 {
				variant = strings.Join(e[1:], "/")
			}
			f.Members = append(f.Members, Member{Bench: g.names[v], Variant: variant})
		}
	}
	if why != "" {
		g.tell(base, others[0], elem, why)
	}
}

// tell says once for all sizes what is taken as a base.
func (g *grouper) tell(base, variant, elem int, why string) {
	e := elements(g.names[base])
	at := max(elem, 0)
	if elem == whole && len(e) > 1 {
		at = 1
	}
	own := choose(g.names[base], at)
	if slices.ContainsFunc(g.problems, func(p problem.Problem) bool { return p.Base == own }) {
		return
	}
	g.problems = append(g.problems, problem.Problem{Package: g.pkg, Pairs: true, Note: true, Base: own,
		Reason: fmt.Sprintf("%s is taken as the base, %s", g.names[base], why),
		Next:   cmdline.Takes(choose(g.names[variant], min(at, len(elements(g.names[variant]))-1)), "another")})
}
