package discover

import (
	"go/types"
	"maps"
	"slices"
	"strings"
)

// A kinship says whether two benchmarks do one job in two ways.
type kinship int

const (
	apart kinship = iota
	maybe         // what they call could stand for each other
	kin           // and they do it by other means, or with another type for the same
	self          // it is one, with another number at work
)

// A likeness is what the code of two benchmarks says of them.
type likeness struct {
	kinship kinship
	differ  deed    // what only one of them does
	foreign [2]bool // it uses nothing of the package that the other does not
	partly  bool    // one does what the other does, and more
	called  bool    // functions stand for each other, not methods alone
	unlike  bool    // most of their code is not the same, or more than two calls
}

// likeness compares the code that two benchmarks have for themselves. What they work on
// is the same, what they call has the same results. functions says that this is all
// their code, which then has something in common.
func (a *part) likeness(b *part, functions bool) (l likeness) {
	x, y := a.without(b), b.without(a)
	both := func(k ...kind) bool { return len(x.of(k...)) > 0 && len(y.of(k...)) > 0 }
	if both(str) || both(value, fixed) || both(sets) && len(x.inputs()) > 0 && len(y.inputs()) > 0 {
		return l // another case
	}
	cx, cy := x.callees(), y.callees()
	if len(cx) > 0 && len(cy) > 0 && !slices.ContainsFunc(cx, func(f types.Object) bool {
		return slices.ContainsFunc(cy, func(g types.Object) bool { return fits(f, g) })
	}) {
		return l // another job
	}
	common := a.common(b)
	if functions && common == 0 && len(a.inputs())+len(b.inputs())+len(x.of(num))+len(y.of(num)) > 0 {
		return l
	}
	mx, my := x.works(), y.works()
	switch {
	case !mx && !my && len(x.of(inputs...))+len(y.of(inputs...)) == 0 && len(x.of(spread)) == len(y.of(spread)):
		l.kinship = self
		return l
	case !mx && !my, len(x.of(value))+len(y.of(value)) > 0, !mx && len(y.inputs()) > 0, !my && len(x.inputs()) > 0:
		return l
	case len(x.inputs()) > len(x.of(str, fixed)), len(y.inputs()) > len(y.of(str, fixed)):
		return l
	}
	shared := share(x.types(), y.types(), a.called(b))
	l.differ, l.partly = x.does()^y.does(), !mx || !my
	if !shared && sameType(cx, cy) {
		l.differ &= goes // two methods of one type may lock differently
	}
	l.foreign = [2]bool{!x.uses(), !y.uses()}
	switch {
	case !l.foreign[0] || !l.foreign[1]:
	case l.partly:
		l.differ &= goes
	default:
		l.differ &^= channels // how the benchmark waits
	}
	l.unlike = max(len(x.of(code...)), len(y.of(code...))) > 2*common+1 || max(unmade(cx), unmade(cy)) > 2 || both(num)
	l.called = both(calls) || both(passes)
	switch {
	case l.differ == 0 && l.partly:
		return likeness{}
	case l.partly && l.differ&goes == 0, l.differ == 0 && (!shared || functions):
		l.kinship = maybe
	default:
		l.kinship = kin
	}
	return l
}

// without is what a refers to and b does not.
func (a *part) without(b *part) *part {
	d := &part{source: a.source, refers: map[atom]types.Object{}}
	for x, o := range a.refers {
		if p, ok := b.refers[x]; !ok || p != o {
			d.refers[x] = o
		}
	}
	return d
}

// does is what is done by that which it refers to.
func (a *part) does() (d deed) {
	for x, o := range a.refers {
		switch {
		case o != nil:
			d |= a.source.deeds(o)
		case x.kind == stmt && x.name == "go":
			d |= goes
		case x.kind == stmt:
			d |= channels
		case x.kind == ext && strings.HasPrefix(x.name, "atomic."):
			d |= atomics
		case x.kind == ext && x.name == "sync.Map":
			d |= others
		case x.kind == ext && x.name == "sync.Pool":
			d |= pools
		case x.kind == method && x.name == "Go":
			d |= goes
		case x.kind == method && slices.Contains(locking, x.name):
			d |= mutexes
		}
	}
	return d
}

func (a *part) of(kinds ...kind) (all []types.Object) {
	for x, o := range a.refers {
		if slices.Contains(kinds, x.kind) {
			all = append(all, o)
		}
	}
	return all
}

// called are the methods that both call, by their names.
func (a *part) called(b *part) map[string]bool {
	both := maps.Clone(a.source.called)
	for x := range a.refers {
		if _, ok := b.refers[x]; ok && x.kind == method {
			both[x.name] = true
		}
	}
	return both
}

// inputs is what it works on: no function that makes what has methods.
func (a *part) inputs() []types.Object {
	return slices.DeleteFunc(a.of(inputs...), func(o types.Object) bool { return made(o) != nil })
}

// works reports whether there is something that it works with.
func (a *part) works() bool {
	return len(a.of(code...)) > 0 || slices.ContainsFunc(a.of(sets), func(o types.Object) bool { return made(o) != nil })
}

// callees are the functions and methods that it calls or passes on.
func (a *part) callees() []types.Object {
	return a.of(calls, passes, method)
}

// unmade counts those that make no type with methods.
func unmade(all []types.Object) (n int) {
	for _, o := range all {
		if made(o) == nil {
			n++
		}
	}
	return n
}

// types are those that it refers to or makes.
func (a *part) types() (all []*types.Named) {
	for x, o := range a.refers {
		if x.kind == typ {
			if t := namedType(o.Type()); t != nil {
				all = append(all, t)
			}
		} else if t := made(o); t != nil {
			all = append(all, t)
		}
	}
	return all
}

// common counts what two benchmarks have in common of the package, and go, send and receive.
func (a *part) common(b *part) (n int) {
	for x := range a.refers {
		if _, ok := b.refers[x]; ok && (slices.Contains(code, x.kind) || slices.Contains(inputs, x.kind)) && x.kind != ext {
			n++
		}
	}
	return n
}

// uses reports whether it works with something of the package.
func (a *part) uses() bool {
	for x, o := range a.refers {
		if o != nil && (slices.Contains(code, x.kind) || made(o) != nil) {
			return true
		}
	}
	return false
}

// share reports whether there are two types, one on each side, with a method in common,
// or one interface that is made on both.
func share(x, y []*types.Named, called map[string]bool) bool {
	return slices.ContainsFunc(x, func(a *types.Named) bool {
		return slices.ContainsFunc(y, func(b *types.Named) bool {
			if a == b {
				return types.IsInterface(a)
			}
			set := types.NewMethodSet(types.NewPointer(b))
			for m := range a.Methods() {
				if called[m.Name()] && set.Lookup(m.Pkg(), m.Name()) != nil {
					return true
				}
			}
			return false
		})
	})
}

// sameType reports whether all that is called are methods of one type.
func sameType(x, y []types.Object) bool {
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	var of *types.Named
	for _, o := range slices.Concat(x, y) {
		f, ok := o.(*types.Func)
		if !ok || f.Signature().Recv() == nil {
			return false
		}
		t := namedType(f.Signature().Recv().Type())
		if t == nil || of != nil && t != of {
			return false
		}
		of = t
	}
	return of != nil
}

// another reports whether two methods of two types are called, of which one type has both.
func another(f, g *types.Func) bool {
	x, y := f.Signature().Recv(), g.Signature().Recv()
	if x == nil || y == nil || f.Name() == g.Name() {
		return false
	}
	if types.IsInterface(x.Type()) && types.Identical(x.Type(), y.Type()) {
		return true
	}
	t, u := namedType(x.Type()), namedType(y.Type())
	has := func(t *types.Named, f *types.Func) bool {
		return types.NewMethodSet(types.NewPointer(t)).Lookup(f.Pkg(), f.Name()) != nil
	}
	return t != nil && u != nil && t != u && (has(t, g) || has(u, f))
}

// fits reports whether one function could stand for the other: the first results are of
// one type, and the parameters of one are among those of the other.
// Nothing is known of what is imported.
func fits(x, y types.Object) bool {
	f, ok := x.(*types.Func)
	g, both := y.(*types.Func)
	if !ok || !both {
		return true
	}
	if t, u := made(f), made(g); t != nil && u != nil {
		return true
	}
	if a, b := words(f.Name()), words(g.Name()); adds(a, b) || adds(b, a) {
		return true // Encode and EncodePooled, whatever they return it by
	}
	fr, gr := results(f), results(g)
	if another(f, g) || (len(fr) == 0) != (len(gr) == 0) || len(fr) > 0 && !same(fr[0], gr[0]) {
		return false
	}
	fp, gp := tuple(f.Signature().Params()), tuple(g.Signature().Params())
	return among(fp, gp) || among(gp, fp)
}

func results(f *types.Func) []types.Type {
	all := tuple(f.Signature().Results())
	if n := len(all); n > 0 && types.Identical(all[n-1], types.Universe.Lookup("error").Type()) {
		return all[:n-1]
	}
	return all
}

func tuple(t *types.Tuple) (all []types.Type) {
	for v := range t.Variables() {
		all = append(all, v.Type())
	}
	return all
}

// same reports whether two types are, or one is not known. Slices of what is not known
// are the same.
func same(t, u types.Type) bool {
	for _, x := range []types.Type{t, u} {
		if _, ok := x.(*types.TypeParam); ok {
			return true
		}
	}
	if a, ok := t.(*types.Slice); ok {
		if b, ok := u.(*types.Slice); ok {
			return same(a.Elem(), b.Elem())
		}
	}
	return types.Identical(t, u) || t == types.Typ[types.Invalid] || u == types.Typ[types.Invalid]
}

func among(some, all []types.Type) bool {
	for _, t := range some {
		if !slices.ContainsFunc(all, func(u types.Type) bool { return same(t, u) }) {
			return false
		}
	}
	return true
}

// affinity says how much the words of two names have in common: two for a word, one where
// a word only stands in another.
func affinity(a, b []string) (n int) {
	rest := slices.Clone(b)
	for _, w := range a {
		if k := slices.Index(rest, w); k >= 0 {
			rest = slices.Delete(rest, k, k+1)
			n += 2
		}
	}
	in := func(a, b []string) bool {
		return slices.ContainsFunc(a, func(w string) bool {
			return len(w) > 2 && slices.ContainsFunc(b, func(v string) bool { return strings.Contains(v, w) })
		})
	}
	if n == 0 && (in(a, b) || in(b, a)) {
		return 1
	}
	return n
}
