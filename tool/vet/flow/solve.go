package flow

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/unbuilt"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A solver has the summaries of a package's functions. Each is read with what is
// known of those that it calls, and again until nothing grows.
type solver struct {
	pkg   *types.Package
	own   []rewrite.Part // pkg, and the imports that are read with it
	prog  *ssa.Program
	left  *unbuilt.Files
	fact  func(*types.Func) *Summary // of a function of another package
	funcs []*ssa.Function            // of the source, literals after what they are in
	broke any                        // what the builder of the form panicked with

	// assembly has what functions without a body do, by their full names, where the
	// standard library itself is read. Facts go before the table then.
	assembly map[string]*Summary

	others  map[*types.Func]*Summary // what was asked of other packages, nil where nothing is known
	sums    map[*ssa.Function]*Summary
	live    map[*ssa.Function]*reading // of functions that are not done
	open    map[*ssa.Function]int      // where on the stack these are
	stack   []*ssa.Function
	low     int // the lowest on the stack that was called since
	refers  map[types.Type]bool
	methods map[asked][]*types.Func
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
		if x.owns(fn.Pkg()) || fn.Signature().Results().Len() > 0 {
			return false
		}
		s := x.outside(fn.Origin())
		return s != nil && s.Endless
	})
	x.own = rewrite.Parts(x.pkg, files, info)
	for _, p := range x.own {
		for _, q := range p.Imports() {
			if !x.owns(q) && x.prog.Package(q) == nil {
				x.prog.CreatePackage(q, nil, nil, true)
			}
		}
	}
	var all []*ssa.Package
	for _, p := range x.own {
		part := *info
		part.InitOrder = slices.DeleteFunc(slices.Clone(info.InitOrder), func(i *types.Initializer) bool { return i.Lhs[0].Pkg() != p.Package })
		all = append(all, x.prog.CreatePackage(p.Package, p.Files, &part, p.Package != x.pkg))
	}
	var enter func(fn *ssa.Function)
	enter = func(fn *ssa.Function) {
		x.funcs = append(x.funcs, fn)
		for _, a := range fn.AnonFuncs {
			enter(a)
		}
	}
	for _, pkg := range all {
		pkg.Build()
		enter(pkg.Func("init"))
	}
	for _, f := range files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				if f := x.prog.FuncValue(info.Defs[d.Name].(*types.Func)); f != nil {
					enter(f)
				}
			}
		}
	}
}

// owns reports whether the functions of a package are read here.
func (x *solver) owns(pkg *types.Package) bool {
	return pkg == x.pkg || slices.ContainsFunc(x.own, func(p rewrite.Part) bool { return p.Package == pkg })
}

// solve returns the summary of a function that has a body. Those that call each
// other are read again and again until nothing is added, before it returns to one
// that they do not call: the algorithm is that of Tarjan for strong components.
func (x *solver) solve(fn *ssa.Function) *Summary {
	if s, ok := x.sums[fn]; ok {
		if at, ok := x.open[fn]; ok {
			x.low = min(x.low, at)
		}
		return s
	}
	at, around := len(x.stack), x.low
	x.stack = append(x.stack, fn)
	x.open[fn], x.low = at, at+1
	x.sums[fn] = &Summary{Endless: true}
	x.update(fn, 0)
	more := true
	for times := 1; more && x.low == at; times++ {
		more = false
		for i := at; i < len(x.stack); i++ {
			more = x.update(x.stack[i], times) || more
		}
	}
	if x.low >= at { // otherwise one further down has its turn
		for _, fn := range x.stack[at:] {
			delete(x.open, fn)
			delete(x.live, fn)
		}
		x.stack = x.stack[:at]
	}
	x.low = min(x.low, around)
	return x.sums[fn]
}

// again is how often a function is read, before nothing is known of it.
const again = 40

// update reads a function and reports whether its summary is another.
func (x *solver) update(fn *ssa.Function, times int) bool {
	r := x.live[fn]
	if r == nil {
		r = x.read(fn)
		x.live[fn] = r
	} else {
		r.settle()
	}
	s, was := r.summary(), x.sums[fn]
	if was == nil || times > again {
		x.sums[fn] = nil
		return was != nil
	}
	x.sums[fn] = s
	return !s.same(was)
}

// same reports whether callers see no difference.
func (s *Summary) same(t *Summary) bool {
	return s.Endless == t.Endless && slices.Equal(s.Links, t.Links) &&
		slices.EqualFunc(s.Effects, t.Effects, func(a, b Effect) bool {
			return a.Kind == b.Kind && a.On == b.On && a.Name == b.Name && a.Given == b.Given && a.Deep == b.Deep && a.v == b.v
		}) &&
		slices.EqualFunc(s.Results, t.Results, func(a, b Result) bool {
			if a.Is != b.Is || (a.Does == nil) != (b.Does == nil) {
				return false
			}
			return a.Does == nil || a.Does.fn == b.Does.fn && a.Does.Summary == b.Does.Summary && slices.Equal(a.Does.Bound, b.Does.Bound)
		})
}

// called returns the summary of a function that is called, or nil.
func (x *solver) called(fn *ssa.Function) *Summary {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	obj, _ := fn.Object().(*types.Func)
	switch {
	case len(fn.Blocks) > 0 && (obj == nil || x.left.Declares(obj) == ""):
		return x.solve(fn)
	case obj == nil:
		return nil
	case x.owns(obj.Pkg()):
		return x.assembly[obj.FullName()]
	}
	return x.outside(obj.Origin())
}

// object returns the summary of a declared function, or nil.
func (x *solver) object(fn *types.Func) *Summary {
	if !x.owns(fn.Pkg()) {
		return x.outside(fn)
	}
	if x.prog != nil {
		if f := x.prog.FuncValue(fn); f != nil {
			return x.called(f)
		}
	}
	return nil
}

// outside returns the summary of a function of another package, or nil.
func (x *solver) outside(fn *types.Func) *Summary {
	s, ok := x.others[fn]
	if !ok {
		if s = standard()[fn.FullName()]; s == nil || x.assembly != nil {
			s = cmp.Or(x.assembly[fn.FullName()], x.fact(fn), s)
		}
		x.others[fn] = s
	}
	return s
}

// beyond reports whether the memory that a value of a type leads to may lead to
// other memory.
func (x *solver) beyond(t types.Type) bool {
	u := t.Underlying()
	if m, ok := u.(*types.Map); ok && x.leads(m.Key()) {
		return true
	}
	if u, ok := u.(interface{ Elem() types.Type }); ok {
		return x.leads(u.Elem())
	}
	return x.leads(t)
}

// leads reports whether values of a type lead to memory that can be written.
func (x *solver) leads(t types.Type) bool {
	if is, ok := x.refers[t]; ok {
		return is
	}
	is := uses.Refers(t)
	if u, ok := t.(*types.Tuple); ok {
		is = slices.ContainsFunc(slices.Collect(u.Variables()), func(v *types.Var) bool { return x.leads(v.Type()) })
	}
	x.refers[t] = is
	return is
}
