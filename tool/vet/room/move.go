package room

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A Move gives variables of a package a type with room. So v T becomes v R, or
// v []T becomes []R. So does what is declared together with it. Each use of the T goes
// through a field of R. Elements may go from one variable to another, so one change
// may entail others. The first use that does not fit ends it; uses that cannot compile
// are left to a type check.
type Move struct {
	Index    *uses.Index
	Elements bool // the elements get the type, not the variable
	// Flows says that variables and parameters to and from which elements go move
	// as well. What calls a function by its value no longer compiles then.
	Flows  bool
	Values bool                                          // a variable may have a value where it is declared: see Type.Make
	Allow  func(v *types.Var) (why string, at token.Pos) // why a variable stays; nil: none does

	todo     []*types.Var
	moved    map[*types.Var]bool
	types    []ast.Expr         // T, as it is written
	stand    []inspector.Cursor // expressions that stand for a T
	elements []ast.Expr         // of literals
	values   []value            // of variables
}

// A value is what a variable gets where it is declared, with the type that is
// written there, or nil.
type value struct{ expr, typ ast.Expr }

// Join enters a variable among those that move.
func (m *Move) Join(v *types.Var) {
	if m.moved == nil {
		m.moved = map[*types.Var]bool{}
	}
	if v = v.Origin(); !m.moved[v] {
		m.moved[v] = true
		m.todo = append(m.todo, v)
	}
}

// Variables are those that move, in any order.
func (m *Move) Variables() []*types.Var { return slices.Collect(maps.Keys(m.moved)) }

// Find finds all that has to change, or why it cannot and where the reason is.
func (m *Move) Find() (why string, at token.Pos) {
	for len(m.todo) > 0 {
		v := m.todo[0]
		m.todo = m.todo[1:]
		if m.Allow != nil {
			if why, at := m.Allow(v); why != "" {
				return why, at
			}
		}
		for _, use := range m.Index.Of(v) {
			check := m.use
			if m.Index.Declares(use) {
				check = m.declaration
			}
			if why := check(use); why != "" {
				return why, use.Node().Pos()
			}
		}
	}
	return "", token.NoPos
}

const several = "it is set by a call with several results, or by its statement"

// declaration gives what is declared the type.
func (m *Move) declaration(at inspector.Cursor) (why string) {
	id := at.Node().(*ast.Ident)
	switch d := at.Parent().Node().(type) {
	case *ast.ValueSpec:
		if d.Type != nil {
			m.together(d.Names)
			if why := m.typ(d.Type); why != "" {
				return why
			}
		}
		switch len(d.Values) {
		case 0:
			return ""
		case len(d.Names):
			return m.value(d.Values[slices.Index(d.Names, id)], d.Type)
		}
	case *ast.AssignStmt:
		if len(d.Lhs) == len(d.Rhs) {
			return m.value(d.Rhs[slices.Index(d.Lhs, ast.Expr(id))], nil)
		}
	case *ast.Field:
		list := at.Parent().Parent()
		switch list.ParentEdgeKind() {
		case edge.StructType_Fields:
			m.together(d.Names)
			return m.typ(d.Type)
		case edge.FuncType_Params:
			if m.Elements && m.Flows {
				return m.parameter(list.Parent().Parent(), d, id)
			}
		}
		return "it is a parameter or a result"
	}
	return several
}

// together enters variables that share a type.
func (m *Move) together(names []*ast.Ident) {
	for _, id := range names {
		if v, ok := m.Index.Info.Defs[id].(*types.Var); ok && id.Name != "_" {
			m.Join(v)
		}
	}
}

// parameter gives a parameter of a function elements with room, and what its calls
// hand to it.
func (m *Move) parameter(fn inspector.Cursor, d *ast.Field, id *ast.Ident) (why string) {
	m.together(d.Names)
	calls, sig, ok := m.calls(fn)
	if !ok {
		return "it is a parameter of a function value"
	}
	at := slices.Index(slices.Collect(sig.Params().Variables()), m.Index.Info.Defs[id].(*types.Var))
	for _, call := range calls {
		if len(call.Args) <= at {
			return several
		}
		if why := m.conform(call.Args[at]); why != "" {
			return why
		}
	}
	return m.typ(d.Type)
}

// calls are those of a function in the package, with its signature; a literal that is
// not called at once is a value.
func (m *Move) calls(fn inspector.Cursor) (calls []*ast.CallExpr, sig *types.Signature, ok bool) {
	switch n := fn.Node().(type) {
	case *ast.FuncLit:
		if fn.ParentEdgeKind() == edge.CallExpr_Fun {
			return []*ast.CallExpr{fn.Parent().Node().(*ast.CallExpr)}, m.Index.Info.TypeOf(n).(*types.Signature), true
		}
	case *ast.FuncDecl:
		def := m.Index.Info.Defs[n.Name].(*types.Func)
		for c := range m.Index.Root.Preorder((*ast.CallExpr)(nil)) {
			call := c.Node().(*ast.CallExpr)
			if f, ok := typeutil.Callee(m.Index.Info, call).(*types.Func); ok && f.Origin() == def {
				calls = append(calls, call)
			}
		}
		return calls, def.Signature(), true
	}
	return nil, nil, false
}

// typ makes a type, or its element type, one with room.
func (m *Move) typ(typ ast.Expr) (why string) {
	e := m.inner(typ)
	if e == nil {
		return "its type " + types.ExprString(typ) + " is not written as a slice or array"
	}
	if !slices.Contains(m.types, e) {
		m.types = append(m.types, e)
	}
	return ""
}

// inner is the type that gets room where typ is written, or nil.
func (m *Move) inner(typ ast.Expr) ast.Expr {
	if !m.Elements {
		return typ
	}
	if a, ok := typ.(*ast.ArrayType); ok {
		return a.Elt
	}
	return nil
}

// value makes the value of a declaration fit, whose type may be nil.
func (m *Move) value(e, typ ast.Expr) (why string) {
	switch {
	case m.Elements:
		return m.conform(e)
	case !m.Values:
		return "it is declared with a value"
	}
	m.values = append(m.values, value{e, typ})
	return ""
}

// use looks at one use of a variable that moves.
func (m *Move) use(at inspector.Cursor) (why string) {
	if !m.Elements {
		if layout.Raw(uses.Whole(at)) {
			return "its address is taken beside package unsafe"
		}
		m.stand = append(m.stand, at)
		return ""
	}
	if v := m.Index.Var(at.Node().(ast.Expr)); v != nil && v.IsField() && at.ParentEdgeKind() == edge.KeyValueExpr_Key { // S{sums: …}
		return m.conform(at.Parent().Node().(*ast.KeyValueExpr).Value)
	}
	e := uses.Whole(at)
	for e.ParentEdgeKind() == edge.SliceExpr_X {
		e = uses.Whole(e.Parent())
	}
	switch e.ParentEdgeKind() {
	case edge.IndexExpr_X:
		if layout.Raw(e.Parent()) {
			return "the address of an element is taken beside package unsafe"
		}
		m.stand = append(m.stand, e.Parent())
		return ""
	case edge.RangeStmt_X:
		return m.ranges(e.Parent().Node().(*ast.RangeStmt))
	case edge.AssignStmt_Lhs, edge.AssignStmt_Rhs:
		a := e.Parent().Node().(*ast.AssignStmt)
		if len(a.Lhs) != len(a.Rhs) {
			return several
		}
		if e.ParentEdgeKind() == edge.AssignStmt_Lhs {
			return m.conform(a.Rhs[e.ParentEdgeIndex()])
		}
		if to := a.Lhs[e.ParentEdgeIndex()]; m.goes(to) {
			return m.conform(to)
		}
	case edge.CallExpr_Args:
		call := e.Parent().Node().(*ast.CallExpr)
		if b, ok := typeutil.Callee(m.Index.Info, call).(*types.Builtin); ok && (b.Name() == "len" || b.Name() == "cap" || b.Name() == "clear") {
			return ""
		}
		return m.argument(call, e.ParentEdgeIndex())
	}
	return "it is used as a whole"
}

// goes reports whether what e stands for moves with what is assigned to it.
func (m *Move) goes(e ast.Expr) bool {
	v := m.Index.Var(e)
	return v != nil && (m.Flows && len(m.Index.Of(v)) > 0 || m.moved[v])
}

// ranges makes the value of a range clause, a copy of an element, be used through
// the field.
func (m *Move) ranges(r *ast.RangeStmt) (why string) {
	if r.Value == nil {
		return ""
	}
	id, ok := r.Value.(*ast.Ident)
	if !ok || r.Tok != token.DEFINE {
		return "a range clause sets a variable from it"
	}
	if v, ok := m.Index.Info.Defs[id].(*types.Var); ok {
		for _, use := range m.Index.Of(v) {
			if !m.Index.Declares(use) {
				m.stand = append(m.stand, use)
			}
		}
	}
	return ""
}

// argument follows what a call hands over into the function.
func (m *Move) argument(call *ast.CallExpr, i int) (why string) {
	sig, ok := m.Index.Info.TypeOf(call.Fun).(*types.Signature)
	if m.Flows && ok && i < sig.Params().Len() {
		if v := sig.Params().At(i).Origin(); len(m.Index.Of(v)) > 0 {
			m.Join(v)
			return ""
		}
	}
	return "it is handed to " + types.ExprString(call.Fun)
}

// conform makes the value of e have elements with room.
func (m *Move) conform(e ast.Expr) (why string) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident, *ast.SelectorExpr:
		if m.Index.Info.Types[e].IsNil() {
			return ""
		}
		if m.goes(e) {
			m.Join(m.Index.Var(e))
			return ""
		}
	case *ast.SliceExpr:
		return m.conform(e.X)
	case *ast.CompositeLit:
		if e.Type == nil {
			return "its literal is written without a type"
		}
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			if lit, ok := x.(*ast.CompositeLit); ok && lit.Type == nil {
				return "its literal has elements without a type"
			}
			if !slices.Contains(m.elements, x) {
				m.elements = append(m.elements, x)
			}
		}
		return m.typ(e.Type)
	case *ast.CallExpr:
		if b, ok := typeutil.Callee(m.Index.Info, e).(*types.Builtin); ok && b.Name() == "make" {
			return m.typ(e.Args[0])
		}
	}
	return "its elements come from " + types.ExprString(e)
}
