package recgo

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/spawn"
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
	stack := path(r.decl.Body, s.Node)
	for i, n := range stack {
		if i+1 == len(stack) {
			break
		}
		inner := stack[i+1]
		switch n := n.(type) {
		case *ast.IfStmt:
			// Which of the branches the site is in.
			other := ast.Stmt(n.Body)
			if n.Body == inner {
				other = n.Else
			}
			if inner == n.Init || inner == n.Cond {
				continue
			}
			if r.bounds(n.Cond, other) || other != nil && r.recurses(other) {
				return true
			}
		case *ast.CommClause:
			return true // select: it starts if there is room, or else does not
		case *ast.CaseClause:
			if slices.ContainsFunc(n.List, func(e ast.Expr) bool { return r.bounds(e, nil) }) {
				return true
			}
			// The other cases may go on without goroutines.
			if sw, ok := stack[i-2].(ast.Stmt); ok && r.casesRecurse(sw, n) {
				return true
			}
		case *ast.BlockStmt:
			if r.earlier(n.List, inner) {
				return true
			}
		}
		if c, ok := n.(*ast.CaseClause); ok && r.earlier(c.Body, inner) {
			return true
		}
	}
	if s.Lit != nil && len(s.Lit.Body.List) > 0 && r.acquires(s.Lit.Body.List[0]) {
		return true
	}
	return s.Kind == spawn.ErrGroup && (ast.Unparen(s.Call.Fun).(*ast.SelectorExpr).Sel.Name == "TryGo" || r.limited())
}

// path returns the nodes from root to n.
func path(root, n ast.Node) (out []ast.Node) {
	ast.Inspect(root, func(x ast.Node) bool {
		if x == nil || x.Pos() > n.Pos() || x.End() < n.End() || slices.Contains(out, n) {
			return false
		}
		out = append(out, x)
		return true
	})
	return out
}

// earlier reports whether a statement before one of a list leaves the function
// for small parts, or waits for its turn.
func (r *recursion) earlier(list []ast.Stmt, stmt ast.Node) bool {
	for _, st := range list {
		if st == stmt {
			return false
		}
		if r.acquires(st) {
			return true
		}
		switch st := st.(type) {
		case *ast.IfStmt:
			for s := st; s != nil; {
				if leaves(s.Body) && r.bounds(s.Cond, s.Body) {
					return true
				}
				s, _ = s.Else.(*ast.IfStmt)
			}
		case *ast.SwitchStmt:
			for _, c := range st.Body.List {
				c := c.(*ast.CaseClause)
				if leaves(&ast.BlockStmt{List: c.Body}) && slices.ContainsFunc(c.List, func(e ast.Expr) bool { return r.boundsCase(st, e, &ast.BlockStmt{List: c.Body}) }) {
					return true
				}
			}
		case *ast.SelectStmt:
			return true
		}
	}
	return false
}

// boundsCase is bounds for a case of a switch, with or without a tag.
func (r *recursion) boundsCase(sw *ast.SwitchStmt, e ast.Expr, body ast.Stmt) bool {
	if sw.Tag == nil {
		return r.bounds(e, body)
	}
	return r.compares(sw.Tag, e, body)
}

// leaves reports whether a block ends by leaving the function.
func leaves(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	switch s := b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BlockStmt:
		return leaves(s)
	case *ast.BranchStmt:
		return s.Tok == token.GOTO
	case *ast.ExprStmt:
		c, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := c.Fun.(*ast.Ident)
		return ok && id.Name == "panic"
	}
	return false
}

// bounds reports whether a condition keeps small parts apart from large ones.
// serial is what is done for the parts that start no goroutine, nil for nothing.
func (r *recursion) bounds(cond ast.Expr, serial ast.Stmt) bool {
	switch e := ast.Unparen(cond).(type) {
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND, token.LOR:
			return r.bounds(e.X, serial) || r.bounds(e.Y, serial)
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
			return r.compares(e.X, e.Y, serial)
		}
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return r.bounds(e.X, serial)
		}
	case *ast.Ident, *ast.SelectorExpr:
		// A flag: what does not change from call to call.
		v, ok := inline.Object(r.info, e).(*types.Var)
		return ok && (v.IsField() || !slices.Contains(r.params, v) && r.from[v] == nil || slices.Contains(r.params, v)) && r.works(serial)
	case *ast.CallExpr:
		// worthIt(xs), sem.TryAcquire(1), leaf(n): only what then goes on in
		// another way tells a bound from the end of the recursion.
		return r.works(serial)
	}
	return false
}

// compares reports whether the comparison of two operands is a bound.
func (r *recursion) compares(x, y ast.Expr, serial ast.Stmt) bool {
	if _, ok := r.constant(x); ok {
		x, y = y, x
	}
	if k, ok := r.constant(y); ok {
		if _, ok := r.constant(x); ok {
			return false
		}
		if k >= leastThreshold || k <= -leastThreshold {
			return true
		}
		return (k > mostEnd || r.depth(x)) && r.works(serial)
	}
	if r.info.Types[y].IsNil() || r.info.Types[x].IsNil() {
		return false
	}
	if t, ok := r.info.TypeOf(x).Underlying().(*types.Basic); !ok || t.Info()&types.IsNumeric == 0 {
		return false
	}
	// lo >= hi ends the recursion. A bound stays what it is from call to call,
	// or is a cost that was estimated.
	return r.fixed(x) || r.fixed(y) || r.estimated(x) || r.estimated(y)
}

// depth reports whether an operand is a parameter that counts levels, beside
// another that gets smaller.
func (r *recursion) depth(e ast.Expr) bool {
	p, ok := inline.Object(r.info, e).(*types.Var)
	if !ok || !slices.Contains(r.params, p) || r.steps(p) == 0 {
		return false
	}
	return slices.ContainsFunc(r.params, func(q *types.Var) bool {
		return q != p && r.steps(q) == 0 && !r.steady(q)
	})
}

// fixed reports whether an operand has the same value in all calls, or one that
// has nothing to do with the parts: a package variable, a field, a parameter
// that is passed on, a call such as runtime.NumGoroutine().
func (r *recursion) fixed(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident, *ast.SelectorExpr:
		v, ok := inline.Object(r.info, x).(*types.Var)
		if !ok {
			return false
		}
		if v.IsField() {
			// n.size of a node that changes is a measure, like its estimate.
			return true
		}
		return slices.Contains(r.params, v) && r.steady(v) || v.Parent() == r.pass.Pkg.Scope() || v.Pkg() != r.pass.Pkg
	case *ast.BinaryExpr:
		return r.fixed(x.X) && (r.fixed(x.Y) || r.info.Types[x.Y].Value != nil) || r.fixed(x.Y) && r.info.Types[x.X].Value != nil
	case *ast.CallExpr:
		return !r.info.Types[x.Fun].IsBuiltin() && !r.info.Types[x.Fun].IsType() && !r.of(x)
	}
	return false
}

// estimated reports whether an operand is a cost that a function returned: the
// call itself, or a variable that was set by one.
func (r *recursion) estimated(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		if r.info.Types[x.Fun].IsType() && len(x.Args) == 1 {
			return r.estimated(x.Args[0])
		}
		return !r.info.Types[x.Fun].IsBuiltin() && !r.self(x)
	case *ast.Ident:
		v, ok := r.info.ObjectOf(x).(*types.Var)
		return ok && slices.ContainsFunc(r.from[v], func(e ast.Expr) bool {
			_, call := ast.Unparen(e).(*ast.CallExpr)
			return call && r.estimated(e)
		})
	}
	return false
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
			if r.self(n) {
				found = true
			} else if fn := typeutil.StaticCallee(r.info, n); fn != nil {
				given := slices.Clone(n.Args)
				if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && fn.Signature().Recv() != nil {
					given = append(given, sel.X)
				}
				for _, a := range given {
					p, ok := inline.Object(r.info, a).(*types.Var)
					found = found || ok && slices.Contains(r.params, p) && !r.steady(p)
				}
			}
		}
		return !found
	})
	return found
}

// recurses reports whether a statement calls the function.
func (r *recursion) recurses(s ast.Stmt) bool {
	return slices.ContainsFunc(r.calls, func(c *ast.CallExpr) bool { return s.Pos() <= c.Pos() && c.End() <= s.End() })
}

func (r *recursion) casesRecurse(sw ast.Stmt, but *ast.CaseClause) bool {
	s, ok := sw.(*ast.SwitchStmt)
	return ok && slices.ContainsFunc(s.Body.List, func(c ast.Stmt) bool { return c != but && r.recurses(c) })
}

// acquires reports whether a statement takes a place among those that may run:
// it sends to a channel of slots or calls Acquire.
func (r *recursion) acquires(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.SendStmt:
		lit, ok := s.Value.(*ast.CompositeLit)
		return ok && len(lit.Elts) == 0
	case *ast.ExprStmt:
		if u, ok := s.X.(*ast.UnaryExpr); ok && u.Op == token.ARROW {
			// A token taken from a channel that lives longer than the call.
			v, ok := inline.Object(r.info, u.X).(*types.Var)
			return ok && (v.IsField() || v.Parent() == r.pass.Pkg.Scope() || slices.Contains(r.params, v))
		}
		return acquire(s.X)
	case *ast.IfStmt:
		if a, ok := s.Init.(*ast.AssignStmt); ok && acquire(a.Rhs[0]) {
			return true
		}
		return acquire(s.Cond)
	case *ast.AssignStmt:
		return acquire(s.Rhs[0])
	}
	return false
}

func acquire(e ast.Expr) (found bool) {
	if e == nil {
		return false
	}
	ast.Inspect(e, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok && (sel.Sel.Name == "Acquire" || sel.Sel.Name == "TryAcquire") {
				found = true
			}
		}
		return !found
	})
	return found
}

// limited reports whether the function sets the limit of an errgroup.
func (r *recursion) limited() (found bool) {
	ast.Inspect(r.decl.Body, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "SetLimit" {
			found = true
		}
		return !found
	})
	return found
}

// constant returns the value of an integer constant.
func (r *recursion) constant(e ast.Expr) (int64, bool) {
	v := r.info.Types[e].Value
	if v == nil || constant.ToInt(v).Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(constant.ToInt(v))
}
