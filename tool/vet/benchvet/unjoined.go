package benchvet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// unjoined finds goroutines that a loop starts and nothing waits for.
func (x *bench) unjoined() (all []shape.Finding) {
	for _, l := range x.loops {
		for _, s := range l.body.List {
			g, ok := s.(*ast.GoStmt)
			if !ok || x.heard(g) {
				continue
			}
			f := shape.Finding{
				Pos: g.Pos(), End: g.End(),
				Message: "nothing waits for this goroutine: the clock stops before its work is done, and later operations run beside it",
				Causes:  own, Hot: []shape.Range{shape.Of(l.stmt)}, Sure: true,
			}
			x.offerJoin(&f, l, g)
			all = append(all, f)
		}
	}
	return all
}

// heard reports whether anything in the function may wait for g: by what speaks to other
// goroutines, or by a method of a value that both have.
func (x *bench) heard(g *ast.GoStmt) (found bool) {
	has := map[types.Object]bool{} // what the goroutine has of the function
	ast.Inspect(g.Call, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := x.pass.TypesInfo.Uses[id].(*types.Var); ok {
				has[v] = true
			}
		}
		return true
	})
	ast.Inspect(x.body, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && !spawn.Within(g, sel) && x.pass.TypesInfo.Selections[sel] != nil {
			fn, isFunc := x.pass.TypesInfo.Uses[sel.Sel].(*types.Func)
			id, _ := ast.Unparen(sel.X).(*ast.Ident)
			found = found || isFunc && fn != nil && has[x.pass.TypesInfo.Uses[id]]
		}
		found = found || x.speaks(n)
		return !found
	})
	return found
}

// speaks reports whether n speaks to other goroutines, or may by what it hands on.
func (x *bench) speaks(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SendStmt, *ast.SelectStmt:
		return true
	case *ast.UnaryExpr:
		return n.Op == token.ARROW
	case *ast.Ident:
		switch o := x.pass.TypesInfo.Uses[n].(type) {
		case *types.Func:
			return o.Name() == "Wait" || o.Pkg() != nil && slices.Contains(speaking, o.Pkg().Path())
		case *types.Var:
			t := uses.Deref(o.Type())
			named, ok := t.(*types.Named)
			_, isChan := t.Underlying().(*types.Chan)
			return isChan || ok && named.Obj().Pkg() != nil && slices.Contains(speaking, named.Obj().Pkg().Path())
		}
	}
	return false
}

var speaking = []string{"sync", "sync/atomic", "context"}

// offerJoin offers to wait for the goroutines after the loop.
func (x *bench) offerJoin(f *shape.Finding, l loop, g *ast.GoStmt) {
	why := ""
	switch {
	case !l.byN:
		why = "b.Loop stops the timer before a wait after the loop"
	case !rewrite.Since(x.pass, x.file, "go1.25"):
		why = "WaitGroup.Go came with Go 1.25"
	case !x.fixed(g.Call):
		why = "an argument may have another value when the goroutine runs"
	}
	if leaves := rewrite.Leaves(x.pass.TypesInfo, l.body, true); why == "" && len(leaves) > 0 {
		why = "the loop is left by " + leaves[0].How
	}
	wg := rewrite.Fresh(x.pass.Pkg, x.decl, "wg")
	sync, edits := rewrite.Import(x.pass.Pkg, x.file, "sync", l.stmt.Pos())
	start, end := rewrite.Insert(g.Pos(), wg+".Go(func() { "), rewrite.Insert(g.End(), " })")
	start.End = g.Call.Pos()
	if lit, ok := g.Call.Fun.(*ast.FuncLit); ok && len(g.Call.Args) == 0 && lit.Type.Results == nil {
		start.NewText, end.NewText, end.Pos = []byte(wg+".Go("), []byte(")"), lit.End()
	}
	edits = append(edits, start, end, rewrite.Insert(l.stmt.Pos(), "var "+wg+" "+sync+".WaitGroup\n"), rewrite.Insert(l.stmt.End(), "\n"+wg+".Wait()"))
	offer(f, "join", "wait for the goroutines after the loop", why, edits...)
}

// fixed reports whether a call means the same later: it is of a literal or a function, and
// its arguments are constants, or variables of the benchmark that nothing writes to again.
func (x *bench) fixed(call *ast.CallExpr) bool {
	_, isLit := call.Fun.(*ast.FuncLit)
	fn, isFunc := spawn.Object(x.pass.TypesInfo, call.Fun).(*types.Func)
	if !isLit && !(isFunc && fn.Signature().Recv() == nil) {
		return false
	}
	return !slices.ContainsFunc(call.Args, func(e ast.Expr) bool {
		id, _ := e.(*ast.Ident)
		v, ok := x.pass.TypesInfo.Uses[id].(*types.Var)
		return x.pass.TypesInfo.Types[e].Value == nil && (!ok || v.Parent() == x.pass.Pkg.Scope() || x.writes(x.decl, v))
	})
}
