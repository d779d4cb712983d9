package discover

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/problem"
)

// A named is a benchmark that was named as a base, by a flag or a comment.
type named struct {
	name int // index
	elem int // of its path, in which its variants differ from it
	// free is the part of that element that a variant need not share.
	free string
}

// told follows -base and -vs.
func (g *grouper) told() {
	var bases []named
	isBase := map[int]bool{}
	for i, n := range g.names {
		if at := g.hints.Base.FindStringIndex(n); at != nil {
			bases = append(bases, g.base(i, at))
			isBase[i] = true
		}
	}
	var variants []int
	for i, n := range g.names {
		if !isBase[i] && (g.hints.Vs == nil || g.hints.Vs.MatchString(n)) {
			variants = append(variants, i)
		}
	}
	near := g.hints.Vs == nil && slices.ContainsFunc(variants, func(v int) bool {
		return slices.ContainsFunc(bases, func(b named) bool { shared, _, ok := g.share(b, v); return ok && shared > 0 })
	})
	left := g.assign(bases, variants, near, fmt.Sprintf("%s %q matches", cmdline.Base, g.hints.Base))
	if g.hints.Vs != nil && len(bases) == 1 && len(left) > 0 {
		// One base and its variants by name: no shape of the names is asked for.
		if at := g.of[bases[0].name]; at >= 0 {
			left = append(members(g.names, g.families[at], bases[0].name), left...)
			g.families = slices.Delete(g.families, at, at+1)
		}
		g.add(bases[0].name, left, whole)
		return
	}
	if !g.refused {
		g.without(bases, left)
	}
}

// members returns the indexes of a family's members but one.
func members(names []string, f Family, but int) (all []int) {
	for _, m := range f.Members {
		if i := slices.Index(names, m.Bench); i != but {
			all = append(all, i)
		}
	}
	return all
}

// base is what -base means by the i-th name, of which it matches the bytes at:
// where it reaches over several elements, the one with a base word, or the last
// one that is no size.
func (g *grouper) base(i int, at []int) named {
	n := g.names[i]
	// A match that ends with a slash does not reach over it.
	first, last := strings.Count(n[:at[0]], "/"), strings.Count(strings.TrimSuffix(n[:at[1]], "/"), "/")
	e := elements(n)
	b := named{name: i, elem: first}
	for elem := first; elem <= last; elem++ {
		if slices.ContainsFunc(words(e[elem]), func(w string) bool { return slices.Contains(baseWords, w) }) {
			b.elem = elem
			break
		}
		if !isSize(e[elem]) {
			b.elem = elem
		}
	}
	from := 0 // of the element in n
	for range b.elem {
		from += strings.IndexByte(n[from:], '/') + 1
	}
	b.free = n[max(at[0], from):min(at[1], from+len(strings.SplitN(n[from:], "/", 2)[0]))]
	return b
}

// marked follows //payoff:base comments: a marked function against the other
// functions of its file, a marked sub-benchmark against its siblings.
func (g *grouper) marked() {
	files := map[string]map[string]bool{} // names of functions, by file
	var order []string
	for _, f := range g.hints.Funcs {
		file, _ := cutLast(f.Pos, ":")
		if files[file] == nil {
			files[file] = map[string]bool{}
			order = append(order, file)
		}
		files[file][f.Name] = true
	}
	for _, file := range order {
		var bases []named
		var variants []int
		for i, n := range g.names {
			e := elements(n)
			if !files[file]["Benchmark"+e[0]] {
				continue
			}
			elem := -1
			for _, f := range g.hints.Funcs {
				if f.Name != "Benchmark"+e[0] {
					continue
				}
				if f.Base {
					elem = 0
				}
				for k := 1; k < len(e); k++ {
					if slices.Contains(f.BaseSubs, e[k]) {
						elem = k
					}
				}
			}
			if elem >= 0 {
				bases = append(bases, named{i, elem, e[elem]})
			} else {
				variants = append(variants, i)
			}
		}
		g.assign(bases, variants, false, "//payoff:base marks")
	}
}

// assign gives each variant to the base with which it shares most of its name,
// and makes families of them. Both have the same names outside the element of
// the base. A variant that shares nothing with any goes to the only one, unless
// near is set. It returns the variants that have no base; said begins the
// sentence that refuses those that could have several.
func (g *grouper) assign(bases []named, variants []int, near bool, said string) (left []int) {
	of := make([][]int, len(bases))
	kinds := map[int][]string{} // of bases, by element: a job may have one for each size
	for _, b := range bases {
		if e := elements(g.names[b.name])[b.elem]; !slices.Contains(kinds[b.elem], e) {
			kinds[b.elem] = append(kinds[b.elem], e)
		}
	}
	var torn []int // variants that could have several bases
	var between []int
	for _, v := range variants {
		best := []int{}
		most, least := 0, 0
		for b := range bases {
			shared, missing, ok := g.share(bases[b], v)
			switch {
			case !ok || shared == 0 && (near || len(kinds[bases[b].elem]) > 1):
			case len(best) == 0 || shared > most || shared == most && missing < least:
				best, most, least = []int{b}, shared, missing
			case shared == most && missing == least:
				best = append(best, b)
			}
		}
		switch len(best) {
		case 0:
			left = append(left, v)
		case 1:
			of[best[0]] = append(of[best[0]], v)
		default:
			torn = append(torn, v)
			if between == nil {
				between = best
			}
		}
	}
	if len(torn) > 0 {
		var names []string
		for _, b := range between {
			names = append(names, g.names[bases[b].name])
		}
		one := choose(names[0], bases[between[0]].elem)
		g.refused = true
		g.problems = append(g.problems, problem.Problem{Package: g.pkg, Pairs: true, Base: one,
			Reason: fmt.Sprintf("%s %s, and %s could belong to each", said, join(names), list(g.names, torn)),
			Next:   "give one of them, like " + plain.Shell(cmdline.Base, one)})
		return left
	}
	for b, others := range of {
		if len(others) > 0 {
			g.add(bases[b].name, others, bases[b].elem)
		}
	}
	return left
}

// share returns how much of its name the v-th benchmark shares with a base, in
// words, and how many words of the base it lacks. It reports whether they could
// be one job: their names are the same outside the element of the base.
func (g *grouper) share(b named, v int) (shared, missing int, ok bool) {
	be, ve := elements(g.names[b.name]), elements(g.names[v])
	if b.elem >= len(ve) || !slices.Equal(without(be, b.elem), without(ve, b.elem)) {
		return 0, 0, false
	}
	bw, vw := words(be[b.elem]), words(ve[b.elem])
	pre := 0
	for pre < min(len(bw), len(vw)) && bw[pre] == vw[pre] {
		pre++
	}
	suf := 0
	for suf < min(len(bw), len(vw))-pre && bw[len(bw)-1-suf] == vw[len(vw)-1-suf] {
		suf++
	}
	missing = max(0, len(bw)-pre-suf-len(words(b.free)))
	if shared = pre + suf; b.elem > 0 {
		shared++ // the function
	}
	return shared, missing, true
}

// without says which benchmarks -base and -vs leave without a partner.
func (g *grouper) without(bases []named, left []int) {
	if len(g.families) == 0 {
		x := problem.Problem{Package: g.pkg, Pairs: true}
		x.Reason, x.Next = g.noPair(bases, left)
		g.problems = append(g.problems, x)
		return
	}
	for _, b := range bases {
		if g.of[b.name] < 0 {
			left = append(left, b.name)
		}
	}
	if len(left) > 0 {
		slices.Sort(left)
		next := "match a base whose name is the same but for the variant"
		if len(bases) == 1 { // and no -vs: with one, what it matches has the only base
			next = cmdline.Vs + " compares what it matches all the same"
		}
		g.problems = append(g.problems, problem.Problem{Package: g.pkg, Pairs: true, Note: true,
			Reason: fmt.Sprintf("%s %q leaves %s without a partner", cmdline.Base, g.hints.Base, list(g.names, left)),
			Next:   next})
	}
}

// noPair says why -base and -vs make no pair, and what would.
func (g *grouper) noPair(bases []named, left []int) (reason, next string) {
	base := fmt.Sprintf("%s %q matches", cmdline.Base, g.hints.Base)
	var rest []int
	var matched []int
	for i := range g.names {
		if slices.ContainsFunc(bases, func(b named) bool { return b.name == i }) {
			matched = append(matched, i)
		} else {
			rest = append(rest, i)
		}
	}
	like := func(flag string, i int) string {
		return "like " + plain.Shell(flag, "^"+regexp.QuoteMeta(g.names[i])+"$")
	}
	switch {
	case len(matched) == 0:
		return base + " none of " + list(g.names, rest), "match one of them, " + like(cmdline.Base, 0)
	case len(g.names) == 1:
		return base + " " + g.names[0] + ", and there is no other", "let " + cmdline.Bench + " match what it is to be compared with"
	case len(rest) == 0:
		return base + " all of " + list(g.names, matched), "match the base alone, " + like(cmdline.Base, 0)
	case len(left) == 0:
		return fmt.Sprintf("%s %q matches none of %s", cmdline.Vs, g.hints.Vs, list(g.names, rest)), "match one of them, " + like(cmdline.Vs, rest[0])
	case len(matched) == 1:
		return base + " " + g.names[matched[0]] + ", and no other name is the same but for the variant: " + list(g.names, rest), "name what is compared with it, " + like(cmdline.Vs, rest[0])
	}
	return base + " " + list(g.names, matched) + ", and no other name is the same as one of them but for the variant: " + list(g.names, rest), "match one base alone, " + like(cmdline.Base, matched[0]) + ", and name what is compared with it by " + cmdline.Vs
}

// contended says which other names could have been the base.
func (g *grouper) contended() {
	said := map[[2]string]bool{}
	for _, r := range g.rivals {
		base, rival := g.names[r[0]], g.names[r[1]]
		elem := 0
		for be, re := elements(base), elements(rival); elem < len(be)-1 && be[elem] == re[elem]; {
			elem++
		}
		key := [2]string{elements(base)[elem], elements(rival)[elem]}
		if !said[key] { // once for all sizes
			said[key] = true
			other := choose(rival, elem)
			g.problems = append(g.problems, problem.Problem{Package: g.pkg, Pairs: true, Note: true, Base: other,
				Reason: fmt.Sprintf("%s is taken as the base, %s could be it as well", base, rival),
				Next:   cmdline.Takes(other, "the other")})
		}
	}
}

// choose is an expression that matches an element of a name and none that only
// contains it.
func choose(name string, elem int) string {
	e := strings.Split(name, "/")
	expr := "^" + regexp.QuoteMeta(e[0])
	if elem > 0 {
		expr = "/" + regexp.QuoteMeta(e[elem])
	}
	if elem < len(e)-1 {
		return expr + "/"
	}
	return expr + "$"
}

// list names a few benchmarks of many.
func list(names []string, which []int) string {
	var some []string
	for i, k := range which {
		if i == 4 && len(which) > 5 {
			some = append(some, fmt.Sprintf("%d more", len(which)-4))
			break
		}
		some = append(some, names[k])
	}
	return join(some)
}

func join(s []string) string {
	if len(s) < 2 {
		return strings.Join(s, "")
	}
	return strings.Join(s[:len(s)-1], ", ") + " and " + s[len(s)-1]
}
