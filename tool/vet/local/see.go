package local

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A look is a search for code that might see a place while a loop keeps its
// value elsewhere.
type look struct {
	*Loop
	p        *Place
	confined bool
	late     bool // what the loop does to the place others see after it
	assume   bool // that they do not look
	done     map[*types.Func]bool
	why      string
	at       token.Pos
}

// seen returns what in the loop may see the place besides its uses, or "". If
// others may look at it all the same and are to see it late, the loop has to be
// one that could have run at once: it waits for nothing, tells nothing to others,
// and looks at nothing that others set.
// It does not look into the function own.
func (l *Loop) seen(p *Place, confined, late bool, own *types.Func) (why string, at token.Pos) {
	s := &look{Loop: l, p: p, confined: confined, late: late, assume: late && l.assume, done: map[*types.Func]bool{own: true}}
	mine := map[inspector.Cursor]bool{}
	for _, u := range p.Uses {
		mine[u.At] = true
	}
	s.code(l.At, mine)
	return s.why, s.at
}

// Quiet says why calls of a method on a place of the loop cannot be made later:
// what else the loop does might show. Others may use the place as well.
func (l *Loop) Quiet(p *Place, method *types.Func) (why string, at token.Pos) {
	return l.seen(p, false, true, method)
}

// meets refuses what makes it count when the loop changes the place.
func (s *look) meets(n ast.Node, why string) {
	if !s.assume {
		s.refuse(n, why)
	}
}

func (s *look) refuse(n ast.Node, why string) {
	if s.why == "" {
		s.why, s.at = why, n.Pos()
	}
}

// code looks through root for what is not among the uses it knows.
func (s *look) code(root inspector.Cursor, own map[inspector.Cursor]bool) {
	for _, m := range mentions(s.Pass.TypesInfo, root) {
		if !own[m.At] && s.overlaps(m) {
			s.refuse(m.At.Node(), types.ExprString(m.At.Node().(ast.Expr))+" may be the same memory as "+s.p.Text())
		}
	}
	for c := range root.Preorder((*ast.FuncLit)(nil), (*ast.CallExpr)(nil), (*ast.SendStmt)(nil), (*ast.SelectStmt)(nil), (*ast.UnaryExpr)(nil), (*ast.GoStmt)(nil), (*ast.RangeStmt)(nil)) {
		switch n := c.Node().(type) {
		case *ast.FuncLit:
			s.meets(n, "the loop has a function literal")
		case *ast.SendStmt, *ast.SelectStmt, *ast.GoStmt:
			s.meets(n, "the loop synchronizes with other goroutines")
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				s.meets(n, "the loop synchronizes with other goroutines")
			}
		case *ast.RangeStmt:
			switch s.Pass.TypesInfo.TypeOf(n.X).Underlying().(type) {
			case *types.Chan, *types.Signature:
				s.meets(n, "the loop synchronizes with other goroutines, or is a function that is called")
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
	sees := "it calls " + types.ExprString(call.Fun) + ", which may see " + s.p.Text()
	fn := section.Callee(info, call)
	if fn == nil {
		if !s.confined || s.captured() {
			s.meets(call, sees)
		}
		return
	}
	switch path := pkgPath(fn); {
	case section.Locks(fn), path == "sync", path == "time" && fn.Name() == "Sleep":
		s.meets(call, "the loop synchronizes with other goroutines")
		return
	case path == "sync/atomic":
		if !s.confined && (s.late || fn.Name() != "Load") && !s.ownCall(call) {
			s.meets(call, "the loop synchronizes with other goroutines")
		}
		return
	}
	if s.confined && !s.captured() {
		return // what it is handed was looked at
	}
	if decl, ok := s.Uses.Declaration(fn); ok {
		if !s.done[fn.Origin()] {
			s.done[fn.Origin()] = true
			s.code(decl, nil)
		}
		return
	}
	if f := flow.Of(s.Pass); f.Pure(call) != "" || s.late && f.Call(call).First(flow.Ask) != nil {
		s.meets(call, sees)
	}
}

// ownCall reports whether a call is a use of one of the places.
func (s *look) ownCall(call *ast.CallExpr) bool {
	return slices.ContainsFunc(append(s.hoisted, s.p), func(p *Place) bool {
		return slices.ContainsFunc(p.Uses, func(u Use) bool { return u.Call.Inspector() != nil && u.Call.Node() == ast.Node(call) })
	})
}

// captured reports whether a function literal that the goroutine does not run
// itself mentions the root of the place: it may be what a call calls.
func (s *look) captured() bool {
	root := s.p.root
	for _, use := range s.Uses.Of(root) {
		for c := range use.Enclosing((*ast.FuncLit)(nil)) {
			lit := c.Node().(*ast.FuncLit)
			if !uses.Holds(lit, root.Pos()) && !(s.inBodies(use.Node().Pos()) && uses.Holds(lit, s.At.Node().Pos())) {
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
		return false // nothing else has a way to it
	}
	typ := s.Pass.TypesInfo.TypeOf(m.At.Node().(ast.Expr))
	last := p.steps[len(p.steps)-1]
	if f := last.field; f != nil {
		return slices.ContainsFunc(m.path.steps, func(st step) bool { return st.field == f }) ||
			s.reached(m) && (holds(typ, nil, f) || s.addressed(f) && types.Identical(typ, last.typ))
	}
	if s.hands(m.At) {
		for t := range uses.LeadsTo(typ, 1) {
			if types.Identical(t, last.typ) {
				return true
			}
		}
	}
	if n := len(m.path.steps); n > 0 && m.path.steps[n-1].field != nil && holds(last.typ, nil, m.path.steps[n-1].field) {
		return true
	}
	return s.reached(m) && holds(typ, last.typ, nil)
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
	info, q := s.Pass.TypesInfo, m.path.steps
	for i := range min(len(p), len(q)) {
		a, b := p[i], q[i]
		switch {
		case a.field != nil && b.field != nil && a.field != b.field:
			return false
		case a.index != nil && b.index != nil && a.key != b.key:
			return info.Types[a.index].Value == nil || info.Types[b.index].Value == nil // not two constants
		}
	}
	if len(q) >= len(p) {
		return true // the place, a part of it, or what it points to
	}
	// A part of the way to the place. Whether more than the slice or pointer
	// is looked at depends on what is done with it.
	if p[len(q)].field != nil {
		return true // a copy of the struct
	}
	return uses.Under[*types.Array](info.TypeOf(m.At.Node().(ast.Expr))) && !measured(info, m.At) || s.hands(m.At)
}

// hands reports whether a slice or pointer is given away or its elements are
// read, rather than only looked at.
func (s *look) hands(at inspector.Cursor) bool {
	if info := s.Pass.TypesInfo; !uses.Refers(info.TypeOf(at.Node().(ast.Expr))) || measured(info, at) {
		return false
	}
	return at.ParentEdgeKind() != edge.BinaryExpr_X && at.ParentEdgeKind() != edge.BinaryExpr_Y // s != nil
}

// measured reports whether an expression is an operand of len or cap, or a
// range over its indexes.
func measured(info *types.Info, at inspector.Cursor) bool {
	switch n := at.Parent().Node().(type) {
	case *ast.CallExpr:
		b := loop.Builtin(info, n)
		return b == "len" || b == "cap"
	case *ast.RangeStmt:
		return at.ParentEdgeKind() == edge.RangeStmt_X && n.Value == nil
	}
	return false
}

// addressed reports whether the address of a variable or field, or of a part, is
// taken, other than for an atomic operation.
func (s *look) addressed(v *types.Var) bool {
	return slices.ContainsFunc(s.Uses.Of(v), func(at inspector.Cursor) bool {
		if s.Uses.Declares(at) {
			return false
		}
		part, _ := widen(s.Pass.TypesInfo, uses.Whole(at))
		k := use(s.Pass.TypesInfo, part).Kind
		return k == Address || k == Method
	})
}

// holds reports whether values of type t have a field within or, if that is nil, are of
// type part or have one within.
func holds(t, part types.Type, field *types.Var) bool {
	if field == nil && types.Identical(t, part) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return holds(u.Elem(), part, field)
	case *types.Struct:
		for f := range u.Fields() {
			if f.Origin() == field || holds(f.Type(), part, field) {
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
