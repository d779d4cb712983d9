package privatize

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/guard"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A method of an object, with what the part has in its place.
type method struct {
	*object
	fn       *types.Func
	decl     *ast.FuncDecl
	body     inspector.Cursor
	recv     *types.Var
	held     bool                  // the lock, while the statement runs that is read
	entry    bool                  // likewise, as it is called
	does     []ast.Node            // what of it has to do with what is added to
	known    map[ast.Node]bool     // uses of the object and of elements that are part of that
	elems    map[*types.Var]*field // variables for an element of the map of a field, if it has one
	oks      map[*types.Var]*field // variables that say whether it has
	keys     map[*field]ast.Expr   // of the element
	vars     map[*field]*types.Var // that has it
	names    rewrite.Names         // that texts in it have
	loop     bool                  // calls it
	gives    *field                // it returns an element of the map
	asked    map[*field]ast.Node   // what asks for an element; nil once it is made where it is not there
	operands []ast.Expr
	blocks   []*ast.BlockStmt // of literals that are called meanwhile
	edits    []analysis.TextEdit
}

// method reads a method of the object, that a call calls, and what that calls.
func (o *object) method(fn *types.Func, call ast.Node, held, direct bool) bool {
	for _, m := range o.methods {
		if m.fn == fn {
			m.loop = m.loop || direct
			return m.entry == held || o.refuse(call, "%s is called with the lock, and without", fn.Name())
		}
	}
	decl, ok := o.Uses.Declaration(fn)
	if !ok {
		return o.refuse(call, "it is not known what %s does", fn.Name())
	}
	m := o.reader(fn, decl.Node().(*ast.FuncDecl), decl, held)
	m.loop = direct
	o.methods = append(o.methods, m)
	m.recv = fn.Signature().Recv()
	if _, pointer := m.recv.Type().(*types.Pointer); !pointer || m.decl.Body == nil {
		return o.refuse(m.decl, "%s has a copy of the object", fn.Name())
	}
	m.body, _ = decl.FindNode(m.decl.Body)
	return m.getter() || m.why == "" && m.read()
}

// reader returns what reads a body.
func (o *object) reader(fn *types.Func, decl *ast.FuncDecl, body inspector.Cursor, held bool) *method {
	return &method{object: o, fn: fn, decl: decl, body: body, held: held, entry: held, known: map[ast.Node]bool{}, elems: map[*types.Var]*field{}, oks: map[*types.Var]*field{}, keys: map[*field]ast.Expr{}, vars: map[*field]*types.Var{}, names: rewrite.Names{}, asked: map[*field]ast.Node{}}
}

// read takes the statements, in the order of the source, and then all else that the
// method does with the object.
func (m *method) read() bool {
	for c := range m.body.Preorder((*ast.ExprStmt)(nil), (*ast.DeferStmt)(nil), (*ast.IncDecStmt)(nil), (*ast.AssignStmt)(nil), (*ast.IfStmt)(nil), (*ast.ForStmt)(nil), (*ast.CallExpr)(nil), (*ast.TypeAssertExpr)(nil), (*ast.FuncLit)(nil)) {
		if !m.node(c) {
			return false
		}
	}
	for f, n := range m.asked {
		if n != nil {
			return m.refuse(n, "an element of %s that is not there is not made", f.v.Name())
		}
	}
	info := m.Pass.TypesInfo
	for id := range m.body.Preorder((*ast.Ident)(nil)) {
		v, _ := info.Uses[id.Node().(*ast.Ident)].(*types.Var)
		if v == nil || m.known[id.Node()] {
			continue
		}
		if m.elems[v] != nil || m.oks[v] != nil {
			if !m.looked(id) {
				return m.refuse(id.Node(), "%s is used in another way than to add to it", v.Name())
			}
		} else if v == m.recv && !m.isNil(id) && !m.copy(id) {
			return m.refuse(id.Node(), "%s does more than add up", m.fn.Name())
		}
	}
	return true
}

// isNil reports whether a use of the object asks whether there is one, in a method that
// returns nothing: a part is always there, and what is added to none is lost as before.
func (m *method) isNil(id inspector.Cursor) bool {
	b, ok := id.Parent().Node().(*ast.BinaryExpr)
	if !ok || b.Op != token.NEQ && b.Op != token.EQL || m.fn.Signature().Results().Len() > 0 {
		return false
	}
	is := m.Pass.TypesInfo.Types[b.Y].IsNil()
	m.maybe = m.maybe || is
	return is
}

// node takes a statement or call if it adds to the object.
func (m *method) node(c inspector.Cursor) bool {
	info := m.Pass.TypesInfo
	if slices.Contains(m.does, c.Node()) && m.captures != nil { // a lock
		return true
	}
	if x := keeps(info, c); x.op != 0 {
		return m.extreme(c, x)
	}
	switch n := c.Node().(type) {
	case *ast.FuncLit:
		if uses.Mentions(info, n, m.recv) && !m.passes(c, n) {
			return m.refuse(n, "a function literal in %s uses the object", m.fn.Name())
		}
	case *ast.DeferStmt:
		_, ok := m.lock(c, n.Call)
		return ok
	case *ast.ExprStmt:
		call, ok := ast.Unparen(n.X).(*ast.CallExpr)
		if !ok {
			return true
		}
		if is, ok := m.lock(c, call); is {
			return ok
		}
		return m.atomic(n, call)
	case *ast.IncDecStmt:
		return m.sum(n, n.X, nil)
	case *ast.AssignStmt:
		return m.assign(n)
	case *ast.IfStmt:
		return m.ifs(c, n)
	case *ast.CallExpr:
		return m.within(n) && m.sibling(n)
	case *ast.TypeAssertExpr:
		return m.asserted(n)
	}
	return true
}

// passes takes a call that a function literal is handed to, which calls it meanwhile, and
// does nothing else that counts.
func (m *method) passes(c inspector.Cursor, lit *ast.FuncLit) bool {
	if c.ParentEdgeKind() != edge.CallExpr_Args {
		return false
	}
	call := c.Parent().Node().(*ast.CallExpr)
	if !m.meanwhile(call, c.ParentEdgeIndex()) {
		return false
	}
	m.does = append(m.does, call)
	m.blocks = append(m.blocks, lit.Body)
	for _, arg := range call.Args {
		if arg != ast.Expr(lit) {
			m.operands = append(m.operands, arg)
		}
	}
	return true
}

// meanwhile reports whether a call does nothing with an argument but to call it, until it
// returns, and nothing else that counts.
func (o *object) meanwhile(call *ast.CallExpr, i int) bool {
	fn := section.Callee(o.Pass.TypesInfo, call)
	if fn == nil || fn.Signature().Variadic() {
		return false
	}
	if fn.Signature().Recv() != nil {
		i++
	}
	does, at := flow.Of(o.Pass).Func(fn), flow.Set(flow.Param(i), flow.Param(i).Behind())
	if does == nil {
		return false
	}
	for _, e := range does.Effects {
		if e.Kind&apart != 0 && (e.Kind != flow.Call || !e.On.Without(at).Empty()) || e.Kind == flow.Write {
			return false
		}
	}
	return !slices.ContainsFunc(does.Links, func(l flow.Link) bool { return l.To.Without(at) != l.To }) &&
		!slices.ContainsFunc(does.Results, func(r flow.Result) bool { return r.Is.Without(at) != r.Is })
}

// lock takes a statement that takes a lock of the object or gives it back; is says
// whether it is one.
func (m *method) lock(c inspector.Cursor, call *ast.CallExpr) (is, ok bool) {
	fn := section.Callee(m.Pass.TypesInfo, call)
	id, lock, written := m.mutex(call)
	if id == nil || m.captures != nil {
		return false, true
	}
	_, deferred := c.Node().(*ast.DeferStmt)
	list, _ := c.Parent().Node().(*ast.BlockStmt)
	if lock == nil || list != m.decl.Body && fn.Name() == "Lock" || m.locked != nil && m.locked != lock || fn.Name() != "Unlock" && (fn.Name() != "Lock" || deferred) {
		return true, m.refuse(c.Node(), "%s does more with its locks than to hold one", m.fn.Name())
	}
	m.locked, m.guard = lock, written
	if !deferred {
		m.held = fn.Name() == "Lock"
	}
	m.take(c.Node(), id)
	m.edits = append(m.edits, inline.Line(m.Pass, c.Node().(ast.Stmt)))
	return true, true
}

// mutex returns the lock of the object that a call is of, and how it is written after
// the name of the object, which is id; lock is nil if it is none of its fields.
func (m *method) mutex(call *ast.CallExpr) (id *ast.Ident, lock *types.Var, written string) {
	fn := section.Callee(m.Pass.TypesInfo, call)
	sel, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if sel == nil || fn == nil || !section.Locks(fn) {
		return nil, nil, ""
	}
	id, path := m.chain(sel.X)
	if id == nil || len(path) > 1 {
		return nil, nil, ""
	}
	if len(path) == 1 {
		lock, written = path[0], "."+path[0].Name()
	} else if s := m.Pass.TypesInfo.Selections[sel]; len(s.Index()) == 2 {
		lock = m.typ.Underlying().(*types.Struct).Field(s.Index()[0])
	}
	return id, lock, written
}

// take enters that a node has to do with what is added to, by these identifiers.
func (m *method) take(n ast.Node, ids ...*ast.Ident) {
	m.does = append(m.does, n)
	for _, id := range ids {
		m.known[id] = true
	}
}

// chain returns the receiver and the fields, one in the other, that an expression names.
func (m *method) chain(e ast.Expr) (id *ast.Ident, path []*types.Var) {
	if m.captures != nil {
		return m.captured(e)
	}
	info := m.Pass.TypesInfo
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		if info.Uses[x] == m.recv {
			return x, nil
		}
	case *ast.SelectorExpr:
		v, ok := m.selected(x, types.FieldVal).(*types.Var)
		if !ok {
			return nil, nil
		}
		if id, path = m.chain(x.X); id != nil && (len(path) == 0 || !uses.Under[*types.Pointer](path[len(path)-1].Type())) {
			return id, append(path, v.Origin())
		}
	}
	return nil, nil
}

// A spot is what a statement adds to: a field, or an element of it.
type spot struct {
	id      *ast.Ident
	path    []*types.Var
	indexes []ast.Expr
}

// spot returns what an expression names, id is nil if it is no field of the object.
func (m *method) spot(e ast.Expr) (s spot) {
	e, s.indexes = indexed(e)
	if s.id, s.path = m.chain(e); len(s.path) == 0 {
		s.id = nil
		return s
	}
	if n := beyond(s.path[len(s.path)-1].Type(), len(s.indexes)); n > 1 || n == 1 && len(s.indexes) > 1 {
		s.id = nil // in another place of memory
	}
	return s
}

// indexed returns what an expression is an element of, and the indexes.
func indexed(e ast.Expr) (of ast.Expr, indexes []ast.Expr) {
	for x, ok := ast.Unparen(e).(*ast.IndexExpr); ok; x, ok = ast.Unparen(e).(*ast.IndexExpr) {
		indexes, e = append(indexes, x.Index), x.X
	}
	return e, indexes
}

// beyond returns how many of the indexes of a type are not of its arrays.
func beyond(t types.Type, indexes int) int {
	if array, ok := t.Underlying().(*types.Array); ok && indexes > 0 {
		return beyond(array.Elem(), indexes-1)
	}
	return indexes
}

// guarded reports whether the lock of the object is held.
func (m *method) guarded(n ast.Node) bool {
	return m.held || m.refuse(n, "no lock is held here")
}

// grows enters that a statement adds to a field, and its operands.
func (m *method) grows(n ast.Node, s spot, op token.Token, operands ...ast.Expr) (f *field, ok bool) {
	m.operands = append(append(m.operands, s.indexes...), operands...)
	m.take(n, s.id)
	f = m.fields.at(s.path)
	if f == nil {
		return nil, m.refuse(n, "a part of %s is added to, and all of it", s.path[0].Name())
	}
	if !m.grow(n, f.v, op) {
		return nil, false
	}
	if _, slice := f.v.Type().Underlying().(*types.Slice); slice {
		sized := len(s.indexes) > 0
		if f.sized = f.sized || sized; f.sized != sized || sized && (len(s.path) > 1 || !m.settled(f.v)) {
			return nil, m.refuse(n, "%s may be another slice meanwhile", f.v.Name())
		}
	}
	return f, true
}

// grow enters what changes, and by what.
func (m *method) grow(n ast.Node, v *types.Var, op token.Token) bool {
	if had := m.adds[v]; had != 0 && had != op {
		return m.refuse(n, "%s is changed in two ways", v.Name())
	}
	m.adds[v] = op
	return true
}

// settled reports whether a field is set where a struct is made, and never again.
func (o *object) settled(v *types.Var) bool {
	return o.Uses.Unseen(v) == "" && guard.Settled(o.Uses, v)
}

// atomic takes a call of an addition to an atomic of the object.
func (m *method) atomic(stmt *ast.ExprStmt, call *ast.CallExpr) bool {
	info := m.Pass.TypesInfo
	fn := section.Callee(info, call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sync/atomic" {
		return true
	}
	var to, by ast.Expr
	if len(call.Args) == 0 {
		return true
	} else if fn.Signature().Recv() != nil && fn.Name() == "Add" {
		to, by = ast.Unparen(call.Fun).(*ast.SelectorExpr).X, call.Args[0]
	} else if u, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr); ok && u.Op == token.AND && number(info.TypeOf(u.X)) && len(call.Args) == 2 && len(fn.Name()) > 3 && fn.Name()[:3] == "Add" {
		to, by = u.X, call.Args[1]
	} else if x := m.elem(call.Args[0]); x.f != nil && x.v == nil && x.f.key != nil && strings.HasPrefix(fn.Name(), "Add") { // of a number
		x.f.by = types.ExprString(call.Fun)
		return m.addsTo(stmt, x, token.ADD, call.Args[1:]...)
	} else {
		return true
	}
	if x := m.elem(to); x.f != nil && atomicOf(uses.Deref(info.TypeOf(to))) != "" {
		return m.addsTo(stmt, x, token.ADD, by)
	}
	s := m.spot(to)
	if s.id == nil {
		return true
	}
	f, ok := m.grows(stmt, s, token.ADD, by)
	if !ok {
		return false
	}
	if len(call.Args) == 2 {
		if f.by != "" && f.by != fn.Name() {
			return m.refuse(stmt, "%s is added to in two ways", f.v.Name())
		}
		f.by = fn.Name()
	}
	text, from := " += ", by.End()
	if v := info.Types[by].Value; v != nil && v.ExactString() == "1" {
		text, from = "++", by.Pos()
	}
	m.edits = append(m.edits, analysis.TextEdit{Pos: stmt.Pos(), End: to.Pos()}, analysis.TextEdit{Pos: to.End(), End: by.Pos(), NewText: []byte(text)}, analysis.TextEdit{Pos: from, End: stmt.End()})
	return true
}

// number reports whether values of a type are numbers that can be added up.
func number(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

// sum takes to++ and to += by.
func (m *method) sum(n ast.Stmt, to, by ast.Expr) bool {
	x, s, t := m.elem(to), m.spot(to), m.Pass.TypesInfo.TypeOf(to)
	if x.f == nil && s.id == nil {
		return true
	}
	if !number(t) {
		return m.refuse(n, "%s is no number", types.ExprString(to))
	}
	m.floats = m.floats || float(t)
	if by != nil {
		m.operands = append(m.operands, by)
	}
	if x.f != nil {
		return m.addsTo(n, x, token.ADD) && (x.f.key == nil || m.refuse(n, "%s is changed without a lock", types.ExprString(to))) && m.guarded(n)
	}
	_, ok := m.grows(n, s, token.ADD)
	return ok && m.guarded(n)
}

func float(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsFloat|types.IsComplex) != 0
}

// assign takes an assignment that adds, appends, or has to do with an element.
func (m *method) assign(n *ast.AssignStmt) bool {
	if len(n.Rhs) != 1 {
		return true
	}
	lhs, rhs := n.Lhs[0], ast.Unparen(n.Rhs[0])
	switch n.Tok {
	case token.ADD_ASSIGN, token.SUB_ASSIGN:
		return m.sum(n, lhs, rhs)
	case token.ASSIGN, token.DEFINE:
	default:
		return true
	}
	info := m.Pass.TypesInfo
	if b, ok := rhs.(*ast.BinaryExpr); ok && (b.Op == token.ADD || b.Op == token.SUB) && len(n.Lhs) == 1 && same(info, lhs, b.X) {
		m.known[m.spot(b.X).id], m.known[m.elem(b.X).id] = true, true
		return m.sum(n, lhs, b.Y)
	}
	if s := m.spot(lhs); s.id != nil && len(n.Lhs) == 1 {
		if slices.Contains(m.does, ast.Node(n)) {
			return true
		}
		if _, hash := s.path[len(s.path)-1].Type().Underlying().(*types.Map); hash && len(s.indexes) == 1 {
			if id, ok := rhs.(*ast.Ident); ok && m.puts(s, id) {
				m.take(n, s.id, id)
				return m.guarded(n)
			}
			if text := constant(info, rhs); text != "" {
				f, ok := m.grows(n, s, token.ASSIGN)
				if ok && f.set != "" && f.set != text {
					return m.refuse(n, "%s is changed in two ways", f.v.Name())
				}
				if ok {
					f.set = text
				}
				return ok && m.guarded(n)
			}
		}
		call, _ := rhs.(*ast.CallExpr)
		if len(s.indexes) > 0 || call == nil || !rewrite.Appends(m.Pass.TypesInfo, call) || types.ExprString(call.Args[0]) != types.ExprString(lhs) {
			return m.refuse(n, "%s is set, not added to", types.ExprString(lhs))
		}
		_, ok := m.grows(n, s, token.ADD, call.Args[1:]...)
		from, _ := m.chain(call.Args[0])
		m.known[from] = true
		return ok && m.guarded(n)
	}
	return m.element(n, lhs, rhs)
}

// puts reports whether a statement puts an element back from where the method has it.
func (m *method) puts(s spot, id *ast.Ident) bool {
	v, _ := m.Pass.TypesInfo.Uses[id].(*types.Var)
	f := m.elems[v]
	return f != nil && !uses.Under[*types.Pointer](v.Type()) && m.fields.at(s.path) == f && same(m.Pass.TypesInfo, m.keys[f], s.indexes[0])
}

// constant returns a value that is the same each time, as it is written; "" for another.
func constant(info *types.Info, e ast.Expr) string {
	switch x := e.(type) {
	case *ast.BasicLit:
		return x.Value
	case *ast.Ident:
		if info.Uses[x] == types.Universe.Lookup("true") {
			return x.Name
		}
	case *ast.CompositeLit:
		if st, ok := x.Type.(*ast.StructType); ok && len(st.Fields.List) == 0 {
			return "struct{}{}"
		}
	}
	return ""
}

// sibling takes a call of another method of the object.
func (m *method) sibling(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if ok && m.whole != nil {
		id, path := m.chain(sel.X)
		if id != nil && m.selected(sel, types.MethodVal) != nil && m.declaredAt(path) != nil {
			m.operands = append(m.operands, call.Args...)
			m.take(call, id)
			return m.reads(call, path, sel.Sel.Name, m.held)
		}
	}
	if !ok || !m.is(sel) {
		return true
	}
	id, path := m.chain(sel.X)
	if id == nil || len(path) > 0 {
		return true
	}
	m.operands = append(m.operands, call.Args...)
	m.take(call, id)
	return m.method(section.Callee(m.Pass.TypesInfo, call), call, m.held, false)
}

// declaredAt returns the type of the last field of a path, if that is a struct of the
// package.
func (o *object) declaredAt(path []*types.Var) *types.Named {
	if len(path) > 0 {
		t := path[len(path)-1].Type()
		if n := uses.Named(t); n != nil && !uses.Under[*types.Pointer](t) && o.declared(n) {
			return n
		}
	}
	return nil
}

// copy reports whether an identifier of the object stands for a field that never changes
// and leads to nothing that might.
func (m *method) copy(id inspector.Cursor) bool {
	if id.ParentEdgeKind() != edge.SelectorExpr_X {
		return false
	}
	_, path := m.chain(id.Parent().Node().(ast.Expr))
	if len(path) != 1 || !m.settled(path[0]) {
		return false
	}
	switch t := path[0].Type().Underlying().(type) {
	case *types.Basic:
	case *types.Slice:
		if !uses.Basic(t.Elem()) || slices.ContainsFunc(m.Uses.Of(path[0]), func(use inspector.Cursor) bool {
			part, whole := uses.Elements(uses.Whole(use))
			return !whole && uses.Written(part)
		}) {
			return false
		}
	default:
		return false
	}
	if !slices.Contains(m.copied, path[0]) {
		m.copied = append(m.copied, path[0])
	}
	return true
}
