package hotcode

import (
	"go/ast"
	"go/types"
	"slices"
)

// hold enters the lines between a Lock and the Unlock of the same list of
// statements, or the end of the list where the Unlock is deferred. The lines of
// the two are the lock's own.
func (s *shapely) hold(list []ast.Stmt) {
	for i, n := range list {
		lock := called(n, "Lock")
		if lock == "" {
			continue
		}
		rest := list[i+1:]
		end := slices.IndexFunc(rest, func(n ast.Stmt) bool { return called(n, "Unlock") == lock })
		if end < 0 {
			continue // what gives it back is not known
		}
		if _, deferred := rest[end].(*ast.DeferStmt); deferred {
			rest = rest[end+1:]
		} else {
			rest = rest[:end]
		}
		for _, n := range rest {
			for l := s.fset.Position(n.Pos()).Line; l <= s.fset.Position(n.End()).Line; l++ {
				s.held[l] = true
			}
		}
	}
}

// called is what a statement calls a method on, without arguments, now or
// deferred; "" for other statements.
func called(n ast.Stmt, method string) string {
	var x ast.Expr
	switch n := n.(type) {
	case *ast.ExprStmt:
		x = n.X
	case *ast.DeferStmt:
		x = n.Call
	}
	call, ok := x.(*ast.CallExpr)
	if !ok || len(call.Args) > 0 {
		return ""
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != method {
		return ""
	}
	return types.ExprString(sel.X)
}
