package benchvet

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// unjoined finds goroutines that a loop starts and nobody waits for.
func (x *bench) unjoined() (all []shape.Finding) {
	for _, l := range x.loops {
		for _, s := range l.body.List {
			g, ok := s.(*ast.GoStmt)
			if !ok || x.heard(g) {
				continue
			}
			f := shape.Finding{
				Pos: g.Pos(), End: g.End(),
				Message: "nobody waits for this goroutine: the clock stops before its work is done, and later operations run beside it",
				Causes:  own, Hot: []shape.Range{shape.Of(l.stmt)}, Sure: true,
			}
			if edit, why := x.join(l, g); why != "" {
				f.Refused = append(f.Refused, shape.Refusal{Name: "join", Why: why, Pos: g.Pos()})
			} else {
				f.Fixes = append(f.Fixes, edit)
			}
			all = append(all, f)
		}
	}
	return all
}

// heard reports whether anything in the function may wait for g. A channel, a
// select, a lock, a wait, a value that both can reach by a call: each may be it.
func (x *bench) heard(g *ast.GoStmt) (found bool) {
	info := x.pass.TypesInfo
	if x.speaks(g.Call) {
		return true
	}
	own := map[types.Object]bool{} // what the goroutine has of the function
	ast.Inspect(g.Call, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := info.Uses[id].(*types.Var); ok && !v.IsField() && mutable(v.Type()) {
				own[v] = true
			}
		}
		return true
	})
	ast.Inspect(x.body, func(n ast.Node) bool {
		if n == ast.Node(g) {
			return false
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
				if id, ok := ast.Unparen(sel.X).(*ast.Ident); ok && own[info.Uses[id]] {
					found = true // a method of it: Wait, Close
				}
			}
		case *ast.ForStmt, *ast.RangeStmt:
			return true
		}
		found = found || x.speak(n)
		return !found
	})
	return found
}

// mutable reports whether a value of type t may have a method that waits.
func mutable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Struct, *types.Chan, *types.Signature:
		return true
	}
	return false
}

// speaks reports whether something in root speaks to other goroutines.
func (x *bench) speaks(root ast.Node) (found bool) {
	ast.Inspect(root, func(n ast.Node) bool {
		found = found || x.speak(n)
		return !found
	})
	return found
}

// speak reports whether n speaks to other goroutines, or may by what it hands on.
func (x *bench) speak(n ast.Node) bool {
	info := x.pass.TypesInfo
	switch n := n.(type) {
	case *ast.SendStmt, *ast.SelectStmt:
		return true
	case *ast.UnaryExpr:
		return n.Op == token.ARROW
	case *ast.Ident:
		v, ok := info.Uses[n].(*types.Var)
		if !ok {
			return false
		}
		switch t := v.Type().Underlying().(type) {
		case *types.Chan:
			return true
		case *types.Pointer:
			return synchronizes(t.Elem())
		}
		return synchronizes(v.Type())
	case *ast.CallExpr:
		fn, ok := callee(info, n).(*types.Func)
		return ok && fn.Pkg() != nil && (fn.Pkg().Path() == "sync" || fn.Pkg().Path() == "context" || fn.Name() == "Wait")
	}
	return false
}

// synchronizes reports whether t is of package sync, sync/atomic or context.
func synchronizes(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	switch n.Obj().Pkg().Path() {
	case "sync", "sync/atomic", "context":
		return true
	}
	return false
}

// join is the edit that waits for the goroutines after the loop.
func (x *bench) join(l loop, g *ast.GoStmt) (fix shape.Fix, why string) {
	switch {
	case !l.byN:
		return fix, "b.Loop stops the timer before a wait after the loop"
	case !x.since("go1.25"):
		return fix, "WaitGroup.Go came with Go 1.25"
	case len(g.Call.Args) > 0 && !x.constant(l, g.Call):
		return fix, "an argument may have another value when the goroutine runs"
	}
	if leaves := rewrite.Leaves(x.pass.TypesInfo, l.body, true); len(leaves) > 0 {
		return fix, "the loop is left by " + leaves[0].How
	}
	wg := rewrite.Fresh(x.pass.Pkg, x.decl, "wg")
	sync, all := rewrite.Import(x.pass.Pkg, x.file, "sync", l.stmt.Pos())
	all = append(all, rewrite.Insert(l.stmt.Pos(), "var "+wg+" "+sync+".WaitGroup\n"), rewrite.Insert(l.stmt.End(), "\n"+wg+".Wait()"))
	lit, ok := ast.Unparen(g.Call.Fun).(*ast.FuncLit)
	if ok && len(g.Call.Args) == 0 && lit.Type.Results.NumFields() == 0 {
		start, end := rewrite.Insert(g.Pos(), wg+".Go("), rewrite.Insert(g.End(), ")")
		start.End = lit.Pos()
		end.Pos = lit.End()
		all = append(all, start, end)
	} else {
		start := rewrite.Insert(g.Pos(), wg+".Go(func() { ")
		start.End = g.Call.Pos()
		all = append(all, start, rewrite.Insert(g.End(), " })"))
	}
	return shape.Fix{Name: "join", Says: "wait for the goroutines after the loop", Edits: all}, ""
}

// constant reports whether function and arguments of a call mean the same later:
// they are constants, functions, or variables that nothing in the loop writes to.
func (x *bench) constant(l loop, call *ast.CallExpr) bool {
	ok := true
	for _, e := range append([]ast.Expr{call.Fun}, call.Args...) {
		if lit, isLit := ast.Unparen(e).(*ast.FuncLit); isLit && e == call.Fun {
			_ = lit // it is made where it is called
			continue
		}
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr, *ast.IndexExpr, *ast.StarExpr, *ast.FuncLit, *ast.UnaryExpr:
				ok = false
			case *ast.SelectorExpr:
				if s := x.pass.TypesInfo.Selections[n]; s != nil && s.Kind() == types.FieldVal {
					ok = false
				}
			case *ast.Ident:
				v, isVar := x.pass.TypesInfo.Uses[n].(*types.Var)
				if !isVar || v.IsField() {
					return true
				}
				if v.Parent() == x.pass.Pkg.Scope() {
					ok = false
					return true
				}
				if _, written := uses(x.pass.TypesInfo, l.body, v); written {
					ok = false
				}
			}
			return ok
		})
	}
	return ok
}
