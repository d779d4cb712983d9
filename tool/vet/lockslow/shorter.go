package lockslow

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// shorter makes the section shorter: the lock is taken after what comes first
// and does not need it, slow calls that need nothing of it come before, and it
// is given back before what comes last.
func (c *check) shorter(slow *part) (edits []analysis.TextEdit, why string, at token.Pos) {
	n := len(c.Stmts)
	first, last := 0, n // those between stay
	for first < n {
		if why, _ := c.needs(c.Stmts[first:first+1], nil); why != "" {
			break
		}
		first++
	}
	if first == n {
		return nil, "nothing else is under the lock: it may be there to let one at a time", slow.at.Node().Pos()
	}
	if c.speed.first(c.Stmts[:first]) == nil {
		first = 0
	}
	for last > first {
		if why, _ := c.needs(c.Stmts[last-1:last], nil); why != "" {
			break
		}
		last--
	}
	kept := c.Stmts[first:last]
	var calls []inspector.Cursor
	for i, stmt := range kept {
		if call, ok := c.ahead(stmt, kept[:i]); ok {
			calls = append(calls, call)
		}
	}
	lateSlow := c.speed.first(c.Stmts[last:]) != nil
	if lateSlow && c.Deferred {
		if why, at = c.undeferred(kept); why != "" {
			lateSlow = false
		}
	}
	if first == 0 && len(calls) == 0 && !lateSlow {
		if edits, ok := c.copied(slow); ok {
			return edits, "", 0
		}
		if why == "" {
			why, at = c.reason(slow)
		}
		return nil, why, at
	}
	enter := c.text(c.Enter)
	if c.Deferred && !lateSlow {
		enter += "\n" + c.text(c.Leave)
	}
	begin := c.Enter.Node().Pos()
	switch {
	case first > 0:
		edits = append(edits, c.drop(c.Enter))
		if c.Deferred {
			edits = append(edits, c.drop(c.Leave))
		}
		edits = append(edits, c.earlier(c.Stmts[:first])...)
		// Calls that come ahead go before the lock.
		at := rewrite.Above(c.Fset, kept[0])
		var ahead string
		ahead, edits = c.hoist(calls, edits)
		edits = append(edits, rewrite.Insert(at, ahead+enter+"\n"))
	default:
		var ahead string
		ahead, edits = c.hoist(calls, edits)
		if ahead != "" {
			edits = append(edits, rewrite.Insert(begin, ahead))
		}
		if c.Deferred && lateSlow {
			edits = append(edits, c.drop(c.Leave))
		}
	}
	if lateSlow {
		unlock := types.ExprString(c.X) + ".Unlock()"
		if c.Read {
			unlock = types.ExprString(c.X) + ".RUnlock()"
		}
		if c.Deferred {
			edits = append(edits, c.returns(kept, unlock)...)
		} else {
			edits = append(edits, c.drop(c.Leave))
			edits = append(edits, c.earlier(c.Stmts[last:])...)
		}
		edits = append(edits, rewrite.Insert(rewrite.Above(c.Fset, c.Stmts[last]), unlock+"\n"))
	}
	return edits, "", 0
}

// hoist returns the statements that make calls ahead, and the edits that leave
// their results in their places.
func (c *check) hoist(calls []inspector.Cursor, edits []analysis.TextEdit) (ahead string, all []analysis.TextEdit) {
	names := rewrite.Names{}
	fn, _ := uses.Func(c.Enter)
	for _, call := range calls {
		if stmt, ok := call.Node().(ast.Stmt); ok {
			ahead += rewrite.Text(c.Fset, stmt) + "\n"
			edits = append(edits, c.drop(call))
			continue
		}
		name := names.Fresh(c.Pass.Pkg, fn.Node(), "ready")
		ahead += name + " := " + rewrite.Text(c.Fset, call.Node()) + "\n"
		edits = append(edits, rewrite.Replace(call.Node(), name))
	}
	return ahead, edits
}

// ahead returns the slow call of a statement, or the statement, that can be made
// before the lock is taken: from memory to memory, of nothing that the lock
// guards, nor of what the statements before it set.
func (c *check) ahead(stmt inspector.Cursor, before []inspector.Cursor) (found inspector.Cursor, ok bool) {
	switch stmt.Node().(type) {
	case *ast.AssignStmt, *ast.ExprStmt, *ast.ReturnStmt, *ast.IncDecStmt:
	default:
		return found, false
	}
	set := c.Effects(before...).Writes
	for _, b := range before {
		for id := range b.Preorder((*ast.Ident)(nil)) {
			if v, ok := c.Uses.Info.Defs[id.Node().(*ast.Ident)].(*types.Var); ok {
				set[v] = true
			}
		}
	}
	stmt.Inspect([]ast.Node{(*ast.CallExpr)(nil), (*ast.FuncLit)(nil), (*ast.BinaryExpr)(nil)}, func(x inspector.Cursor) bool {
		if ok {
			return false
		}
		switch n := x.Node().(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			return n.Op != token.LAND && n.Op != token.LOR
		case *ast.CallExpr:
			if k := c.speed.call(n); k != encode && k != work {
				return true
			}
			if why, _ := c.needs([]inspector.Cursor{x}, set); why != "" {
				return true
			}
			a, isAssign := stmt.Node().(*ast.AssignStmt)
			switch {
			case isAssign && len(a.Rhs) == 1 && a.Rhs[0] == n && c.own(a, before):
				found, ok = stmt, true
			case c.single(n):
				found, ok = x, true
			}
			return !ok
		}
		return true
	})
	return found, ok
}

// own reports whether an assignment sets only variables of the function that
// the statements before it do not use.
func (c *check) own(a *ast.AssignStmt, before []inspector.Cursor) bool {
	for _, e := range a.Lhs {
		id, ok := e.(*ast.Ident)
		if !ok {
			return false
		}
		if id.Name == "_" {
			continue
		}
		v, ok := c.Uses.Info.ObjectOf(id).(*types.Var)
		if !ok || c.Shares(v) {
			return false
		}
		for _, use := range c.Uses.Of(v) {
			for _, b := range before {
				if b.Contains(use) {
					return false
				}
			}
		}
	}
	return true
}

func (c *check) single(call *ast.CallExpr) bool {
	_, tuple := c.Uses.Info.TypeOf(call).(*types.Tuple)
	return !tuple && c.Uses.Info.TypeOf(call) != nil
}

// undeferred returns why a deferred unlock cannot come before the last
// statements: what stays under the lock may be left by a panic, or by a return
// whose values need it.
func (c *check) undeferred(kept []inspector.Cursor) (why string, at token.Pos) {
	for _, stmt := range kept {
		for x := range stmt.Preorder() {
			switch n := x.Node().(type) {
			case *ast.ReturnStmt:
				if why, at := c.needs([]inspector.Cursor{x}, nil); why != "" && len(n.Results) > 0 {
					return "a return in between needs the lock: " + why, at
				}
			case *ast.BranchStmt:
				if n.Tok == token.GOTO || n.Label != nil {
					return "the section may be left by a " + n.Tok.String(), n.Pos()
				}
			case *ast.DeferStmt, *ast.GoStmt, *ast.FuncLit:
				return "a function is deferred or made under the lock", n.Pos()
			}
		}
		if e := c.Flow.Within(stmt.Node()).First(flow.Panic | flow.Exit | flow.Call | flow.Unknown); e != nil {
			return "a panic in between would leave the lock taken", e.Pos()
		}
	}
	return "", 0
}

// returns gives the lock back before each return.
func (c *check) returns(kept []inspector.Cursor, unlock string) (edits []analysis.TextEdit) {
	for _, stmt := range kept {
		for r := range stmt.Preorder((*ast.ReturnStmt)(nil)) {
			edits = append(edits, rewrite.Insert(r.Node().Pos(), unlock+"\n"))
		}
	}
	return edits
}

// earlier takes away the unlocks of statements that no longer hold the lock.
func (c *check) earlier(stmts []inspector.Cursor) (edits []analysis.TextEdit) {
	for _, x := range c.Early {
		if slices.ContainsFunc(stmts, func(stmt inspector.Cursor) bool { return stmt.Contains(x) }) {
			edits = append(edits, c.drop(x))
		}
	}
	return edits
}

func (c *check) drop(x inspector.Cursor) analysis.TextEdit { return rewrite.Drop(c.Fset, x) }

func (c *check) text(x inspector.Cursor) string { return rewrite.Text(c.Fset, x.Node()) }
