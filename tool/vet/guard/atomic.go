package guard

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A word is how a value is kept in an atomic of package sync/atomic.
type word struct {
	typ      types.Type // of the value
	name     string     // of the atomic: Int64, Pointer
	holds    string     // what Load returns if that is not typ, as for an int in an Int64
	unsigned bool
	adds     bool
}

var words = map[types.BasicKind]word{
	types.Bool:    {name: "Bool"},
	types.Int:     {name: "Int64", holds: "int64", adds: true},
	types.Int32:   {name: "Int32", adds: true},
	types.Int64:   {name: "Int64", adds: true},
	types.Uint:    {name: "Uint64", holds: "uint64", adds: true, unsigned: true},
	types.Uint32:  {name: "Uint32", adds: true, unsigned: true},
	types.Uint64:  {name: "Uint64", adds: true, unsigned: true},
	types.Uintptr: {name: "Uintptr", adds: true, unsigned: true},
}

// wordOf returns how values of type t are kept; ok is false for those that are
// no word.
func wordOf(t types.Type) (w word, ok bool) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		w, ok = words[u.Kind()]
		if _, basic := types.Unalias(t).(*types.Basic); ok && !basic && w.holds == "" {
			w.holds = u.Name() // a named type
		}
	case *types.Pointer:
		if types.Unalias(t) != u {
			return w, false
		}
		w, ok = word{name: "Pointer"}, true
	}
	w.typ = t
	return w, ok
}

// Atomic makes a word that the lock guards alone an atomic, or the elements of
// an array of such. It takes the lock away from the sections that use it.
func (l *Lock) Atomic(v *types.Var) (edits []analysis.TextEdit, why string, at token.Pos) {
	if why, at := l.Alone(v); why != "" {
		return nil, why, at
	}
	t := v.Type()
	a, array := types.Unalias(t).(*types.Array)
	if array {
		t = a.Elem()
	}
	w, ok := wordOf(t)
	if !ok {
		return nil, NotMeant, 0
	}
	uses := map[*section.Section]int{}
	for _, p := range l.Places(v) {
		if p.In != nil {
			if uses[p.In]++; uses[p.In] > 1 {
				return nil, "a section uses " + v.Name() + " twice", p.Node().Pos()
			}
		}
		more, why := l.word(p, w, array)
		if why != "" {
			return nil, why, p.Node().Pos()
		}
		edits = append(edits, more...)
	}
	all := true
	for _, s := range l.Sections {
		e := l.Does[s]
		switch {
		case !e.Touches(v):
			all = false
			continue
		case len(e.Calls) > 0:
			return nil, "a section does more", e.Calls[0].Pos()
		case len(e.Indirect) > 0:
			return nil, "a section writes more", e.Indirect[0].Pos()
		case uses[s] == 0:
			return nil, "a section uses " + v.Name() + " in a way that does not show", s.Enter.Node().Pos()
		}
		edits = append(edits, l.Unlocked(s)...)
	}
	if all {
		more, why := l.Undeclare()
		if why != "" {
			return nil, why, l.Var.Pos()
		}
		edits = append(edits, more...)
	}
	if a := l.zero(v); a != nil && !array {
		pkg, imports := l.sync(a.Pos())
		return append(append(edits, imports...), rewrite.Replace(a, "var "+v.Name()+" "+pkg+"."+w.name)), "", 0
	}
	more, why, at := l.Declared(v, func(typ ast.Expr) []analysis.TextEdit {
		pkg, imports := l.sync(typ.Pos())
		if arr, ok := typ.(*ast.ArrayType); ok && array {
			typ = arr.Elt
		} else if array {
			return nil
		}
		text := pkg + "." + w.name
		if p, ok := typ.(*ast.StarExpr); ok {
			text += "[" + rewrite.Text(l.Pass.Fset, p.X) + "]"
		}
		return append(imports, rewrite.Replace(typ, text))
	})
	switch {
	case why != "":
		return nil, why, at
	case len(more) == 0:
		return nil, "its type is not written as an array", v.Pos()
	}
	return append(edits, more...), "", 0
}

// sync imports package sync/atomic for a place.
func (l *Lock) sync(at token.Pos) (name string, imports []analysis.TextEdit) {
	for _, f := range l.Pass.Files {
		if f.FileStart <= at && at < f.FileEnd {
			return rewrite.Import(l.Pass.Pkg, f, "sync/atomic", at)
		}
	}
	panic("guard: a place outside the files of the package")
}

// word rewrites one use of the value.
func (l *Lock) word(p Place, w word, array bool) (edits []analysis.TextEdit, why string) {
	before, after := w.to()
	if p.ParentEdgeKind() == edge.KeyValueExpr_Key {
		return l.Settle(p.Parent(), func(field, value string) string {
			if array {
				return "for i, v := range " + value + " {\n" + field + "[i].Store(" + before + "v" + after + ")\n}"
			}
			return field + ".Store(" + before + value + after + ")"
		})
	}
	e := p.Cursor
	if array {
		switch e.ParentEdgeKind() {
		case edge.IndexExpr_X:
			e = e.Parent()
		case edge.RangeStmt_X:
			if e.Parent().Node().(*ast.RangeStmt).Value == nil {
				return nil, ""
			}
			return nil, "a loop copies its elements"
		case edge.CallExpr_Args:
			if id, ok := e.Parent().Node().(*ast.CallExpr).Fun.(*ast.Ident); ok && id.Name == "len" {
				return nil, ""
			}
			return nil, "it is used as a whole"
		default:
			return nil, "it is used as a whole"
		}
	}
	x := e.Node().(ast.Expr)
	switch e.ParentEdgeKind() {
	case edge.AssignStmt_Lhs:
		s := e.Parent().Node().(*ast.AssignStmt)
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
			return nil, "it is assigned together with others"
		}
		value := s.Rhs[0]
		switch {
		case s.Tok == token.ASSIGN:
			return Method(x, value, "Store", before, after), ""
		case s.Tok == token.ADD_ASSIGN && w.adds:
			return Method(x, value, "Add", before, after), ""
		case s.Tok == token.SUB_ASSIGN && w.adds && (!w.unsigned || l.Uses.Info.Types[value].Value == nil):
			if before == "" {
				before, after = "(", ")"
			}
			return Method(x, value, "Add", "-"+before, after), ""
		}
		return nil, "it is changed by " + s.Tok.String()
	case edge.IncDecStmt_X:
		s := e.Parent().Node().(*ast.IncDecStmt)
		by := "1"
		if s.Tok == token.DEC {
			by = "-1"
			if w.unsigned {
				by = "^" + w.value() + "(0)"
			}
		}
		return []analysis.TextEdit{{Pos: x.End(), End: s.End(), NewText: []byte(".Add(" + by + ")")}}, ""
	}
	if uses.Written(e) {
		return nil, "its address is taken, or a loop sets it"
	}
	if part, whole := uses.Elements(e); !whole && uses.Written(part) && w.name != "Pointer" {
		return nil, "a part of it is written"
	}
	if w.holds != "" {
		name, imports := l.typeName(p, w.typ)
		return append(imports, rewrite.Insert(x.Pos(), name+"("), rewrite.Insert(x.End(), ".Load())")), ""
	}
	return []analysis.TextEdit{rewrite.Insert(x.End(), ".Load()")}, ""
}

// Method makes an assignment a call of a method of x. The value stays where it
// is, as it may hold other places.
func Method(x, value ast.Expr, name, before, after string) []analysis.TextEdit {
	return []analysis.TextEdit{
		{Pos: x.End(), End: value.Pos(), NewText: []byte("." + name + "(" + before)},
		rewrite.Insert(value.End(), after+")"),
	}
}

// typeName writes a type as it is known at a place.
func (l *Lock) typeName(p Place, t types.Type) (name string, imports []analysis.TextEdit) {
	name = types.TypeString(t, func(pkg *types.Package) string {
		if pkg == l.Pass.Pkg {
			return ""
		}
		as, more := rewrite.Import(l.Pass.Pkg, rewrite.File(l.Pass, p.Node().Pos()), pkg.Path(), p.Node().Pos())
		imports = append(imports, more...)
		return as
	})
	return name, imports
}

// to is what converts a value to what the atomic holds, before and after it.
func (w word) to() (before, after string) {
	if w.holds != "" {
		return w.holds + "(", ")"
	}
	return "", ""
}

func (w word) value() string {
	if w.holds != "" {
		return w.holds
	}
	return w.typ.Underlying().(*types.Basic).Name()
}
