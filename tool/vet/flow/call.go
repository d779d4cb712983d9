package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A target is a function that a call may call.
type target struct {
	fn    *ssa.Function // of this package, or one of which the package has the type alone
	sum   *Summary      // instead, of a function that another package made
	bound []Roots       // what it captured
	vals  []ssa.Value   // the same, as values of the function that calls; nil if they are not known
}

// A frame says what the roots of a function that is called are to its caller.
type frame struct {
	args, bound []Roots
	vals, binds []ssa.Value // the same as values; nil if they are not known
	fresh       Root        // what the call makes
	all         Roots       // what it was given, for all of args
	pos         token.Pos
	back        bool
	asked       bool // it is a method of what a function was handed
	depth       int
}

// depth is how many functions that are handed on are followed from one call.
const depth = 8

// seen is a set of roots as the caller of a function sees it.
func (r *reading) seen(s Roots, f *frame) (to Roots) {
	for at := range s.All() {
		i, captured, level, ok := at.operand()
		all := f.args
		switch {
		case at == Fresh:
			to = to.Or(Set(f.fresh))
			continue
		case !ok:
			to = to.Or(Set(at))
			continue
		case captured:
			all = f.bound
		default:
			to = to.Or(f.all)
		}
		if i >= len(all) {
			continue
		}
		of := all[i]
		if i == each-1 {
			for _, more := range all[i+1:] {
				of = of.Or(more)
			}
		}
		for range level {
			of = r.load(of)
		}
		if level == 2 || level == 1 && !captured {
			of = r.reach(of)
		}
		to = to.Or(of)
	}
	return to
}

// behind is the value behind a root, or nil.
func (r *reading) behind(at Root, f *frame) ssa.Value {
	i, captured, _, ok := at.operand()
	all := f.vals
	if captured {
		all = f.binds
	}
	if !ok || i == each-1 || i >= len(all) {
		return nil
	}
	if a, ok := all[i].(*ssa.Alloc); ok && captured { // a variable
		if vals := r.stored(a); len(vals) == 1 {
			return vals[0]
		}
		return nil
	}
	return all[i]
}

// call adds what a call does.
func (r *reading) call(i ssa.Instruction, c *ssa.CallCommon) {
	pos := c.Pos()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		r.builtin(i, b.Name(), c.Args, pos)
		return
	}
	vals := c.Args
	if c.IsInvoke() {
		vals = append([]ssa.Value{c.Value}, c.Args...)
	}
	f := frame{vals: vals, fresh: r.site(i), pos: pos}
	for _, v := range vals {
		f.args = append(f.args, r.of(v))
	}
	var parts []Roots
	if i == r.as {
		parts = r.apply(r.asSum, f)
	} else if c.IsInvoke() {
		parts = r.method(c.Value, c.Method, f)
	} else {
		parts = r.value(c.Value, f)
	}
	v, ok := i.(*ssa.Call)
	if !ok {
		return
	}
	if tuple, ok := v.Type().(*types.Tuple); ok {
		parts = append(parts, make([]Roots, max(0, tuple.Len()-len(parts)))...)
		if !slices.Equal(r.parts[v], parts) {
			r.parts[v], r.grew = parts, true
		}
		return
	}
	if len(parts) > 0 {
		r.set(v, parts[0])
	}
}

// value adds what a call of a function value does, and returns its results.
func (r *reading) value(v ssa.Value, f frame) (parts []Roots) {
	ts, ok := r.targets(v, 0)
	if !ok {
		if at, ok := r.handed(v); ok {
			return r.handing(at, "", f)
		}
		return r.unknown(v.Name(), f)
	}
	for _, t := range ts {
		f.bound, f.binds = t.bound, t.vals
		var is []Roots
		if sum := r.summaryOf(t); sum != nil {
			is = r.apply(sum, f)
		} else {
			is = r.unknown(t.name(), f)
		}
		parts = union(parts, is)
	}
	return parts
}

// summaryOf is what a target does, or nil.
func (r *reading) summaryOf(t target) *Summary {
	if t.fn != nil {
		return r.called(t.fn)
	}
	return t.sum
}

func (t target) name() string {
	if t.fn == nil {
		return ""
	}
	return t.fn.Name()
}

func union(a, b []Roots) []Roots {
	for len(a) < len(b) {
		a = append(a, Roots{})
	}
	for i := range b {
		a[i] = a[i].Or(b[i])
	}
	return a
}

// method adds what a call of a method of an interface does.
func (r *reading) method(v ssa.Value, m *types.Func, f frame) []Roots {
	if x, ok := concrete(v); ok {
		obj, index, _ := types.LookupFieldOrMethod(x.Type(), true, r.pkg, m.Name())
		if fn, ok := obj.(*types.Func); ok && !types.IsInterface(fn.Signature().Recv().Type()) {
			if sum := r.object(fn.Origin()); sum != nil {
				if len(index) > 1 { // the type has it from a part of it
					f.args[0] = r.reach(f.args[0])
				}
				return r.apply(sum, f)
			}
		}
	} else if at, ok := r.handed(v); ok {
		return r.handing(at, m.Name(), f)
	}
	return r.unknown(m.Name(), f)
}

// concrete returns the value in an interface, if one instruction put it there.
func concrete(v ssa.Value) (ssa.Value, bool) {
	for {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			return x.X, true
		case *ssa.ChangeInterface:
			v = x.X
		default:
			return nil, false
		}
	}
}

// handed returns the root of a parameter or captured value that v is, if no
// instruction made it something else.
func (r *reading) handed(v ssa.Value) (Root, bool) {
	switch x := v.(type) {
	case *ssa.ChangeInterface:
		return r.handed(x.X)
	case *ssa.ChangeType:
		return r.handed(x.X)
	case *ssa.Parameter:
		i := slices.Index(r.fn.Params, x)
		return Param(i), i >= 0 && i < each-1
	case *ssa.FreeVar:
		i := slices.Index(r.fn.FreeVars, x)
		return Captured(i), i >= 0 && i < each-1
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return 0, false
		}
		switch a := x.X.(type) {
		case *ssa.FreeVar:
			if onlyRead(a) {
				return r.handed(a)
			}
		case *ssa.Alloc: // a parameter that a literal captures is kept in a variable
			if only := r.stored(a); len(only) == 1 {
				return r.handed(only[0])
			}
		}
	}
	return 0, false
}

// stored returns all that a variable is ever set to, or nil if that is not known.
func (r *reading) stored(a ssa.Value) (vals []ssa.Value) {
	for _, use := range *a.Referrers() {
		if st, ok := use.(*ssa.Store); ok && st.Addr == a {
			vals = append(vals, st.Val)
		} else if !reads(use, a) {
			return nil
		}
	}
	return vals
}

// reads reports whether an instruction, and the literals that it makes, only read a
// variable.
func reads(use ssa.Instruction, v ssa.Value) bool {
	switch u := use.(type) {
	case *ssa.UnOp, *ssa.DebugRef:
		return true
	case *ssa.MakeClosure:
		for i, b := range u.Bindings {
			if b == v && !onlyRead(u.Fn.(*ssa.Function).FreeVars[i]) {
				return false
			}
		}
		return true
	}
	return false
}

// onlyRead reports whether a captured variable is never set where it is captured.
func onlyRead(v *ssa.FreeVar) bool {
	return !slices.ContainsFunc(*v.Referrers(), func(use ssa.Instruction) bool { return !reads(use, v) })
}

// targets returns the functions that a value may be, if all are known.
func (r *reading) targets(v ssa.Value, n int) (ts []target, ok bool) {
	if n > depth {
		return nil, false
	}
	switch v := v.(type) {
	case *ssa.Function:
		return []target{{fn: v}}, true
	case *ssa.MakeClosure:
		t := target{fn: v.Fn.(*ssa.Function), vals: v.Bindings}
		for _, b := range v.Bindings {
			t.bound = append(t.bound, r.of(b))
		}
		if v.Parent() != r.fn { // what it captured is a variable of another function
			t.vals = nil
			for i, b := range v.Bindings {
				t.bound[i] = r.shared(b, v.Parent())
			}
		}
		return []target{t}, true
	case *ssa.ChangeType:
		return r.targets(v.X, n+1)
	case *ssa.Const:
		return nil, v.IsNil()
	case *ssa.Phi:
		return r.targetsOf(v.Edges, n)
	case *ssa.UnOp:
		var vals []ssa.Value
		switch a := v.X.(type) {
		case *ssa.Alloc:
			vals = r.stored(a)
		case *ssa.FreeVar:
			vals = r.captured(a)
		}
		ts, ok := r.targetsOf(vals, n)
		return ts, ok && vals != nil && v.Op == token.MUL
	case *ssa.Call:
		if v.Call.IsInvoke() {
			return nil, false
		}
		makers, ok := r.targets(v.Call.Value, n+1)
		if !ok || len(makers) != 1 {
			return nil, false
		}
		sum := r.summaryOf(makers[0])
		if sum == nil || len(sum.Results) == 0 || sum.Results[0].Does == nil {
			return nil, false
		}
		m := sum.Results[0].Does
		f := frame{bound: makers[0].bound, fresh: r.site(v)}
		for _, a := range v.Call.Args {
			f.args = append(f.args, r.of(a))
		}
		t := target{fn: m.fn, sum: m.Summary}
		for _, b := range m.Bound {
			t.bound = append(t.bound, r.seen(b, &f))
		}
		return []target{t}, true
	}
	return nil, false
}

// targetsOf returns those that any of several values may be.
func (r *reading) targetsOf(vals []ssa.Value, n int) (ts []target, ok bool) {
	for _, v := range vals {
		more, ok := r.targets(v, n+1)
		if !ok {
			return nil, false
		}
		ts = append(ts, more...)
	}
	return ts, true
}

// captured returns what a variable that a literal captures is set to by the
// function around it, if the literal does not set it.
func (r *reading) captured(v *ssa.FreeVar) []ssa.Value {
	fn := v.Parent()
	i := slices.Index(fn.FreeVars, v)
	if !onlyRead(v) || fn.Referrers() == nil || i < 0 {
		return nil
	}
	for _, use := range *fn.Referrers() {
		if m, ok := use.(*ssa.MakeClosure); ok {
			switch b := m.Bindings[i].(type) {
			case *ssa.Alloc:
				return r.stored(b)
			case *ssa.FreeVar:
				return r.captured(b)
			}
			return nil
		}
	}
	return nil
}

// shared is a variable of a function around this one.
func (r *reading) shared(v ssa.Value, around *ssa.Function) Roots {
	if r.fn.Referrers() == nil || r.fn.Parent() != around {
		return Set(Anywhere)
	}
	for _, use := range *r.fn.Referrers() {
		if m, ok := use.(*ssa.MakeClosure); ok {
			if i := slices.Index(m.Bindings, v); i >= 0 {
				return Set(Captured(i))
			}
		}
	}
	return Set(Anywhere)
}

// apply adds what a function does whose summary is known, and returns its results.
func (r *reading) apply(sum *Summary, f frame) (parts []Roots) {
	for _, e := range sum.Effects {
		if e.pos, e.Back = f.pos, f.back; f.asked && e.Kind == Tell {
			e.Name = "" // it may come in other parts
		}
		if e.Kind == Call {
			for at := range e.On.All() {
				r.back(e, at, f)
			}
		} else if r.out != nil {
			r.add(e, r.seen(e.On, &f))
		}
	}
	for _, l := range sum.Links {
		r.store(r.seen(Set(l.From), &f), r.seen(l.To, &f))
	}
	for _, res := range sum.Results {
		parts = append(parts, r.seen(res.Is, &f))
	}
	return parts
}

// back adds what is done where a function calls what it was handed.
func (r *reading) back(e Effect, at Root, f frame) {
	given := r.seen(e.Given, &f)
	if v := r.behind(at, &f); v != nil {
		for _, v := range handedOn(v, e.Name != "") {
			r.callback(v, e.Name, e.Deep, given, f)
		}
		return
	}
	_, captured, _, _ := at.operand()
	if e.Name == "" && !captured && !f.all.Empty() {
		// It calls what its own caller handed to it: that was booked as called
		// there, with anything.
		return
	}
	r.lost(e.Name, f.pos, f.back, given)
}

// lost adds a call of something of which nothing is known.
func (r *reading) lost(name string, pos token.Pos, back bool, given Roots) {
	r.add(Effect{Kind: Unknown, Name: strings.ReplaceAll(name, "|", " or "), pos: pos, Back: back}, Set(Anywhere))
	r.add(Effect{Kind: Read, pos: pos}, given)
	r.add(Effect{Kind: Write, pos: pos}, given)
	r.store(given, given.Or(Set(Anywhere)))
	r.store(Set(Anywhere, Globals), given)
}

// handedOn are the values that a function gets by one of its parameters: those of
// the list that the call makes, if methods of them are called.
func handedOn(v ssa.Value, list bool) (all []ssa.Value) {
	s, ok := v.(*ssa.Slice)
	if !ok || !list {
		return []ssa.Value{v}
	}
	a, ok := s.X.(*ssa.Alloc)
	if !ok {
		return []ssa.Value{v}
	}
	for _, use := range *a.Referrers() {
		if use == ssa.Instruction(s) {
			continue
		}
		at, ok := use.(*ssa.IndexAddr)
		if !ok || len(*at.Referrers()) != 1 {
			return []ssa.Value{v}
		}
		st, ok := (*at.Referrers())[0].(*ssa.Store)
		if !ok || st.Addr != at {
			return []ssa.Value{v}
		}
		all = append(all, st.Val)
	}
	return all
}

// callback adds what is done where a function that r calls calls one that it was
// handed, or methods of a value.
func (r *reading) callback(v ssa.Value, names string, deep bool, given Roots, f frame) {
	g := frame{all: r.reach(given).Or(Set(f.fresh)), fresh: f.fresh, pos: f.pos, back: true, depth: f.depth + 1}
	if at, ok := r.handed(v); ok && (names == "" || uses.Under[*types.Slice](v.Type()) || types.IsInterface(v.Type())) {
		r.add(Effect{Kind: Call, Name: names, Deep: deep, Given: g.all, pos: f.pos, Back: f.back}, Set(at))
		r.kept = r.kept.Or(g.all)
		return
	}
	if names != "" {
		r.asks(v, names, deep, g)
		return
	}
	ts, ok := r.targets(v, 0)
	if !ok || g.depth > depth {
		r.lost(v.Name(), f.pos, true, r.reach(g.all.Or(r.of(v))))
		return
	}
	for _, t := range ts {
		g.bound, g.binds = t.bound, t.vals
		g.back = t.fn == nil || t.fn.Pos() < r.from || r.to <= t.fn.Pos()
		sum := r.summaryOf(t)
		if sum == nil {
			r.lost(t.name(), f.pos, true, r.reach(g.all.Or(r.of(v))))
			continue
		}
		for _, is := range r.apply(sum, g) { // what it returns goes to its caller
			r.store(g.all, is)
		}
	}
}

// asks adds what methods of a value do.
func (r *reading) asks(v ssa.Value, names string, deep bool, g frame) {
	if isNil(v) {
		return
	}
	x, ok := concrete(v)
	if !ok {
		x = v
	}
	g.asked = true
	for _, fn := range r.methodsOf(x.Type(), names, deep) {
		var sum *Summary
		if fn != nil {
			sum = r.object(fn)
		}
		if sum == nil {
			r.lost(names, g.pos, true, r.reach(g.all.Or(r.of(v))))
			continue
		}
		if g.args = []Roots{r.of(x)}; !types.Identical(fn.Signature().Recv().Type(), x.Type()) { // it lies somewhere behind
			g.args[0] = r.reach(g.args[0])
		}
		r.apply(sum, g)
	}
}

type asked struct {
	t     types.Type
	names string
	deep  bool
}

// methodsOf returns the methods that may be called of a type, or of what its values
// lead to. One is nil where nothing is known.
func (x *solver) methodsOf(t types.Type, names string, deep bool) (all []*types.Func) {
	k := asked{t, names, deep}
	if all, ok := x.methods[k]; ok {
		return all
	}
	away := 0
	if deep {
		away = 5
	}
	for u := range uses.LeadsTo(t, away) {
		n, ok := u.(*types.Named)
		switch {
		case types.IsInterface(u):
			all = append(all, nil)
			continue
		case !ok:
			continue
		}
		for name := range strings.SplitSeq(names, "|") {
			obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(n), true, n.Obj().Pkg(), name)
			fn, ok := obj.(*types.Func)
			switch {
			case !ok:
			case types.IsInterface(fn.Signature().Recv().Type()):
				all = append(all, nil)
			default:
				all = append(all, fn.Origin())
			}
		}
	}
	x.methods[k] = all
	return all
}

// handing adds that the function calls what it was handed itself.
func (r *reading) handing(at Root, name string, f frame) []Roots {
	if name != "" { // the receiver is handed to nothing else
		f.args, f.vals = f.args[1:], f.vals[1:]
	}
	given := r.given(f)
	r.add(Effect{Kind: Call, Name: name, Given: given, pos: f.pos}, Set(at))
	r.kept = r.kept.Or(given)
	return anywhere(given.Or(r.reach(Set(at))))
}

// unknown adds a call of something of which nothing is known.
func (r *reading) unknown(name string, f frame) []Roots {
	given := r.given(f)
	r.lost(name, f.pos, f.back, given)
	return anywhere(given)
}

// given is all that a function gets of which nothing is known. It may call the
// functions among that.
func (r *reading) given(f frame) (all Roots) {
	for _, a := range slices.Concat(f.args, f.bound) {
		all = all.Or(r.reach(a))
	}
	for _, v := range f.vals {
		if _, ok := v.Type().Underlying().(*types.Signature); ok && f.depth < depth {
			if ts, ok := r.targets(v, 0); ok && len(ts) > 0 {
				r.callback(v, "", false, all.Or(Set(Anywhere)), frame{fresh: f.fresh, pos: f.pos, depth: f.depth + 1})
			}
		}
	}
	return all.Or(f.all)
}

// anywhere is what a function may return of which nothing is known.
func anywhere(given Roots) []Roots { return slices.Repeat([]Roots{given.Or(Set(Anywhere))}, 64) }

// builtin adds what a builtin does.
func (r *reading) builtin(i ssa.Instruction, name string, args []ssa.Value, pos token.Pos) {
	v, _ := i.(ssa.Value) // unless it is deferred or a goroutine
	set := func(to Roots) {
		if v != nil {
			r.set(v, to)
		}
	}
	switch name {
	case "append":
		r.touch(Read, args[0], pos)
		r.touch(Write, args[0], pos)
		at := r.of(args[0]).Or(Set(r.site(i)))
		if len(args) > 1 {
			r.touch(Read, args[1], pos)
			r.fill(at, args[1])
		}
		set(at)
	case "copy":
		r.touch(Write, args[0], pos)
		r.touch(Read, args[1], pos)
		r.fill(r.of(args[0]), args[1])
	case "clear", "delete":
		r.touch(Write, args[0], pos)
		if len(args) > 1 {
			r.compares(i, args[1])
		}
	case "len", "cap":
		switch args[0].Type().Underlying().(type) {
		case *types.Map, *types.Chan:
			r.touch(Read, args[0], pos)
		}
	case "close":
		r.touch(Close, args[0], pos)
		r.note(Panic, pos)
	case "panic":
		r.note(Panic, pos)
	case "print", "println":
		r.note(Tell, pos)
	case "recover":
		set(Set(Anywhere))
	case "ssa:wrapnilchk", "String", "StringData", "Slice", "SliceData", "Add":
		set(r.of(args[0]))
	}
}

// fill puts the elements of a slice into memory.
func (r *reading) fill(at Roots, from ssa.Value) {
	if s, ok := from.Type().Underlying().(*types.Slice); !ok || r.leads(s.Elem()) {
		r.store(at, r.load(r.of(from)))
	}
}
