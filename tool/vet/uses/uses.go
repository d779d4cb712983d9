// Package uses finds every place where a package uses one of its variables or
// fields. A check has to see them all before it offers to change how the
// variable is kept.
//
// It sees one package, as one build has it. What other packages can reach, and
// what files that this build leaves out mention, is used there as well: ask
// [Index.Unseen] first. The index is one walk over the files, shared by all
// checks.
package uses

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strconv"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/unbuilt"
)

// Analyzer makes the [*Index] of a package.
var Analyzer = &analysis.Analyzer{
	Name:       "uses",
	Doc:        "index the uses of variables and fields for other analyzers",
	Requires:   []*analysis.Analyzer{inspect.Analyzer, unbuilt.Analyzer},
	ResultType: reflect.TypeFor[*Index](),
	Run: func(pass *analysis.Pass) (any, error) {
		x := New(pass.ResultOf[inspect.Analyzer].(*inspector.Inspector), pass.TypesInfo)
		x.Left = pass.ResultOf[unbuilt.Analyzer].(*unbuilt.Files)
		return x, nil
	},
}

// An Index knows where a package uses its variables and fields. It is not
// changed once made, and safe for concurrent use.
type Index struct {
	Info *types.Info
	Root inspector.Cursor // of all files
	Left *unbuilt.Files   // that the index does not see; nil for none

	at       map[*types.Var][]inspector.Cursor
	literals map[*types.TypeName][]inspector.Cursor
	funcs    map[*types.Func]inspector.Cursor
	owns     map[*types.Package]bool
}

// New makes the index of the files behind in.
func New(in *inspector.Inspector, info *types.Info) *Index {
	x := &Index{
		Info: info, Root: in.Root(),
		at:       map[*types.Var][]inspector.Cursor{},
		literals: map[*types.TypeName][]inspector.Cursor{},
		funcs:    map[*types.Func]inspector.Cursor{},
		owns:     map[*types.Package]bool{},
	}
	for c := range x.Root.Preorder((*ast.Ident)(nil), (*ast.SelectorExpr)(nil), (*ast.CompositeLit)(nil), (*ast.FuncDecl)(nil)) {
		switch n := c.Node().(type) {
		case *ast.Ident:
			if o := info.Defs[n]; o != nil && o.Pkg() != nil {
				x.owns[o.Pkg()] = true
			}
			v, ok := info.Defs[n].(*types.Var)
			if !ok {
				v, ok = info.Uses[n].(*types.Var)
			}
			if ok {
				x.at[v.Origin()] = append(x.at[v.Origin()], c)
			}
		case *ast.SelectorExpr:
			for _, v := range x.Through(n) {
				x.at[v] = append(x.at[v], c)
			}
		case *ast.CompositeLit:
			if t := Named(info.TypeOf(n)); t != nil {
				x.literals[t.Obj()] = append(x.literals[t.Obj()], c)
			}
		case *ast.FuncDecl:
			if f, ok := info.Defs[n.Name].(*types.Func); ok {
				x.funcs[f] = c
			}
		}
	}
	return x
}

// Through returns the embedded fields that a selector goes through without
// naming them.
func (x *Index) Through(sel *ast.SelectorExpr) (fields []*types.Var) {
	s := x.Info.Selections[sel]
	if s == nil || len(s.Index()) < 2 {
		return nil
	}
	t := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		st, ok := Deref(t).Underlying().(*types.Struct)
		if !ok {
			return fields
		}
		f := st.Field(i)
		fields, t = append(fields, f.Origin()), f.Type()
	}
	return fields
}

// Of returns the identifiers that stand for v, its declaration among them, in
// the order of the files. Where code uses an embedded field without its name,
// as in s.Lock(), it is the selector.
func (x *Index) Of(v *types.Var) []inspector.Cursor { return x.at[v.Origin()] }

// Literals returns the composite literals of a named type. What is written
// {…} within a literal of another type counts.
func (x *Index) Literals(t *types.TypeName) []inspector.Cursor { return x.literals[t] }

// Owns reports whether the files are of a package, which may be one of several.
func (x *Index) Owns(pkg *types.Package) bool { return x.owns[pkg] }

// Declaration returns the declaration of a function of this package, if that
// says what it does. It then has a body, and no other build has another.
func (x *Index) Declaration(f *types.Func) (decl inspector.Cursor, ok bool) {
	decl, ok = x.funcs[f.Origin()]
	return decl, ok && decl.Node().(*ast.FuncDecl).Body != nil && x.Left.Declares(f.Origin()) == ""
}

// Var returns the variable or field that an expression stands for, or nil:
// x, s.x, (s.x); neither s.x[i] nor *p.
func (x *Index) Var(e ast.Expr) *types.Var {
	var id *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	default:
		return nil
	}
	if v, ok := x.Info.ObjectOf(id).(*types.Var); ok {
		return v.Origin()
	}
	return nil
}

// Declares reports whether the use is the declaration.
func (x *Index) Declares(c inspector.Cursor) bool {
	id, ok := c.Node().(*ast.Ident)
	return ok && x.Info.Defs[id] != nil
}

// Whole widens an identifier to the expression that stands for the variable:
// s.x for the x of it, with parentheses.
func Whole(c inspector.Cursor) inspector.Cursor {
	for {
		switch c.ParentEdgeKind() {
		case edge.SelectorExpr_Sel, edge.ParenExpr_X:
			c = c.Parent()
		default:
			return c
		}
	}
}

// Elements widens an expression to the element or part of it that is used:
// s.x[i].n for s.x, and reports whether it is the whole.
func Elements(c inspector.Cursor) (part inspector.Cursor, whole bool) {
	whole = true
	for {
		switch c.ParentEdgeKind() {
		case edge.SelectorExpr_X, edge.IndexExpr_X, edge.SliceExpr_X, edge.StarExpr_X:
			whole = false
		case edge.ParenExpr_X:
		default:
			return c, whole
		}
		c = c.Parent()
	}
}

// Written reports whether an expression is assigned to, counted or has its
// address taken.
func Written(c inspector.Cursor) bool {
	switch c.ParentEdgeKind() {
	case edge.AssignStmt_Lhs, edge.IncDecStmt_X:
		return true
	case edge.RangeStmt_Key, edge.RangeStmt_Value:
		return c.Parent().Node().(*ast.RangeStmt).Tok == token.ASSIGN
	case edge.UnaryExpr_X:
		return c.Parent().Node().(*ast.UnaryExpr).Op == token.AND
	}
	return false
}

// Func returns the function, declared or literal, that a node is in.
func Func(c inspector.Cursor) (fn inspector.Cursor, ok bool) {
	for fn := range c.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		if fn != c {
			return fn, true
		}
	}
	return fn, false
}

// Decl returns the declared function that a node is in, or nil.
func Decl(c inspector.Cursor) *ast.FuncDecl {
	for fn := range c.Enclosing((*ast.FuncDecl)(nil)) {
		return fn.Node().(*ast.FuncDecl)
	}
	return nil
}

// Statement returns the statement of a list that a node is in.
func Statement(c inspector.Cursor) (stmt inspector.Cursor, ok bool) {
	for c.Node() != nil {
		if Listed(c) {
			return c, true
		}
		c = c.Parent()
	}
	return c, false
}

// Top returns the declaration of a file that a node is in.
func Top(c inspector.Cursor) inspector.Cursor {
	for c.ParentEdgeKind() != edge.File_Decls {
		c = c.Parent()
	}
	return c
}

// Find returns where a node stands below root. It takes longer where nodes have positions
// of others, as the fields of a receiver without names do.
func Find(root inspector.Cursor, n ast.Node) (c inspector.Cursor, ok bool) {
	c, ok = root.FindByPos(n.Pos(), n.End())
	for ; ok && c.Node() != n; c = c.Parent() {
		if c.Node() == nil || n.Pos() > c.Node().Pos() || c.Node().Pos() >= n.End() {
			return root.FindNode(n)
		}
	}
	return c, ok
}

// Listed reports whether a node is a statement of a list, so that another can
// follow.
func Listed(c inspector.Cursor) bool {
	switch c.ParentEdgeKind() {
	case edge.BlockStmt_List, edge.CaseClause_Body, edge.CommClause_Body:
		return true
	}
	return false
}

// Named returns the named type of t or of what it points to, in its generic
// form, or nil.
func Named(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	n, _ := Deref(t).(*types.Named)
	if n == nil {
		return nil
	}
	return n.Origin()
}

// Deref returns what a pointer type points to, other types as they are;
// aliases are resolved.
func Deref(t types.Type) types.Type {
	t = types.Unalias(t)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return types.Unalias(p.Elem())
	}
	return t
}

// Holds reports whether a position is within a node.
func Holds(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() }

// Mentions reports whether code uses an object by its name.
func Mentions(info *types.Info, code ast.Node, o types.Object) bool {
	return Any(code, func(id *ast.Ident) bool { return info.Uses[id] == o })
}

// Any reports whether code has a node of a kind that is as asked for.
func Any[N ast.Node](code ast.Node, is func(N) bool) bool {
	for n := range ast.Preorder(code) {
		if n, ok := n.(N); ok && is(n) {
			return true
		}
	}
	return false
}

// Basic reports whether values of a type are numbers, strings or truth values.
func Basic(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() != types.UnsafePointer
}

// Under reports whether a type is, by what lies under its name, a T: *types.Map.
func Under[T types.Type](t types.Type) bool {
	_, ok := t.Underlying().(T)
	return ok
}

// Refers reports whether a value of type t leads to memory that others may
// share. A string does not: its bytes never change.
func Refers(t types.Type) bool {
	if t == nil {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Array:
		return Refers(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if Refers(f.Type()) {
				return true
			}
		}
		return false
	}
	return true
}

// Is reports whether t is the named type of a package of the standard library,
// such as "sync", "Mutex".
func Is(t types.Type, path, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == path
}

// Unseen says what may use v where the index does not see it, or "". These are
// other packages, if it is exported and no variable of a function, or files
// that this build leaves out.
func (x *Index) Unseen(v *types.Var) (why string) {
	v = v.Origin()
	if global(v) && v.Exported() && v.Pkg().Name() != "main" && !x.hidden(v) {
		return "other packages may use " + v.Name()
	}
	return x.LeftOut(v)
}

// LeftOut says which of the files that this build leaves out may use v, or "".
func (x *Index) LeftOut(v *types.Var) (why string) {
	v = v.Origin()
	switch {
	case !global(v):
		return ""
	case !v.IsField():
		return x.Left.Uses(v.Name())
	}
	why = x.Left.Selects(v.Name())
	if v.Embedded() && why == "" { // what it has may be selected without its name
		for m := range types.NewMethodSet(types.NewPointer(Deref(v.Type()))).Methods() {
			why = cmp.Or(why, x.Left.Selects(m.Obj().Name()))
		}
		if st, ok := Deref(v.Type()).Underlying().(*types.Struct); ok {
			for f := range st.Fields() {
				why = cmp.Or(why, x.Left.Selects(f.Name()))
			}
		}
	}
	return why
}

// global reports whether v is a field or a variable of the package.
func global(v *types.Var) bool { return v.IsField() || Global(v) }

// Global reports whether an object is declared outside of functions.
func Global(o types.Object) bool { return o.Pkg() != nil && o.Parent() == o.Pkg().Scope() }

// hidden reports whether v is embedded in a type that other packages cannot name:
// it has the name of its type, which says nothing.
func (x *Index) hidden(v *types.Var) bool {
	for _, use := range x.Of(v) {
		if v.Embedded() && x.Declares(use) {
			for c := range use.Enclosing((*ast.TypeSpec)(nil)) {
				return !c.Node().(*ast.TypeSpec).Name.IsExported()
			}
		}
	}
	return false
}

// Around returns the code whose time shows what a use costs: the innermost loop
// of its function that it is in, or the function.
func Around(c inspector.Cursor) ast.Node {
	for at := range c.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.FuncLit)(nil), (*ast.FuncDecl)(nil)) {
		if at != c {
			return at.Node()
		}
	}
	return c.Node()
}

// Free returns a function that makes names which nothing in the package has, nor an
// earlier call gave: an embedded type may have them.
func (in *Index) Free() func(name string) string {
	used := map[string]bool{}
	for c := range in.Root.Preorder((*ast.Ident)(nil)) {
		used[c.Node().(*ast.Ident).Name] = true
	}
	return func(name string) string {
		try := name
		for i := 2; used[try] || types.Universe.Lookup(try) != nil; i++ {
			try = name + strconv.Itoa(i)
		}
		used[try] = true
		return try
	}
}
