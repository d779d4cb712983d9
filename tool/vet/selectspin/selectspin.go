package selectspin

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds loops around a select that never waits.
var Analyzer = shape.Analyzer("selectspin", `find loops that look at channels and never wait

A loop around a select whose default case does nothing keeps a processor busy
until another goroutine is ready.`, find, uses.Analyzer)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	for at := range pass.ResultOf[uses.Analyzer].(*uses.Index).Root.Preorder((*ast.CommClause)(nil)) {
		idle, sel := at.Node().(*ast.CommClause), at.Parent().Parent()
		loop, ok := sel.Parent().Parent().Node().(*ast.ForStmt)
		if !ok || len(loop.Body.List) != 1 || len(sel.Node().(*ast.SelectStmt).Body.List) < 2 || !nothing(pass.TypesInfo, idle) {
			continue
		}
		f := shape.Finding{
			Pos: idle.Pos(), End: idle.Colon + 1, Func: uses.Decl(at),
			Message: "the select never waits: a processor looks at the channels until another goroutine is ready, which may need that processor",
			Causes:  []string{"work", "select", "handoff", "oversubscription", "serial"}, Hot: []shape.Range{shape.Of(loop)},
		}
		if no := refuse(pass.TypesInfo, loop, sel.Node().(*ast.SelectStmt)); no != nil {
			no.Name = "block"
			f.Refused = []shape.Refusal{*no}
		} else {
			f.Fixes = []shape.Fix{{Name: "block", Says: "wait: take the default case away", Edits: []analysis.TextEdit{rewrite.Drop(pass.Fset, at)}}}
		}
		all = append(all, f)
	}
	return all, nil
}

// nothing reports whether a case is the default case of a select, and does nothing.
func nothing(info *types.Info, c *ast.CommClause) bool {
	for _, s := range c.Body {
		switch s := s.(type) {
		case *ast.BranchStmt:
			if s.Tok != token.CONTINUE || s.Label != nil {
				return false
			}
		case *ast.ExprStmt:
			call, ok := s.X.(*ast.CallExpr)
			if !ok || !calls(info, call, "runtime.Gosched") {
				return false
			}
		default:
			return false
		}
	}
	return c.Comm == nil
}

// calls reports whether a call is of the function or method with the name.
func calls(info *types.Info, call *ast.CallExpr, name string) bool {
	fn, ok := typeutil.Callee(info, call).(*types.Func)
	return ok && fn.FullName() == name
}

// refuse says why the loop cannot wait, nil if it can.
func refuse(info *types.Info, loop *ast.ForStmt, sel *ast.SelectStmt) (no *shape.Refusal) {
	if loop.Cond != nil || loop.Post != nil {
		return shape.No(loop, "what waits does not come to the condition and the step of the loop")
	}
	for _, s := range sel.Body.List {
		c := s.(*ast.CommClause)
		if c.Comm == nil {
			continue
		}
		ast.Inspect(c.Comm, func(n ast.Node) bool {
			// Done of a context is the same channel each time.
			if call, ok := n.(*ast.CallExpr); ok && !calls(info, call, "(context.Context).Done") {
				no = shape.No(call, "a case calls something anew each time")
			}
			return no == nil
		})
	}
	return no
}
