package hotslot

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// large is the size in bytes from which padding an array is refused.
const large = 1 << 20

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
	for _, p := range slots {
		elem := element(l.Site, p)
		what := types.TypeString(elem, nil)
		if _, ok := layout.Of(c.Uses, elem); !ok {
			what = fmt.Sprint(p.Root().Pos())
		}
		if seen[what] {
			continue
		}
		seen[what] = true
		more, why, at := c.pad(l, p, elem)
		if why != "" {
			return nil, why, at
		}
		edits = append(edits, more...)
	}
	return edits, "", 0
}

// pad returns the edit that gives the slots room, or why there is none.
func (c *check) pad(l *local.Loop, p *local.Place, elem types.Type) (edits []analysis.TextEdit, why string, at token.Pos) {
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
		if edits, left, _ := c.wrap(l, p, elem, size); left == "" {
			return edits, "", 0
		}
		return nil, why, at
	}
	return c.wrap(l, p, elem, size)
}

// wrap gives the elements of a local slice or array a type with room.
func (c *check) wrap(l *local.Loop, p *local.Place, elem types.Type, size int64) (edits []analysis.TextEdit, why string, at token.Pos) {
	v := c.pointed(l.Argument(p.Root()))
	if v == nil || v.Parent() == nil || v.Parent() == c.Pass.Pkg.Scope() || !side(v.Type(), elem) {
		return nil, "the slots are not made in the function", p.Expr.Pos()
	}
	if a, ok := v.Type().Underlying().(*types.Array); ok && a.Len() > large/layout.Line {
		return nil, "the array would fill more than 1 MiB", v.Pos()
	}
	w := &wrap{check: c}
	for _, use := range c.Uses.Of(v) {
		if why := w.use(use); why != "" {
			return nil, why, use.Node().Pos()
		}
	}
	if w.elt == nil {
		return nil, "the slots are not made in the function", v.Pos()
	}
	name := c.Name(uses.Decl(w.stmt), w.stmt.Node(), "padded")
	edits = append(edits,
		rewrite.Insert(w.stmt.Node().Pos(), fmt.Sprintf("type %s struct {\n\tn %s\n\t_ [%d]byte // fills the cache line\n}\n", name, rewrite.Text(c.Pass.Fset, w.elt), layout.Line-size)),
		rewrite.Replace(w.elt, name))
	for _, e := range w.values {
		edits = append(edits, rewrite.Insert(e.Pos(), "{n: "), rewrite.Insert(e.End(), "}"))
	}
	for _, n := range w.elements {
		edits = append(edits, rewrite.Insert(n.End(), ".n"))
	}
	return edits, "", 0
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

// A wrap collects what has to change for the elements of a local variable to
// get a type of their own.
type wrap struct {
	*check
	stmt     inspector.Cursor // the declaration
	elt      ast.Expr         // the element type in it
	values   []ast.Expr       // elements in it
	elements []ast.Node       // expressions that stand for elements
}

// use enters one use of the variable, or says why it cannot change.
func (w *wrap) use(at inspector.Cursor) (why string) {
	info := w.Pass.TypesInfo
	if w.Uses.Declares(at) {
		return w.declaration(at)
	}
	e := uses.Whole(at)
	switch e.ParentEdgeKind() {
	case edge.IndexExpr_X:
		if layout.Raw(e.Parent()) {
			return "the address of a slot is taken beside package unsafe"
		}
		w.elements = append(w.elements, e.Parent().Node())
		return ""
	case edge.RangeStmt_X:
		r := e.Parent().Node().(*ast.RangeStmt)
		if r.Value == nil {
			return ""
		}
		id, ok := r.Value.(*ast.Ident)
		if !ok || r.Tok != token.DEFINE {
			return "a loop copies the slots"
		}
		if v, ok := info.Defs[id].(*types.Var); ok {
			for _, use := range w.Uses.Of(v) {
				if !w.Uses.Declares(use) {
					w.elements = append(w.elements, use.Node())
				}
			}
		}
		return ""
	case edge.CallExpr_Args:
		call := e.Parent().Node().(*ast.CallExpr)
		if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
			if b, ok := info.Uses[id].(*types.Builtin); ok && (b.Name() == "len" || b.Name() == "cap" || b.Name() == "clear") {
				return ""
			}
		}
		return "the slots are handed to " + types.ExprString(call.Fun)
	}
	return "the slots are used as a whole"
}

func (w *wrap) declaration(at inspector.Cursor) (why string) {
	const elsewhere = "the slots are not made in the function"
	stmt, ok := uses.Statement(at)
	if !ok {
		return elsewhere
	}
	w.stmt = stmt
	switch d := at.Parent().Node().(type) {
	case *ast.AssignStmt:
		if len(d.Lhs) == len(d.Rhs) {
			return w.value(d.Rhs[at.ParentEdgeIndex()])
		}
	case *ast.ValueSpec:
		switch {
		case len(d.Names) > 1:
			return "the slots are declared together with others"
		case d.Type != nil && d.Values == nil:
			return w.typ(d.Type)
		case d.Type == nil && len(d.Values) == 1:
			return w.value(d.Values[0])
		}
	}
	return elsewhere
}

func (w *wrap) value(e ast.Expr) (why string) {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		if id, ok := e.Fun.(*ast.Ident); ok {
			if b, ok := w.Pass.TypesInfo.Uses[id].(*types.Builtin); ok && b.Name() == "make" {
				return w.typ(e.Args[0])
			}
		}
	case *ast.CompositeLit:
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			if lit, ok := x.(*ast.CompositeLit); ok && lit.Type == nil {
				return "the slots are given values without a type"
			}
			w.values = append(w.values, x)
		}
		return w.typ(e.Type)
	}
	return "the slots come from " + types.ExprString(e)
}

func (w *wrap) typ(e ast.Expr) (why string) {
	a, ok := e.(*ast.ArrayType)
	if !ok {
		return "the type of the slots is not written as a slice or array"
	}
	w.elt = a.Elt
	return ""
}
