// Package local moves what a loop updates in memory into a local variable that
// is written back after the loop. Several checks offer this edit.
//
// The compiler does not do so itself, since other code might look. Whether it
// does is what most of this package is about. The package offers the edit where
// the source shows that no code can tell the difference, and says why not
// elsewhere. A data race is nobody's right: what another goroutine might see of
// a plain variable without synchronization does not count.
package local

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A Place is memory that stays the same while a loop runs and that the loop
// writes: sums[w], p.n, *state, total.
type Place struct {
	Expr   ast.Expr   // as the loop writes it first
	Type   types.Type // of the value: int64 of an atomic.Int64
	Atomic bool       // all uses are atomic
	Uses   []Use      // in the loop, in the order of the source
	Late   bool       // others may look at it while the loop runs: set by Hoist
	Elems  bool       // it is all elements of the slice or array Expr, and a use is one of them
	path
}

// A Use is a mention of a place in a loop.
type Use struct {
	At   inspector.Cursor // the place
	Kind Kind
	Call inspector.Cursor // of atomic uses and Method: the call
}

// A Kind is what a use does.
type Kind int

const (
	Read    Kind = iota
	Write        // =
	Update       // ++, +=, and the other assignments of that form
	Load         // atomically
	Store        // atomically
	Add          // atomically, or Or and And
	Method       // another method, with the address of the place
	Address      // anything else that takes the address
	Swap         // atomically: Swap, CompareAndSwap
)

// Writes reports whether a use changes the place.
func (k Kind) Writes() bool { return k != Read && k != Load && k != Address }

func (k Kind) atomic() bool { return k == Load || k == Store || k == Add || k == Swap }

// A path is how memory is reached from a variable.
type path struct {
	key   string       // the same for the same memory, as long as vars and fields stay
	root  *types.Var   // the variable it begins with
	vars  []*types.Var // all variables in it: the root and those of indexes
	steps []step       // from the root outward
}

// A step leads from one piece of memory to the next.
type step struct {
	field *types.Var // a field, or
	elem  types.Type // the type of an element, or
	deref bool       // what a pointer points to
	slice bool       // the element is of a slice, elsewhere in memory
	index ast.Expr
	key   string     // of the index
	typ   types.Type // of what is reached
}

// pathOf returns how e is reached, false if e is no memory or has an index
// that is more than variables, constants and arithmetic.
func pathOf(info *types.Info, e ast.Expr) (p path, ok bool) {
	typ := info.TypeOf(e)
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := info.ObjectOf(x).(*types.Var)
		if !ok || x.Name == "_" {
			return p, false
		}
		return path{key: name(v), root: v, vars: []*types.Var{v}}, true
	case *ast.SelectorExpr:
		sel, ok := info.Selections[x]
		if !ok { // pkg.Var
			v, ok := info.Uses[x.Sel].(*types.Var)
			if !ok {
				return p, false
			}
			return path{key: name(v), root: v, vars: []*types.Var{v}}, true
		}
		if sel.Kind() != types.FieldVal {
			return p, false
		}
		if p, ok = pathOf(info, x.X); !ok {
			return p, false
		}
		t := info.TypeOf(x.X)
		for _, i := range sel.Index() {
			p.deref(t)
			st, ok := uses.Deref(t).Underlying().(*types.Struct)
			if !ok {
				return p, false // a type parameter
			}
			f := st.Field(i)
			p.key += "." + f.Name()
			p.steps = append(p.steps, step{field: f.Origin(), typ: f.Type()})
			t = f.Type()
		}
		return p, true
	case *ast.IndexExpr:
		if p, ok = pathOf(info, x.X); !ok {
			return p, false
		}
		t := info.TypeOf(x.X)
		if p.deref(t) {
			t = uses.Deref(t)
		}
		var slice bool
		switch t.Underlying().(type) {
		case *types.Slice:
			slice = true
		case *types.Array:
		default:
			return p, false
		}
		i, vars, ok := indexKey(info, x.Index)
		if !ok {
			return p, false
		}
		p.key += "[" + i + "]"
		p.vars = append(p.vars, vars...)
		p.steps = append(p.steps, step{elem: typ, slice: slice, index: x.Index, key: i, typ: typ})
		return p, true
	case *ast.StarExpr:
		if p, ok = pathOf(info, x.X); !ok {
			return p, false
		}
		p.deref(info.TypeOf(x.X))
		return p, true
	}
	return p, false
}

// deref adds the step that a selector or index makes without saying so.
func (p *path) deref(t types.Type) bool {
	ptr, ok := types.Unalias(t).Underlying().(*types.Pointer)
	if ok {
		p.key = "(*" + p.key + ")"
		p.steps = append(p.steps, step{deref: true, typ: ptr.Elem()})
	}
	return ok
}

// name is the same for the same variable, and differs from those of others.
func name(v *types.Var) string { return fmt.Sprintf("%s@%d", v.Name(), v.Pos()) }

// indexKey is the key of an expression without effects.
func indexKey(info *types.Info, e ast.Expr) (key string, vars []*types.Var, ok bool) {
	if tv := info.Types[e]; tv.Value != nil {
		return tv.Value.ExactString(), nil, true
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr:
		p, ok := pathOf(info, x)
		return p.key, p.vars, ok
	case *ast.BinaryExpr:
		l, lv, ok1 := indexKey(info, x.X)
		r, rv, ok2 := indexKey(info, x.Y)
		return "(" + l + x.Op.String() + r + ")", append(lv, rv...), ok1 && ok2
	case *ast.CallExpr:
		b, isBuiltin := info.Uses[ident(x.Fun)].(*types.Builtin)
		if len(x.Args) != 1 || !info.Types[x.Fun].IsType() && !(isBuiltin && b.Name() == "len") {
			return "", nil, false
		}
		k, v, ok := indexKey(info, x.Args[0])
		return types.ExprString(x.Fun) + "(" + k + ")", v, ok
	}
	return "", nil, false
}

func ident(e ast.Expr) *ast.Ident {
	id, _ := ast.Unparen(e).(*ast.Ident)
	return id
}

// far reports whether the place lies in memory that a pointer or slice leads to.
func (p *path) far() bool {
	for _, s := range p.steps {
		if s.deref || s.slice {
			return true
		}
	}
	return false
}

// Root returns the variable that the place is reached from.
func (p *Place) Root() *types.Var { return p.root }

// typ is the type of the memory: of what Expr points to where an atomic
// operation goes through a pointer.
func (p *Place) typ(info *types.Info) types.Type {
	if n := len(p.steps); n > 0 && p.steps[n-1].deref {
		return p.steps[n-1].typ
	}
	return info.TypeOf(p.Expr)
}

// through reports whether Expr is a pointer to the place.
func (p *Place) through(info *types.Info) bool {
	return !types.Identical(info.TypeOf(p.Expr), p.typ(info))
}

// Text is the place as it is written.
func (p *Place) Text() string { return types.ExprString(p.Expr) }

// Indexes returns the index expressions on the way to the place whose element
// lies in the memory of a slice or array, the outermost last. It also returns
// whether a pointer or another slice is followed after each.
func (p *Place) Indexes() (all []Index) {
	for i, s := range p.steps {
		if s.index == nil {
			continue
		}
		x := Index{Expr: s.index, Elem: s.elem, Slice: s.slice}
		for _, t := range p.steps[i+1:] {
			x.Beyond = x.Beyond || t.slice
			x.Pointer = x.Pointer || t.deref
		}
		all = append(all, x)
	}
	return all
}

// An Index is one on the way to a place.
type Index struct {
	Expr    ast.Expr
	Elem    types.Type
	Slice   bool // of a slice, not an array
	Beyond  bool // a slice is followed after it
	Pointer bool // a pointer is followed after it
}

// Deref reports whether the place is what its root points to, or a part of it.
func (p *Place) Deref() bool { return len(p.steps) > 0 && p.steps[0].deref }

// Places returns what a loop uses and writes and what stays the same memory
// while it runs, in the order of the source. Function literals in it are not
// looked into.
func Places(x *uses.Index, loop inspector.Cursor) (all []*Place) {
	by := map[string]*Place{}
	for use := range mentions(x.Info, loop) {
		p := by[use.path.key]
		if p == nil {
			p = &Place{Expr: use.At.Node().(ast.Expr), path: use.path, Atomic: true}
			p.Type = value(p.typ(x.Info))
			by[p.key] = p
			all = append(all, p)
		}
		if k := use.Kind; k == Read || k == Write || k == Update || k == Method {
			p.Atomic = false
		}
		p.Uses = append(p.Uses, use.Use)
	}
	kept := all[:0]
	for _, p := range all {
		i := slices.IndexFunc(p.Uses, func(u Use) bool { return u.Kind.Writes() })
		if i >= 0 && stays(x, p, loop) {
			p.Expr = p.Uses[i].At.Node().(ast.Expr)
			kept = append(kept, p)
		}
	}
	return kept
}

// Elements returns the slices and arrays of numbers to whose elements a loop adds
// atomically, now to one and now to another. A loop that goes from one to the next
// adds to each only once.
func Elements(x *uses.Index, loop inspector.Cursor) (all []*Place) {
	by := map[string]*Place{}
	varies := map[*Place]bool{}
	for m := range mentions(x.Info, loop) {
		elem, ok := m.element()
		if !ok {
			continue
		}
		kind := use(x.Info, elem)
		ix := elem.Node().(*ast.IndexExpr)
		base, ok := pathOf(x.Info, ix.X)
		if !ok || kind.Kind != Add || base.root == nil || base.root.IsField() {
			continue
		}
		_, slice := x.Info.TypeOf(ix.X).Underlying().(*types.Slice)
		_, array := x.Info.TypeOf(ix.X).Underlying().(*types.Array)
		typ := x.Info.TypeOf(ix)
		if !slice && !array || !integer(value(typ)) {
			continue
		}
		p := by[base.key]
		if p == nil {
			p = &Place{Expr: ix.X, Type: value(typ), Atomic: true, Elems: true, path: base}
			p.key += "[*]"
			p.steps = append(p.steps, step{elem: typ, slice: slice, typ: typ})
			by[base.key] = p
			if stays(x, p, loop) {
				all = append(all, p)
			}
		}
		p.Uses = append(p.Uses, Use{m.At, Add, kind.Call})
		varies[p] = varies[p] || elem != m.At || !stays(x, &Place{path: m.path}, loop) && !isStep(x, loop, ix.Index)
	}
	return slices.DeleteFunc(all, func(p *Place) bool { return !varies[p] })
}

// isStep reports whether an index is the variable that a loop counts with.
func isStep(x *uses.Index, loop inspector.Cursor, index ast.Expr) bool {
	var by ast.Expr
	switch n := loop.Node().(type) {
	case *ast.RangeStmt:
		by = n.Key
	case *ast.ForStmt:
		if inc, ok := n.Post.(*ast.IncDecStmt); ok {
			by = inc.X
		}
	}
	return by != nil && x.Var(by) != nil && x.Var(by) == x.Var(index)
}

// element is the element of a slice or array of which a use is one: where the index
// is more than pathOf takes, the use is that of the slice.
func (u Use) element() (elem inspector.Cursor, ok bool) {
	elem = u.At
	if elem.ParentEdgeKind() == edge.IndexExpr_X {
		elem = elem.Parent()
	}
	_, ok = elem.Node().(*ast.IndexExpr)
	return elem, ok
}

// PlaceOf returns the place that an expression of a loop names. The result ok
// is false if it names none, or one that does not stay the same while the loop
// runs.
func PlaceOf(x *uses.Index, e ast.Expr, loop inspector.Cursor) (p *Place, ok bool) {
	at, ok := pathOf(x.Info, e)
	if !ok || at.root == nil || at.root.IsField() {
		return nil, false
	}
	p = &Place{Expr: e, Type: value(x.Info.TypeOf(e)), path: at}
	for m := range mentions(x.Info, loop) {
		if m.path.key == p.key {
			p.Uses = append(p.Uses, m.Use)
		}
	}
	return p, stays(x, p, loop)
}

// Same reports whether an expression names the place.
func (p *Place) Same(info *types.Info, e ast.Expr) bool {
	q, ok := pathOf(info, e)
	return ok && q.key == p.key
}

// Caveat is what to say of an edit that keeps places in local variables, after
// what it does. It says that other code could look at one while the loop runs.
func Caveat(places []*Place) string {
	for _, p := range places {
		if p.Late {
			return "; who looks at " + p.Text() + " meanwhile sees it grow only then"
		}
	}
	return ""
}

// Key is the same for the same place.
func (p *Place) Key() string { return p.key }

// Light reports whether a loop that writes the place does little else in an
// iteration.
func (p *Place) Light(w *spawn.Weigher) bool {
	for _, u := range p.Uses {
		if loop, ok := Innermost(u.At); ok && u.Kind.Writes() && light(w.Weigh(Body(loop))) {
			return true
		}
	}
	return false
}

// Deals reports whether a loop uses the result of adding to the place, and
// waits for nothing in an iteration.
func (p *Place) Deals(w *spawn.Weigher) bool {
	for _, u := range p.Uses {
		if loop, ok := Innermost(u.At); ok && u.Kind == Add && u.Call.ParentEdgeKind() != edge.ExprStmt_X && w.Weigh(Body(loop)).Blocking == 0 {
			return true
		}
	}
	return false
}

// Light reports whether a loop does little in an iteration.
func Light(w *spawn.Weigher, loop inspector.Cursor) bool { return light(w.Weigh(Body(loop))) }

func light(w spawn.Weight) bool {
	return w.Blocking == 0 && w.Loops == 0 && w.Unknown <= w.Dynamic && w.Stmts <= 25
}

// value returns the type of the value that a type of sync/atomic holds, other
// types as they are.
func value(t types.Type) types.Type {
	for name, basic := range map[string]types.BasicKind{"Int32": types.Int32, "Int64": types.Int64, "Uint32": types.Uint32, "Uint64": types.Uint64, "Uintptr": types.Uintptr, "Bool": types.Bool} {
		if uses.Is(t, "sync/atomic", name) {
			return types.Typ[basic]
		}
	}
	return t
}

// A mention is a use with how its place is reached.
type mention struct {
	Use
	path path
}

// mentions yields the longest paths in the code under root and what is done
// with them.
func mentions(info *types.Info, root inspector.Cursor) func(yield func(mention) bool) {
	return func(yield func(mention) bool) {
		stop := false
		root.Inspect([]ast.Node{(*ast.FuncLit)(nil), (*ast.Ident)(nil), (*ast.SelectorExpr)(nil), (*ast.IndexExpr)(nil), (*ast.StarExpr)(nil)}, func(c inspector.Cursor) bool {
			if _, lit := c.Node().(*ast.FuncLit); lit || stop {
				return false
			}
			e := c.Node().(ast.Expr)
			if tv, ok := info.Types[e]; ok && (tv.IsType() || tv.IsBuiltin()) {
				return false
			}
			p, ok := pathOf(info, e)
			if !ok || p.root == nil || p.root.IsField() {
				return true
			}
			if id, def := e.(*ast.Ident); def && info.Defs[id] != nil {
				return true
			}
			u := use(info, c)
			if u.Kind.atomic() {
				p.deref(info.TypeOf(e)) // of a pointer: it stands for what it points to
			}
			stop = !yield(mention{u, p})
			// Indexes hold paths of their own.
			for _, s := range p.steps {
				if s.index != nil && !stop {
					if i, ok := c.FindNode(s.index); ok {
						mentions(info, i)(func(m mention) bool { stop = !yield(m); return !stop })
					}
				}
			}
			return false
		})
	}
}

// use says what is done with the place at c.
func use(info *types.Info, c inspector.Cursor) Use {
	u := Use{At: c}
	e := c
	for e.ParentEdgeKind() == edge.ParenExpr_X {
		e = e.Parent()
	}
	parent := e.Parent()
	switch e.ParentEdgeKind() {
	case edge.AssignStmt_Lhs:
		u.Kind = Write
		if a := parent.Node().(*ast.AssignStmt); a.Tok != token.ASSIGN && a.Tok != token.DEFINE {
			u.Kind = Update
		}
	case edge.IncDecStmt_X:
		u.Kind = Update
	case edge.RangeStmt_Key, edge.RangeStmt_Value:
		u.Kind = Address // assigned to by the loop itself
	case edge.SelectorExpr_X: // a method
		u.Kind = Address
		if parent.ParentEdgeKind() == edge.CallExpr_Fun {
			u.Kind, u.Call = Method, parent.Parent()
			if fn, ok := info.Uses[parent.Node().(*ast.SelectorExpr).Sel].(*types.Func); ok {
				if fn.Pkg() != nil && fn.Pkg().Path() == "sync/atomic" {
					u.Kind = atomicKind(fn.Name())
				} else if r := fn.Signature().Recv(); r != nil && !isPointer(r.Type()) && !types.IsInterface(r.Type()) {
					u.Kind = Read
				} else if r != nil && isPointer(info.TypeOf(c.Node().(ast.Expr))) {
					u.Kind = Read // of the pointer
				}
			}
			if _, isInterface := types.Unalias(info.TypeOf(c.Node().(ast.Expr))).Underlying().(*types.Interface); isInterface {
				u.Kind = Read
			}
		}
	case edge.UnaryExpr_X:
		if parent.Node().(*ast.UnaryExpr).Op != token.AND {
			return u
		}
		u.Kind = Address
		u.atomically(info, parent)
	case edge.CallExpr_Args:
		u.atomically(info, e)
	case edge.SliceExpr_X:
		if _, array := types.Unalias(info.TypeOf(c.Node().(ast.Expr))).Underlying().(*types.Array); array {
			u.Kind = Address
		}
	}
	return u
}

// atomically enters that an address is the first argument of a function of
// sync/atomic.
func (u *Use) atomically(info *types.Info, address inspector.Cursor) {
	if address.ParentEdgeKind() != edge.CallExpr_Args || address.ParentEdgeIndex() != 0 {
		return
	}
	call := address.Parent()
	if sel, ok := ast.Unparen(call.Node().(*ast.CallExpr).Fun).(*ast.SelectorExpr); ok {
		if fn, ok := info.Uses[sel.Sel].(*types.Func); ok && pkgPath(fn) == "sync/atomic" && fn.Signature().Recv() == nil {
			u.Kind, u.Call = atomicKind(fn.Name()), call
		}
	}
}

// atomicKind is what a method or function of sync/atomic does.
func atomicKind(name string) Kind {
	for _, typ := range []string{"Int32", "Int64", "Uint32", "Uint64", "Uintptr"} {
		name = strings.TrimSuffix(name, typ)
	}
	switch name {
	case "Load":
		return Load
	case "Store":
		return Store
	case "Add", "And", "Or":
		return Add
	}
	return Swap
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).Underlying().(*types.Pointer)
	return ok
}

// stays reports whether the loop changes none of the variables that lead to a
// place.
func stays(x *uses.Index, p *Place, loop inspector.Cursor) bool {
	n := loop.Node()
	for i, v := range p.vars {
		if n.Pos() <= v.Pos() && v.Pos() < n.End() {
			return false
		}
		if i == 0 && len(p.steps) == 0 {
			continue // the place itself
		}
		if written(x, v, n) {
			return false
		}
	}
	for i, s := range p.steps {
		if s.field != nil && i < len(p.steps)-1 && written(x, s.field, n) {
			return false
		}
	}
	return true
}

// written reports whether a variable or field is written as a whole, or has its
// address taken, within n.
func written(x *uses.Index, v *types.Var, n ast.Node) bool {
	for _, use := range x.Of(v) {
		if pos := use.Node().Pos(); n.Pos() <= pos && pos < n.End() && !x.Declares(use) && uses.Written(uses.Whole(use)) {
			return true
		}
	}
	return false
}

// Changes reports whether an atomic operation of the loop changes the place.
func (p *Place) Changes() bool {
	for _, u := range p.Uses {
		if u.Kind == Add || u.Kind == Store || u.Kind == Swap {
			return true
		}
	}
	return false
}

// OutOfLoops reports whether a use that writes the place is in no loop.
func (p *Place) OutOfLoops() bool {
	for _, u := range p.Uses {
		if _, loop := Innermost(u.At); !loop && u.Kind.Writes() {
			return true
		}
	}
	return false
}
