package lockslow

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A memory is a kind of memory that a value leads to.
type memory struct {
	how   byte // p: behind a pointer, s: elements of a slice, m: a map, ?: anything
	t     types.Type
	field *types.Var // that it is
}

const (
	behindPointer = 'p'
	ofSlice       = 's'
	ofMap         = 'm'
	anything      = '?'
	itself        = 'v' // a variable, or a field of a struct in memory
)

// A reach is the memory that values lead to, each kind once: types lead to each
// other by more ways than can be counted.
type reach struct {
	pkg  *types.Package
	seen typeutil.Map // types whose values were followed
	all  []memory
}

// behind adds the memory that a value of type t leads to. Types of other packages
// are taken as one.
func (r *reach) behind(t types.Type) {
	if r.seen.At(t) != nil {
		return
	}
	r.seen.Set(t, true)
	if n := uses.Named(t); n != nil && n == types.Unalias(t) && n.Obj().Pkg() != r.pkg {
		if _, ok := t.Underlying().(*types.Struct); ok {
			return
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		r.holds(memory{how: behindPointer, t: u.Elem()})
	case *types.Slice:
		r.holds(memory{how: ofSlice, t: u.Elem()})
	case *types.Map:
		r.all = append(r.all, memory{how: ofMap, t: u})
		r.behind(u.Key())
		r.behind(u.Elem())
	case *types.Array:
		r.behind(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			r.behind(f.Type())
		}
	case *types.Interface, *types.Signature:
		r.all = append(r.all, memory{how: anything})
	}
}

// holds adds a memory, its parts, and what its values lead to.
func (r *reach) holds(m memory) {
	r.all = append(r.all, m)
	switch u := m.t.Underlying().(type) {
	case *types.Array:
		r.holds(memory{how: ofSlice, t: u.Elem()})
	case *types.Struct:
		for f := range u.Fields() {
			r.holds(memory{itself, f.Type(), f.Origin()})
		}
	}
	r.behind(m.t)
}

func (a memory) meets(b memory) bool {
	if a.how == anything || b.how == anything || a.field != nil && a.field == b.field {
		return true
	}
	same := a.how == b.how && a.how != itself
	return (same || a.how == behindPointer || b.how == behindPointer) && types.Identical(a.t, b.t)
}

// overlaps reports whether something that the lock guards may lie in memory to
// which a value of type t leads, and whether that has the very field.
func (c *check) overlaps(t types.Type) (may, field bool) {
	mine := &reach{pkg: c.Pass.Pkg}
	mine.behind(t)
	for g := range c.guarded {
		field = field || slices.ContainsFunc(mine.all, func(m memory) bool { return m.field == g })
		if len(mine.all) == 0 || may {
			continue
		}
		of := &reach{pkg: c.Pass.Pkg}
		of.holds(memory{itself, g.Type(), g})
		may = slices.ContainsFunc(of.all, func(b memory) bool {
			return slices.ContainsFunc(mine.all, b.meets)
		})
	}
	return may, field
}

// given reports whether a variable may lead to what the lock guards: its value
// has the field, or comes from an argument, a field, or a variable that may.
func (c *check) given(v *types.Var, seen map[*types.Var]bool) bool {
	if seen[v] || !uses.Refers(v.Type()) {
		return false
	}
	seen[v] = true
	may, field := c.overlaps(v.Type())
	if field {
		return true
	}
	declared := false
	for _, use := range c.Uses.Of(v) {
		declared = declared || c.Uses.Declares(use)
		if use.ParentEdgeKind() == edge.Field_Names {
			return may
		}
		from := source(use)
		if call, ok := ast.Unparen(from).(*ast.CallExpr); from == nil || ok && c.Flow.Apart(call) {
			continue
		}
		x, ok := use.Parent().FindNode(from)
		if !ok || c.reads(x) {
			return true
		}
		for id := range x.Preorder((*ast.Ident)(nil)) {
			r, ok := c.Uses.Info.Uses[id.Node().(*ast.Ident)].(*types.Var)
			if !ok || !may {
				continue
			}
			if c.Shares(r) {
				if may, _ := c.overlaps(r.Type()); may {
					return true
				}
			} else if id.ParentEdgeKind() != edge.SelectorExpr_X && c.given(r, seen) {
				return true
			}
		}
	}
	return may && !declared // by a switch of types
}

// reads reports whether an expression reads what the lock guards.
func (c *check) reads(x inspector.Cursor) bool {
	for v := range c.Effects(x).Reads {
		if c.guarded[v] {
			return true
		}
	}
	return false
}

// source is what a use of a variable assigns to it, nil if it does not.
func source(use inspector.Cursor) (from ast.Expr) {
	switch use.ParentEdgeKind() {
	case edge.AssignStmt_Lhs:
		a := use.Parent().Node().(*ast.AssignStmt)
		from = a.Rhs[0]
		if _, i := use.ParentEdge(); len(a.Rhs) == len(a.Lhs) {
			from = a.Rhs[i]
		}
	case edge.RangeStmt_Key, edge.RangeStmt_Value:
		from = use.Parent().Node().(*ast.RangeStmt).X
	case edge.ValueSpec_Names:
		vs := use.Parent().Node().(*ast.ValueSpec)
		if len(vs.Values) > 0 {
			from = vs.Values[0]
		}
		if _, i := use.ParentEdge(); len(vs.Values) == len(vs.Names) {
			from = vs.Values[i]
		}
	}
	return from
}
