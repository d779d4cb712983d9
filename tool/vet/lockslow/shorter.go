package lockslow

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// shorter makes the section shorter: the lock is taken after what comes first
// and does not need it, and slow calls that need nothing of it come before.
func (c *check) shorter(slow *part) (edits []analysis.TextEdit, why string, at token.Pos) {
	first := slices.IndexFunc(c.Stmts, func(stmt inspector.Cursor) bool { why, _ := c.needs(stmt, nil); return why != "" })
	if first < 0 {
		return nil, "nothing else is under the lock: it may be there to let one at a time", slow.at.Node().Pos()
	}
	if c.speed.first(c.Stmts[:first]) == nil {
		first = 0
	}
	kept := c.Stmts[first:]
	fn, _ := uses.Func(c.Enter)
	names, ahead := rewrite.Names{}, ""
	for i, stmt := range kept {
		call, ok := c.ahead(stmt, kept[:i])
		if !ok {
			continue
		}
		if a, ok := call.Node().(*ast.AssignStmt); ok {
			ahead += rewrite.Text(c.Fset, a) + "\n"
			edits = append(edits, rewrite.Drop(c.Fset, call))
			continue
		}
		name := names.Fresh(c.Pass.Pkg, fn.Node(), "ready")
		ahead += name + " := " + rewrite.Text(c.Fset, call.Node()) + "\n"
		edits = append(edits, rewrite.Replace(call.Node(), name))
	}
	if first == 0 {
		if ahead != "" {
			return append(edits, rewrite.Insert(c.Enter.Node().Pos(), ahead)), "", 0
		}
		if why, at := c.needs(slow.at, nil); why != "" {
			return nil, why, at
		}
		return nil, "its statement has to stay, or is among some that do", slow.at.Node().Pos()
	}
	enter := rewrite.Text(c.Fset, c.Enter.Node()) + "\n"
	edits = append(edits, rewrite.Drop(c.Fset, c.Enter))
	if c.Deferred {
		enter += rewrite.Text(c.Fset, c.Leave.Node()) + "\n"
		edits = append(edits, rewrite.Drop(c.Fset, c.Leave))
	}
	for _, x := range c.Early {
		if slices.ContainsFunc(c.Stmts[:first], func(stmt inspector.Cursor) bool { return stmt.Contains(x) }) {
			edits = append(edits, rewrite.Drop(c.Fset, x))
		}
	}
	return append(edits, rewrite.Insert(rewrite.Above(c.Fset, kept[0]), ahead+enter)), "", 0
}

// ahead returns the slow call of a statement, or the statement, that can be made
// before the lock is taken: from memory to memory, of nothing that the lock
// guards, nor of what the statements before it set.
func (c *check) ahead(stmt inspector.Cursor, before []inspector.Cursor) (found inspector.Cursor, ok bool) {
	a, _ := stmt.Node().(*ast.AssignStmt)
	switch stmt.Node().(type) {
	case *ast.AssignStmt, *ast.ExprStmt, *ast.ReturnStmt:
	default:
		return found, false
	}
	set := c.Effects(before...).Writes
	named := map[string]bool{} // before it
	leaves := false
	for _, b := range before {
		leaves = leaves || len(rewrite.Leaves(c.Uses.Info, b.Node(), false)) > 0
		for x := range b.Preorder((*ast.Ident)(nil)) {
			id := x.Node().(*ast.Ident)
			named[id.Name] = true
			if v, ok := c.Uses.Info.Defs[id].(*types.Var); ok {
				set[v] = true
			}
		}
	}
	stmt.Inspect([]ast.Node{(*ast.CallExpr)(nil), (*ast.FuncLit)(nil), (*ast.BinaryExpr)(nil)}, func(x inspector.Cursor) bool {
		switch n := x.Node().(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			return !ok && n.Op != token.LAND && n.Op != token.LOR
		case *ast.CallExpr:
			k := c.speed.call(n)
			if ok || k != encode && k != work || leaves && !(k == encode && plain(n)) {
				return !ok
			}
			if why, _ := c.needs(x, set); why != "" || c.calls(stmt, x) {
				return true
			}
			if a != nil && len(a.Rhs) == 1 && a.Rhs[0] == n && c.fresh(a, named) {
				found, ok = stmt, true
			} else if t := c.Uses.Info.TypeOf(n); t != nil {
				if tuple, is := t.(*types.Tuple); !is || tuple.Len() == 1 {
					found, ok = x, true
				}
			}
		}
		return !ok
	})
	return found, ok
}

// calls reports whether a statement makes a call that neither is in x nor has it
// among its operands: it may change what x uses.
func (c *check) calls(stmt, x inspector.Cursor) bool {
	for call := range stmt.Preorder((*ast.CallExpr)(nil)) {
		tv := c.Uses.Info.Types[call.Node().(*ast.CallExpr).Fun]
		if !tv.IsType() && !tv.IsBuiltin() && !x.Contains(call) && !call.Contains(x) {
			return true
		}
	}
	return false
}

// plain reports whether the operands of a call can be had at any time.
func plain(call *ast.CallExpr) bool {
	return !slices.ContainsFunc(call.Args, func(e ast.Expr) bool {
		_, id := ast.Unparen(e).(*ast.Ident)
		return !id
	})
}

// fresh reports whether an assignment declares all variables that it sets, by
// names that are not used before it.
func (c *check) fresh(a *ast.AssignStmt, named map[string]bool) bool {
	return !slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return !ok || id.Name != "_" && (c.Uses.Info.Defs[id] == nil || named[id.Name])
	})
}
