package lockslow

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/types/typeutil"

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
		r.holds(memory{behindPointer, u.Elem()})
	case *types.Slice:
		r.holds(memory{ofSlice, u.Elem()})
	case *types.Map:
		r.all = append(r.all, memory{ofMap, u})
		r.behind(u.Key())
		r.behind(u.Elem())
	case *types.Array:
		r.behind(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			r.behind(f.Type())
		}
	case *types.Interface:
		if !uses.Is(t, "net/http", "ResponseWriter") {
			r.all = append(r.all, memory{how: anything})
		}
	case *types.Signature:
		r.all = append(r.all, memory{how: anything})
	}
}

// holds adds a memory, its parts, and what its values lead to.
func (r *reach) holds(m memory) {
	r.all = append(r.all, m)
	switch u := m.t.Underlying().(type) {
	case *types.Array:
		r.all = append(r.all, memory{ofSlice, u.Elem()})
	case *types.Struct:
		for f := range u.Fields() {
			r.all = append(r.all, memory{itself, f.Type()})
		}
	}
	r.behind(m.t)
}

// kinds are what was reached: one where that may be anything.
func (r *reach) kinds() []memory {
	if i := slices.IndexFunc(r.all, func(m memory) bool { return m.how == anything }); i >= 0 {
		return r.all[i : i+1]
	}
	return r.all
}

// overlaps returns something that the lock guards and that may lie in memory to
// which a value of type t leads, or "".
func (c *check) overlaps(t types.Type) (name string) {
	mine := &reach{pkg: c.Pass.Pkg}
	mine.behind(t)
	if len(mine.all) == 0 {
		return ""
	}
	kinds := mine.kinds()
	for g := range c.guarded {
		if name != "" && name <= g.Name() {
			continue
		}
		of := &reach{pkg: c.Pass.Pkg}
		of.holds(memory{itself, g.Type()})
		for _, b := range of.kinds() {
			if slices.ContainsFunc(kinds, func(a memory) bool { return a.meets(b) }) {
				name = g.Name()
				break
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
		if from == nil || c.made(from) {
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
