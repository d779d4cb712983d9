package lockslow

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// copied takes copies of the guarded values that the last statements read, and
// gives the lock back before these.
func (c *check) copied(slow *part) (edits []analysis.TextEdit, ok bool) {
	n := len(c.Stmts)
	from := n
	for i, stmt := range c.Stmts {
		if stmt.Contains(slow.at) {
			from = i
		}
	}
	if from == n {
		return nil, false
	}
	late := c.Stmts[from:]
	// What is read, and how it is copied.
	names := map[string]string{}
	fn, _ := uses.Func(c.Enter)
	before := ""
	written := c.Effects(late...).Writes
	for v := range c.guarded {
		if written[v] {
			return nil, false
		}
	}
	var copies []inspector.Cursor
	for _, stmt := range late {
		for id := range stmt.Preorder((*ast.Ident)(nil)) {
			v, ok := c.Uses.Info.Uses[id.Node().(*ast.Ident)].(*types.Var)
			if !ok || !c.guarded[v.Origin()] {
				continue
			}
			place := uses.Whole(id)
			text := rewrite.Text(c.Fset, place.Node())
			if names[text] == "" {
				name := rewrite.Fresh(c.Pass.Pkg, fn.Node(), v.Name()+"Copy")
				copy := text
				switch u := v.Type().Underlying().(type) {
				case *types.Map:
					if refers(u.Key()) || refers(u.Elem()) {
						return nil, false
					}
					copy = "maps"
				case *types.Slice:
					if refers(u.Elem()) {
						return nil, false
					}
					copy = "slices"
				default:
					if refers(v.Type()) {
						return nil, false
					}
				}
				if copy != text {
					pkg, imports := rewrite.Import(c.Pass.Pkg, rewrite.File(c.Pass, c.Enter.Node().Pos()), copy, c.Enter.Node().Pos())
					edits = append(edits, imports...)
					copy = pkg + ".Clone(" + text + ")"
				}
				names[text] = name
				before += name + " := " + copy + "\n"
			}
			if place.ParentEdgeKind() == edge.SelectorExpr_X {
				return nil, false
			}
			copies = append(copies, place)
			edits = append(edits, rewrite.Replace(place.Node(), names[text]))
		}
	}
	if len(copies) == 0 || !c.restFree(late, copies) {
		return nil, false
	}
	unlock := types.ExprString(c.X) + ".Unlock()"
	if c.Read {
		unlock = types.ExprString(c.X) + ".RUnlock()"
	}
	if c.Deferred {
		if why, _ := c.undeferred(c.Stmts[:from]); why != "" {
			return nil, false
		}
		edits = append(edits, c.returns(c.Stmts[:from], unlock)...)
	} else {
		edits = append(edits, c.earlier(late)...)
	}
	edits = append(edits, c.drop(c.Leave), rewrite.Insert(rewrite.Above(c.Fset, late[0]), before+unlock+"\n"))
	return edits, true
}

// restFree reports whether statements need nothing of the lock but the copies.
// What they call has none.
func (c *check) restFree(late, copies []inspector.Cursor) bool {
	defer func() { c.copies = nil }()
	for _, p := range copies {
		if v := c.Uses.Var(p.Node().(ast.Expr)); v != nil {
			c.copies = append(c.copies, v)
		}
	}
	for _, stmt := range late {
		for call := range stmt.Preorder((*ast.CallExpr)(nil)) {
			fn := section.Callee(c.Uses.Info, call.Node().(*ast.CallExpr))
			if fn != nil && slices.ContainsFunc(c.copies, c.Called(fn).Touches) {
				return false
			}
		}
	}
	why, _ := c.needs(late, nil)
	return why == ""
}
