package selecteach

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/atonce"
	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds loops that go through a select for each item.
var Analyzer = shape.Analyzer("selecteach", doc, find, uses.Analyzer)

type check struct {
	*local.Package
	info    *types.Info
	reader  *atonce.Reader
	weigher *spawn.Weigher
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	c := &check{local.New(pass), pass.TypesInfo, atonce.New(pass), spawn.NewWeigher(pass)}
	for at := range c.Uses.Root.Preorder((*ast.SelectStmt)(nil)) {
		l, ok := loop.Around(c.info, at)
		if !ok || at.Parent().Node() != ast.Node(l.Body) || len(at.Node().(*ast.SelectStmt).Body.List) < 2 {
			continue
		}
		f, ok := c.drain(at, l)
		if !ok {
			f, ok = c.seldom(at, l)
		}
		if ok {
			f.Pos, f.End, f.Func = at.Node().Pos(), at.Node().Pos()+token.Pos(len("select")), uses.Decl(at)
			f.Causes, f.Hot = []string{"select"}, []shape.Range{shape.Of(l.Stmt)}
			all = append(all, f)
		}
	}
	return all, nil
}

// clauses are the cases of a select.
func clauses(at inspector.Cursor) (all []*ast.CommClause) {
	for _, s := range at.Node().(*ast.SelectStmt).Body.List {
		all = append(all, s.(*ast.CommClause))
	}
	return all
}

// received returns the channel that a case receives from, or nil.
func received(comm ast.Stmt) ast.Expr {
	var e ast.Expr
	switch s := comm.(type) {
	case *ast.ExprStmt:
		e = s.X
	case *ast.AssignStmt:
		e = s.Rhs[0]
	}
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
		return u.X
	}
	return nil
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
func plain(info *types.Info, e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			b := loop.Builtin(info, n)
			ok = ok && (b == "len" || b == "cap")
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.FuncLit:
			ok = false
		}
		return ok
	})
	return ok
}

// isCall reports whether an expression is a call of the function or method with
// the full name.
func isCall(info *types.Info, e ast.Expr, name string) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	fn, ok := typeutil.Callee(info, call).(*types.Func)
	return ok && fn.FullName() == name
}
