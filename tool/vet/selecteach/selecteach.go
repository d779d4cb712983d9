package selecteach

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds loops that go through a select for each item.
var Analyzer = shape.Analyzer("selecteach", doc, find, uses.Analyzer)

type check struct {
	*local.Package
	info *types.Info
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	c := &check{local.New(pass), pass.TypesInfo}
	for at := range c.Uses.Root.Preorder((*ast.SelectStmt)(nil)) {
		l, ok := loop.Around(c.info, at)
		if !ok || at.Parent().Node() != ast.Node(l.Body) || len(at.Node().(*ast.SelectStmt).Body.List) < 2 {
			continue
		}
		takes := c.takes(at.Node().(*ast.SelectStmt), l)
		if len(takes) == 0 {
			continue
		}
		f := shape.Finding{
			Pos: at.Node().Pos(), End: at.Node().Pos() + token.Pos(len("select")), Func: uses.Decl(at),
			Message: "each value comes through a select, which locks all of its channels",
			Causes:  []string{"select"},
			Hot:     []shape.Range{shape.Of(l.Stmt)},
		}
		c.drain(&f, at.Node().(*ast.SelectStmt), l, takes)
		all = append(all, f)
	}
	return all, nil
}

// takes returns the cases of a select that take values and go on with the loop, none if
// the select does not wait.
func (c *check) takes(s *ast.SelectStmt, l loop.Loop) (all []*ast.CommClause) {
	for _, st := range s.Body.List {
		s := st.(*ast.CommClause)
		if s.Comm == nil {
			return nil
		}
		if ch := inline.Received(s.Comm); ch != nil && !signals(c.info.TypeOf(ch)) && len(s.Body) > 0 && !ends(c.info, s.Body, label(l)) && !receives(s.Body, ch) {
			all = append(all, s)
		}
	}
	return all
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

// ends reports whether control goes elsewhere after statements, out of the
// loop with the label.
func ends(info *types.Info, list []ast.Stmt, label string) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Label != nil && (s.Tok == token.BREAK || s.Tok == token.CONTINUE && s.Label.Name != label)
	case *ast.BlockStmt:
		return ends(info, s.List, label)
	case *ast.IfStmt:
		return s.Else != nil && ends(info, s.Body.List, label) && ends(info, []ast.Stmt{s.Else}, label)
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

// plain reports whether to evaluate an expression does nothing but look at
// variables.
func plain(info *types.Info, e ast.Expr) bool { return !inline.Calls(e, info) && !inline.Receives(e) }

// again reports whether an operand of a case is a call that may be made less often:
// Done of a context is the same channel each time, and a timer is for one wait.
func again(info *types.Info, e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	fn, ok := typeutil.Callee(info, call).(*types.Func)
	return ok && (fn.FullName() == "(context.Context).Done" || fn.FullName() == "time.After")
}
