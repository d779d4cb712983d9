package sharedacc

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// handed returns the findings of literals that update a variable atomically, and
// that are handed to a function which calls them again and again in goroutines that
// it starts. The loop is that function's, so that nothing can be added up beside it.
func handed(pass *analysis.Pass) (all []shape.Finding) {
	x := pass.ResultOf[uses.Analyzer].(*uses.Index)
	for c := range x.Root.Preorder((*ast.CallExpr)(nil)) {
		call := c.Node().(*ast.CallExpr)
		fn := section.Callee(pass.TypesInfo, call)
		if fn == nil || !slices.ContainsFunc(call.Args, func(a ast.Expr) bool { _, lit := ast.Unparen(a).(*ast.FuncLit); return lit }) {
			continue
		}
		s := flow.Of(pass).Func(fn)
		if s == nil {
			continue
		}
		first := 0
		if fn.Signature().Recv() != nil {
			first = 1
		}
		for i, a := range call.Args {
			lit, ok := ast.Unparen(a).(*ast.FuncLit)
			if !ok || !slices.ContainsFunc(s.Effects, func(e flow.Effect) bool {
				return e.Kind == flow.Call && e.Apart && e.Often && e.On.Has(flow.Param(first+i))
			}) {
				continue
			}
			for _, at := range updates(pass.TypesInfo, lit) {
				all = append(all, shape.Finding{
					Pos: at.Pos(), End: at.End(),
					Message: fmt.Sprintf("%s is updated atomically in each call of the function by goroutines that %s starts", types.ExprString(at), types.ExprString(call.Fun)),
					Func:    uses.Decl(c),
					Causes:  []string{"trueshare", "rmw", "falseshare"},
					Hot:     []shape.Range{shape.Of(lit)},
					Refused: []shape.Refusal{{Name: "local", Why: "the loop is in " + types.ExprString(call.Fun), Pos: call.Pos()}},
				})
			}
		}
	}
	return all
}

// updates returns the variables from outside of a literal that it updates
// atomically, each at its first place. What is in a function or a loop of the
// literal's own is not looked at.
func updates(info *types.Info, lit *ast.FuncLit) (all []ast.Expr) {
	seen := map[string]bool{}
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt: // loops are found by themselves
			return false
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fn := section.Callee(info, call)
		if fn == nil || !atomically(fn) || strings.HasPrefix(fn.Name(), "Load") {
			return true
		}
		var v ast.Expr
		if fn.Signature().Recv() != nil {
			v = ast.Unparen(call.Fun).(*ast.SelectorExpr).X
		} else if u, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr); ok && u.Op == token.AND {
			v = u.X
		} else {
			return true
		}
		root := v
		for {
			if sel, ok := ast.Unparen(root).(*ast.SelectorExpr); ok {
				root = sel.X
				continue
			}
			break
		}
		id, ok := ast.Unparen(root).(*ast.Ident)
		if !ok {
			return true
		}
		if o := info.Uses[id]; o != nil && (o.Pos() < lit.Pos() || lit.End() <= o.Pos()) && !seen[types.ExprString(v)] {
			seen[types.ExprString(v)] = true
			all = append(all, v)
		}
		return true
	})
	return all
}
