package sharing

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A flow gives variables the padded type: v T becomes v payoffPadded[T], or
// v []T becomes []payoffPadded[T], and each use of the T goes through a field.
// Elements may flow from one variable to another, so one change may entail
// others; the first use that does not fit ends it, and nothing is changed.
type flow struct {
	*source
	p        *padder
	elements bool   // whether the elements are padded, not the variable
	elem     string // T, as the first declaration has it
	todo     []*types.Var
	moved    map[*types.Var]bool
	edits    []func()
	wrapped  map[ast.Node]bool
	parents  map[ast.Node]ast.Node
	idents   map[*types.Var][]*ast.Ident
}

// flow gives v, or its elements, the padded type.
func (p *padder) flow(v *types.Var, elements bool) (how string, err error) {
	s, o := p.home(v)
	if s == nil {
		return "", fmt.Errorf("%s is declared outside of the main module", v.Name())
	}
	f := &flow{source: s, p: p, elements: elements, moved: map[*types.Var]bool{}, wrapped: map[ast.Node]bool{}}
	at := s.position(o.Pos())
	how = fmt.Sprintf("variable %s at %s:%d has room around it", v.Name(), at.Filename, at.Line)
	if elements {
		how = fmt.Sprintf("elements of %s at %s:%d have room around them", v.Name(), at.Filename, at.Line)
	}
	if p.moved[o.(*types.Var)] {
		return how, nil
	}
	f.index()
	f.join(o.(*types.Var))
	for len(f.todo) > 0 {
		next := f.todo[0]
		f.todo = f.todo[1:]
		if err := f.move(next); err != nil {
			if next != o {
				err = fmt.Errorf("%s: %w", next.Name(), err)
			}
			return "", err
		}
	}
	for _, edit := range f.edits {
		edit()
	}
	for v := range f.moved {
		p.moved[v] = true
	}
	return how, nil
}

// index finds parents and uses.
func (f *flow) index() {
	f.parents = map[ast.Node]ast.Node{}
	f.idents = map[*types.Var][]*ast.Ident{}
	for _, file := range f.source.files {
		var stack []ast.Node
		ast.Inspect(file.File, func(n ast.Node) bool {
			if n == nil {
				stack = stack[:len(stack)-1]
				return true
			}
			if len(stack) > 0 {
				f.parents[n] = stack[len(stack)-1]
			}
			stack = append(stack, n)
			if id, ok := n.(*ast.Ident); ok {
				if v, ok := f.TypesInfo.ObjectOf(id).(*types.Var); ok {
					f.idents[v.Origin()] = append(f.idents[v.Origin()], id)
				}
			}
			return true
		})
	}
}

// join enters a variable among those that get the padded type.
func (f *flow) join(v *types.Var) {
	if v = v.Origin(); !f.moved[v] {
		f.moved[v] = true
		f.todo = append(f.todo, v)
	}
}

// move changes the declaration of v, and looks at each use.
func (f *flow) move(v *types.Var) error {
	if f.p.moved[v] {
		return errors.New("it has been padded in another way")
	}
	if v.Pkg() != f.Types {
		return errors.New("it is declared in another package")
	}
	for _, s := range f.p.sources {
		if s.Package == f.Package {
			continue
		}
		for id, o := range s.TypesInfo.Uses {
			if u, ok := o.(*types.Var); ok && u.Name() == v.Name() && s.key(u) == f.key(v) {
				at := s.position(id.Pos())
				return fmt.Errorf("package %s uses it at %s:%d", s.PkgPath, at.Filename, at.Line)
			}
		}
	}
	declared := false
	for _, id := range f.idents[v] {
		if f.TypesInfo.Defs[id] != nil {
			declared = true
			if err := f.declaration(v, id); err != nil {
				return err
			}
		}
	}
	if !declared {
		return errors.New("it is declared in a file that cannot be rewritten")
	}
	for _, id := range f.idents[v] {
		if f.TypesInfo.Uses[id] != nil {
			if err := f.use(id); err != nil {
				at := f.position(id.Pos())
				return fmt.Errorf("%w at %s:%d", err, at.Filename, at.Line)
			}
		}
	}
	return nil
}

// declaration gives v the padded type where id declares it.
func (f *flow) declaration(v *types.Var, id *ast.Ident) error {
	switch d := f.parents[id].(type) {
	case *ast.ValueSpec:
		if g, ok := f.parents[d].(*ast.GenDecl); ok && g.Doc != nil &&
			slices.ContainsFunc(g.Doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:") }) {
			return errors.New("its declaration has a directive")
		}
		if d.Type != nil {
			for _, name := range d.Names { // they share the type
				if other, ok := f.TypesInfo.Defs[name].(*types.Var); ok && name.Name != "_" {
					f.join(other)
				}
			}
			if err := f.wrapType(d.Type); err != nil {
				return err
			}
		}
		switch i := slices.Index(d.Names, id); {
		case len(d.Values) == 0:
		case len(d.Values) != len(d.Names):
			return errors.New("it is set by a call with several results")
		default:
			return f.initial(d.Values[i], d.Type)
		}
		return nil
	case *ast.AssignStmt:
		if len(d.Lhs) != len(d.Rhs) {
			return errors.New("it is set by a call with several results")
		}
		return f.initial(d.Rhs[slices.Index(d.Lhs, ast.Expr(id))], nil)
	case *ast.Field:
		if !f.elements {
			return errors.New("it is a parameter or a result")
		}
		for _, name := range d.Names { // they share the type
			if other, ok := f.TypesInfo.Defs[name].(*types.Var); ok && name.Name != "_" {
				f.join(other)
			}
		}
		if err := f.wrapType(d.Type); err != nil {
			return err
		}
		if v.IsField() {
			return nil
		}
		return f.parameter(d)
	}
	return errors.New("it is declared by a statement that sets it")
}

// initial makes the value of a declaration fit.
func (f *flow) initial(value, typ ast.Expr) error {
	if f.elements {
		return f.conform(value)
	}
	open := "payoffPad("
	if typ != nil {
		open = "payoffPad[" + f.text(typ) + "]("
	}
	f.around(value, open, ")")
	return nil
}

// wrapType makes the type of a declaration, or its element type, padded.
func (f *flow) wrapType(typ ast.Expr) error {
	if f.elements {
		a, ok := ast.Unparen(typ).(*ast.ArrayType)
		if !ok {
			return fmt.Errorf("its type %s is not written as a slice or array", types.ExprString(typ))
		}
		if f.elem == "" {
			f.elem = f.text(a.Elt)
		}
		typ = a.Elt
	}
	f.around(typ, "payoffPadded[", "]")
	return nil
}

// parameter makes sure that all calls of the function whose parameter list has
// field d hand over elements that are padded.
func (f *flow) parameter(d *ast.Field) error {
	typ, ok := f.parents[f.parents[d]].(*ast.FuncType)
	if !ok {
		return errors.New("it is a receiver")
	}
	decl, ok := f.parents[typ].(*ast.FuncDecl)
	if !ok || typ.Params != f.parents[d] || decl.Recv != nil {
		return errors.New("it is a parameter of a method or function value, or a result")
	}
	fn := f.TypesInfo.Defs[decl.Name]
	if fn.Exported() {
		for _, s := range f.p.sources {
			for _, o := range s.TypesInfo.Uses {
				if s.Package != f.Package && o.Name() == fn.Name() && s.key(o) == f.key(fn) {
					return fmt.Errorf("package %s calls %s", s.PkgPath, fn.Name())
				}
			}
		}
	}
	first := 0
	for _, q := range typ.Params.List {
		if q == d {
			break
		}
		first += max(1, len(q.Names))
	}
	for id, o := range f.TypesInfo.Uses {
		if o != fn {
			continue
		}
		call, ok := f.parents[id].(*ast.CallExpr)
		if !ok || call.Fun != id || len(call.Args) < first+len(d.Names) {
			return fmt.Errorf("function %s is used other than by calls", fn.Name())
		}
		for i := range d.Names {
			if err := f.conform(call.Args[first+i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// around puts text around a node, once.
func (f *flow) around(n ast.Node, before, after string) {
	if f.wrapped[n] {
		return
	}
	f.wrapped[n] = true
	file := f.fileOf(n)
	from, to := f.offsets(n)
	f.edits = append(f.edits, func() { file.edits.around(from, to, before, after) })
}

// through makes what e stands for the value in the padded one.
func (f *flow) through(e ast.Expr) {
	file := f.fileOf(e)
	_, to := f.offsets(e)
	f.edits = append(f.edits, func() { file.edits.sel(to, ".v") })
}

func (f *flow) fileOf(n ast.Node) *sourceFile {
	name := f.position(n.Pos()).Filename
	return f.source.files[slices.IndexFunc(f.source.files, func(s *sourceFile) bool { return s.name == name })]
}

func (f *flow) text(n ast.Node) string {
	from, to := f.offsets(n)
	return string(f.fileOf(n).text[from:to])
}

// use looks at one use of a variable that has the padded type.
func (f *flow) use(id *ast.Ident) error {
	if !f.elements {
		if a, ok := f.parents[id].(*ast.AssignStmt); ok && a.Tok == token.DEFINE && slices.Contains(a.Lhs, ast.Expr(id)) {
			return errors.New("it is set by := beside new variables")
		}
		f.through(id)
		return nil
	}
	var e ast.Expr = id
	if sel, ok := f.parents[id].(*ast.SelectorExpr); ok && sel.Sel == id {
		e = sel
	} else if kv, ok := f.parents[id].(*ast.KeyValueExpr); ok && kv.Key == id {
		if v, ok := f.TypesInfo.Uses[id].(*types.Var); ok && v.IsField() {
			return f.conform(kv.Value) // S{sums: …}
		}
	}
	return f.flows(e)
}
