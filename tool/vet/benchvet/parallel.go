package benchvet

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// parallel finds what is wrong in functions given to b.RunParallel.
func (x *bench) parallel(times []heat.Bench) (all []shape.Finding) {
	ast.Inspect(x.body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || x.method(call) != "RunParallel" || len(call.Args) != 1 {
			return true
		}
		lit, ok := ast.Unparen(call.Args[0]).(*ast.FuncLit)
		if !ok {
			return true
		}
		pb := param(x.pass, lit.Type, "PB")
		for _, l := range x.loops {
			if l.byN && spawn.Within(lit, l.stmt) {
				f := shape.Finding{
					Pos: l.stmt.Pos(), End: l.body.Lbrace,
					Message: "each goroutine of RunParallel does all b.N operations: what is reported is that many times too much",
					Causes:  own, Hot: []shape.Range{shape.Of(l.stmt)}, Sure: true,
				}
				offer(&f, "next", "", "Next of the *testing.PB deals out the operations: loop over that")
				all = append(all, f)
			}
		}
		if pb != nil {
			all = append(all, x.sharedWrites(lit, pb, slows(times))...)
		}
		return true
	})
	return all
}

// sharedWrites finds writes in each iteration to what all goroutines share. Elements
// of slices and arrays may be one's own.
func (x *bench) sharedWrites(lit *ast.FuncLit, pb *types.Var, seen string) (all []shape.Finding) {
	at, _ := uses.Find(x.index.Root, lit)
	for c := range at.Preorder((*ast.ForStmt)(nil)) {
		loop := c.Node().(*ast.ForStmt)
		if loop.Cond == nil || !uses.Mentions(x.pass.TypesInfo, loop.Cond, pb) {
			continue
		}
		for _, p := range local.Places(x.index, c) {
			use := p.Uses[slices.IndexFunc(p.Uses, func(u local.Use) bool { return u.Kind.Writes() })]
			st, _ := uses.Statement(use.At)
			how, ok := map[local.Kind]string{local.Write: "write", local.Update: "write", local.Add: "add to"}[use.Kind]
			if !ok || p.Indexed() || (lit.Pos() <= p.Root().Pos() && p.Root().Pos() < lit.End()) || st.Parent().Node() != loop.Body {
				continue
			}
			all = append(all, shape.Finding{
				Pos: st.Node().Pos(), End: st.Node().End(),
				Message: fmt.Sprintf("all goroutines of RunParallel %s %s: its cache line travels between the processors in each iteration", how, p.Text()),
				Causes:  []string{"trueshare", "falseshare"}, Hot: []shape.Range{shape.Of(loop)}, Seen: seen,
			})
		}
	}
	return all
}
