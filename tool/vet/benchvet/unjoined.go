package benchvet

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// unjoined finds goroutines that a loop starts and nothing waits for.
func (x *bench) unjoined() (all []shape.Finding) {
	for _, l := range x.loops {
		for _, s := range l.body.List {
			g, ok := s.(*ast.GoStmt)
			// Nothing can wait for what tells nobody of its end.
			if !ok || flow.Of(x.pass).Call(g.Call).First(flow.Changes&^(flow.Write|flow.Spawn)) != nil {
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

// offerJoin offers to wait for the goroutines after the loop.
func (x *bench) offerJoin(f *shape.Finding, l timed, g *ast.GoStmt) {
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
		return x.pass.TypesInfo.Types[e].Value == nil && (!ok || v.Parent() == x.pass.Pkg.Scope() || len(loop.Writes(x.pass.TypesInfo, x.decl, v)) > 0)
	})
}
