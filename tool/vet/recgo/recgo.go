package recgo

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// Analyzer finds recursions that start goroutines all the way down.
var Analyzer = shape.Analyzer("recgo", doc, find, spawn.Analyzer)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	by := map[*ast.FuncDecl][]*spawn.Site{}
	var order []*ast.FuncDecl
	for _, s := range pass.ResultOf[spawn.Analyzer].([]*spawn.Site) {
		if s.Func == nil || s.In != s.Func || s.Body == nil || s.Join == nil {
			continue
		}
		if by[s.Func] == nil {
			order = append(order, s.Func)
		}
		by[s.Func] = append(by[s.Func], s)
	}
	weigher := spawn.NewWeigher(pass)
	for _, decl := range order {
		r := newRecursion(pass, decl, by[decl])
		if r == nil || r.waits(weigher) || r.tasks() {
			continue
		}
		var sites []*spawn.Site
		for _, s := range by[decl] {
			if r.goes(s) && !r.guarded(s) {
				sites = append(sites, s)
			}
		}
		if len(sites) == 0 {
			continue
		}
		f := shape.Finding{
			Pos: sites[0].Node.Pos(), End: sites[0].Node.End(),
			Message: fmt.Sprintf("%s starts a goroutine for its own call at every level: the smallest parts cost less than their start and join", decl.Name.Name),
			Func:    decl,
			Causes:  []string{"grain"},
			Hot:     []shape.Range{shape.Of(decl)},
		}
		r.fixes(&f, sites)
		all = append(all, f)
	}
	return all, nil
}

// waits reports whether the function waits for the world between its calls:
// such work may want as many goroutines as there are parts.
func (r *recursion) waits(w *spawn.Weigher) (found bool) {
	ast.Inspect(r.decl.Body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || found {
			return !found
		}
		if fn, _ := typeutil.Callee(r.info, c).(*types.Func); fn != nil && !r.self(c) && !spawn.IsMethod(fn, "sync", "", "Wait") {
			found = w.Weigh(&ast.CallExpr{Fun: c.Fun}).Blocking > 0
		}
		return !found
	})
	return found
}

// tasks reports whether the function divides a slice of functions: each may be
// as large as it likes.
func (r *recursion) tasks() bool {
	return slices.ContainsFunc(r.params, func(p *types.Var) bool {
		s, ok := p.Type().Underlying().(*types.Slice)
		if !ok {
			return false
		}
		_, ok = s.Elem().Underlying().(*types.Signature)
		return ok
	})
}

// A recursion is a function that calls itself.
type recursion struct {
	pass   *analysis.Pass
	info   *types.Info
	decl   *ast.FuncDecl
	fn     *types.Func
	params []*types.Var // with the receiver first
	calls  []*ast.CallExpr
	// from has what the variables of the function are computed from.
	from map[*types.Var][]ast.Expr
}

// newRecursion returns nil where decl does not call itself.
func newRecursion(pass *analysis.Pass, decl *ast.FuncDecl, sites []*spawn.Site) *recursion {
	fn, ok := pass.TypesInfo.Defs[decl.Name].(*types.Func)
	if !ok {
		return nil
	}
	r := &recursion{pass: pass, info: pass.TypesInfo, decl: decl, fn: fn, from: map[*types.Var][]ast.Expr{}}
	if recv := fn.Signature().Recv(); recv != nil {
		r.params = append(r.params, recv)
	}
	for v := range fn.Signature().Params().Variables() {
		r.params = append(r.params, v)
	}
	assign := func(lhs, rhs ast.Expr) {
		if v, ok := inline.Object(r.info, lhs).(*types.Var); ok {
			r.from[v] = append(r.from[v], rhs)
		}
	}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if r.self(n) {
				r.calls = append(r.calls, n)
			}
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				assign(l, n.Rhs[min(i, len(n.Rhs)-1)])
			}
		case *ast.RangeStmt:
			if n.Key != nil {
				assign(n.Key, n.X)
			}
			if n.Value != nil {
				assign(n.Value, n.X)
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if len(n.Values) > 0 {
					assign(name, n.Values[min(i, len(n.Values)-1)])
				}
			}
		}
		return true
	})
	for _, s := range sites {
		if s.Lit != nil {
			for v, arg := range s.Args {
				r.from[v] = append(r.from[v], arg)
			}
		}
	}
	if len(r.calls) == 0 {
		return nil
	}
	return r
}

// self reports whether a call is one of the function itself.
func (r *recursion) self(call *ast.CallExpr) bool {
	fn := typeutil.StaticCallee(r.info, call)
	return fn != nil && fn.Origin() == r.fn
}

// args returns the arguments of a call of itself in the order of params, nil
// where they are not one for one.
func (r *recursion) args(call *ast.CallExpr) []ast.Expr {
	var args []ast.Expr
	if r.fn.Signature().Recv() != nil {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			return nil
		}
		args = append(args, sel.X)
	}
	args = append(args, call.Args...)
	if len(args) != len(r.params) || r.fn.Signature().Variadic() && !call.Ellipsis.IsValid() {
		return nil
	}
	return args
}

// goes reports whether the site's goroutine calls the function with a part of
// what it was given.
func (r *recursion) goes(s *spawn.Site) bool {
	if s.Decl == r.decl {
		if s.Kind == spawn.Go {
			return r.smaller(s.Call)
		}
		// A method value: g.Go(n.left.walk).
		sel, ok := ast.Unparen(s.Call.Args[0]).(*ast.SelectorExpr)
		return ok && !r.same(sel.X, r.params[0]) && r.of(sel.X)
	}
	return s.Lit != nil && slices.ContainsFunc(r.calls, func(c *ast.CallExpr) bool {
		return s.Lit.Pos() <= c.Pos() && c.End() <= s.Lit.End() && r.smaller(c)
	})
}

// smaller reports whether a call of itself has an argument that is computed
// from the parameters and is none of them.
func (r *recursion) smaller(call *ast.CallExpr) bool {
	args := r.args(call)
	for i, a := range args {
		if !r.same(a, r.params[i]) && r.of(a) {
			return true
		}
	}
	return false
}

// same reports whether an argument is the parameter itself.
func (r *recursion) same(arg ast.Expr, p *types.Var) bool {
	return inline.Object(r.info, arg) == p
}

// of reports whether an expression is computed from parameters.
func (r *recursion) of(e ast.Expr) bool { return r.ofDepth(e, 0) }

func (r *recursion) ofDepth(e ast.Expr, depth int) (found bool) {
	if depth > 6 {
		return false
	}
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || found {
			return !found
		}
		v, ok := r.info.ObjectOf(id).(*types.Var)
		if !ok {
			return true
		}
		if slices.Contains(r.params, v) {
			found = true
		} else if !v.IsField() {
			found = slices.ContainsFunc(r.from[v], func(e ast.Expr) bool { return r.ofDepth(e, depth+1) })
		}
		return !found
	})
	return found
}

// steady reports whether every call of itself passes the parameter on as it is.
func (r *recursion) steady(p *types.Var) bool {
	for _, c := range r.calls {
		args := r.args(c)
		if args == nil || !r.same(args[slices.Index(r.params, p)], p) {
			return false
		}
	}
	return true
}

// steps returns the constant by which every call of itself changes an integer
// parameter at least: 1 for n-1 and n-2. It is 0 if that is not so.
func (r *recursion) steps(p *types.Var) int64 {
	i := slices.Index(r.params, p)
	var least int64
	for _, c := range r.calls {
		args := r.args(c)
		if args == nil {
			return 0
		}
		b, ok := ast.Unparen(args[i]).(*ast.BinaryExpr)
		if !ok || b.Op != token.SUB && b.Op != token.ADD || !r.same(b.X, p) {
			return 0
		}
		k, ok := r.constant(b.Y)
		if !ok || k < 1 {
			return 0
		}
		if least == 0 || k < least {
			least = k
		}
	}
	return least
}
