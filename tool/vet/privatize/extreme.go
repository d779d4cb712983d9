package privatize

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// An extreme is a statement that keeps the largest value, or the smallest:
//
//	if by > to { to = by }
//	to = max(to, by)
//	for { old := to.Load(); if by <= old || to.CompareAndSwap(old, by) { break } }
//	for old := to.Load(); by > old && !to.CompareAndSwap(old, by); old = to.Load() {}
type extreme struct {
	to, by ast.Expr
	op     token.Token // GTR or LSS: which values replace to
}

// Keeps reports whether a statement is an extreme: a loop that is one goes through no items.
func Keeps(info *types.Info, c inspector.Cursor) bool { return keeps(info, c).op != 0 }

// keeps returns the extreme that a statement is, op is 0 if it is none.
func keeps(info *types.Info, c inspector.Cursor) (x extreme) {
	switch n := c.Node().(type) {
	case *ast.IfStmt:
		b, ok := ast.Unparen(n.Cond).(*ast.BinaryExpr)
		if !ok || n.Init != nil || n.Else != nil || len(n.Body.List) != 1 {
			break
		}
		if a, ok := n.Body.List[0].(*ast.AssignStmt); ok && a.Tok == token.ASSIGN && len(a.Lhs) == 1 && len(a.Rhs) == 1 {
			x.to, x.by = a.Lhs[0], a.Rhs[0]
			x.op = compares(info, b, x.by, x.to)
		}
	case *ast.AssignStmt:
		if n.Tok != token.ASSIGN || len(n.Lhs) != 1 || len(n.Rhs) != 1 {
			break
		}
		call, ok := ast.Unparen(n.Rhs[0]).(*ast.CallExpr)
		if !ok || len(call.Args) != 2 || float(info.TypeOf(n.Lhs[0])) { // of which one may be no number
			break
		}
		op := map[string]token.Token{"max": token.GTR, "min": token.LSS}[loop.Builtin(info, call)]
		for i, arg := range call.Args {
			if same(info, arg, n.Lhs[0]) {
				x = extreme{n.Lhs[0], call.Args[1-i], op}
			}
		}
	case *ast.ForStmt:
		s := swap{info: info}
		if s.loop(c, n) {
			return s.extreme
		}
	}
	return x
}

// compares returns GTR where a comparison says that by is larger than to, or as large,
// LSS where it says that it is smaller, and 0 where it compares others.
func compares(info *types.Info, b *ast.BinaryExpr, by, to ast.Expr) token.Token {
	op := map[token.Token]token.Token{token.GTR: token.GTR, token.GEQ: token.GTR, token.LSS: token.LSS, token.LEQ: token.LSS}[b.Op]
	switch {
	case same(info, b.X, by) && same(info, b.Y, to):
		return op
	case op != 0 && same(info, b.X, to) && same(info, b.Y, by):
		return token.GTR + token.LSS - op
	}
	return 0
}

// A swap is an extreme whose loop tries until it has put a value into an atomic.
type swap struct {
	extreme
	info *types.Info
	old  types.Object // has what was loaded last
}

// loop reports whether a loop does nothing else. It ends where the value is kept, or
// another is that is as good.
func (s *swap) loop(c inspector.Cursor, n *ast.ForStmt) bool {
	for call := range c.Preorder((*ast.CallExpr)(nil)) {
		call := call.Node().(*ast.CallExpr)
		if fn := section.Callee(s.info, call); fn == nil || fn.Name() != "CompareAndSwap" || fn.Pkg().Path() != "sync/atomic" {
			continue
		}
		s.to, s.by = ast.Unparen(call.Fun).(*ast.SelectorExpr).X, call.Args[1]
		if id, ok := call.Args[0].(*ast.Ident); ok {
			s.old = s.info.Uses[id]
		}
	}
	if s.old == nil || n.Init != nil && !s.loads(n.Init) || n.Post != nil && !s.loads(n.Post) || n.Cond != nil && !s.ends(n.Cond, token.LAND) {
		return false
	}
	for _, st := range n.Body.List {
		if exit, ok := st.(*ast.IfStmt); ok {
			if exit.Init != nil || exit.Else != nil || len(exit.Body.List) != 1 || !s.ends(exit.Cond, token.LOR) || !leaves(c, exit.Body.List[0]) {
				return false
			}
		} else if !s.loads(st) {
			return false
		}
	}
	return s.op != 0
}

// leaves reports whether a statement of a loop goes on behind it.
func leaves(c inspector.Cursor, st ast.Stmt) bool {
	switch st := st.(type) {
	case *ast.BranchStmt:
		return st.Tok == token.BREAK && st.Label == nil
	case *ast.ReturnStmt: // a return there is one of the whole function
		_, last := c.NextSibling()
		return !last && c.Parent().ParentEdgeKind() == edge.FuncDecl_Body && len(st.Results) == 0
	}
	return false
}

// loads takes old := to.Load() and old = to.Load().
func (s *swap) loads(st ast.Stmt) bool {
	a, ok := st.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 || a.Tok != token.DEFINE && a.Tok != token.ASSIGN {
		return false
	}
	id, ok := a.Lhs[0].(*ast.Ident)
	return ok && s.info.ObjectOf(id) == s.old && s.calls(a.Rhs[0], "Load") != nil
}

// calls returns the call of a method of the atomic that an expression is, or nil.
func (s *swap) calls(e ast.Expr, name string) *ast.CallExpr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name || !same(s.info, sel.X, s.to) {
		return nil
	}
	return call
}

// ends takes a condition on which the loop ends, for LOR, or goes on, for LAND. That the
// swap failed, and that the value is better than what was loaded, make it go on.
func (s *swap) ends(cond ast.Expr, join token.Token) bool {
	cond = ast.Unparen(cond)
	if b, ok := cond.(*ast.BinaryExpr); ok {
		if b.Op == join {
			return s.ends(b.X, join) && s.ends(b.Y, join)
		}
		id, ok := ast.Unparen(b.Y).(*ast.Ident)
		if !ok || s.info.Uses[id] != s.old {
			if id, ok = ast.Unparen(b.X).(*ast.Ident); !ok || s.info.Uses[id] != s.old {
				return false
			}
		}
		op := compares(s.info, b, s.by, id)
		if op != 0 && join == token.LOR {
			op = token.GTR + token.LSS - op
		}
		ok, s.op = op != 0 && (s.op == 0 || s.op == op), op
		return ok
	}
	if join == token.LAND {
		not, ok := cond.(*ast.UnaryExpr)
		if !ok || not.Op != token.NOT {
			return false
		}
		cond = not.X
	}
	call := s.calls(cond, "CompareAndSwap")
	return call != nil && same(s.info, call.Args[1], s.by)
}

// extreme takes a statement that keeps the largest or smallest value in the object, or
// in an element.
func (m *method) extreme(c inspector.Cursor, x extreme) bool {
	n := c.Node()
	_, atomic := n.(*ast.ForStmt)
	mark := func(id *ast.Ident) {
		for e := range c.Preorder((*ast.Ident)(nil)) {
			up := e.Node().(*ast.Ident)
			if m.Pass.TypesInfo.Uses[up] == m.Pass.TypesInfo.Uses[id] && (up.Pos() < x.by.Pos() || x.by.End() <= up.Pos()) {
				m.known[up] = true
			}
		}
	}
	for a := range c.Preorder((*ast.AssignStmt)(nil)) {
		m.does = append(m.does, a.Node())
	}
	if e := m.elem(x.to); e.f != nil {
		mark(e.id)
		return m.addsTo(n, e, x.op, x.by) && (atomic || e.f.key == nil && m.guarded(n))
	}
	s := m.spot(x.to)
	if s.id == nil {
		return true
	}
	if len(s.indexes) > 0 || len(s.path) > 1 {
		return m.refuse(n, "%s is set, not added to", types.ExprString(x.to))
	}
	mark(s.id)
	if _, ok := m.grows(n, s, x.op, x.by); !ok {
		return false
	}
	if atomic {
		to, by := rewrite.Text(m.Pass.Fset, x.to), rewrite.Text(m.Pass.Fset, x.by)
		m.edits = append(m.edits, rewrite.Replace(n, "if "+by+" "+x.op.String()+" "+to+" {\n"+to+" = "+by+"\n}"))
		return true
	}
	return m.guarded(n)
}

// begins reports whether what keeps an extreme is 0 at first, in each object. Then a
// part, in which it is 0 as well, has nothing that is none of them all.
func (o *object) begins(v *types.Var, op token.Token) bool {
	for _, use := range o.Uses.Of(v) {
		if o.Uses.Declares(use) {
			continue
		}
		kept := false
		for c := range use.Enclosing((*ast.IfStmt)(nil), (*ast.ForStmt)(nil), (*ast.AssignStmt)(nil)) {
			x := keeps(o.Pass.TypesInfo, c)
			kept = kept || x.op == op && o.Uses.Var(x.to) == v
		}
		whole := uses.Whole(use)
		sel, _ := whole.Parent().Node().(*ast.SelectorExpr)
		if !kept && (uses.Written(whole) || use.ParentEdgeKind() == edge.KeyValueExpr_Key || sel != nil && sel.Sel.Name != "Load") {
			return o.refuse(use.Node(), "%s is set to something else here", v.Name())
		}
	}
	for c := range o.Uses.Root.Preorder((*ast.CompositeLit)(nil)) {
		lit := c.Node().(*ast.CompositeLit)
		st, ok := o.Pass.TypesInfo.TypeOf(lit).Underlying().(*types.Struct)
		if ok && len(lit.Elts) > 0 && slices.Contains(slices.Collect(st.Fields()), v) {
			if _, keyed := lit.Elts[0].(*ast.KeyValueExpr); !keyed {
				return o.refuse(lit, "%s is set to something else here", v.Name())
			}
		}
	}
	return o.Uses.Unseen(v) == "" || o.refuse(at(v.Pos()), "other packages may set %s", v.Name())
}

// raise writes that what is kept becomes what a part has, if that is larger or smaller.
func raise(b *strings.Builder, op token.Token, to, from string, atomic, same bool) {
	if !atomic {
		b.WriteString("if " + from + " " + op.String() + " " + to + " {\n" + to + " = " + from + "\n}\n")
		return
	}
	if same {
		from += ".Load()"
	}
	b.WriteString("for old := " + to + ".Load(); " + from + " " + op.String() + " old && !" + to + ".CompareAndSwap(old, " + from + "); old = " + to + ".Load() {\n}\n")
}
