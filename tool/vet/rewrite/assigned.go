package rewrite

import (
	"go/ast"
	"go/token"
)

// Assigned returns what a statement itself assigns to, not what those in it do.
// It knows x := 1, x++ and for x = range count; for x := range makes new
// variables.
func Assigned(n ast.Node) (to []ast.Expr) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return n.Lhs
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.RangeStmt:
		if n.Tok != token.ASSIGN {
			return nil
		}
		if to = append(to, n.Key); n.Value != nil {
			to = append(to, n.Value)
		}
	}
	return to
}
