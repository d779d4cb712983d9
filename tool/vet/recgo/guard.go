package recgo

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// leastThreshold is the constant from which a bound on a size is a threshold
// whatever is done below it. Recursions end anyway at up to mostEnd.
const (
	leastThreshold = 16
	mostEnd        = 2
)

// guarded reports whether something keeps the smallest calls from starting the
// site's goroutine.
func (r *recursion) guarded(s *spawn.Site) bool {
	if inline.Bounded(r.pass, s) {
		return true
	}
	path, _ := astutil.PathEnclosingInterval(s.File, s.Node.Pos(), s.Node.End())
	for i, n := range path[1:] {
		inner := path[i]
		switch n := n.(type) {
		case *ast.FuncDecl:
			return false
		case *ast.CommClause, *ast.CaseClause:
			return true // the others may go on without goroutines
		case *ast.IfStmt:
			if inner == n.Body && r.bounds(n.Cond, n.Else) || inner == n.Else && r.bounds(n.Cond, n.Body) {
				return true
			}
		case *ast.BlockStmt:
			for _, st := range n.List {
				if st.End() <= inner.Pos() && r.leaves(st) {
					return true
				}
			}
		}
	}
	return false
}

// leaves reports whether a statement leaves the function for small parts, or takes one of
// several ways.
func (r *recursion) leaves(st ast.Stmt) bool {
	switch st := st.(type) {
	case *ast.IfStmt:
		if n := len(st.Body.List); n > 0 {
			if _, ok := st.Body.List[n-1].(*ast.ReturnStmt); ok && r.bounds(st.Cond, st.Body) {
				return true
			}
		}
		return st.Else != nil && r.leaves(st.Else)
	case *ast.SwitchStmt:
		return r.works(st.Body)
	case *ast.SelectStmt:
		return true
	}
	return false
}

// bounds reports whether a condition keeps small parts apart from large ones.
// serial is what is done for the parts that start no goroutine, nil for nothing.
func (r *recursion) bounds(cond ast.Expr, serial ast.Stmt) bool {
	e, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return r.works(serial)
	}
	if e.Op == token.LAND || e.Op == token.LOR {
		return r.bounds(e.X, serial) || r.bounds(e.Y, serial)
	}
	x, y := e.X, e.Y
	if r.info.Types[x].Value != nil {
		x, y = y, x
	}
	if v := r.info.Types[y].Value; v != nil {
		k, _ := constant.Int64Val(constant.ToInt(v))
		_, alone := ast.Unparen(x).(*ast.Ident) // perhaps the depth
		return k >= leastThreshold || (k > mostEnd || alone) && r.works(serial)
	}
	// lo >= hi ends the recursion. A bound stays what it is from call to call.
	return !r.info.Types[x].IsNil() && !r.info.Types[y].IsNil() && (r.fixed(x) || r.fixed(y))
}

// fixed reports whether an operand has nothing to do with the parts: it mentions no variable
// of the function but those that are passed on as they are.
func (r *recursion) fixed(e ast.Expr) bool {
	return !uses.Any(e, func(id *ast.Ident) bool {
		v, _ := r.info.Uses[id].(*types.Var)
		return v != nil && uses.Holds(r.decl, v.Pos()) && !r.steady(v)
	})
}

// works reports whether a statement does the work in another way: it calls
// something with what the function was given, loops, or recurses. What ends a
// recursion looks at one element.
func (r *recursion) works(s ast.Stmt) (found bool) {
	if s == nil {
		return false
	}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			found = true
		case *ast.CallExpr:
			if typeutil.StaticCallee(r.info, n) == nil {
				break
			}
			given := n.Args
			if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
				given = append(slices.Clone(given), sel.X)
			}
			found = found || r.self(n) || slices.ContainsFunc(given, func(a ast.Expr) bool {
				p, ok := spawn.Object(r.info, a).(*types.Var)
				return ok && slices.Contains(r.params, p) && !r.steady(p)
			})
		}
		return !found
	})
	return found
}
