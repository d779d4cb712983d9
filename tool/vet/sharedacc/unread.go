package sharedacc

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/guard"
	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// unread returns the findings of atomics that the package changes and never
// reads: fields, and variables of the package.
func (c *check) unread() (all []shape.Finding) {
	for def := range c.Uses.Root.Preorder((*ast.Ident)(nil)) {
		v, ok := c.Pass.TypesInfo.Defs[def.Node().(*ast.Ident)].(*types.Var)
		if !ok || v.Exported() || !counts(v.Type()) || !v.IsField() && !uses.Global(v) || c.Uses.Unseen(v) != "" {
			continue
		}
		changes, ok := c.changes(v)
		if !ok {
			continue
		}
		f := shape.Finding{
			Pos: v.Pos(), End: v.Pos() + token.Pos(len(v.Name())),
			Message: fmt.Sprintf("%s is updated atomically, and never read", v.Name()),
			Causes:  []string{"trueshare", "rmw", "falseshare"},
		}
		for _, at := range changes {
			if r := shape.Of(uses.Around(at)); !slices.Contains(f.Hot, r) {
				f.Hot = append(f.Hot, r)
			}
		}
		edits, why, at := c.drop(v, def, changes)
		f.Offer(shape.Fix{Name: "drop", Says: fmt.Sprintf("do not count in %s, which is never read", v.Name()), Edits: edits}, why, at)
		all = append(all, f)
	}
	return all
}

// counts reports whether t is one of the numbers of package sync/atomic.
func counts(t types.Type) bool {
	for _, name := range []string{"Int32", "Int64", "Uint32", "Uint64"} {
		if uses.Is(t, "sync/atomic", name) {
			return true
		}
	}
	return false
}

// changes returns the calls, statements of their own, that change v; ok is false if
// there are none, or if v is used in another way.
func (c *check) changes(v *types.Var) (all []inspector.Cursor, ok bool) {
	for _, use := range c.Uses.Of(v) {
		if c.Uses.Declares(use) {
			continue
		}
		e := uses.Whole(use)
		if e.ParentEdgeKind() != edge.SelectorExpr_X || e.Parent().ParentEdgeKind() != edge.CallExpr_Fun {
			return nil, false
		}
		call := e.Parent().Parent()
		if k := call.ParentEdgeKind(); k != edge.ExprStmt_X && k != edge.DeferStmt_Call {
			return nil, false
		}
		all = append(all, call)
	}
	return all, all != nil
}

// drop takes the statements away, whose operands have to do nothing else.
func (c *check) drop(v *types.Var, def inspector.Cursor, changes []inspector.Cursor) (edits []analysis.TextEdit, why string, at token.Pos) {
	if st, ok := layout.Around(c.Uses, def); ok {
		if why, at := st.Shown(c.Uses); why != "" {
			return nil, why, at
		}
	}
	for _, call := range changes {
		stmt := call.Parent()
		if !uses.Listed(stmt) {
			return nil, "it is updated where no statement can be taken away", stmt.Node().Pos()
		}
		if b, ok := stmt.Parent().Node().(*ast.BlockStmt); ok && len(b.List) == 1 && uses.Listed(stmt.Parent().Parent()) {
			return nil, "nothing would be left in its block", stmt.Node().Pos()
		}
		x := call.Node().(*ast.CallExpr)
		if !loop.Chain(x.Fun) || slices.ContainsFunc(x.Args, func(e ast.Expr) bool { return !c.plain(e) }) {
			return nil, "the statement may do more than count", x.Pos()
		}
		for id := range call.Preorder((*ast.Ident)(nil)) {
			v, _ := c.Pass.TypesInfo.Uses[id.Node().(*ast.Ident)].(*types.Var)
			if v == nil || v.IsField() || uses.Global(v) {
				continue
			}
			// A parameter may be left without a use.
			if !slices.ContainsFunc(c.Uses.Of(v), func(use inspector.Cursor) bool { return use.ParentEdgeKind() == edge.Field_Names }) {
				return nil, v.Name() + " may be left without a use", x.Pos()
			}
		}
		edits = append(edits, rewrite.Drop(c.Pass.Fset, stmt))
	}
	more, _ := guard.Undeclare(c.Pass, c.Uses, v)
	return append(edits, more...), "", 0
}

// plain reports whether an expression is a constant or a variable, perhaps converted.
func (c *check) plain(e ast.Expr) bool {
	types := c.Pass.TypesInfo.Types
	if to, ok := e.(*ast.CallExpr); ok && types[to.Fun].IsType() {
		e = to.Args[0]
	}
	return types[e].Value != nil || loop.Chain(e)
}
