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

	"github.com/gopayoff/payoff/tool/vet/loop"
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
	deref bool       // what a pointer points to, or
	index ast.Expr   // an element
	slice bool       // of a slice, elsewhere in memory
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
			return pathOf(info, x.Sel)
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
		p.steps = append(p.steps, step{slice: slice, index: x.Index, key: i, typ: typ})
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
	case *ast.Ident:
		p, ok := pathOf(info, x)
		return p.key, p.vars, ok
	case *ast.BinaryExpr:
		l, lv, ok1 := indexKey(info, x.X)
		r, rv, ok2 := indexKey(info, x.Y)
		return "(" + l + x.Op.String() + r + ")", append(lv, rv...), ok1 && ok2
	case *ast.CallExpr:
		if len(x.Args) != 1 || !info.Types[x.Fun].IsType() && loop.Builtin(info, x) != "len" {
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
	return slices.ContainsFunc(p.steps, func(s step) bool { return s.deref || s.slice })
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

// Indexed reports whether an index is on the way to the place.
func (p *Place) Indexed() bool {
	return slices.ContainsFunc(p.steps, func(s step) bool { return s.index != nil })
}

// Slot returns the type of what lies side by side, if each goroutine of a site has the
// place beside those of the others. That may be an element of a shared slice or array,
// chosen by what differs between goroutines. Or it is what a pointer that differs points
// to. It is nil if that has a slice of its own.
func (p *Place) Slot(s *spawn.Site) types.Type {
	own := func(t step) bool { return t.slice }
	for i, t := range p.steps {
		if t.index == nil || !s.DiffersExpr(t.index) {
			continue
		}
		if slices.ContainsFunc(p.steps[i+1:], own) {
			return nil
		}
		return uses.Deref(t.typ)
	}
	if v := p.root; p.Deref() && s.Own(v) && s.Differs(v) && !slices.ContainsFunc(p.steps, own) {
		return uses.Deref(v.Type())
	}
	return nil
}

// Table is the slice or array that holds the slots, or nil if it has no name of its own.
func (p *Place) Table(s *spawn.Site, x *uses.Index) *types.Var {
	if !p.Deref() {
		if len(p.steps) > 0 && p.steps[0].index != nil {
			return p.root
		}
		return nil
	}
	arg := s.Args[p.root]
	if u, ok := arg.(*ast.UnaryExpr); ok && u.Op == token.AND {
		arg = ast.Unparen(u.X)
	}
	if e, ok := arg.(*ast.IndexExpr); ok {
		return x.Var(e.X)
	}
	return nil
}

// Deref reports whether the place is what its root points to, or a part of it.
func (p *Place) Deref() bool { return len(p.steps) > 0 && p.steps[0].deref }

// Places returns what a loop uses and writes and what stays the same memory
// while it runs, in the order of the source. Function literals in it are not
// looked into.
func Places(x *uses.Index, loop inspector.Cursor) (all []*Place) {
	by := map[string]*Place{}
	for _, use := range mentions(x.Info, loop) {
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

// PlaceOf returns the place that an expression of a loop names. The result ok
// is false if it names none, or one that does not stay the same while the loop
// runs.
func PlaceOf(x *uses.Index, e ast.Expr, loop inspector.Cursor) (p *Place, ok bool) {
	at, ok := pathOf(x.Info, e)
	if !ok || at.root.IsField() {
		return nil, false
	}
	p = &Place{Expr: e, Type: value(x.Info.TypeOf(e)), path: at}
	for _, m := range mentions(x.Info, loop) {
		if m.path.key == p.key {
			p.Uses = append(p.Uses, m.Use)
		}
	}
	return p, stays(x, p, loop)
}

// Caveat is what to say of an edit that keeps places in local variables, after
// what it does. It says that other code could look at one while the loop runs.
func Caveat(places []*Place) string {
	for _, p := range places {
		if p.Late {
			return "; what looks at " + p.Text() + " meanwhile sees it grow only then"
		}
	}
	return ""
}

// Light reports whether a loop that writes the place does little else in an
// iteration.
func (p *Place) Light(w *spawn.Weigher) bool {
	return p.written(func(loop inspector.Cursor, ok bool) bool { return ok && Light(w, loop) })
}

// written reports whether a use writes the place where a function says so of its
// innermost loop.
func (p *Place) written(in func(loop inspector.Cursor, ok bool) bool) bool {
	return slices.ContainsFunc(p.Uses, func(u Use) bool { return u.Kind.Writes() && in(Innermost(u.At)) })
}

// Repeats reports whether a loop may come to a use that writes the place again.
func (p *Place) Repeats(loop inspector.Cursor) bool {
	return p.written(func(in inspector.Cursor, ok bool) bool { return ok && spawn.Within(loop.Node(), in.Node()) })
}

// Light reports whether a loop does little in an iteration.
func Light(w *spawn.Weigher, loop inspector.Cursor) bool { return light(w.Weigh(body(loop))) }

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

// mentions returns the longest paths in the code under root and what is done
// with them. Function literals are not looked into.
func mentions(info *types.Info, root inspector.Cursor) (all []mention) {
	root.Inspect([]ast.Node{(*ast.FuncLit)(nil), (*ast.Ident)(nil), (*ast.SelectorExpr)(nil), (*ast.IndexExpr)(nil), (*ast.StarExpr)(nil)}, func(c inspector.Cursor) bool {
		e := c.Node().(ast.Expr)
		if _, lit := e.(*ast.FuncLit); lit || info.Types[e].IsType() || info.Types[e].IsBuiltin() {
			return false
		}
		p, ok := pathOf(info, e)
		if id, _ := e.(*ast.Ident); !ok || p.root.IsField() || id != nil && info.Defs[id] != nil {
			return true
		}
		u := use(info, c)
		if u.Kind.atomic() {
			p.deref(info.TypeOf(e)) // of a pointer: it stands for what it points to
		}
		all = append(all, mention{u, p})
		// Indexes hold paths of their own.
		for _, s := range p.steps {
			if s.index != nil {
				if i, ok := c.FindNode(s.index); ok {
					all = append(all, mentions(info, i)...)
				}
			}
		}
		return false
	})
	return all
}

// use says what is done with the place at c.
func use(info *types.Info, c inspector.Cursor) Use {
	u := Use{At: c}
	e := uses.Whole(c)
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
			t := info.TypeOf(c.Node().(ast.Expr))
			fn, ok := info.Uses[parent.Node().(*ast.SelectorExpr).Sel].(*types.Func)
			switch {
			case types.IsInterface(t):
				u.Kind = Read
			case ok && pkgPath(fn) == "sync/atomic":
				u.Kind = atomicKind(fn.Name())
			case ok && (uses.Under[*types.Pointer](t) || !uses.Under[*types.Pointer](fn.Signature().Recv().Type())):
				u.Kind = Read // of the pointer, or of all of the value
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
	begins := func(s string) bool { return strings.HasPrefix(name, s) }
	switch {
	case begins("Load"):
		return Load
	case begins("Store"):
		return Store
	case begins("Add"), begins("And"), begins("Or"):
		return Add
	}
	return Swap
}

// stays reports whether the loop changes none of the variables that lead to a
// place.
func stays(x *uses.Index, p *Place, loop inspector.Cursor) bool {
	n := loop.Node()
	around, _ := uses.Func(loop)
	set := func(v *types.Var) bool {
		return written(x, v, n) || slices.ContainsFunc(x.Of(v), func(use inspector.Cursor) bool {
			// The loop may call a literal of the function.
			fn, ok := uses.Func(use)
			return ok && fn != around && uses.Holds(around.Node(), fn.Node().Pos()) && !x.Declares(use) && writtenAt(use)
		})
	}
	for i, v := range p.vars {
		if uses.Holds(n, v.Pos()) {
			return false
		}
		if (i > 0 || len(p.steps) > 0) && set(v) { // not the place itself
			return false
		}
	}
	return !slices.ContainsFunc(p.steps[:max(0, len(p.steps)-1)], func(s step) bool { return s.field != nil && set(s.field) })
}

// written reports whether a variable or field is written as a whole, or has its
// address taken, within n.
func written(x *uses.Index, v *types.Var, n ast.Node) bool {
	return slices.ContainsFunc(x.Of(v), func(use inspector.Cursor) bool {
		return uses.Holds(n, use.Node().Pos()) && !x.Declares(use) && writtenAt(use)
	})
}

// writtenAt reports whether a use of a variable changes it.
func writtenAt(c inspector.Cursor) bool { return uses.Written(uses.Whole(c)) }

// Changes reports whether an atomic operation of the loop changes the place.
func (p *Place) Changes() bool {
	return slices.ContainsFunc(p.Uses, func(u Use) bool { return u.Kind == Add || u.Kind == Store || u.Kind == Swap })
}

// OutOfLoops reports whether a use that writes the place is in no loop.
func (p *Place) OutOfLoops() bool {
	return p.written(func(_ inspector.Cursor, ok bool) bool { return !ok })
}
