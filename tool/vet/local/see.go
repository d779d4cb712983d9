package local

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A look is a search for code that might see a place while a loop keeps its
// value elsewhere.
type look struct {
	*Loop
	p        *Place
	paths    []path // of the place, one for each that a pointer may point to
	confined bool
	late     bool // what the loop does to the place others see after it
	done     map[*types.Func]bool
	why      string
	at       token.Pos
}

// seen returns what in the loop may see the place besides its uses, or "". If
// others may look at it all the same and are to see it late, the loop has to be
// one that could have run at once: it waits for nobody, tells nobody anything,
// and looks at nothing that others set.
func (l *Loop) seen(p *Place, confined, late bool, own ...*types.Func) (why string, at token.Pos) {
	s := &look{Loop: l, p: p, paths: l.alternatives(p.path, 0), confined: confined, late: late, done: map[*types.Func]bool{}}
	for _, fn := range own {
		s.done[fn.Origin()] = true
	}
	mine := map[inspector.Cursor]bool{}
	for _, u := range p.Uses {
		mine[u.At] = true
	}
	s.code(l.At, mine)
	return s.why, s.at
}

// Later says why additions to a place, which are all that the loop does to it,
// cannot be made after it. It notes whether others may look meanwhile.
func (l *Loop) Later(p *Place) (why string, at token.Pos) {
	confined := l.hidden(p)
	p.Late = !confined && !l.unwatched(p)
	return l.seen(p, confined, p.Late)
}

// Quiet says why calls of a method on a place of the loop cannot be made later:
// what else the loop does might show. Others may use the place as well.
func (l *Loop) Quiet(p *Place, method *types.Func) (why string, at token.Pos) {
	return l.seen(p, false, true, method)
}

func (s *look) refuse(n ast.Node, why string) {
	if s.why == "" {
		s.why, s.at = why, n.Pos()
	}
}

// code looks through root for what is not among the uses it knows.
func (s *look) code(root inspector.Cursor, own map[inspector.Cursor]bool) {
	info := s.Pass.TypesInfo
	text := s.p.Text()
	for m := range mentions(info, root) {
		if own[m.At] || !s.overlaps(m) && !s.crosses(m) {
			continue
		}
		why := types.ExprString(m.At.Node().(ast.Expr)) + " may be the same memory as " + text
		if m.path.root == s.p.root && len(m.path.steps) < len(s.p.steps) {
			why = types.ExprString(m.At.Node().(ast.Expr)) + " is handed on, and " + text + " with it"
		}
		s.refuse(m.At.Node(), why)
	}
	for c := range root.Preorder((*ast.FuncLit)(nil), (*ast.CallExpr)(nil), (*ast.SendStmt)(nil), (*ast.SelectStmt)(nil), (*ast.UnaryExpr)(nil), (*ast.GoStmt)(nil), (*ast.RangeStmt)(nil)) {
		switch n := c.Node().(type) {
		case *ast.FuncLit:
			body, _ := c.FindNode(n.Body)
			s.code(body, nil)
		case *ast.SendStmt, *ast.SelectStmt:
			s.refuse(n, "the loop waits for other goroutines")
		case *ast.GoStmt:
			s.refuse(n, "the loop starts goroutines")
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				s.refuse(n, "the loop waits for other goroutines")
			}
		case *ast.RangeStmt:
			switch info.TypeOf(n.X).Underlying().(type) {
			case *types.Chan:
				s.refuse(n, "the loop waits for other goroutines")
			case *types.Signature:
				s.refuse(n, "the loop is the body of a function that is called")
			}
		case *ast.CallExpr:
			s.call(n)
		}
	}
}

// call looks at what a call may see beyond its operands.
func (s *look) call(call *ast.CallExpr) {
	info := s.Pass.TypesInfo
	if tv := info.Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
		return
	}
	name := types.ExprString(call.Fun)
	if _, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		return
	}
	fn := section.Callee(info, call)
	if fn == nil {
		if !s.confined || s.captured() {
			s.refuse(call, "it calls "+name+", which may see "+s.p.Text())
		}
		return
	}
	switch path := pkgPath(fn); {
	case section.Locks(fn), path == "sync", path == "time" && fn.Name() == "Sleep":
		s.refuse(call, "the loop synchronizes with other goroutines")
		return
	case path == "sync/atomic":
		if !s.confined && (s.late || fn.Name() != "Load") && !s.ownCall(call) {
			s.refuse(call, "the loop synchronizes with other goroutines")
		}
		return
	}
	if s.confined && !s.captured() {
		return // what it is handed was looked at
	}
	if decl, ok := s.Uses.Declaration(fn); ok {
		if !s.done[fn.Origin()] {
			s.done[fn.Origin()] = true
			if body, ok := decl.FindNode(decl.Node().(*ast.FuncDecl).Body); ok {
				s.code(body, nil)
			}
		}
		return
	}
	if f := flow.Of(s.Pass); f.Pure(call) == "" && !(s.late && f.Call(call).First(flow.Ask) != nil) {
		return
	}
	recv := fn.Signature().Recv()
	if s.late || !section.Standard(fn) || recv != nil && types.IsInterface(recv.Type()) {
		s.refuse(call, "it calls "+name+", which may see "+s.p.Text())
		return
	}
	for _, a := range call.Args {
		switch t := info.TypeOf(a).Underlying().(type) {
		case *types.Basic:
		case *types.Slice:
			if uses.Refers(t.Elem()) {
				s.refuse(call, "it calls "+name+", which may see "+s.p.Text())
			}
		default:
			s.refuse(call, "it calls "+name+", which may see "+s.p.Text())
		}
	}
}

func (s *look) ownCall(call *ast.CallExpr) bool {
	for _, p := range append(s.hoisted, s.p) {
		for _, u := range p.Uses {
			if u.Call.Inspector() != nil && u.Call.Node() == ast.Node(call) {
				return true
			}
		}
	}
	return false
}

// captured reports whether a function literal that the goroutine does not run
// itself mentions the root of the place: it may be what a call calls.
func (s *look) captured() bool {
	for _, root := range s.roots(s.p) {
		for _, use := range s.Uses.Of(root) {
			for c := range use.Enclosing((*ast.FuncLit)(nil)) {
				lit := c.Node().(*ast.FuncLit)
				if spans(lit, root.Pos()) || s.inBodies(use.Node().Pos()) && spans(lit, s.At.Node().Pos()) {
					continue
				}
				return true
			}
		}
	}
	return false
}

// crosses reports whether a mention may touch the memory of the place by a
// pointer whose targets are known, of the mention or of the place.
func (s *look) crosses(m mention) bool {
	for _, q := range s.alternatives(m.path, 0) {
		for _, p := range s.paths {
			if p.root == q.root && (p.root != s.p.root || q.root != m.path.root) && s.sameRoot(p.steps, mention{m.Use, q}) {
				return true
			}
		}
	}
	return false
}

// overlaps reports whether a mention may touch the memory of the place.
func (s *look) overlaps(m mention) bool {
	p := &s.p.path
	if m.path.root == p.root {
		return s.sameRoot(p.steps, m)
	}
	if s.confined || !p.far() {
		return false // nobody else has a way to it
	}
	typ := s.Pass.TypesInfo.TypeOf(m.At.Node().(ast.Expr))
	last := p.steps[len(p.steps)-1]
	if f := last.field; f != nil {
		for _, st := range m.path.steps {
			if st.field == f {
				return true
			}
		}
		return s.reached(m) && (holdsField(typ, f, 0) || s.addressed(f) && types.Identical(typ, last.typ))
	}
	if hands(s.Pass.TypesInfo, m.At, typ) && !s.followed(m.At) {
		if e := element(typ); e != nil && types.Identical(e, last.typ) {
			return true
		}
	}
	if n := len(m.path.steps); n > 0 && m.path.steps[n-1].field != nil && holdsField(last.typ, m.path.steps[n-1].field, 0) {
		return true
	}
	return s.reached(m) && types.Identical(typ, last.typ)
}

// reached reports whether what a path ends in may be reached by a pointer: it
// is an element, or what a pointer points to, or its address is taken.
func (s *look) reached(m mention) bool {
	n := len(m.path.steps)
	if n == 0 {
		return s.addressed(m.path.root)
	}
	f := m.path.steps[n-1].field
	return f == nil || s.addressed(f)
}

// sameRoot compares two paths that begin with one variable.
func (s *look) sameRoot(p []step, m mention) bool {
	q := m.path.steps
	for i := range min(len(p), len(q)) {
		a, b := p[i], q[i]
		switch {
		case a.field != nil && b.field != nil && a.field != b.field:
			return false
		case a.index != nil && b.index != nil && a.key != b.key:
			x, y := s.Pass.TypesInfo.Types[a.index].Value, s.Pass.TypesInfo.Types[b.index].Value
			if x != nil && y != nil {
				return false // two constants
			}
			return true
		}
	}
	if len(q) >= len(p) {
		return true // the place, a part of it, or what it points to
	}
	// A part of the way to the place. Whether more than the slice or pointer
	// is looked at depends on what is done with it.
	typ := s.Pass.TypesInfo.TypeOf(m.At.Node().(ast.Expr))
	if p[len(q)].field != nil {
		return true // a copy of the struct
	}
	if _, array := typ.Underlying().(*types.Array); array || hands(s.Pass.TypesInfo, m.At, typ) {
		return !measured(s.Pass.TypesInfo, m.At) && (s.confined || !s.followed(m.At))
	}
	return false
}

// followed reports whether an expression is an operand of a call whose function
// is looked through.
func (s *look) followed(at inspector.Cursor) bool {
	if at.ParentEdgeKind() == edge.SelectorExpr_X {
		at = at.Parent()
	}
	if k := at.ParentEdgeKind(); k != edge.CallExpr_Fun && k != edge.CallExpr_Args {
		return false
	}
	fn := section.Callee(s.Pass.TypesInfo, at.Parent().Node().(*ast.CallExpr))
	if fn == nil {
		return false
	}
	_, ok := s.Uses.Declaration(fn)
	return ok
}

// hands reports whether a slice or pointer is given away or its elements are
// read, rather than only looked at.
func hands(info *types.Info, at inspector.Cursor, typ types.Type) bool {
	if !uses.Refers(typ) || measured(info, at) {
		return false
	}
	if at.ParentEdgeKind() == edge.RangeStmt_X {
		return at.Parent().Node().(*ast.RangeStmt).Value != nil
	}
	return at.ParentEdgeKind() != edge.BinaryExpr_X && at.ParentEdgeKind() != edge.BinaryExpr_Y // s != nil
}

// measured reports whether an expression is an operand of len or cap, or a
// range over its indexes.
func measured(info *types.Info, at inspector.Cursor) bool {
	switch at.ParentEdgeKind() {
	case edge.CallExpr_Args:
		b, ok := info.Uses[ident(at.Parent().Node().(*ast.CallExpr).Fun)].(*types.Builtin)
		return ok && (b.Name() == "len" || b.Name() == "cap")
	case edge.RangeStmt_X:
		return at.Parent().Node().(*ast.RangeStmt).Value == nil
	}
	return false
}

// addressed reports whether the address of a variable or field is taken, other
// than for an atomic operation.
func (s *look) addressed(v *types.Var) bool {
	for _, at := range s.Uses.Of(v) {
		if s.Uses.Declares(at) {
			continue
		}
		part, whole := widen(s.Pass.TypesInfo, wholeOf(at))
		if k := use(s.Pass.TypesInfo, part).Kind; whole && (k == Address || k == Method) {
			return true
		}
	}
	return false
}

func wholeOf(c inspector.Cursor) inspector.Cursor {
	for c.ParentEdgeKind() == edge.SelectorExpr_Sel || c.ParentEdgeKind() == edge.ParenExpr_X {
		c = c.Parent()
	}
	return c
}

// element is the type of the elements of a slice or array.
func element(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	case *types.Pointer:
		return u.Elem()
	}
	return nil
}

// holdsField reports whether values of type t hold a field.
func holdsField(t types.Type, f *types.Var, depth int) bool {
	if t == nil || depth > 5 {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return holdsField(u.Elem(), f, depth+1)
	case *types.Struct:
		for g := range u.Fields() {
			if g.Origin() == f || holdsField(g.Type(), f, depth+1) {
				return true
			}
		}
	}
	return false
}

func pkgPath(fn *types.Func) string {
	if fn.Pkg() == nil {
		return ""
	}
	return fn.Pkg().Path()
}
