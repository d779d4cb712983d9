package shardpad

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// pad returns the edits that give each shard of a table its cache line, or why
// there are none, and where the reason is.
func (c check) pad(t *table, tables []*table) (edits []analysis.TextEdit, why string, at token.Pos) {
	if _, ok := shard(t.elem); ok {
		return c.padStruct(t)
	}
	w, why, at := c.wrap(t)
	if why != "" {
		return nil, why, at
	}
	// Tables of one kind share the new type, so that their edits go together.
	for _, x := range tables {
		if types.Identical(x.elem, t.elem) {
			if _, why, _ := c.wrap(x); why == "" {
				return w.edits(x.at), "", 0
			}
		}
	}
	return w.edits(t.at), "", 0
}

// padStruct fills a struct type up at its end.
func (c check) padStruct(t *table) (edits []analysis.TextEdit, why string, at token.Pos) {
	st, ok := layout.Of(c.Index, t.elem)
	if !ok {
		return nil, "its type is declared elsewhere, or is generic", t.v.Pos()
	}
	if tooLarge(t) {
		return nil, "the array would fill more than 1 MiB", t.v.Pos()
	}
	return st.Fill(c.Index, c.Pkg, c.Fset, c.TypesSizes.Sizeof(t.elem))
}

// A wrap collects what has to change for elements to get a type of their own.
type wrap struct {
	check
	*table
	plain    bool               // elements are numbers
	elts     []ast.Expr         // element types
	elements []inspector.Cursor // index expressions
}

// wrap finds what has to change for the elements of a table to get a type with
// room, or why they cannot.
func (c check) wrap(t *table) (w *wrap, why string, at token.Pos) {
	w = &wrap{check: c, table: t}
	switch elem := t.elem.(type) {
	case *types.Basic:
		w.plain = true
	case *types.Named:
		if p := elem.Obj().Pkg(); p == nil || p.Path() != "sync" && p.Path() != "sync/atomic" {
			return nil, "its elements are of a type of their own", t.v.Pos()
		}
	default:
		return nil, "its elements are of a type of their own", t.v.Pos()
	}
	if why := c.Unseen(t.v); why != "" {
		return nil, why, t.v.Pos()
	}
	if tooLarge(t) {
		return nil, "the array would fill more than 1 MiB", t.v.Pos()
	}
	if st, ok := layout.Around(c.Index, t.at); ok && t.v.IsField() {
		if why, at := st.Shown(c.Index); why != "" {
			return nil, why, at
		}
	}
	for _, use := range c.Of(t.v) {
		if why := w.use(use); why != "" {
			return nil, why, use.Node().Pos()
		}
	}
	return w, "", 0
}

// edits declares the type before the declaration that home is in, and uses it.
func (w *wrap) edits(home inspector.Cursor) (edits []analysis.TextEdit) {
	decl := home
	for decl.ParentEdgeKind() != edge.File_Decls {
		decl = decl.Parent()
	}
	file := decl.Parent().Node().(*ast.File)
	var name, field, inner string
	if w.plain {
		inner = "n"
		name, field = w.elem.String(), "n "+w.elem.String()
	} else {
		o := w.elem.(*types.Named).Obj()
		pkg, more := rewrite.Import(w.Pkg, file, o.Pkg().Path(), decl.Node().Pos())
		edits = more
		inner = o.Name()
		name, field = o.Name(), pkg+"."+o.Name()
		if o.Pkg().Name() == "atomic" {
			name = "Atomic" + name
		}
	}
	name = rewrite.Fresh(w.Pkg, file, "padded"+strings.ToUpper(name[:1])+name[1:])
	room := layout.Line - w.TypesSizes.Sizeof(w.elem)
	edits = append(edits, rewrite.Insert(rewrite.Begin(decl.Node().(ast.Decl)), fmt.Sprintf("// A %[1]s fills a cache line.\ntype %[1]s struct {\n\t%[2]s\n\t_ [%[3]d]byte\n}\n\n", name, field, room)))
	for _, e := range w.elts {
		edits = append(edits, rewrite.Replace(e, name))
	}
	for _, at := range w.elements {
		if w.plain || at.ParentEdgeKind() != edge.SelectorExpr_X {
			edits = append(edits, rewrite.Insert(at.Node().End(), "."+inner))
		}
	}
	return edits
}

// use enters one use of the table, or says why it cannot change.
func (w *wrap) use(at inspector.Cursor) (why string) {
	const whole = "it is used as a whole"
	if at == w.at {
		return w.declaration(at)
	}
	if at.ParentEdgeKind() == edge.KeyValueExpr_Key {
		return w.value(at.Parent().Node().(*ast.KeyValueExpr).Value)
	}
	e := uses.Whole(at)
	switch e.ParentEdgeKind() {
	case edge.IndexExpr_X:
		if layout.Raw(e.Parent()) {
			return "the address of an element is taken beside package unsafe"
		}
		w.elements = append(w.elements, e.Parent())
		return ""
	case edge.RangeStmt_X:
		if r := e.Parent().Node().(*ast.RangeStmt); r.Value == nil {
			return ""
		}
		return "a loop copies its elements"
	case edge.CallExpr_Args:
		call := e.Parent().Node().(*ast.CallExpr)
		if b, ok := w.Info.Uses[callee(call)].(*types.Builtin); ok && (b.Name() == "len" || b.Name() == "cap" || b.Name() == "clear") {
			return ""
		}
		return "it is handed to " + types.ExprString(call.Fun)
	case edge.AssignStmt_Lhs:
		a := e.Parent().Node().(*ast.AssignStmt)
		if len(a.Lhs) == len(a.Rhs) {
			return w.value(a.Rhs[slices.Index(a.Lhs, e.Node().(ast.Expr))])
		}
	}
	return whole
}

func (w *wrap) declaration(at inspector.Cursor) (why string) {
	switch d := at.Parent().Node().(type) {
	case *ast.Field:
		if at.Parent().Parent().ParentEdgeKind() != edge.StructType_Fields {
			return "it is a parameter"
		}
		if len(d.Names) > 1 {
			return "it is declared together with others"
		}
		return w.typ(d.Type)
	case *ast.ValueSpec:
		if len(d.Names) > 1 {
			return "it is declared together with others"
		}
		if d.Type != nil {
			why = w.typ(d.Type)
		}
		if why == "" && len(d.Values) == 1 {
			why = w.value(d.Values[0])
		}
		return why
	case *ast.AssignStmt:
		if len(d.Lhs) == len(d.Rhs) {
			return w.value(d.Rhs[slices.Index(d.Lhs, at.Node().(ast.Expr))])
		}
	}
	return "a call with several results or a loop sets it"
}

// value changes what sets the table: make, an empty literal, nil.
func (w *wrap) value(e ast.Expr) (why string) {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		if b, ok := w.Info.Uses[callee(e)].(*types.Builtin); ok && b.Name() == "make" {
			return w.typ(e.Args[0])
		}
	case *ast.CompositeLit:
		if len(e.Elts) == 0 {
			return w.typ(e.Type)
		}
		return "a literal gives it values"
	case *ast.Ident:
		if w.Info.Types[e].IsNil() {
			return ""
		}
	}
	return "its elements come from " + types.ExprString(e)
}

func (w *wrap) typ(e ast.Expr) (why string) {
	a, ok := e.(*ast.ArrayType)
	if !ok {
		return "its type is not written as a slice or array"
	}
	w.elts = append(w.elts, a.Elt)
	return ""
}

// tooLarge reports whether the padded array is more than memory should bear.
func tooLarge(t *table) bool {
	a, ok := uses.Deref(t.v.Type()).Underlying().(*types.Array)
	return ok && !t.pointer && a.Len() > large/layout.Line
}
