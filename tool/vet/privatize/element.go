package privatize

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

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A field is one of the object that is added to, or that has such.
type field struct {
	v     *types.Var
	path  string       // how it is written after the name of the object
	kids  []*field     // of a struct
	by    string       // the function of sync/atomic that adds
	sized bool         // a slice, of whose elements each is added to
	lazy  bool         // a map that is made when it is needed
	set   string       // what all elements of a map become
	sub   *object      // what stands for it, which has methods of its own
	key   types.Type   // of a sync.Map, what it is asked for
	val   types.Type   // of a sync.Map, what it has
	elem  []*types.Var // of what the elements of a map point to, what is added to
}

// at returns the field that a path leads to, nil if another leads to a part of it, or
// to what it is a part of.
func (f *field) at(path []*types.Var) *field {
	for i, v := range path {
		j := slices.IndexFunc(f.kids, func(k *field) bool { return k.v == v })
		if j < 0 {
			j = len(f.kids)
			f.kids = append(f.kids, &field{v: v, path: f.path + "." + v.Name()})
		} else if (i+1 < len(path)) != (len(f.kids[j].kids) > 0) {
			return nil
		}
		f = f.kids[j]
	}
	return f
}

// ends are the fields that have no others.
func (f *field) ends() (all []*field) {
	for _, k := range f.kids {
		if len(k.kids) == 0 {
			all = append(all, k)
		}
		all = append(all, k.ends()...)
	}
	return all
}

// hashed reports whether a field is a map, or a sync.Map.
func (f *field) hashed() bool { return f.key != nil || uses.Under[*types.Map](f.v.Type()) }

// points returns the struct of the package that the elements of a map are, or point to;
// nil for other maps.
func (m *method) points(f *field) *types.Struct {
	t := f.val
	if mt, ok := f.v.Type().Underlying().(*types.Map); ok {
		t = mt.Elem()
	}
	n := uses.Named(t)
	if n == nil || !m.Uses.Owns(n.Obj().Pkg()) || n.TypeParams().Len() > 0 {
		return nil
	}
	st, _ := n.Underlying().(*types.Struct)
	return st
}

// holds reports whether a field is a map of what can be added to: such structs, atomics.
func (m *method) holds(v *types.Var) bool {
	t, ok := v.Type().Underlying().(*types.Map)
	return ok && (m.points(&field{v: v}) != nil || uses.Under[*types.Pointer](t.Elem()) && atomicOf(uses.Deref(t.Elem())) != "")
}

// An elem is what a statement adds to in an element: p.n, p.n[i], p for an atomic, or
// that of p.(*S).
type elem struct {
	f       *field     // of the object
	v       *types.Var // of the element, nil for the whole
	id      *ast.Ident
	indexes []ast.Expr
}

// elem returns what an expression stands for, f is nil if that is no part of an element.
func (m *method) elem(e ast.Expr) (x elem) {
	e, x.indexes = indexed(e)
	if len(x.indexes) > 0 && beyond(m.Pass.TypesInfo.TypeOf(e), len(x.indexes)) > 0 {
		return elem{}
	}
	if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
		v, ok := m.selected(sel, types.FieldVal).(*types.Var)
		if !ok {
			return elem{}
		}
		x.v, e = v.Origin(), sel.X
	}
	if t, ok := ast.Unparen(e).(*ast.TypeAssertExpr); ok {
		e = t.X
	}
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		x.f = m.gotten(call)
		return x
	}
	x.id, _ = ast.Unparen(e).(*ast.Ident)
	x.f = m.elems[loop.Var(m.Pass.TypesInfo, e)]
	return x
}

// addsTo enters that a statement adds to a part of an element.
func (m *method) addsTo(n ast.Node, x elem, op token.Token, operands ...ast.Expr) bool {
	m.operands = append(append(m.operands, x.indexes...), operands...)
	m.take(n, x.id)
	if !slices.Contains(x.f.elem, x.v) {
		x.f.elem = append(x.f.elem, x.v)
	}
	return x.v == nil || m.grow(n, x.v, op)
}

// within takes a call of a method of an element, which adds to numbers of that.
func (m *method) within(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return true
	}
	fn, _ := m.selected(sel, types.MethodVal).(*types.Func)
	x := m.elem(sel.X)
	if fn == nil || x.f == nil || x.v != nil || m.points(x.f) == nil {
		return true
	}
	in := &object{Loop: m.Loop, pkg: m.pkg, typ: uses.Named(m.Pass.TypesInfo.TypeOf(sel.X)), place: m.place, fields: &field{}, adds: m.adds}
	m.inner = append(m.inner, in)
	m.operands = append(m.operands, call.Args...)
	m.take(call, x.id)
	if !in.method(fn.Origin(), call, m.held, false) {
		return m.refuse(at(in.at), "%s", in.why)
	}
	m.floats = m.floats || in.floats
	for _, k := range in.fields.kids {
		if k.by != "" || !number(k.v.Type()) && atomicOf(k.v.Type()) == "" {
			return m.refuse(call, "%s adds to more than numbers", sel.Sel.Name)
		}
		if !slices.Contains(x.f.elem, k.v) {
			x.f.elem = append(x.f.elem, k.v)
		}
	}
	return in.locked == nil || m.refuse(call, "%s takes a lock of the element", sel.Sel.Name)
}

// loaded takes what asks a sync.Map for an element first, with what makes it:
//
//	p, ok := t.m.Load(k)
//	if !ok { p, _ = t.m.LoadOrStore(k, &S{…}) }
func (m *method) loaded(n *ast.AssignStmt, v *types.Var, call *ast.CallExpr) bool {
	info, at := m.Pass.TypesInfo, ast.Unparen(call.Fun).(*ast.SelectorExpr).X
	c, _ := m.Find(n)
	next, _ := c.NextSibling()
	st, ok := next.Node().(*ast.IfStmt)
	if !ok || len(n.Lhs) != 2 || st.Init != nil || st.Else != nil || len(st.Body.List) != 1 {
		return m.refuse(n, "an element of a sync.Map is asked for in another way")
	}
	is := loop.Var(info, n.Lhs[1])
	not, _ := ast.Unparen(st.Cond).(*ast.UnaryExpr)
	put, _ := st.Body.List[0].(*ast.AssignStmt)
	if not == nil || not.Op != token.NOT || is == nil || loop.Var(info, not.X) != is || len(m.Uses.Of(is)) > 2 || put == nil || put.Tok != token.ASSIGN || loop.Var(info, put.Lhs[0]) != v {
		return m.refuse(st, "what is done depends on whether the element is there")
	}
	made, _ := ast.Unparen(put.Rhs[0]).(*ast.CallExpr)
	if made == nil || !spawn.IsMethod(section.Callee(info, made), "sync", "Map", "LoadOrStore") || !same(info, at, ast.Unparen(made.Fun).(*ast.SelectorExpr).X) || !same(info, call.Args[0], made.Args[0]) {
		return m.refuse(put, "another element of a sync.Map is made")
	}
	m.take(n, m.spot(at).id, put.Lhs[0].(*ast.Ident))
	return m.fixed(call.Args[0]) && m.mapped(put, v, made, n.Pos(), st.End())
}

// mapped takes p, _ := t.m.LoadOrStore(k, &S{…}) of a sync.Map. The text between two
// positions makes the element.
func (m *method) mapped(n *ast.AssignStmt, v *types.Var, call *ast.CallExpr, from, to token.Pos) bool {
	info := m.Pass.TypesInfo
	said, _ := n.Lhs[len(n.Lhs)-1].(*ast.Ident)
	s := m.spot(ast.Unparen(call.Fun).(*ast.SelectorExpr).X)
	key, made := call.Args[0], call.Args[1]
	t, ok := info.TypeOf(made).(*types.Pointer)
	if s.id == nil || len(n.Lhs) != 2 || said == nil || said.Name != "_" || !ok || types.IsInterface(info.TypeOf(key)) {
		return m.refuse(n, "an element of a sync.Map is made in another way")
	}
	if c, ok := m.Find(n); !ok || !uses.Listed(c) {
		return m.refuse(n, "an element of a sync.Map is made within a statement")
	}
	f, ok := m.grows(n, s, token.ADD, key)
	if !ok {
		return false
	}
	if f.key != nil && (!types.Identical(f.key, info.TypeOf(key)) || !types.Identical(f.val, t)) {
		return m.refuse(n, "%s has elements of several types", f.v.Name())
	}
	f.key, f.val = info.TypeOf(key), t
	m.assume("the elements of " + f.v.Name() + " are of one type")
	m.elems[v] = f
	name, k, first := v.Name(), rewrite.Text(m.Pass.Fset, key), ""
	if !loop.Chain(key) {
		k = m.names.Fresh(m.Pass.Pkg, m.decl, "key")
		first = k + " := " + rewrite.Text(m.Pass.Fset, key) + "\n"
	}
	at := m.text(ast.Unparen(call.Fun).(*ast.SelectorExpr).X) + "[" + k + "]"
	m.edits = append(m.edits, analysis.TextEdit{Pos: from, End: to,
		NewText: fmt.Appendf(nil, "%[4]s%[1]s := %[2]s\nif %[1]s == nil {\n%[1]s = %[3]s\n%[2]s = %[1]s\n}", name, at, rewrite.Text(m.Pass.Fset, made), first)})
	return m.made(n, f, made)
}

// asserted takes the type of an element of a sync.Map away: that of the part has it.
func (m *method) asserted(n *ast.TypeAssertExpr) bool {
	v := loop.Var(m.Pass.TypesInfo, n.X)
	if f := m.elems[v]; f != nil && f.key != nil {
		if n.Type == nil || !types.Identical(m.Pass.TypesInfo.TypeOf(n.Type), f.val) {
			return m.refuse(n, "%s has elements of several types", f.v.Name())
		}
		m.edits = append(m.edits, rewrite.Replace(n, v.Name()))
	}
	return true
}

// element takes what asks for an element:
//
//	p := t.m[k]   p, ok := t.m[k]   p := t.get(k)
func (m *method) element(n *ast.AssignStmt, lhs, rhs ast.Expr) bool {
	info := m.Pass.TypesInfo
	v := loop.Var(info, lhs)
	if v == nil || n.Tok != token.DEFINE {
		return true
	}
	switch x := rhs.(type) {
	case *ast.IndexExpr:
		s := m.spot(x)
		if s.id == nil || len(s.indexes) != 1 || !m.holds(s.path[len(s.path)-1]) {
			return true
		}
		f, ok := m.grows(n, s, token.ADD)
		if !ok || !m.fixed(x.Index) || !m.guarded(n) {
			return false
		}
		if _, again := m.keys[f]; again {
			return m.refuse(n, "it asks for two elements of %s", f.v.Name())
		}
		m.elems[v], m.keys[f], m.vars[f] = f, x.Index, v
		if uses.Under[*types.Pointer](v.Type()) {
			m.asked[f] = n
		}
		if len(n.Lhs) == 2 {
			m.oks[loop.Var(info, n.Lhs[1])] = f
			m.assume("no element of " + f.v.Name() + " is nil")
		}
	case *ast.CallExpr:
		if fn := section.Callee(info, x); fn != nil && spawn.IsMethod(fn, "sync", "Map", "LoadOrStore") {
			return m.mapped(n, v, x, n.Pos(), n.End())
		} else if fn != nil && spawn.IsMethod(fn, "sync", "Map", "Load") {
			return m.loaded(n, v, x)
		}
		if f := m.gotten(x); f != nil && len(n.Lhs) == 1 {
			m.elems[v] = f
		}
		return m.why == ""
	}
	return true
}

// same reports whether two expressions are the same, of the same variables.
func same(info *types.Info, a, b ast.Expr) bool {
	if types.ExprString(a) != types.ExprString(b) {
		return false
	}
	var objs [2][]types.Object
	for i, e := range []ast.Expr{a, b} {
		ast.Inspect(e, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				objs[i] = append(objs[i], info.Uses[id])
			}
			return true
		})
	}
	return slices.Equal(objs[0], objs[1])
}

// fixed reports whether a key is the same wherever the method has it.
func (m *method) fixed(key ast.Expr) bool {
	ok := true
	ast.Inspect(key, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			ok = false
		case *ast.Ident:
			if v, _ := m.Pass.TypesInfo.Uses[n].(*types.Var); v != nil && !v.IsField() && slices.ContainsFunc(m.Uses.Of(v), func(use inspector.Cursor) bool {
				return !m.Uses.Declares(use) && uses.Written(uses.Whole(use))
			}) {
				ok = false
			}
		}
		return ok
	})
	return ok || m.refuse(key, "%s may be another key later", types.ExprString(key))
}

// made takes a new element, of which nothing is set that is added to.
func (m *method) made(n ast.Node, f *field, e ast.Expr) bool {
	info := m.Pass.TypesInfo
	st := m.points(f)
	switch x := ast.Unparen(e).(type) {
	case *ast.CallExpr: // new(S)
		if loop.Builtin(info, x) == "new" {
			return true
		}
	case *ast.UnaryExpr:
		lit, ok := ast.Unparen(x.X).(*ast.CompositeLit)
		if !ok || x.Op != token.AND || st == nil {
			break
		}
		for i, e := range lit.Elts {
			v := st.Field(min(i, st.NumFields()-1))
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				v, _ = info.Uses[kv.Key.(*ast.Ident)].(*types.Var)
				e = kv.Value
			}
			m.sets, m.operands = append(m.sets, v), append(m.operands, e)
		}
		return true
	}
	return m.refuse(n, "an element of %s is made in another way", f.v.Name())
}

// ifs takes if p == nil { … } and if !ok { … }: the element is made and put into the map,
// and nothing else depends on whether it was there.
func (m *method) ifs(c inspector.Cursor, n *ast.IfStmt) bool {
	if m.lazily(n) {
		return true
	}
	f, id := m.asks(n.Cond)
	if f == nil {
		return true
	}
	info := m.Pass.TypesInfo
	before, ok := c.PrevSibling()
	v := loop.Var(info, id)
	if m.asked[f] == nil || v != m.vars[f] && m.oks[v] == nil || n.Init != nil || n.Else != nil || len(n.Body.List) != 2 || !ok || before.Node() != m.asked[f] {
		return m.refuse(n, "what is done depends on whether the element is there")
	}
	sets := func(s ast.Stmt) (lhs, rhs ast.Expr) {
		if a, ok := s.(*ast.AssignStmt); ok && len(a.Lhs) == 1 && a.Tok == token.ASSIGN {
			return a.Lhs[0], ast.Unparen(a.Rhs[0])
		}
		return nil, nil
	}
	p, made := sets(n.Body.List[0])
	place, kept := sets(n.Body.List[1])
	x, ok := place.(*ast.IndexExpr)
	if !ok || loop.Var(info, p) != m.vars[f] || loop.Var(info, kept) != m.vars[f] || !same(m.Pass.TypesInfo, m.keys[f], x.Index) {
		return m.refuse(n, "an element of %s is made in another way", f.v.Name())
	}
	s := m.spot(x)
	if s.id == nil || m.fields.at(s.path) != f {
		return m.refuse(n, "%s is set, not added to", types.ExprString(x))
	}
	m.take(n.Body.List[0], p.(*ast.Ident))
	m.take(n.Body.List[1], s.id, kept.(*ast.Ident), id)
	m.asked[f] = nil
	return m.made(n, f, made)
}

// lazily takes if t.m == nil { t.m = make(…) }.
func (m *method) lazily(n *ast.IfStmt) bool {
	b, ok := ast.Unparen(n.Cond).(*ast.BinaryExpr)
	if !ok || b.Op != token.EQL || !m.Pass.TypesInfo.Types[b.Y].IsNil() || n.Init != nil || n.Else != nil || len(n.Body.List) != 1 {
		return false
	}
	id, path := m.chain(b.X)
	a, ok := n.Body.List[0].(*ast.AssignStmt)
	if id == nil || len(path) == 0 || !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 {
		return false
	}
	to, same := m.chain(a.Lhs[0])
	call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
	if _, hash := path[len(path)-1].Type().Underlying().(*types.Map); !hash || to == nil || !slices.Equal(path, same) || !ok || loop.Builtin(m.Pass.TypesInfo, call) != "make" {
		return false
	}
	f := m.fields.at(path)
	if f == nil {
		return false
	}
	f.lazy = true
	m.take(b, id)
	m.take(a, to)
	m.operands = append(m.operands, call.Args[1:]...)
	return m.grow(n, f.v, token.ADD)
}

// asks returns the field of whose element a condition says that it is not there.
func (m *method) asks(cond ast.Expr) (*field, *ast.Ident) {
	info := m.Pass.TypesInfo
	switch x := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		if id, ok := ast.Unparen(x.X).(*ast.Ident); ok && x.Op == token.NOT {
			return m.oks[loop.Var(info, id)], id
		}
	case *ast.BinaryExpr:
		id, ok := ast.Unparen(x.X).(*ast.Ident)
		if ok && x.Op == token.EQL && info.Types[x.Y].IsNil() {
			return m.elems[loop.Var(info, id)], id
		}
	}
	return nil, nil
}

// looked reports whether a use of an element is one that returns it, and enters that.
func (m *method) looked(id inspector.Cursor) bool {
	v := m.Pass.TypesInfo.Uses[id.Node().(*ast.Ident)].(*types.Var)
	r, ok := id.Parent().Node().(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 || m.elems[v] == nil || m.elems[v].key != nil {
		return false
	}
	m.gives = m.elems[v]
	return true
}

// text is the type of a field of a part, where the type of the object is declared.
func (p *part) text(f *field) (text string, ok bool) {
	if f.key != nil {
		return rewrite.Type(p.Pass.Pkg, p.file, p.at.Pos(), types.NewMap(f.key, f.val))
	}
	if len(f.kids) > 0 {
		var b strings.Builder
		b.WriteString("struct {\n")
		for _, k := range f.kids {
			text, ok := p.text(k)
			if !ok || k.hashed() || k.sized { // one would have to be made
				return "", false
			}
			fmt.Fprintf(&b, "%s %s\n", k.v.Name(), text)
		}
		return b.String() + "}", true
	}
	for _, use := range p.Uses.Of(f.v) {
		if p.Uses.Declares(use) && use.ParentEdgeKind() == edge.Field_Names && rewrite.File(p.Pass, use.Node().Pos()) == p.file {
			text = rewrite.Text(p.Pass.Fset, use.Parent().Node().(*ast.Field).Type)
		}
	}
	if of := atomicOf(f.v.Type()); of != "" {
		was := text
		text = strings.ReplaceAll(text, "atomic."+of, strings.ToLower(of))
		return text, text != was
	}
	return text, text != ""
}

// atomicOf is the type of sync/atomic that a type is or has as elements, "" if none.
func atomicOf(t types.Type) string {
	switch t := t.Underlying().(type) {
	case *types.Array:
		return atomicOf(t.Elem())
	case *types.Slice:
		return atomicOf(t.Elem())
	}
	for _, name := range []string{"Int32", "Int64", "Uint32", "Uint64"} {
		if uses.Is(t, "sync/atomic", name) {
			return name
		}
	}
	return ""
}

// merge writes how a field of a part is added to that of the object.
func (p *part) merge(b *strings.Builder, f *field, to, from string) bool {
	if f.sub != nil {
		fmt.Fprintf(b, "%s.%s(&%s)\n", from, f.sub.adder(), to)
		return true
	}
	if f.key != nil {
		text, _ := rewrite.Type(p.Pass.Pkg, p.file, p.at.Pos(), f.val)
		fmt.Fprintf(b, "for k, e := range %s {\nif had, ok := %s.LoadOrStore(k, e); ok {\nhave := had.(%s)\n", from, to, text)
		p.elements(b, f)
		b.WriteString("}\n}\n")
		return len(f.elem) > 0
	}
	return p.sum(b, f, f.v.Type(), p.adds[f.v], to, from, 'i')
}

// elements writes how an element e is added to one that is there already.
func (p *part) elements(b *strings.Builder, f *field) {
	for _, v := range f.elem {
		if v == nil && f.by != "" {
			fmt.Fprintf(b, "%s(have, *e)\n", f.by)
		} else if v == nil {
			b.WriteString("have.Add(e.Load())\n")
		} else {
			p.sum(b, nil, v.Type(), p.adds[v], "have."+v.Name(), "e."+v.Name(), 'i')
		}
	}
}

// sum writes how a value of a part is added to one of the object. Values of elements are
// atomics in both, and all are added; of others those that are not 0.
func (p *part) sum(b *strings.Builder, f *field, t types.Type, op token.Token, to, from string, index rune) bool {
	same := f == nil || p.whole != nil && atomicOf(t) != "" // it is atomic in both
	each := func(t types.Type) bool {
		at := fmt.Sprintf("[%c]", index)
		if _, array := t.Underlying().(*types.Array); array || same {
			fmt.Fprintf(b, "for %c := range %s {\n", index, from)
			ok := p.sum(b, f, t, op, to+at, from+at, index+1)
			b.WriteString("}\n")
			return ok
		}
		fmt.Fprintf(b, "for %c, n := range %s {\nif n != 0 {\n", index, from)
		ok := p.sum(b, f, t, op, to+at, "n", index+1)
		b.WriteString("}\n}\n")
		return ok
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return each(u.Elem())
	case *types.Slice:
		if f.sized {
			return each(u.Elem())
		}
		fmt.Fprintf(b, "%s = append(%[1]s, %s...)\n", to, from)
	case *types.Map:
		if f.lazy {
			fmt.Fprintf(b, "if %s == nil && len(%s) > 0 {\n%[1]s = %[2]s\n} else {\n", to, from)
			defer b.WriteString("}\n")
		}
		if number(u.Elem()) && f.set == "" {
			fmt.Fprintf(b, "for k, n := range %s {\n%s[k] += n\n}\n", from, to)
			return true
		}
		if f.set != "" {
			fmt.Fprintf(b, "for k := range %s {\n%s[k] = %s\n}\n", from, to, f.set)
			return true
		}
		if !uses.Under[*types.Pointer](u.Elem()) {
			fmt.Fprintf(b, "for k, e := range %s {\nhave := %s[k]\n", from, to)
			p.elements(b, f)
			fmt.Fprintf(b, "%s[k] = have\n}\n", to)
			return len(f.elem) > 0
		}
		fmt.Fprintf(b, "for k, e := range %s {\nif have := %s[k]; have != nil {\n", from, to)
		p.elements(b, f)
		fmt.Fprintf(b, "} else {\n%s[k] = e\n}\n}\n", to)
		return len(f.elem) > 0
	default:
		switch {
		case op != token.ADD:
			raise(b, op, to, from, atomicOf(t) != "", same)
		case f != nil && f.by != "":
			fmt.Fprintf(b, "atomic.%s(&%s, %s)\n", f.by, to, from)
		case atomicOf(t) != "" && same:
			fmt.Fprintf(b, "%s.Add(%s.Load())\n", to, from)
		case atomicOf(t) != "":
			fmt.Fprintf(b, "%s.Add(%s)\n", to, from)
		case number(t):
			fmt.Fprintf(b, "%s += %s\n", to, from)
		default:
			return false
		}
	}
	return true
}
