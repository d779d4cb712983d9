package hotslot

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/room"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// size returns the size of a type, 0 if a type parameter decides it.
func (c *check) size(t types.Type) int64 {
	if parameterized(t, 0) {
		return 0
	}
	return c.Pass.TypesSizes.Sizeof(t)
}

func parameterized(t types.Type, depth int) bool {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok || depth > 5 {
		return ok
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return parameterized(u.Elem(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if parameterized(f.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}

// pads gives room to all slots of a loop.
func (c *check) pads(l *local.Loop, slots []*local.Place) (edits []analysis.TextEdit, why string, at token.Pos) {
	seen := map[string]bool{}
	named := map[string]room.Type{}
	for _, p := range slots {
		elem := element(l.Site, p)
		what := types.TypeString(elem, nil)
		if _, ok := layout.Of(c.Uses, elem); !ok {
			what = fmt.Sprint(p.Root().Pos())
			if f := c.field(l, p); f != nil {
				what = fmt.Sprint(f.Pos())
			}
		}
		if seen[what] {
			continue
		}
		seen[what] = true
		more, why, at := c.pad(l, p, elem, named)
		if why != "" {
			return nil, why, at
		}
		edits = append(edits, more...)
	}
	return edits, "", 0
}

// pad returns the edit that gives the slots room, or why there is none. named has
// the types that the package gets, by those of the slots.
func (c *check) pad(l *local.Loop, p *local.Place, elem types.Type, named map[string]room.Type) (edits []analysis.TextEdit, why string, at token.Pos) {
	size := c.size(elem)
	if size == 0 {
		return nil, "a type parameter decides the size of the slots", p.Expr.Pos()
	}
	if st, ok := layout.Of(c.Uses, elem); ok {
		edits, why, at = st.Fill(c.Uses, c.Pass.Pkg, c.Pass.Fset, size)
		if why == "" {
			return edits, "", at
		}
		// Others rely on the struct; the slots may get a type around it.
		if edits, left, _ := c.wrap(l, p, elem, size, named); left == "" {
			return edits, "", 0
		}
		return nil, why, at
	}
	return c.wrap(l, p, elem, size, named)
}

// wrap gives the elements of a slice or array a type with room: one of the function,
// if the variable is, else one of the package.
func (c *check) wrap(l *local.Loop, p *local.Place, elem types.Type, size int64, named map[string]room.Type) (edits []analysis.TextEdit, why string, at token.Pos) {
	v := c.pointed(l.Argument(p.Root()))
	if f := c.field(l, p); f != nil {
		v = f
	}
	if v == nil || !side(v.Type(), elem) {
		return nil, "it is not known which variable has the slots", p.Expr.Pos()
	}
	m := room.Elements(c.Uses, v)
	if why, at = m.Find(); why != "" {
		return nil, why, at
	}
	home, ok := inspector.Cursor{}, false
	for _, use := range c.Uses.Of(v) {
		if c.Uses.Declares(use) {
			home, ok = use, true
		}
	}
	if !ok || m.Type() == nil {
		return nil, "it is not known which variable has the slots", v.Pos()
	}
	if v.IsField() || v.Parent() == c.Pass.Pkg.Scope() {
		if !room.Nameable(elem) {
			return nil, "the slots have a type without a name", v.Pos()
		}
		t, ok := named[types.TypeString(elem, nil)]
		if !ok {
			t, edits = room.Declare(c.Pass.Pkg, home, elem, size)
			named[types.TypeString(elem, nil)] = t
		}
		return append(edits, room.Edits(m.Changes(c.Pass.Fset, t))...), "", 0
	}
	stmt, ok := uses.Statement(home)
	if !ok {
		return nil, "it is not known which variable has the slots", v.Pos()
	}
	t := room.Type{Name: c.Name(uses.Decl(stmt), stmt.Node(), "padded"), Field: "n"}
	edits = append(edits, rewrite.Insert(stmt.Node().Pos(), fmt.Sprintf("type %s struct {\n\tn %s\n\t_ [%d]byte // fills the cache line\n}\n", t.Name, rewrite.Text(c.Pass.Fset, m.Type()), layout.Line-size)))
	return append(edits, room.Edits(m.Changes(c.Pass.Fset, t))...), "", 0
}

// field is the field whose elements the goroutines have, or nil if it is a variable.
func (c *check) field(l *local.Loop, p *local.Place) *types.Var {
	e := p.Expr
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			if v := c.Uses.Var(x.X); l.Site.DiffersExpr(x.Index) {
				if v != nil && v.IsField() && v.Pkg() == c.Pass.Pkg {
					return v
				}
				return nil
			}
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// pointed is the variable an element of which v is declared to point to, else v.
func (c *check) pointed(v *types.Var) *types.Var {
	if v == nil {
		return nil
	}
	for _, use := range c.Uses.Of(v) {
		a, ok := use.Parent().Node().(*ast.AssignStmt)
		if !ok || !c.Uses.Declares(use) || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			continue
		}
		if u, ok := ast.Unparen(a.Rhs[0]).(*ast.UnaryExpr); ok && u.Op == token.AND {
			if x, ok := ast.Unparen(u.X).(*ast.IndexExpr); ok && c.Uses.Var(x.X) != nil {
				return c.Uses.Var(x.X)
			}
		}
	}
	return v
}

// side reports whether values of type elem lie side by side in t.
func side(t, elem types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return types.Identical(u.Elem(), elem)
	case *types.Array:
		return types.Identical(u.Elem(), elem)
	}
	return false
}
