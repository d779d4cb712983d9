package lockslow

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/edge"

	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A memory is a kind of memory that a value leads to.
type memory struct {
	how byte // p: behind a pointer, s: elements of a slice, m: a map, ?: anything
	t   types.Type
}

const (
	behindPointer = 'p'
	ofSlice       = 's'
	ofMap         = 'm'
	anything      = '?'
	itself        = 'v' // a variable, or a field of a struct in memory
)

// behind adds the memory that a value of type t leads to. Types of other
// packages are taken as one.
func (c *check) behind(t types.Type, depth int, all []memory) []memory {
	if depth > 6 {
		return append(all, memory{how: anything})
	}
	if n := uses.Named(t); n != nil && n == types.Unalias(t) && n.Obj().Pkg() != c.Pass.Pkg {
		if _, ok := t.Underlying().(*types.Struct); ok {
			return all
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return c.holds(memory{behindPointer, u.Elem()}, depth+1, all)
	case *types.Slice:
		return c.holds(memory{ofSlice, u.Elem()}, depth+1, all)
	case *types.Map:
		all = append(all, memory{ofMap, u})
		return c.behind(u.Elem(), depth+1, c.behind(u.Key(), depth+1, all))
	case *types.Array:
		return c.behind(u.Elem(), depth+1, all)
	case *types.Struct:
		for f := range u.Fields() {
			all = c.behind(f.Type(), depth+1, all)
		}
	case *types.Interface:
		if !uses.Is(t, "net/http", "ResponseWriter") {
			return append(all, memory{how: anything})
		}
	case *types.Signature:
		return append(all, memory{how: anything})
	}
	return all
}

// holds adds a memory, its parts, and what its values lead to.
func (c *check) holds(m memory, depth int, all []memory) []memory {
	all = append(all, m)
	switch u := m.t.Underlying().(type) {
	case *types.Array:
		all = append(all, memory{ofSlice, u.Elem()})
	case *types.Struct:
		for f := range u.Fields() {
			all = append(all, memory{itself, f.Type()})
		}
	}
	return c.behind(m.t, depth, all)
}

// overlaps returns something that the lock guards and that may lie in memory to
// which a value of type t leads, or "".
func (c *check) overlaps(t types.Type) (name string) {
	mine := c.behind(t, 0, nil)
	if len(mine) == 0 {
		return ""
	}
	for g := range c.guarded {
		for _, b := range c.holds(memory{itself, g.Type()}, 0, nil) {
			for _, a := range mine {
				if a.meets(b) && (name == "" || g.Name() < name) {
					name = g.Name()
				}
			}
		}
	}
	return name
}

func (a memory) meets(b memory) bool {
	if a.how == anything || b.how == anything {
		return true
	}
	same := a.how == b.how && a.how != itself
	return (same || a.how == behindPointer || b.how == behindPointer) && types.Identical(a.t, b.t)
}

// given reports whether a variable of the section's function may have its value
// from elsewhere, with a way to what the lock guards: from an argument, a field,
// or a variable that has.
func (c *check) given(v *types.Var, seen map[*types.Var]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	declared := false
	for _, use := range c.Uses.Of(v) {
		declared = declared || c.Uses.Declares(use)
		if use.ParentEdgeKind() == edge.Field_Names {
			return c.overlaps(v.Type()) != ""
		}
		from := source(use)
		if from == nil || fresh(c.Uses.Info, from) {
			continue
		}
		x, ok := use.Parent().FindNode(from)
		if !ok {
			return true
		}
		for id := range x.Preorder((*ast.Ident)(nil)) {
			r, ok := c.Uses.Info.Uses[id.Node().(*ast.Ident)].(*types.Var)
			if !ok {
				continue
			}
			if c.Shares(r) {
				if c.overlaps(r.Type()) != "" {
					return true
				}
			} else if id.ParentEdgeKind() != edge.SelectorExpr_X && c.given(r, seen) {
				return true
			}
		}
	}
	return !declared // by a switch of types
}
