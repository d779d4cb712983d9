package selecteach

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds loops that go through a select for each item.
var Analyzer = shape.Analyzer("selecteach", doc, find, uses.Analyzer)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	info := pass.TypesInfo
	for at := range pass.ResultOf[uses.Analyzer].(*uses.Index).Root.Preorder((*ast.SelectStmt)(nil)) {
		s := at.Node().(*ast.SelectStmt)
		l, ok := loop.Around(info, at)
		if !ok || at.Parent().Node() != ast.Node(l.Body) || len(s.Body.List) < 2 || !takes(info, s, label(l)) {
			continue
		}
		all = append(all, shape.Finding{
			Pos: s.Pos(), End: s.Pos() + token.Pos(len("select")), Func: uses.Decl(at),
			Message: "each value comes through a select, which locks all of its channels",
			Causes:  []string{"select"},
			Hot:     []shape.Range{shape.Of(l.Stmt)},
		})
	}
	return all, nil
}

// takes reports whether a select waits, and has a case that takes a value and goes on with
// the loop of the label.
func takes(info *types.Info, s *ast.SelectStmt, label string) (found bool) {
	for _, st := range s.Body.List {
		c := st.(*ast.CommClause)
		if c.Comm == nil {
			return false
		}
		ch := inline.Received(c.Comm)
		found = found || ch != nil && !signals(info.TypeOf(ch)) && len(c.Body) > 0 && !ends(info, c.Body, label) && !receives(c.Body, ch)
	}
	return found
}

// signals reports whether values of a channel say no more than that they came.
func signals(ch types.Type) bool {
	t, ok := ch.Underlying().(*types.Chan)
	if !ok {
		return true // of a type parameter
	}
	st, ok := t.Elem().Underlying().(*types.Struct)
	return ok && (st.NumFields() == 0 || uses.Is(t.Elem(), "time", "Time"))
}

// receives reports whether statements receive from a channel.
func receives(list []ast.Stmt, ch ast.Expr) (found bool) {
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			u, ok := n.(*ast.UnaryExpr)
			found = found || ok && u.Op == token.ARROW && types.ExprString(u.X) == types.ExprString(ch)
			return !found
		})
	}
	return found
}

// ends reports whether control leaves the loop with the label after the statements.
func ends(info *types.Info, list []ast.Stmt, label string) bool {
	switch s := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Label != nil && (s.Tok == token.BREAK || s.Tok == token.CONTINUE && s.Label.Name != label)
	case *ast.ExprStmt:
		return len(rewrite.Leaves(info, s, false)) > 0
	}
	return false
}

// label is that of a loop, or "".
func label(l loop.Loop) string {
	if s, ok := l.At.Parent().Node().(*ast.LabeledStmt); ok {
		return s.Label.Name
	}
	return ""
}
