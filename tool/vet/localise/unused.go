package localise

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// literal returns the literal that a local variable has, if it is set nowhere else.
func (x *Across) literal(v *types.Var) *inspector.Cursor {
	var lit *inspector.Cursor
	for _, use := range x.uses.Of(v) {
		if !x.uses.Declares(use) {
			if uses.Written(uses.Whole(use)) {
				return nil
			}
			continue
		}
		a, ok := use.Parent().Node().(*ast.AssignStmt)
		if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			return nil
		}
		if l, ok := a.Rhs[0].(*ast.FuncLit); ok {
			if c, ok := use.Parent().FindNode(l); ok {
				lit = &c
			}
		}
	}
	return lit
}

// unused are the edits that take away what was called n times, and is called
// nowhere else.
func (x *Across) unused(of types.Object, n int) []analysis.TextEdit {
	switch of := of.(type) {
	case *types.Var:
		all := x.uses.Of(of)
		if len(all) != n+1 {
			return nil
		}
		for _, use := range all {
			if x.uses.Declares(use) {
				return []analysis.TextEdit{rewrite.Drop(x.pass.Fset, use.Parent())}
			}
		}
	case *types.Func:
		if of.Exported() || x.uses.Left.Calls(of) != "" || x.implements(of) {
			return nil
		}
		named := 0
		for _, o := range x.pass.TypesInfo.Uses {
			if fn, ok := o.(*types.Func); ok && fn.Origin() == of {
				named++
			}
		}
		decl, ok := x.uses.Declaration(of)
		if !ok || named != n {
			return nil
		}
		if doc := decl.Node().(*ast.FuncDecl).Doc; doc != nil && slices.ContainsFunc(doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:") }) {
			return nil // it may be linked to
		}
		from, to := rewrite.Begin(decl.Node()), decl.Node().End()
		if next, ok := decl.NextSibling(); ok {
			to = rewrite.Begin(next.Node())
			for _, g := range rewrite.File(x.pass, from).Comments {
				if g.Pos() > decl.Node().End() && g.Pos() < to {
					to = decl.Node().End() // a comment of its own
					break
				}
			}
		}
		return []analysis.TextEdit{{Pos: from, End: to}}
	}
	return nil
}

// implements reports whether a method may be that of an interface.
func (x *Across) implements(fn *types.Func) bool {
	if fn.Signature().Recv() == nil {
		return false
	}
	for _, tv := range x.pass.TypesInfo.Types {
		if i, ok := tv.Type.(*types.Interface); ok && tv.IsType() {
			for m := range i.Methods() {
				if m.Name() == fn.Name() {
					return true
				}
			}
		}
	}
	return false
}
