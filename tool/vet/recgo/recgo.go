package recgo

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/serialform"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds recursions that start goroutines all the way down.
var Analyzer = shape.Analyzer("recgo", doc, find, spawn.Analyzer, inspect.Analyzer)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	by := map[*ast.FuncDecl][]*spawn.Site{}
	var order []*ast.FuncDecl
	for _, s := range pass.ResultOf[spawn.Analyzer].([]*spawn.Site) {
		if s.Func == nil || s.Body == nil {
			continue
		}
		if by[s.Func] == nil {
			order = append(order, s.Func)
		}
		by[s.Func] = append(by[s.Func], s)
	}
	weigher := spawn.NewWeigher(pass)
	for _, decl := range order {
		r := newRecursion(pass, decl)
		// What waits for the world may want as many goroutines as there are parts.
		if r == nil || inline.Blocks(pass, weigher, decl.Body, r.fn) {
			continue
		}
		sites := slices.DeleteFunc(by[decl], func(s *spawn.Site) bool { return !r.goes(s) || r.guarded(s) })
		if len(sites) == 0 {
			continue
		}
		r.below, r.holds = serialform.Below(pass, decl)
		loose := r.below == "" && slices.ContainsFunc(sites, func(s *spawn.Site) bool { return s.Join == nil })
		if r.below == "" && slices.ContainsFunc(sites, func(s *spawn.Site) bool {
			return s.In != decl || s.Kind == spawn.ErrGroup || s.Join == nil && !r.tells(s)
		}) || loose && flow.Of(pass).Within(decl.Body).First(flow.Receive|flow.Wait|flow.Exit) != nil {
			continue
		}
		if loose {
			r.holds = "what a goroutine does may be done before what comes after its start"
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

// A recursion is a function that calls itself.
type recursion struct {
	pass   *analysis.Pass
	info   *types.Info
	decl   *ast.FuncDecl
	fn     *types.Func
	params []*types.Var // with the receiver first
	calls  []*ast.CallExpr
	named  int    // how often it names itself, in calls or else
	below  string // the text by which it goes on in one goroutine
	holds  string // what that holds under
}

// newRecursion returns nil where decl does not call itself, or does with any number of
// arguments.
func newRecursion(pass *analysis.Pass, decl *ast.FuncDecl) *recursion {
	fn, ok := pass.TypesInfo.Defs[decl.Name].(*types.Func)
	if !ok || fn.Signature().Variadic() {
		return nil
	}
	r := &recursion{pass: pass, info: pass.TypesInfo, decl: decl, fn: fn}
	if recv := fn.Signature().Recv(); recv != nil {
		r.params = append(r.params, recv)
	}
	r.params = slices.AppendSeq(r.params, fn.Signature().Params().Variables())
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if r.self(n) {
				r.calls = append(r.calls, n)
			}
		case *ast.Ident:
			if fn, ok := r.info.Uses[n].(*types.Func); ok && fn.Origin() == r.fn {
				r.named++
			}
		}
		return true
	})
	if len(r.calls) == 0 || slices.ContainsFunc(r.calls, func(c *ast.CallExpr) bool { return len(r.args(c)) != len(r.params) }) {
		return nil
	}
	return r
}

// self reports whether a call is one of the function itself.
func (r *recursion) self(call *ast.CallExpr) bool {
	fn := typeutil.StaticCallee(r.info, call)
	return fn != nil && fn.Origin() == r.fn
}

// args returns the arguments of a call of itself in the order of params.
func (r *recursion) args(call *ast.CallExpr) []ast.Expr {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && r.fn.Signature().Recv() != nil {
		return append([]ast.Expr{sel.X}, call.Args...)
	}
	return call.Args
}

// goes reports whether the site's goroutine calls the function with something else than
// it was given.
func (r *recursion) goes(s *spawn.Site) bool {
	return slices.ContainsFunc(r.calls, func(c *ast.CallExpr) bool {
		for i, a := range r.args(c) {
			if spawn.Within(s.Node, c) && !r.same(a, r.params[i]) && r.info.Types[a].Value == nil {
				return true
			}
		}
		return false
	})
}

// tells reports whether a goroutine tells of its end, or of what it found: by a wait group
// or a channel that the function was given.
func (r *recursion) tells(s *spawn.Site) bool {
	return s.Kind == spawn.WaitGroup || uses.Any(s.Body, func(*ast.SendStmt) bool { return true }) ||
		uses.Any(s.Body, func(c *ast.CallExpr) bool {
			return spawn.IsMethod(typeutil.StaticCallee(r.info, c), "sync", "WaitGroup", "Done")
		})
}

// same reports whether an argument is the parameter itself.
func (r *recursion) same(arg ast.Expr, p *types.Var) bool {
	return spawn.Object(r.info, arg) == p
}

// steady reports whether a variable is a parameter that every call of itself passes on as it is.
func (r *recursion) steady(v types.Object) bool {
	i := slices.IndexFunc(r.params, func(p *types.Var) bool { return p == v })
	return i >= 0 && !slices.ContainsFunc(r.calls, func(c *ast.CallExpr) bool { return !r.same(r.args(c)[i], r.params[i]) })
}
