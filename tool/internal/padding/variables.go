package padding

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/program"
)

// A move gives variables of a package the padded type: v T becomes v
// payoffPadded[T], or v []T becomes []payoffPadded[T], and each use of the T
// goes through a field. Elements may go from one variable to another, so one
// change may entail others. The first use that does not fit ends it, and
// nothing is changed; but uses that cannot compile are left to the type check.
type move struct {
	*program.Package
	elements bool // whether the elements are padded, not the variable
	todo     []*types.Var
	moved    map[*types.Var]bool
	changes  []func(e *edit.Edit)
	wrapped  map[ast.Node]bool
	parents  map[ast.Node]ast.Node
	idents   map[*types.Var][]*ast.Ident
}

// variable gives v the padded type.
func (p *padder) variable(s *program.Package, v *types.Var) error { return p.move(s, v, false) }

// elements gives the elements of v the padded type.
func (p *padder) elements(s *program.Package, v *types.Var) error { return p.move(s, v, true) }

func (p *padder) move(s *program.Package, v *types.Var, elements bool) error {
	if p.moved[v] {
		return nil
	}
	m := &move{Package: s, elements: elements, moved: map[*types.Var]bool{}, wrapped: map[ast.Node]bool{}}
	m.index()
	m.join(v)
	for len(m.todo) > 0 {
		next := m.todo[0]
		m.todo = m.todo[1:]
		if p.moved[next] {
			return errors.New("what it belongs to has been moved in another way")
		}
		if err := m.move(next); err != nil {
			return err
		}
	}
	for _, change := range m.changes {
		change(p.Edit)
	}
	for v := range m.moved {
		p.moved[v] = true
	}
	return nil
}

// index finds parents and uses.
func (m *move) index() {
	m.parents = map[ast.Node]ast.Node{}
	m.idents = map[*types.Var][]*ast.Ident{}
	for _, file := range m.Files {
		ast.PreorderStack(file.File, nil, func(n ast.Node, above []ast.Node) bool {
			if len(above) > 0 {
				m.parents[n] = above[len(above)-1]
			}
			if id, ok := n.(*ast.Ident); ok {
				if v, ok := m.TypesInfo.ObjectOf(id).(*types.Var); ok {
					m.idents[v.Origin()] = append(m.idents[v.Origin()], id)
				}
			}
			return true
		})
	}
}

// join enters a variable among those that get the padded type.
func (m *move) join(v *types.Var) {
	if !m.moved[v] {
		m.moved[v] = true
		m.todo = append(m.todo, v)
	}
}

// move changes the declaration of v, and each use.
func (m *move) move(v *types.Var) error {
	for _, id := range m.idents[v] {
		check := m.use
		if m.TypesInfo.Defs[id] != nil {
			check = m.declaration
		}
		if err := check(id); err != nil {
			return reason{err.Error(), m.Place(id.Pos())}
		}
	}
	return nil
}

// declaration gives what id declares the padded type.
func (m *move) declaration(id *ast.Ident) error {
	switch d := m.parents[id].(type) {
	case *ast.ValueSpec:
		m.together(d.Names)
		if d.Type != nil {
			if err := m.typ(d.Type); err != nil {
				return err
			}
		}
		if len(d.Values) == len(d.Names) {
			return m.value(d.Values[slices.Index(d.Names, id)], d.Type)
		}
		if len(d.Values) == 0 {
			return nil
		}
	case *ast.AssignStmt:
		if len(d.Lhs) == len(d.Rhs) {
			return m.value(d.Rhs[slices.Index(d.Lhs, ast.Expr(id))], nil)
		}
	case *ast.Field:
		switch t := m.parents[m.parents[d]].(type) {
		case *ast.StructType:
			m.together(d.Names)
			return m.typ(d.Type)
		case *ast.FuncType:
			if m.elements && t.Params == m.parents[d] {
				return m.parameter(t, d, id)
			}
		}
		return errors.New("it is a parameter or a result")
	}
	return errors.New("it is set by a call with several results, or by its statement")
}

// parameter gives a parameter of a function padded elements, and what its calls
// hand to it.
func (m *move) parameter(t *ast.FuncType, d *ast.Field, id *ast.Ident) error {
	m.together(d.Names)
	at := 0
	for _, f := range t.Params.List {
		if i := slices.Index(f.Names, id); i >= 0 {
			at += i
			break
		}
		at += len(f.Names)
	}
	calls, err := m.calls(m.parents[t])
	if err != nil {
		return err
	}
	for _, call := range calls {
		if len(call.Args) <= at {
			return errors.New("it is set by a call with several results")
		}
		if err := m.conform(call.Args[at]); err != nil {
			return err
		}
	}
	return m.typ(d.Type)
}

// calls are those of a function in the package. What others call, or call by a
// value, no longer compiles; a literal that is not called at once is a value.
func (m *move) calls(fn ast.Node) (calls []*ast.CallExpr, err error) {
	switch fn := fn.(type) {
	case *ast.FuncLit:
		if call, ok := m.parents[fn].(*ast.CallExpr); ok && call.Fun == fn {
			return []*ast.CallExpr{call}, nil
		}
	case *ast.FuncDecl:
		for _, file := range m.Files {
			for n := range ast.Preorder(file.File) {
				if call, ok := n.(*ast.CallExpr); ok {
					if f, ok := m.Callee(call).(*types.Func); ok && f.Origin() == m.TypesInfo.Defs[fn.Name] {
						calls = append(calls, call)
					}
				}
			}
		}
		return calls, nil
	}
	return nil, errors.New("it is a parameter of a function value")
}

// argument follows what a call hands over into the function.
func (m *move) argument(call *ast.CallExpr, e ast.Expr) error {
	i := slices.Index(call.Args, e)
	sig, ok := m.TypesInfo.TypeOf(call.Fun).(*types.Signature)
	if ok && i >= 0 && i < sig.Params().Len() {
		if v := sig.Params().At(i).Origin(); len(m.idents[v]) > 0 {
			m.join(v)
			return nil
		}
	}
	return fmt.Errorf("it is handed to %s", types.ExprString(call.Fun))
}

// together enters variables that share a type.
func (m *move) together(names []*ast.Ident) {
	for _, id := range names {
		if v, ok := m.TypesInfo.Defs[id].(*types.Var); ok && id.Name != "_" {
			m.join(v)
		}
	}
}

// typ makes a type, or its element type, padded.
func (m *move) typ(typ ast.Expr) error {
	if m.elements {
		a, ok := typ.(*ast.ArrayType)
		if !ok {
			return fmt.Errorf("its type %s is not written as a slice or array", types.ExprString(typ))
		}
		typ = a.Elt
	}
	m.around(typ, "payoffPadded[", "]")
	return nil
}

// value makes the value of a declaration fit, whose type may be nil.
func (m *move) value(e, typ ast.Expr) error {
	if m.elements {
		return m.conform(e)
	}
	open := "payoffPad("
	if typ != nil {
		from, to := m.Offsets(typ)
		open = "payoffPad[" + string(m.file(typ).Src[from:to]) + "]("
	}
	m.around(e, open, ")")
	return nil
}

// use looks at one use of a variable that has the padded type.
func (m *move) use(id *ast.Ident) error {
	if !m.elements {
		m.through(id)
		return nil
	}
	var e ast.Expr = id
	switch p := m.parents[id].(type) {
	case *ast.SelectorExpr:
		if p.Sel == id {
			e = p
		}
	case *ast.KeyValueExpr: // S{sums: …}
		if v, ok := m.TypesInfo.Uses[id].(*types.Var); ok && v.IsField() && p.Key == id {
			return m.conform(p.Value)
		}
	}
	for {
		part, ok := m.parents[e].(*ast.SliceExpr)
		if !ok || part.X != e {
			break
		}
		e = part
	}
	switch p := m.parents[e].(type) {
	case *ast.IndexExpr:
		if p.X == e {
			m.through(p)
			return nil
		}
	case *ast.RangeStmt:
		if p.X == e {
			return m.ranges(p)
		}
	case *ast.AssignStmt:
		for i := range min(len(p.Lhs), len(p.Rhs)) {
			switch e {
			case p.Lhs[i]:
				return m.conform(p.Rhs[i])
			case p.Rhs[i]:
				return m.conform(p.Lhs[i])
			}
		}
	case *ast.CallExpr:
		if b, ok := m.Callee(p).(*types.Builtin); !ok {
			return m.argument(p, e)
		} else if b.Name() == "len" || b.Name() == "cap" || b.Name() == "clear" {
			return nil
		}
	}
	return errors.New("it is used as a whole")
}

// ranges gives the value of a range clause back its type.
func (m *move) ranges(r *ast.RangeStmt) error {
	if r.Value == nil {
		return nil
	}
	id, ok := r.Value.(*ast.Ident)
	if !ok || r.Tok != token.DEFINE {
		return errors.New("a range clause sets a variable from it")
	}
	if id.Name != "_" {
		at, _ := m.Offsets(r.Body)
		m.insert(r, at+1, fmt.Sprintf(" %[1]s := %[1]s.v; _ = %[1]s;", id.Name))
	}
	return nil
}

// conform makes the value of e have padded elements.
func (m *move) conform(e ast.Expr) error {
	switch e := e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		if v := variable(m.Package, e); v != nil {
			m.join(v)
			return nil
		}
	case *ast.SliceExpr:
		return m.conform(e.X)
	case *ast.CompositeLit:
		for _, elt := range e.Elts {
			if _, ok := elt.(*ast.KeyValueExpr); ok {
				return errors.New("its literal has keys")
			}
			m.around(elt, "{v: ", "}")
		}
		return m.typ(e.Type)
	case *ast.CallExpr:
		if b, ok := m.Callee(e).(*types.Builtin); ok && b.Name() == "make" {
			return m.typ(e.Args[0])
		}
	}
	return fmt.Errorf("its elements come from %s", types.ExprString(e))
}

// around puts text around a node, once.
func (m *move) around(n ast.Node, before, after string) {
	if m.wrapped[n] {
		return
	}
	m.wrapped[n] = true
	f := m.file(n)
	from, to := m.Offsets(n)
	m.changes = append(m.changes, func(e *edit.Edit) { e.File(f.Name, f.Src).Around(from, to, before, after) })
}

// through makes what e stands for the value in the padded one.
func (m *move) through(e ast.Expr) {
	_, to := m.Offsets(e)
	m.insert(e, to, ".v")
}

// insert puts text at an offset of the file of n.
func (m *move) insert(n ast.Node, at int, text string) {
	f := m.file(n)
	m.changes = append(m.changes, func(e *edit.Edit) { e.File(f.Name, f.Src).Insert(at, text) })
}

func (m *move) file(n ast.Node) *program.File {
	name := m.Position(n.Pos()).Filename
	return m.Files[slices.IndexFunc(m.Files, func(f *program.File) bool { return f.Name == name })]
}
