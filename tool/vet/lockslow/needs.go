package lockslow

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// needs returns why code has to stay under the lock, and where: it uses what
// the lock guards or what others can reach, or others would see its effects in
// another order. Variables in set count as guarded.
func (c *check) needs(node inspector.Cursor, set map[*types.Var]bool) (why string, at token.Pos) {
	e := c.Effects(node)
	where := node.Node().Pos()
	var early []ast.Node
	for _, x := range c.Early {
		early = append(early, x.Node())
	}
	does := c.Flow.Within(node.Node(), early...)
	switch {
	case len(e.Unknown) > 0 && does.First(flow.Call|flow.Unknown) != nil: // of another package
		return "what " + types.ExprString(e.Unknown[0].(*ast.CallExpr).Fun) + " does is not known", e.Unknown[0].Pos()
	case len(e.Waits) > 0 || len(e.Takes) > 0:
		return "others would see it wait, send or start something in another order", where
	case len(e.Indirect) > 0:
		return "it writes through a pointer or slice", e.Indirect[0].Pos()
	}
	for v := range e.Writes {
		if c.guarded[v] || c.Shares(v) {
			return v.Name() + " is written", where
		}
	}
	for v := range e.Reads {
		if c.guarded[v] || set[v] {
			return "it uses " + v.Name() + ", which is written under the lock", where
		}
		if !c.Shares(v) {
			continue
		}
		if why := c.Uses.LeftOut(v); why != "" {
			return why, where
		}
		if c.unknown() && c.written(v) {
			return "it uses " + v.Name() + ", which a call under the lock may write", where
		}
		if types.Identical(v.Type(), types.Universe.Lookup("error").Type()) && !c.written(v) {
			continue // of errors nothing is asked here
		}
		if may, _ := c.overlaps(v.Type()); may && !section.Shareable(v.Type()) {
			return "through " + v.Name() + " it may reach what is written under the lock", where
		}
	}
	for x := range node.Preorder((*ast.Ident)(nil), (*ast.DeferStmt)(nil)) {
		id, ok := x.Node().(*ast.Ident)
		if !ok {
			return "it defers a call", x.Node().Pos()
		}
		v, ok := c.Uses.Info.Uses[id].(*types.Var)
		if !ok || v.IsField() || c.Shares(v) {
			continue
		}
		switch x.ParentEdgeKind() {
		case edge.BinaryExpr_X, edge.BinaryExpr_Y, edge.ReturnStmt_Results, edge.AssignStmt_Rhs:
			continue // nothing looks behind it
		case edge.SelectorExpr_X:
			f, ok := c.Uses.Info.Uses[x.Parent().Node().(*ast.SelectorExpr).Sel].(*types.Func)
			if !ok {
				continue // the field counts
			}
			if _, ok := c.Uses.Declaration(f); ok {
				continue // its effects do
			}
		}
		if c.given(v, map[*types.Var]bool{}) {
			return "through " + v.Name() + " it may reach what is written under the lock", x.Node().Pos()
		}
	}
	for _, e := range does {
		if e.Kind&(flow.Changes|flow.Ask|flow.Look) != 0 && !(e.Kind == flow.Write && e.On.Without(flow.Set(flow.Fresh))[0] == 0) {
			return "others would see in another order that it " + e.String(), e.Pos()
		}
	}
	return "", 0
}

// unknown reports whether a section of the lock makes a call of which is not
// known what it writes.
func (c *check) unknown() bool {
	return slices.ContainsFunc(c.Lock.Sections, func(s *section.Section) bool { return len(c.Does(s).Unknown) > 0 })
}

// written reports whether the package writes v anywhere.
func (c *check) written(v *types.Var) bool {
	return slices.ContainsFunc(c.Uses.Of(v), func(use inspector.Cursor) bool {
		part, _ := uses.Elements(uses.Whole(use))
		return !c.Uses.Declares(use) && uses.Written(part)
	})
}
