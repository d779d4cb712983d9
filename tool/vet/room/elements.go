package room

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Large is why an array is left.
const Large = "the array would fill more than 1 MiB"

// TooLarge reports whether an array with a line for each element is more than memory
// should bear.
func TooLarge(t types.Type) bool {
	a, ok := uses.Deref(t).Underlying().(*types.Array)
	return ok && a.Len() > 1<<20/layout.Line
}

// Elements is the move of the elements of v that a check offers. It is v alone,
// unless code elsewhere may use it, or look at what it is a field of.
func Elements(x *uses.Index, v *types.Var) *Move {
	m := &Move{Index: x, Elements: true, Allow: func(v *types.Var) (why string, at token.Pos) {
		if why := x.Unseen(v); why != "" {
			return why, v.Pos()
		}
		if TooLarge(v.Type()) {
			return Large, v.Pos()
		}
		for _, use := range x.Of(v) {
			if st, ok := layout.Around(x, use); ok && v.IsField() && x.Declares(use) {
				return st.Shown(x)
			}
		}
		return "", token.NoPos
	}}
	m.Join(v)
	return m
}

// Declare returns a type for elements that takes a cache line and the edits that
// declare it before the declaration that home is in. Names has those that are taken.
func Declare(names rewrite.Names, pkg *types.Package, home inspector.Cursor, elem types.Type, size int64) (t Type, edits []analysis.TextEdit) {
	decl := uses.Top(home)
	file := decl.Parent().Node().(*ast.File)
	var name, field string
	elem = types.Unalias(elem)
	if n, ok := elem.(*types.Named); ok && n.Obj().Pkg() == pkg {
		name = n.Obj().Name()
		t.Field, field = "n", "n "+name
	} else if ok {
		o := n.Obj()
		from, more := rewrite.Import(pkg, file, o.Pkg().Path(), decl.Node().Pos())
		edits = more
		t.Field, t.Embedded = o.Name(), true
		name, field = o.Name(), from+"."+o.Name()
		if o.Pkg().Name() == "atomic" {
			name = "Atomic" + name
		}
	} else {
		t.Field, name, field = "n", elem.String(), "n "+elem.String()
	}
	t.Name = names.Fresh(pkg, file, "padded"+rewrite.Title(name))
	text := fmt.Sprintf("// No two of %[1]s share a cache line.\ntype %[1]s struct {\n\t%[2]s\n\t_ [%[3]d]byte\n}\n\n", t.Name, field, layout.Line-size)
	return t, append(edits, rewrite.Insert(rewrite.Begin(decl.Node().(ast.Decl)), text))
}
