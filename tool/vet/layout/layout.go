// Package layout tells where code relies on what lies where in a struct, so
// that no field may be put between.
//
// It sees one package: of a struct whose values other packages can write
// without field names it says that it does not know. A question costs a walk
// over the package.
package layout

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Line is how far apart variables have to lie to share no cache line. 128
// bytes is the line of Apple's arm64 cores, and the pair of lines that x86
// cores prefetch together.
const Line = 128

// A Struct is a struct type of a package, where it is written.
type Struct struct {
	Type  *types.Struct
	Name  *types.TypeName // nil if it has none
	Node  *ast.StructType
	Under inspector.Cursor // Node's

	generic bool                // it, or what leads to it, is a type argument
	known   map[types.Type]bool // what within said
}

// Of finds the struct type t, or what t points to, in the files of the index.
// It reports false for types of other packages and for those that are
// instances of a generic type.
func Of(x *uses.Index, t types.Type) (Struct, bool) {
	t = uses.Deref(t)
	s := Struct{}
	if n, ok := t.(*types.Named); ok {
		if n.TypeParams().Len() > 0 || n.TypeArgs().Len() > 0 {
			return s, false
		}
		s.Name = n.Obj()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return s, false
	}
	s.Type = st
	for c := range x.Root.Preorder((*ast.StructType)(nil)) {
		n := c.Node().(*ast.StructType)
		if x.Info.TypeOf(n) == types.Type(st) {
			s.Node, s.Under = n, c
			return s, true
		}
	}
	return s, false
}

// Fill returns the edits that fill a struct of a size up to a line, or why there
// are none.
func (s Struct) Fill(x *uses.Index, pkg *types.Package, fset *token.FileSet, size int64) (edits []analysis.TextEdit, why string, at token.Pos) {
	if why, at = s.Relied(x, pkg); why != "" {
		return nil, why, at
	}
	list := s.Node.Fields
	last := list.List[len(list.List)-1]
	end := last.End()
	if last.Comment != nil {
		end = last.Comment.End()
	}
	field := fmt.Sprintf("_ [%d]byte", Line-size%Line)
	if fset.Position(end).Line < fset.Position(list.Closing).Line {
		return []analysis.TextEdit{rewrite.Insert(list.Closing, field+" // no two share a cache line\n")}, "", token.NoPos
	}
	return []analysis.TextEdit{rewrite.Insert(last.End(), "; "+field)}, "", token.NoPos
}

// Relied returns why no field may be added to a struct, and where the code
// says so, or "". Shown is among the reasons. The index is the one of pkg.
func (s Struct) Relied(x *uses.Index, pkg *types.Package) (why string, at token.Pos) {
	if s.Name != nil && s.Name.Exported() && pkg.Name() != "main" && s.open() {
		return "other packages may write its values without field names", s.Name.Pos()
	}
	s.arguments(x)
	for file := range x.Root.Preorder((*ast.File)(nil)) {
		if raw(file.Node().(*ast.File)) {
			for id := range file.Preorder((*ast.Ident)(nil)) {
				if s.is(x.Info.TypeOf(id.Node().(*ast.Ident))) {
					return "it is used beside package unsafe", id.Node().Pos()
				}
			}
		}
		for c := range file.Preorder((*ast.FuncDecl)(nil), (*ast.TypeSpec)(nil), (*ast.StructType)(nil), (*ast.CallExpr)(nil)) {
			switch n := c.Node().(type) {
			case *ast.FuncDecl:
				if n.Body == nil && s.handed(x.Info.TypeOf(n.Name).(*types.Signature)) {
					return n.Name.Name + ", which is not written in Go, gets it", n.Pos()
				}
			case *ast.TypeSpec:
				if def := x.Info.Defs[n.Name]; def != nil && !n.Assign.IsValid() && def != types.Object(s.Name) && s.Name != nil && x.Info.TypeOf(n.Type) == s.Name.Type() {
					return fmt.Sprintf("type %s is made of it", n.Name.Name), n.Pos()
				}
			case *ast.StructType:
				if n != s.Node && s.Name == nil && types.Identical(x.Info.TypeOf(n), s.Type) {
					return "its type is written twice", n.Pos()
				}
			case *ast.CallExpr:
				if why := s.call(x, n); why != "" {
					return why, n.Pos()
				}
			}
		}
	}
	for c := range x.Root.Preorder((*ast.CompositeLit)(nil)) {
		if n := c.Node().(*ast.CompositeLit); len(n.Elts) > 0 && s.is(x.Info.TypeOf(n)) {
			if _, keyed := n.Elts[0].(*ast.KeyValueExpr); !keyed {
				return "a literal of it has no field names", n.Pos()
			}
		}
	}
	return s.Shown(x)
}

// call returns why a call relies on the layout.
func (s Struct) call(x *uses.Index, call *ast.CallExpr) string {
	if len(call.Args) == 0 {
		return ""
	}
	if tv := x.Info.Types[call.Fun]; tv.IsType() {
		from := x.Info.TypeOf(call.Args[0])
		if s.is(tv.Type) != s.is(from) && uses.Under[*types.Struct](uses.Deref(tv.Type)) && uses.Under[*types.Struct](uses.Deref(from)) {
			return "it is converted from or to another type"
		}
		return ""
	}
	f, ok := typeutil.Callee(x.Info, call).(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != "encoding/binary" {
		return ""
	}
	for _, arg := range call.Args {
		if s.within(x.Info.TypeOf(arg)) {
			return "encoding/binary writes or reads it as it lies"
		}
	}
	return ""
}

// handed reports whether a function takes the struct, or what leads to it.
func (s Struct) handed(sig *types.Signature) bool {
	if r := sig.Recv(); r != nil && s.within(r.Type()) {
		return true
	}
	for p := range sig.Params().Variables() {
		if s.within(p.Type()) {
			return true
		}
	}
	return false
}

// open reports whether all fields are exported, so that a literal without
// field names is possible elsewhere.
func (s Struct) open() bool {
	for f := range s.Type.Fields() {
		if !f.Exported() {
			return false
		}
	}
	return true
}

// is reports whether t is the struct or a pointer to it.
func (s Struct) is(t types.Type) bool {
	if t == nil {
		return false
	}
	t = uses.Deref(t)
	if s.Name != nil {
		return t == s.Name.Type()
	}
	return types.Identical(t, s.Type)
}

// arguments sees whether the struct, or what leads to it, is a type argument.
func (s *Struct) arguments(x *uses.Index) {
	s.generic, s.known = false, map[types.Type]bool{}
	for _, inst := range x.Info.Instances {
		for t := range inst.TypeArgs.Types() {
			if s.within(t) {
				s.generic, s.known = true, map[types.Type]bool{}
				return
			}
		}
	}
}

// within reports whether values of type t hold the struct or lead to it, or may:
// by an interface that it implements, or a type parameter.
func (s Struct) within(t types.Type) (is bool) {
	if is, ok := s.known[t]; ok {
		return is
	}
	defer func() { s.known[t] = is }()
	for t := range uses.LeadsTo(t, 5) {
		if s.is(t) {
			return true
		}
		if _, ok := t.(*types.TypeParam); ok {
			if s.generic {
				return true
			}
			continue
		}
		// One without methods is looked at where it gets its value.
		if u, ok := t.Underlying().(*types.Interface); ok && s.Name != nil && !u.Empty() && types.Implements(types.NewPointer(s.Name.Type()), u) {
			return true
		}
	}
	return false
}

// Raw reports whether the address of an expression is taken in a file that may
// go on from it to what lies beside.
func Raw(e inspector.Cursor) bool {
	u, ok := e.Parent().Node().(*ast.UnaryExpr)
	if !ok || u.Op != token.AND {
		return false
	}
	for c := range e.Enclosing((*ast.File)(nil)) {
		return raw(c.Node().(*ast.File))
	}
	return false
}

// raw reports whether a file may know what lies where.
func raw(f *ast.File) bool {
	for _, spec := range f.Imports {
		if p, _ := strconv.Unquote(spec.Path.Value); p == "unsafe" || p == "C" {
			return true
		}
	}
	return false
}

// Sized reports whether values of type t have one size: not if it depends on a
// type parameter, for which go/types has no answer.
func Sized(t types.Type) bool {
	switch u := types.Unalias(t).(type) {
	case *types.TypeParam:
		return false
	case *types.Named:
		return Sized(u.Underlying())
	case *types.Array:
		return Sized(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if !Sized(f.Type()) {
				return false
			}
		}
	}
	return true
}
