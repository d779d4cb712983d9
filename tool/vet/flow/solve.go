package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/gopayoff/payoff/tool/vet/unbuilt"
)

// A solver has the summaries of a package's functions. Each is read with what is
// known of those that it calls, and again when that grows.
type solver struct {
	pkg   *types.Package
	prog  *ssa.Program
	left  *unbuilt.Files
	fact  func(*types.Func) *Summary // of a function of another package
	funcs []*ssa.Function            // of the source, literals after what they are in

	others map[*types.Func]*Summary // what was asked of other packages, nil where nothing is known

	broke any // what the builder of the form panicked with

	unsettled bool // something grew when no move had to be looked at again: tests look

	// assembly has what functions without a body do, by their full names, where the
	// standard library itself is read. Facts go before the table then.
	assembly map[string]*Summary

	sums    map[*ssa.Function]*Summary
	users   map[*ssa.Function][]*ssa.Function
	times   map[*ssa.Function]int
	live    map[*ssa.Function]*reading
	open    map[*ssa.Function]int // where on the stack, of functions that are not done
	stack   []*ssa.Function
	low     int // the lowest on the stack that was called since
	queue   []*ssa.Function
	queued  map[*ssa.Function]bool
	spare   []*effects // that are empty, or to be made so
	refers  map[types.Type]bool
	methods map[asked][]found
}

// build makes the SSA form. What breaks that leaves the package without functions.
func (x *solver) build(fset *token.FileSet, files []*ast.File, info *types.Info) {
	defer func() {
		if x.broke = recover(); x.broke != nil {
			x.funcs, x.prog = nil, nil
		}
	}()
	x.prog = ssa.NewProgram(fset, 0)
	x.prog.SetNoReturn(func(fn *types.Func) bool {
		if fn.Pkg() == x.pkg || fn.Signature().Results().Len() > 0 {
			return false
		}
		s := x.outside(fn.Origin())
		return s != nil && s.Endless
	})
	for _, p := range x.pkg.Imports() {
		x.prog.CreatePackage(p, nil, nil, true)
	}
	pkg := x.prog.CreatePackage(x.pkg, files, info, false)
	pkg.Build()
	var enter func(fn *ssa.Function)
	enter = func(fn *ssa.Function) {
		x.funcs = append(x.funcs, fn)
		for _, a := range fn.AnonFuncs {
			enter(a)
		}
	}
	enter(pkg.Func("init"))
	for _, f := range files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				if fn, ok := info.Defs[d.Name].(*types.Func); ok {
					if f := x.prog.FuncValue(fn); f != nil {
						enter(f)
					}
				}
			}
		}
	}
}

// solve returns the summary of a function that has a body. Those that call each
// other are read again and again until nothing is added, before it returns to one
// that they do not call: the algorithm is that of Tarjan for strong components.
func (x *solver) solve(fn *ssa.Function) *Summary {
	if s, ok := x.sums[fn]; ok {
		if at, ok := x.open[fn]; ok && len(x.stack) > 0 {
			x.low = min(x.low, at)
		}
		return s
	}
	at := len(x.stack)
	x.stack = append(x.stack, fn)
	x.open[fn] = at
	x.sums[fn] = &Summary{Endless: true}
	around := x.low
	x.low = at
	x.update(fn)
	if x.low == at {
		for {
			// Those further down are being read: their turn comes.
			i := slices.IndexFunc(x.queue, func(fn *ssa.Function) bool { return x.open[fn] >= at })
			if i < 0 {
				break
			}
			next := x.queue[i]
			x.queue = slices.Delete(x.queue, i, i+1)
			delete(x.queued, next)
			x.update(next)
		}
		for _, fn := range x.stack[at:] {
			delete(x.open, fn)
			delete(x.users, fn)
			delete(x.live, fn)
			delete(x.times, fn)
		}
		x.stack = x.stack[:at]
	}
	x.low = min(x.low, around)
	return x.sums[fn]
}

// collector is one that is empty, until it is spare again.
func (x *solver) collector() *effects {
	n := len(x.spare)
	if n == 0 {
		return &effects{}
	}
	c := x.spare[n-1]
	x.spare = x.spare[:n-1]
	c.reset()
	return c
}

// again is how often a function is read, before it may do anything.
const again = 40

func (x *solver) update(fn *ssa.Function) {
	r := x.live[fn]
	if r == nil {
		r = x.read(fn)
		x.live[fn] = r
	} else {
		r.settle()
	}
	s := r.summary()
	if x.times[fn]++; x.times[fn] > again {
		s = anything(fn)
	}
	for _, g := range r.asked {
		if _, ok := x.open[g]; ok && !slices.Contains(x.users[g], fn) {
			x.users[g] = append(x.users[g], fn)
		}
	}
	if s.same(x.sums[fn]) {
		return
	}
	x.sums[fn] = s
	for _, u := range x.users[fn] {
		if !x.queued[u] {
			x.queued[u] = true
			x.queue = append(x.queue, u)
		}
	}
}

// anything is the summary of a function that may do anything.
func anything(fn *ssa.Function) *Summary {
	var all Roots
	for at := range site0 {
		all = all.Or(Set(at))
	}
	s := &Summary{Effects: Effects{{Kind: Unknown, On: Set(Anywhere), Name: fn.Name(), pos: fn.Pos()}, {Kind: Read, On: all, pos: fn.Pos()}, {Kind: Write, On: all, pos: fn.Pos()}}}
	for at := range all.All() {
		s.Links = append(s.Links, Link{at, all})
	}
	for range fn.Signature.Results().Len() {
		s.Results = append(s.Results, Result{Is: all})
	}
	return s
}

// same reports whether callers see no difference.
func (s *Summary) same(t *Summary) bool {
	return s.Endless == t.Endless && slices.Equal(s.Links, t.Links) &&
		slices.EqualFunc(s.Effects, t.Effects, func(a, b Effect) bool {
			return a.Kind == b.Kind && a.On == b.On && a.Name == b.Name && a.Given == b.Given && a.Deep == b.Deep && a.v == b.v && a.Often == b.Often && a.Apart == b.Apart
		}) &&
		slices.EqualFunc(s.Results, t.Results, func(a, b Result) bool {
			if a.Is != b.Is || (a.Does == nil) != (b.Does == nil) {
				return false
			}
			return a.Does == nil || a.Does.fn == b.Does.fn && a.Does.Summary == b.Does.Summary && slices.Equal(a.Does.Bound, b.Does.Bound)
		})
}

// called returns the summary of a function that r calls, or nil.
func (r *reading) called(fn *ssa.Function) *Summary {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	obj, _ := fn.Object().(*types.Func)
	if len(fn.Blocks) > 0 && (obj == nil || r.left.Declares(obj) == "") {
		if !slices.Contains(r.asked, fn) {
			r.asked = append(r.asked, fn)
		}
		return r.solve(fn)
	}
	switch {
	case obj == nil:
		return nil
	case obj.Pkg() == r.pkg:
		return r.assembly[obj.FullName()]
	}
	return r.outside(obj.Origin())
}

// object returns the summary of a declared function that r calls, or nil.
func (r *reading) object(fn *types.Func) *Summary {
	if fn.Pkg() != r.pkg {
		return r.outside(fn)
	}
	if f := r.prog.FuncValue(fn); f != nil {
		return r.called(f)
	}
	return nil
}

// object returns the summary of a declared function, or nil.
func (x *solver) object(fn *types.Func) *Summary {
	if fn.Pkg() != x.pkg {
		return x.outside(fn)
	}
	if x.prog == nil {
		return nil
	}
	f := x.prog.FuncValue(fn)
	if f == nil || len(f.Blocks) == 0 || x.left.Declares(fn) != "" {
		return nil
	}
	return x.solve(f)
}

// outside returns the summary of a function of another package, or that of a
// method of an interface, or nil.
func (x *solver) outside(fn *types.Func) *Summary {
	s, ok := x.others[fn]
	if !ok {
		s = x.look(fn)
		x.others[fn] = s
	}
	return s
}

func (x *solver) look(fn *types.Func) *Summary {
	name := fn.FullName()
	if s := x.assembly[name]; s != nil {
		return s
	}
	s := standard()[name]
	if (s == nil || x.assembly != nil) && fn.Pkg() != x.pkg {
		if t := x.fact(fn); t != nil {
			return t
		}
	}
	return s
}

// beyond reports whether the memory that a value of a type leads to may lead to
// other memory.
func (x *solver) beyond(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return x.leads(u.Elem())
	case *types.Map:
		return x.leads(u.Key()) || x.leads(u.Elem())
	case *types.Pointer:
		return x.leads(u.Elem())
	case *types.Chan:
		return x.leads(u.Elem())
	}
	return x.leads(t)
}

// leads reports whether values of a type lead to memory that can be written.
func (x *solver) leads(t types.Type) bool {
	if is, ok := x.refers[t]; ok {
		return is
	}
	is := true
	switch u := t.Underlying().(type) {
	case *types.Basic:
		is = u.Kind() == types.UnsafePointer
	case *types.Array:
		is = x.leads(u.Elem())
	case *types.Struct:
		is = false
		for f := range u.Fields() {
			is = is || x.leads(f.Type())
		}
	case *types.Tuple:
		is = false
		for v := range u.Variables() {
			is = is || x.leads(v.Type())
		}
	}
	x.refers[t] = is
	return is
}
