package discover

import (
	"cmp"
	"go/ast"
	"math"
	"slices"
	"strings"
)

// Benchmarks whose names agree but for one element, and whose code agrees but for what it
// works with, do one job in several ways: see [part.likeness].

// A tie is how two benchmarks are akin, by their code and by their names.
type tie struct {
	a, b     int
	kinship  kinship
	affinity int
	spawns   [2]bool
	rivals   bool // both start goroutines, or both share: neither need be the base
}

// byNames is how two functions are akin whose code is so alike, by what tells their names
// apart: words that say how a job is done, or any one word where one of them starts
// goroutines and the other does not.
func byNames(l likeness, t tie, x, y []string) kinship {
	pre, suf := common(x, y)
	bare, other := x[pre:len(x)-suf], y[pre:len(y)-suf]
	a, b := ways(bare), ways(other)
	switch k := l.kinship; {
	case k == self && a && b && slices.ContainsFunc(bare, sharedBy) && slices.ContainsFunc(other, sharedBy):
		return kin // by what its code does not show
	case k == self && a && b:
		return self
	case k == self:
		return apart
	case t.affinity < 2 && (plainly(x) || plainly(y)):
		return kin
	case t.affinity < 2 && l.unlike:
		return apart
	case t.affinity < 2:
		return k
	case pre+suf == 0 || !a && !b && (len(bare) > 1 || len(other) > 1 || pre == 0 && !l.called || l.partly):
		if t.rivals {
			return maybe
		}
		return apart
	case len(bare) == 0 && !b && t.spawns[0] && !l.foreign[1], len(other) == 0 && !a && t.spawns[1] && !l.foreign[0]:
		return maybe // what has more words would be the base
	case l.differ&goes != 0:
		return k
	case a && b && (slices.ContainsFunc(slices.Concat(bare, other), sharedBy) || plainly(bare) != plainly(other)):
		return kin
	case len(bare) == 1 && len(other) == 1 && len(bare[0]+other[0]) == 2 && isSize(bare[0]) && isSize(other[0]):
		return kin // two versions: see sizes
	case saysNone(x) != saysNone(y) && len(bare)+len(other) == 1:
		return kin
	case earlier(bare) && len(other) < 3 || earlier(other) && len(bare) < 3:
		return kin
	case plainly(bare), plainly(other), a && slices.ContainsFunc(bare, sharedBy) || b && slices.ContainsFunc(other, sharedBy):
		return k
	}
	return maybe
}

// earlier reports whether one word says that it is what something is measured against.
func earlier(words []string) bool {
	return len(words) == 1 && (slices.Contains(baseWords, words[0]) && saysPlain(words[0]) || slices.Contains(bygone, words[0]))
}

// alike finds families by what the source says. Where names have several elements by which
// they could be told apart, one counts by which some start goroutines and others do not.
func (g *grouper) alike() {
	if !slices.ContainsFunc(g.hints.Funcs, func(f Func) bool { return f.source != nil }) {
		return
	}
	deepest := 0
	for _, n := range g.names {
		deepest = max(deepest, len(elements(n))-1)
	}
	for _, spawning := range []bool{true, false} {
		for elem := deepest; elem >= 0; elem-- {
			for _, all := range g.siblingsAt(elem) {
				ties := g.ties(all, elem)
				if !spawning || slices.ContainsFunc(ties, func(t tie) bool { return t.spawns[0] != t.spawns[1] }) {
					for _, c := range clusters(ties, elem > 0) {
						if elem > 0 || c.affinity > 1 || g.most(c.members) {
							g.found(c.members, elem)
						}
					}
				}
			}
		}
	}
}

// most reports whether benchmarks are of half the functions of their package or more: it is
// about what they do. Else those with no word in common may do anything.
func (g *grouper) most(members []int) bool {
	all, own := map[string]bool{}, map[string]bool{}
	for _, n := range g.names {
		all[elements(n)[0]] = true
	}
	for _, i := range members {
		own[elements(g.names[i])[0]] = true
	}
	return 2*len(own) >= len(all)
}

// siblingsAt returns the benchmarks without a family whose names agree but for an element,
// and for how many are at work.
func (g *grouper) siblingsAt(elem int) (groups [][]int) {
	at := map[string]int{}
	for i, n := range g.names {
		e := elements(n)
		if g.of[i] >= 0 || elem >= len(e) {
			continue
		}
		var rest []string
		span := g.span(i, elem)
		for k, x := range e {
			if _, _, ok := counted(words(x)); (k < elem || k >= elem+span) && (k == 0 || !ok && !bareSize(x)) {
				rest = append(rest, x)
			}
		}
		key := strings.Join(rest, "/")
		if _, ok := at[key]; !ok {
			at[key] = len(groups)
			groups = append(groups, nil)
		}
		groups[at[key]] = append(groups[at[key]], i)
	}
	return groups
}

// bareSize reports whether an element of a name is nothing but a number.
func bareSize(e string) bool { return isSize(e) && !strings.Contains(e, "=") }

// ties returns those between siblings.
func (g *grouper) ties(all []int, elem int) (ties []tie) {
	for i, a := range all {
		for _, b := range all[i+1:] {
			x, y := elements(g.names[a]), elements(g.names[b])
			if x[elem] == y[elem] {
				ties = append(ties, tie{a: a, b: b, kinship: self})
				continue
			}
			l := g.likeness(a, b, elem)
			k := l.kinship
			m, n := g.sizes(a, elem), g.sizes(b, elem)
			if k == apart || len(x) == len(y) && !slices.Equal(without(x, elem), without(y, elem)) {
				continue
			}
			wx, wy := words(x[elem]), words(y[elem])
			t := tie{a: a, b: b, kinship: k, affinity: affinity(wx, wy), spawns: [2]bool{g.spawns(a, elem), g.spawns(b, elem)}}
			t.rivals = t.spawns[0] && t.spawns[1] || g.shares(a, elem) != 0 && g.shares(b, elem) != 0
			switch {
			case elem == 0:
				t.kinship = byNames(l, t, wx, wy)
			case k == maybe && ways(wx) && ways(wy) && (slices.ContainsFunc(slices.Concat(wx, wy), sharedBy) || plainly(wx) != plainly(wy)):
				t.kinship = kin
			}
			if k != self && (!sized(m, n) && !sized(n, m) || elem > 0 && isSize(x[elem]) && isSize(y[elem])) {
				continue
			}
			if t.kinship != apart {
				ties = append(ties, t)
			}
		}
	}
	return ties
}

// span is how many elements of a name one row of a table stands for, from elem on.
func (g *grouper) span(i, elem int) int {
	s, e := g.source(i), elements(g.names[i])
	if s != nil && elem > 0 {
		for _, r := range s.rowsOf("Benchmark"+e[0], e, elem) {
			if r.at == 0 && !slices.ContainsFunc(r.path, func(p string) bool { return strings.Contains(p, "%") }) {
				return len(r.path)
			}
		}
	}
	return 1
}

// sizes are the numbers in an element of a name that no function which is called has in
// its own name.
func (g *grouper) sizes(i, elem int) []string {
	var called []string
	for _, p := range g.parts(i, elem) {
		for x := range p.part.refers {
			if x.kind == calls || x.kind == passes || x.kind == method {
				called = append(called, words(x.name)...)
			}
		}
	}
	return slices.DeleteFunc(words(elements(g.names[i])[elem]), func(w string) bool { return !isSize(w) || slices.Contains(called, w) })
}

// sized reports whether all sizes of one name are among those of another.
func sized(some, all []string) bool {
	return !slices.ContainsFunc(some, func(n string) bool { return !slices.Contains(all, n) })
}

// A cluster is a family that is being made.
type cluster struct {
	members  []int
	affinity int // the least by which some of it were joined
}

// clusters joins benchmarks, those whose names are most alike first. Two clusters are
// joined if each of the one is kin to each of the other; or may be, and some are, and no
// names within them are more alike.
func clusters(ties []tie, sub bool) (found []*cluster) {
	between := map[[2]int]tie{}
	for _, t := range ties {
		between[[2]int{t.a, t.b}], between[[2]int{t.b, t.a}] = t, t
	}
	slices.SortStableFunc(ties, func(a, b tie) int { return cmp.Compare(b.affinity, a.affinity) })
	of := map[int]*cluster{}
	var all []*cluster
	get := func(i int) *cluster {
		if of[i] == nil {
			of[i] = &cluster{[]int{i}, math.MaxInt}
			all = append(all, of[i])
		}
		return of[i]
	}
	for _, t := range ties {
		x, y := get(t.a), get(t.b)
		if x == y || t.kinship != kin {
			continue
		}
		least, closest := kin, 0
		named := func(c *cluster) bool { return len(c.members) > 1 && c.affinity > 1 }
		strange := !sub && t.affinity < 2 && (named(x) || named(y))
		for _, a := range x.members {
			for _, b := range y.members {
				u := between[[2]int{a, b}]
				if u.kinship == maybe && u.rivals && !strange {
					continue
				}
				least, closest = min(least, u.kinship), max(closest, u.affinity)
			}
		}
		alike := func(c *cluster) bool {
			return len(c.members) == 1 || closest >= c.affinity && (sub || c.affinity < 2)
		}
		if least == apart || least == maybe && !(alike(x) && alike(y)) {
			continue
		}
		x.members, x.affinity = append(x.members, y.members...), min(x.affinity, y.affinity, t.affinity)
		for _, b := range y.members {
			of[b] = x
		}
		y.members = nil
	}
	for _, c := range all {
		if len(c.members) > 1 {
			slices.Sort(c.members)
			found = append(found, c)
		}
	}
	return found
}

// found makes families of what does one job, told apart by an element. What starts
// goroutines goes to the one of those that start none whose name is most alike.
func (g *grouper) found(members []int, elem int) {
	top := slices.MinFunc(members, func(a, b int) int { return g.simplerFirst(a, b, elem) })
	of := map[int][]int{}
	for _, v := range members {
		if v == top || !g.spawns(v, elem) {
			continue
		}
		best, most := top, g.affinity(top, v, elem)
		for _, b := range members {
			if a := g.affinity(b, v, elem); b != v && !g.spawns(b, elem) && a > most {
				best, most = b, a
			}
		}
		of[best] = append(of[best], v)
	}
	for _, v := range members {
		if v != top && !g.spawns(v, elem) && of[v] == nil {
			of[top] = append(of[top], v)
		}
	}
	for _, base := range members {
		others := of[base]
		if len(others) == 0 {
			continue
		}
		slices.Sort(others)
		at := elem
		if slices.ContainsFunc(others, func(v int) bool { return len(elements(g.names[v])) != len(elements(g.names[base])) }) {
			at = whole
		}
		g.add(base, others, at)
		only := func(rank func(i, elem int) int) bool {
			return !slices.ContainsFunc(others, func(v int) bool { return rank(v, elem) <= rank(base, elem) })
		}
		switch {
		case only(g.plainly):
		case only(g.spawning):
			g.tell(base, others[0], elem, startsNone)
		case !slices.ContainsFunc(others, func(v int) bool { return g.sharing(base, v, elem) >= 0 }):
			g.tell(base, others[0], elem, plainest)
		default:
			g.tell(base, others[0], elem, standsFirst)
		}
	}
}

func (g *grouper) affinity(a, b, elem int) int {
	return affinity(words(elements(g.names[a])[elem]), words(elements(g.names[b])[elem]))
}

// simplerFirst orders what could be the base.
func (g *grouper) simplerFirst(a, b, elem int) int {
	return cmp.Or(
		cmp.Compare(len(elements(g.names[a])), len(elements(g.names[b]))), // at no count
		cmp.Compare(g.plainly(a, elem), g.plainly(b, elem)),
		cmp.Compare(g.several(a, elem), g.several(b, elem)),
		cmp.Compare(g.spawning(a, elem), g.spawning(b, elem)),
		cmp.Compare(g.foreign(a, elem), g.foreign(b, elem)),
		g.sharing(a, b, elem),
		g.shorter(a, b, elem),
		cmp.Compare(a, b))
}

// shorter orders names of which one has all words of the other.
func (g *grouper) shorter(a, b, elem int) int {
	x, y := words(elements(g.names[a])[elem]), words(elements(g.names[b])[elem])
	if pre, suf := common(x, y); pre+suf == min(len(x), len(y)) {
		return cmp.Compare(len(x), len(y))
	}
	return 0
}

// plainly is 0 for a name that says that it is the plain form, else 1.
func (g *grouper) plainly(i, elem int) int {
	if w := words(elements(g.names[i])[elem]); slices.ContainsFunc(w, saysPlain) || saysNone(w) {
		return 0
	}
	return 1
}

// several is 1 for a name that says that several are at work, else 0.
func (g *grouper) several(i, elem int) int {
	if slices.ContainsFunc(words(elements(g.names[i])[elem]), func(w string) bool { return slices.Contains(plainWords, w) }) {
		return 1
	}
	return 0
}

// spawns reports whether a benchmark starts goroutines, in the source or as was seen: not
// those of RunParallel.
func (g *grouper) spawns(i, elem int) bool {
	if g.does(i, elem)&goes != 0 {
		return true
	}
	return g.hints.Starts[g.names[i]] && !slices.ContainsFunc(g.parts(i, 0), func(p owned) bool { return len(p.part.of(spread)) > 0 })
}

// spawning is 1 for what starts goroutines, in the source or as was seen.
func (g *grouper) spawning(i, elem int) int {
	if g.spawns(i, elem) || g.starts(i) {
		return 1
	}
	return 0
}

// sharing orders what shares by less: all of it is among what the other shares by, or it
// is a lock.
func (g *grouper) sharing(a, b, elem int) int {
	var x, y deed
	for _, p := range g.parts(a, elem) {
		for _, q := range g.parts(b, elem) {
			if p.owner == q.owner {
				x |= p.part.without(q.part).does() &^ goes
				y |= q.part.without(p.part).does() &^ goes
			}
		}
	}
	switch {
	case x == y:
		return 0
	case x&^y == 0, x == mutexes && y != 0:
		return -1
	case y&^x == 0, y == mutexes && x != 0:
		return 1
	}
	return 0
}

// shares is what is shared by, in what the benchmark uses of the package.
func (g *grouper) shares(i, elem int) (d deed) {
	for _, p := range g.parts(i, elem) {
		for _, o := range p.part.refers {
			if o != nil {
				d |= p.part.source.deeds(o) &^ goes
			}
		}
	}
	return d
}

// quiet reports whether it is known that two benchmarks start no goroutines and share
// nothing, nor what they call: words of concurrency mean something else in their names, as
// lines may be parallel.
func (g *grouper) quiet(a, b int) bool {
	for _, i := range []int{a, b} {
		s := g.source(i)
		if s == nil || s.imports() || g.starts(i) || g.does(i, 0) != 0 {
			return false
		}
	}
	return true
}

// foreign is 0 for what uses nothing of the package, else 1.
func (g *grouper) foreign(i, elem int) int {
	for _, p := range g.parts(i, elem) {
		for x, o := range p.part.refers {
			if o != nil && (slices.Contains(code, x.kind) || made(o) != nil) {
				return 1
			}
		}
	}
	return 0
}

// source is the code of the package of a benchmark, or nil.
func (g *grouper) source(i int) *source {
	name := "Benchmark" + elements(g.names[i])[0]
	for _, f := range g.hints.Funcs {
		if f.Name == name && f.source != nil {
			f.source.once.Do(f.source.resolve)
			return f.source
		}
	}
	return nil
}

// does is what the code does that a benchmark has for itself in an element of its name.
func (g *grouper) does(i, elem int) (d deed) {
	for _, p := range g.parts(i, elem) {
		d |= p.part.does()
	}
	return d
}

// An owned part is one of a row.
type owned struct {
	owner ast.Node
	part  *part
}

// parts is the code that a benchmark has for itself in an element of its name.
func (g *grouper) parts(i, elem int) (all []owned) {
	s := g.source(i)
	if s == nil {
		return nil
	}
	e := elements(g.names[i])
	decl := s.funcs["Benchmark"+e[0]]
	if decl == nil {
		return nil
	}
	if elem == 0 {
		return []owned{{nil, s.part([]ast.Node{decl.Body})}}
	}
	for _, r := range s.rowsOf(decl.Name.Name, e, elem) {
		all = append(all, owned{r.owner, s.part(r.nodes)})
	}
	return all
}

// likeness compares two benchmarks by the code for an element of their names.
func (g *grouper) likeness(a, b, elem int) (most likeness) {
	for _, x := range g.parts(a, elem) {
		for _, y := range g.parts(b, elem) {
			if x.owner != y.owner {
				continue
			}
			l := x.part.likeness(y.part, elem == 0)
			if l.kinship == kin || most.kinship == apart || l.kinship == maybe && most.kinship == self {
				most = l
			}
		}
	}
	if most.kinship == maybe && !most.partly && g.spawns(a, elem) != g.spawns(b, elem) {
		most.kinship, most.differ = kin, most.differ|goes
	}
	return most
}
