package rwtiny

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/guard"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// cowType is declared once in a package.
const cowType = `// A %[1]s is a value that is replaced as a whole. What it holds must not be
// written to once it is stored.
type %[1]s[T any] struct{ p %[2]s.Pointer[T] }

func (s *%[1]s[T]) load() (v T) {
	if p := s.p.Load(); p != nil {
		return *p
	}
	return v
}

func (s *%[1]s[T]) store(v T) { s.p.Store(&v) }

`

// copies says which functions copy the whole of a value with an edit, which did not.
type copies struct {
	v  *types.Var
	by []*ast.FuncDecl
}

func (c copies) String() string {
	if len(c.by) == 0 {
		return ""
	}
	return shape.Slower(c.by, "copies all of "+c.v.Name())
}

// cow keeps a map, slice, string or struct that the lock guards alone behind an
// atomic pointer: readers take what is there, and writers, still one at a time,
// change a copy and put it in place.
func (c *check) cow(read *section.Section) (edits []analysis.TextEdit, why string, at token.Pos) {
	v, why, at := c.value(read)
	if why != "" {
		return nil, why, at
	}
	if !v.IsField() && v.Parent() != c.Pass.Pkg.Scope() {
		return nil, guard.NotMeant, 0
	}
	if why, at := c.Alone(v); why != "" {
		return nil, why, at
	}
	clone := ""
	switch u := v.Type().Underlying().(type) {
	case *types.Map:
		clone = "maps"
	case *types.Slice:
		clone = "slices"
	case *types.Basic:
		if u.Kind() != types.String {
			return nil, guard.NotMeant, 0
		}
	case *types.Struct, *types.Array:
	default:
		return nil, guard.NotMeant, 0
	}
	if go_ := c.Pass.Pkg.GoVersion(); go_ != "" && version.Compare(go_, "go1.21") < 0 {
		return nil, "it needs Go 1.21", v.Pos()
	}
	w := writers{check: c, v: v, clone: clone}
	by := map[*section.Section][]guard.Place{}
	for _, p := range c.Places(v) {
		if p.In != nil {
			by[p.In] = append(by[p.In], p)
			continue
		}
		more, why := w.elsewhere(p)
		if why != "" {
			return nil, why, p.Node().Pos()
		}
		edits = append(edits, more...)
	}
	written := false
	for _, s := range c.Sections {
		e := c.Does[s]
		if !e.Touches(v) {
			continue
		}
		section := w.read
		if e.Writes[v] {
			section, written = w.write, true
		}
		more, why, at := section(s, by[s])
		if why != "" {
			return nil, why, at
		}
		edits = append(edits, more...)
	}
	if !written {
		return nil, guard.NotMeant, 0
	}
	home := c.home()
	f := rewrite.File(c.Pass, home.Node().Pos())
	name := rewrite.Fresh(c.Pass.Pkg, f, "snapshot")
	pkg, imports := rewrite.Import(c.Pass.Pkg, f, "sync/atomic", home.Node().Pos())
	edits = append(edits, imports...)
	edits = append(edits, rewrite.Insert(rewrite.Begin(home.Node()), fmt.Sprintf(cowType, name, pkg)))
	more, why, at := c.Declared(v, func(typ ast.Expr) []analysis.TextEdit {
		return []analysis.TextEdit{rewrite.Insert(typ.Pos(), name+"["), rewrite.Insert(typ.End(), "]")}
	})
	return append(edits, more...), why, at
}

// home is the first declaration of the package that declares a lock: all edits
// of this kind declare their type there, so that they go together.
func (c *check) home() inspector.Cursor {
	for _, l := range c.in.Locks {
		for _, use := range c.Uses.Of(l.Var) {
			if c.Uses.Declares(use) {
				for use.ParentEdgeKind() != edge.File_Decls {
					use = use.Parent()
				}
				return use
			}
		}
	}
	panic("rwtiny: no lock is declared")
}

// writers rewrites the uses of a value that is replaced as a whole.
type writers struct {
	*check
	v     *types.Var
	clone string // package whose Clone copies it; "" if an assignment does
}

// read takes the lock from a section that only reads. What it reads more than
// once it takes once.
func (w writers) read(s *section.Section, places []guard.Place) (edits []analysis.TextEdit, why string, at token.Pos) {
	if len(places) == 0 {
		return nil, "a section uses " + w.v.Name() + " in a way that does not show", s.Enter.Node().Pos()
	}
	for _, p := range places {
		if why := w.part(p); why != "" {
			return nil, why, p.Node().Pos()
		}
	}
	drop := w.Unlocked(s)
	if len(places) == 1 && !looped(places[0], s) {
		return append(drop, rewrite.Insert(places[0].Node().End(), ".load()")), "", 0
	}
	// The lock's place is where the value is taken.
	name, why, at := w.local(s, places)
	if why != "" {
		return nil, why, at
	}
	for i, e := range drop {
		if e.Pos <= s.Enter.Node().Pos() && s.Enter.Node().End() <= e.End {
			drop[i] = rewrite.Replace(s.Enter.Node(), name+" := "+rewrite.Text(w.Pass.Fset, places[0].Node())+".load()")
		}
	}
	for _, p := range places {
		drop = append(drop, rewrite.Replace(p.Node(), name))
	}
	return drop, "", 0
}

// write lets a section change a copy, which is put in place after the last
// change.
func (w writers) write(s *section.Section, places []guard.Place) (edits []analysis.TextEdit, why string, at token.Pos) {
	if s.Read {
		return nil, "a reader writes", s.Enter.Node().Pos()
	}
	if len(places) == 0 {
		return nil, "a section uses " + w.v.Name() + " in a way that does not show", s.Enter.Node().Pos()
	}
	first, last, inPlace := -1, -1, false
	for _, p := range places {
		part, whole := uses.Elements(p.Cursor)
		set := uses.Written(part) || w.argument(p.Cursor, "delete", "clear", "copy", "append")
		if !set {
			if why := w.part(p); why != "" {
				return nil, why, p.Node().Pos()
			}
			continue
		}
		if part.ParentEdgeKind() == edge.UnaryExpr_X {
			return nil, "the address of an element is taken", p.Node().Pos()
		}
		inPlace = inPlace || !whole || !uses.Written(part)
		for i, stmt := range s.Stmts {
			if stmt.Contains(p.Cursor) {
				if first < 0 {
					first = i
				}
				last = max(last, i)
			}
		}
	}
	if len(places) == 1 && !inPlace { // s.m = x
		a, ok := places[0].Parent().Node().(*ast.AssignStmt)
		if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 || a.Tok != token.ASSIGN {
			return nil, "it is assigned together with others", places[0].Node().Pos()
		}
		return guard.Method(a.Lhs[0], a.Rhs[0], "store", "", ""), "", 0
	}
	for i, stmt := range s.Stmts {
		if i < first || i > last {
			continue
		}
		if l := rewrite.Leaves(w.Uses.Info, stmt.Node(), false); len(l) > 0 {
			return nil, "a section may be left after a change by " + l[0].How, l[0].Pos
		}
	}
	name, why, at := w.local(s, places)
	if why != "" {
		return nil, why, at
	}
	x := rewrite.Text(w.Pass.Fset, places[0].Node())
	copied := x + ".load()"
	if inPlace && w.clone != "" {
		pkg, imports := rewrite.Import(w.Pass.Pkg, rewrite.File(w.Pass, s.Enter.Node().Pos()), w.clone, s.Enter.Node().Pos())
		edits = append(edits, imports...)
		copied = pkg + ".Clone(" + copied + ")"
		if d := uses.Decl(s.Enter); d != nil && !slices.Contains(w.copies.by, d) {
			w.copies = copies{w.v, append(w.copies.by, d)}
		}
	}
	after := s.Enter.Node()
	if s.Deferred {
		after = s.Leave.Node()
	}
	edits = append(edits,
		rewrite.Insert(after.End(), "\n"+name+" := "+copied),
		rewrite.Insert(s.Stmts[last].Node().End(), "\n"+x+".store("+name+")"))
	for _, p := range places {
		edits = append(edits, rewrite.Replace(p.Node(), name))
	}
	return edits, "", 0
}

// elsewhere rewrites a use outside the sections, where nobody else can see the
// value yet, or any more.
func (w writers) elsewhere(p guard.Place) (edits []analysis.TextEdit, why string) {
	if p.ParentEdgeKind() == edge.KeyValueExpr_Key {
		return w.Settle(p.Parent(), func(field, value string) string { return field + ".store(" + value + ")" })
	}
	part, whole := uses.Elements(p.Cursor)
	load := []analysis.TextEdit{rewrite.Insert(p.Node().End(), ".load()")}
	switch {
	case !uses.Written(part):
		if w.argument(p.Cursor, "delete", "clear", "copy") {
			return load, ""
		}
		return load, w.part(p)
	case part.ParentEdgeKind() == edge.UnaryExpr_X:
		return nil, "its address is taken"
	case !whole && w.clone != "":
		return load, ""
	case !whole:
		return nil, "a part of it is written without the lock"
	}
	a, ok := p.Parent().Node().(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 || a.Tok != token.ASSIGN {
		return nil, "it is assigned together with others"
	}
	return guard.Method(a.Lhs[0], a.Rhs[0], "store", "", ""), ""
}

// part returns why a read of the value could let it go elsewhere and be written
// there: maps and slices are read by part.
func (w writers) part(p guard.Place) (why string) {
	if w.clone == "" {
		return ""
	}
	switch p.ParentEdgeKind() {
	case edge.IndexExpr_X, edge.RangeStmt_X:
		return ""
	case edge.BinaryExpr_X, edge.BinaryExpr_Y: // nil
		return ""
	case edge.CallExpr_Args:
		call := p.Parent().Node().(*ast.CallExpr)
		switch id, _ := ast.Unparen(call.Fun).(*ast.Ident); {
		case id == nil:
		case w.argument(p.Cursor, "len", "cap"), w.argument(p.Cursor, "append") && w.appends(p.Parent()):
			return ""
		case id.Name == "append" && call.Args[0] != p.Node() && call.Ellipsis.IsValid():
			return "" // its elements are copied
		}
		if fn := section.Callee(w.Uses.Info, call); fn != nil && flow.Of(w.Pass).Pure(call) == "" && (fn.Name() == "Clone" || fn.Name() == "Contains" || fn.Name() == "Index") {
			return ""
		}
	}
	return w.v.Name() + " is used as a whole"
}

// appends reports whether a call appends to the value for the value itself.
func (w writers) appends(call inspector.Cursor) bool {
	a, ok := call.Parent().Node().(*ast.AssignStmt)
	return ok && len(a.Lhs) == 1 && w.Uses.Var(a.Lhs[0]) == w.v
}

// argument reports whether an expression is the first argument of a builtin.
func (w writers) argument(e inspector.Cursor, names ...string) bool {
	if e.ParentEdgeKind() != edge.CallExpr_Args {
		return false
	}
	call := e.Parent().Node().(*ast.CallExpr)
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := w.Uses.Info.Uses[id].(*types.Builtin)
	return ok && slices.Contains(names, b.Name()) && call.Args[0] == e.Node()
}

// local returns a name for the copy that a section works on. All places have to
// be of one variable.
func (w writers) local(s *section.Section, places []guard.Place) (name, why string, at token.Pos) {
	for _, p := range places[1:] {
		if rewrite.Text(w.Pass.Fset, p.Node()) != rewrite.Text(w.Pass.Fset, places[0].Node()) {
			return "", "a section uses it of several values", p.Node().Pos()
		}
	}
	return w.Name(s, w.v.Name()+"Now"), "", 0
}

// looped reports whether a place is read again and again within its section.
func looped(p guard.Place, s *section.Section) bool {
	for loop := range p.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.FuncLit)(nil)) {
		if slices.ContainsFunc(s.Stmts, func(stmt inspector.Cursor) bool { return stmt.Contains(loop) }) {
			r, ok := loop.Node().(*ast.RangeStmt)
			return !ok || r.X != p.Node()
		}
	}
	return false
}
