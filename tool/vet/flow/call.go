package flow

import (
	"cmp"
	"go/token"
	"go/types"
	"math/bits"
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
	fn          *ssa.Function // the function, if it is of another package
	method      *types.Func   // or the method, if it is
	back        bool
	often       bool // it is called in a loop of the function that was called
	apart       bool // by another goroutine
	depth       int

	// What args lead to, as far as that was asked for.
	known uint16
	deep  [each]Roots
}

// name is that of the function, if it is of another package.
func (f *frame) name() string {
	switch {
	case f.fn != nil:
		return f.fn.String()
	case f.method != nil:
		return f.method.FullName()
	}
	return ""
}

// depth is how many functions that are handed on are followed from one call.
const depth = 8

// seen is a set of roots as the caller of a function sees it.
func (r *reading) seen(s Roots, f *frame) Roots {
	to := s.Without(Roots{apart})
	if s[0]&(1<<Fresh) != 0 {
		to = to.Or(Set(f.fresh))
	}
	for word := s[0] & operandRoots; word != 0; word &= word - 1 {
		i, captured, level, _ := Root(bits.TrailingZeros64(word)).operand()
		all := f.args
		if captured {
			all = f.bound
		} else {
			if to = to.Or(f.all); level == 1 && f.known&(1<<i) != 0 {
				to = to.Or(f.deep[i])
				continue
			}
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
		switch {
		case level == 1 && captured:
			of = r.load(of)
		case level == 2:
			of = r.reach(r.load(r.load(of)))
		case level == 1:
			of = r.reach(r.load(of))
			f.deep[i] = of
			f.known |= 1 << i
		}
		to = to.Or(of)
	}
	return to
}

// value is the value behind a root, or nil.
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
			r.wide = true
			return vals[0]
		}
		return nil
	}
	return all[i]
}

// call adds what a call does.
func (r *reading) call(i ssa.Instruction, c *ssa.CallCommon) {
	pos := c.Pos()
	if pos == token.NoPos {
		pos = i.Pos()
	}
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
	if c.IsInvoke() {
		parts = r.method(c.Value, c.Method, f)
	} else {
		parts = r.value(c.Value, f)
	}
	v, ok := i.(*ssa.Call)
	if !ok {
		return
	}
	if tuple, ok := v.Type().(*types.Tuple); ok {
		for len(parts) < tuple.Len() {
			parts = append(parts, Roots{})
		}
		if r.parts == nil {
			r.parts = map[ssa.Value][]Roots{}
		}
		r.parts[v] = parts
		return
	}
	if len(parts) > 0 {
		r.set(v, parts[0])
	}
}

// value adds what a call of a function value does, and returns its results.
func (r *reading) value(v ssa.Value, f frame) []Roots {
	ts, ok := r.targets(v, 0)
	if !ok {
		if at, ok := r.handed(v); ok {
			return r.handing(at, "", f)
		}
		return r.unknown(v.Name(), f)
	}
	var parts []Roots
	for _, t := range ts {
		g := f
		g.bound, g.binds = t.bound, t.vals
		sum := t.sum
		if t.fn != nil {
			if sum = r.called(t.fn); sum != nil && len(t.fn.Blocks) == 0 {
				g.fn = t.fn
			}
		}
		if sum == nil {
			name := v.Name()
			if t.fn != nil {
				name = t.fn.RelString(r.pkg)
			}
			parts = union(parts, r.unknown(name, g))
			continue
		}
		parts = union(parts, r.apply(sum, g))
	}
	return parts
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
	name := m.Name()
	if x, ok := concrete(v); ok {
		if fn, within := r.declared(x.Type(), name); fn != nil {
			if sum := r.object(fn); sum != nil {
				if within {
					f.args[0] = r.reach(f.args[0])
				}
				if fn.Pkg() != r.pkg {
					f.method = fn
				}
				return r.apply(sum, f)
			}
		}
		return r.unknown(types.TypeString(x.Type(), types.RelativeTo(r.pkg))+"."+name, f)
	}
	if sum := r.outside(m); sum != nil {
		f.method = m
		return r.apply(sum, f)
	}
	if at, ok := r.handed(v); ok {
		return r.handing(at, name, f)
	}
	return r.unknown(name, f)
}

// declared is the method of a type that is no interface, and whether that has it
// from a part of it.
func (r *reading) declared(t types.Type, name string) (fn *types.Func, part bool) {
	obj, index, _ := types.LookupFieldOrMethod(t, true, r.pkg, name)
	fn, _ = obj.(*types.Func)
	if fn == nil || types.IsInterface(fn.Signature().Recv().Type()) {
		return nil, false
	}
	return fn.Origin(), len(index) > 1
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
	for {
		switch x := v.(type) {
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
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
				if !onlyRead(a) {
					return 0, false
				}
				v = a
			case *ssa.Alloc: // a parameter that a literal captures is kept in a variable
				only := r.stored(a)
				if len(only) != 1 {
					return 0, false
				}
				v = only[0]
			default:
				return 0, false
			}
		default:
			return 0, false
		}
	}
}

// stored returns all that a variable is ever set to, or nil if that is not known.
func (r *reading) stored(a ssa.Value) (vals []ssa.Value) {
	for _, use := range *a.Referrers() {
		switch u := use.(type) {
		case *ssa.Store:
			if u.Addr != a {
				return nil
			}
			vals = append(vals, u.Val)
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.MakeClosure:
			fn := u.Fn.(*ssa.Function)
			for i, b := range u.Bindings {
				if b == a && !onlyRead(fn.FreeVars[i]) {
					return nil
				}
			}
		default:
			return nil
		}
	}
	return vals
}

// onlyRead reports whether a captured variable is never set where it is captured.
func onlyRead(v *ssa.FreeVar) bool {
	for _, use := range *v.Referrers() {
		switch u := use.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.MakeClosure:
			fn := u.Fn.(*ssa.Function)
			for i, b := range u.Bindings {
				if b == ssa.Value(v) && !onlyRead(fn.FreeVars[i]) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
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
		r.wide = true
		for _, e := range v.Edges {
			more, ok := r.targets(e, n+1)
			if !ok {
				return nil, false
			}
			ts = append(ts, more...)
		}
		return ts, true
	case *ssa.UnOp:
		if v.Op != token.MUL {
			return nil, false
		}
		var vals []ssa.Value
		r.wide = true
		switch a := v.X.(type) {
		case *ssa.Alloc:
			vals = r.stored(a)
		case *ssa.FreeVar:
			vals = r.captured(a)
		}
		for _, s := range vals {
			more, ok := r.targets(s, n+1)
			if !ok {
				return nil, false
			}
			ts = append(ts, more...)
		}
		return ts, vals != nil
	case *ssa.Call:
		if v.Call.IsInvoke() {
			return nil, false
		}
		makers, ok := r.targets(v.Call.Value, n+1)
		if !ok || len(makers) != 1 {
			return nil, false
		}
		sum := makers[0].sum
		if makers[0].fn != nil {
			sum = r.called(makers[0].fn)
		}
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

// captured returns what a variable that a literal captures is set to by the
// function around it, if the literal does not set it.
func (r *reading) captured(v *ssa.FreeVar) []ssa.Value {
	if !onlyRead(v) {
		return nil
	}
	fn := v.Parent()
	i := slices.Index(fn.FreeVars, v)
	if fn.Referrers() == nil || i < 0 {
		return nil
	}
	for _, use := range *fn.Referrers() {
		m, ok := use.(*ssa.MakeClosure)
		if !ok {
			continue
		}
		switch b := m.Bindings[i].(type) {
		case *ssa.Alloc:
			return r.stored(b)
		case *ssa.FreeVar:
			return r.captured(b)
		}
		return nil
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
	for i := range sum.Effects {
		if r.out == nil && sum.Effects[i].Kind != Call {
			continue // it moves nothing
		}
		e := sum.Effects[i]
		if !e.from.IsValid() {
			e.from = e.pos
		}
		e.pos, e.Back = f.pos, f.back
		e.Often, e.Apart = e.Often || f.often, e.Apart || f.apart
		if e.Kind == Call {
			for at := range e.On.All() {
				r.back(e, at, f)
			}
			continue
		}
		if e.Kind&(Lock|Wait|Spawn|Exit|Ask|Tell) != 0 {
			e.Name = cmp.Or(f.name(), e.Name)
		}
		r.add(e, r.seen(e.On, &f))
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
	f.often, f.apart = e.Often, e.Apart
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
	if name == "" {
		name = "a function"
	}
	r.add(Effect{Kind: Unknown, Name: strings.ReplaceAll(name, "|", " or "), pos: pos, Back: back}, Set(Anywhere))
	r.spoil(given, pos)
	r.store(given, given.Or(Set(Anywhere)))
	r.store(Set(Anywhere, Globals), given)
}

// handedOn are the values that a function gets by one of its parameters: those of
// the list that the call makes, if methods of them are called.
func handedOn(v ssa.Value, list bool) []ssa.Value {
	s, ok := v.(*ssa.Slice)
	if !ok || !list {
		return []ssa.Value{v}
	}
	a, ok := s.X.(*ssa.Alloc)
	if !ok {
		return []ssa.Value{v}
	}
	var all []ssa.Value
	for _, use := range *a.Referrers() {
		switch u := use.(type) {
		case *ssa.Slice:
		case *ssa.IndexAddr:
			for _, w := range *u.Referrers() {
				st, ok := w.(*ssa.Store)
				if !ok || st.Addr != u {
					return []ssa.Value{v}
				}
				all = append(all, st.Val)
			}
		default:
			return []ssa.Value{v}
		}
	}
	return all
}

// callback adds what is done where a function that r calls calls one that it was
// handed, or methods of a value.
func (r *reading) callback(v ssa.Value, names string, deep bool, given Roots, f frame) {
	g := frame{all: r.reach(given).Or(Set(f.fresh)), fresh: f.fresh, pos: f.pos, back: true, often: f.often, apart: f.apart, depth: f.depth + 1}
	if at, ok := r.handed(v); ok && (names == "" || types.IsInterface(v.Type()) || isSlice(v.Type())) {
		r.add(Effect{Kind: Call, Name: names, Deep: deep, Given: g.all, pos: f.pos, Back: f.back, Often: f.often, Apart: f.apart}, Set(at))
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
		h := g
		h.bound, h.binds = t.bound, t.vals
		sum := t.sum
		if t.fn != nil {
			sum = r.called(t.fn)
			h.back = t.fn.Pos() < r.from || r.to <= t.fn.Pos()
			if len(t.fn.Blocks) == 0 {
				h.fn = t.fn
			}
		}
		if sum == nil {
			r.lost(t.fn.RelString(r.pkg), f.pos, true, r.reach(g.all.Or(r.of(v))))
			continue
		}
		for _, is := range r.apply(sum, h) { // what it returns goes to its caller
			r.store(g.all, is)
		}
	}
}

func isSlice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// asks adds what methods of a value do.
func (r *reading) asks(v ssa.Value, names string, deep bool, g frame) {
	if isNil(v) {
		return
	}
	lost := func(t types.Type) {
		name := names
		if r.out != nil {
			name += " of a value of type " + types.TypeString(t, types.RelativeTo(r.pkg))
		}
		r.lost(name, g.pos, true, r.reach(g.all.Or(r.of(v))))
	}
	x := v
	if types.IsInterface(v.Type()) {
		var ok bool
		if x, ok = concrete(v); !ok {
			lost(v.Type())
			return
		}
	}
	for _, m := range r.methodsOf(x.Type(), names, deep) {
		if m.lost != nil {
			lost(m.lost)
			continue
		}
		sum := r.object(m.fn)
		if sum == nil {
			lost(m.fn.Signature().Recv().Type())
			continue
		}
		h := g
		switch m.how {
		case itself:
			h.args = []Roots{r.of(x)}
		case pointed:
			h.args = []Roots{r.load(r.of(x))}
		case behind:
			h.args = []Roots{r.reach(r.of(x))}
		}
		r.apply(sum, h)
	}
}

// A found is a method that may be called on a value or what that leads to.
type found struct {
	fn   *types.Func
	how  int
	lost types.Type // instead: a type of which nothing is known
}

// The receiver of such a method is the value, what it points to, or somewhere
// behind it.
const (
	itself = iota
	pointed
	behind
)

type asked struct {
	t     types.Type
	names string
	deep  bool
}

// methodsOf returns the methods of a type that may be called.
func (x *solver) methodsOf(t types.Type, names string, deep bool) (all []found) {
	k := asked{t, names, deep}
	if all, ok := x.methods[k]; ok {
		return all
	}
	away := 0
	if deep {
		away = 5
	}
	first := deref(t)
	for u := range uses.LeadsTo(t, away) {
		if types.IsInterface(u) {
			all = append(all, found{lost: u})
			continue
		}
		n, ok := u.(*types.Named)
		if !ok {
			continue
		}
		for name := range strings.SplitSeq(names, "|") {
			obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(n), true, n.Obj().Pkg(), name)
			fn, ok := obj.(*types.Func)
			switch {
			case !ok:
				continue
			case types.IsInterface(fn.Signature().Recv().Type()):
				all = append(all, found{lost: u})
				continue
			}
			m := found{fn: fn.Origin()}
			_, byPointer := fn.Signature().Recv().Type().Underlying().(*types.Pointer)
			switch {
			case !types.Identical(u, first):
				m.how = behind
			case first != t && !byPointer:
				m.how = pointed
			}
			all = append(all, m)
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

// spoil adds that memory may be read and written.
func (r *reading) spoil(s Roots, pos token.Pos) {
	r.add(Effect{Kind: Read, pos: pos}, s)
	r.add(Effect{Kind: Write, pos: pos}, s)
}

// anywhere is what a function may return of which nothing is known.
func anywhere(given Roots) []Roots {
	all := make([]Roots, each)
	for i := range all {
		all[i] = given.Or(Set(Anywhere))
	}
	return all
}

// builtin adds what a builtin does.
func (r *reading) builtin(i ssa.Instruction, name string, args []ssa.Value, pos token.Pos) {
	v, _ := i.(ssa.Value)
	switch name {
	case "append":
		r.touch(Read, args[0], pos)
		r.touch(Write, args[0], pos)
		r.note(Alloc, pos, "")
		at := r.of(args[0]).Or(Set(r.site(i)))
		if len(args) > 1 {
			r.touch(Read, args[1], pos)
			r.fill(at, args[1])
		}
		if v != nil {
			r.set(v, at)
		}
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
		r.note(Panic, pos, "")
	case "panic":
		r.note(Panic, pos, "")
	case "print", "println":
		r.note(Tell, pos, "")
	case "recover":
		if v != nil {
			r.set(v, Set(Anywhere))
		}
	case "ssa:wrapnilchk", "String", "StringData", "Slice", "SliceData", "Add":
		if v != nil {
			r.set(v, r.of(args[0]))
		}
	}
}

// fill puts the elements of a slice into memory.
func (r *reading) fill(at Roots, from ssa.Value) {
	if s, ok := from.Type().Underlying().(*types.Slice); !ok || r.leads(s.Elem()) {
		r.store(at, r.load(r.of(from)))
	}
}
