package privatize

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
)

// A getter is a method that returns the element of a key, under locks that it takes
// itself, and makes one where there is none. It may look twice.
type getter struct {
	*method
	key    ast.Expr
	at     ast.Expr   // the map
	made   ast.Expr   // the new element
	have   *types.Var // what was looked up last
	ok     *types.Var // whether that is there
	none   bool       // it is not
	locked *types.Var
	guard  string
}

// getter reports whether the method is one, and takes all of it.
func (m *method) getter() bool {
	g := &getter{method: m}
	if !g.list(m.decl.Body.List) || g.made == nil || g.locked == nil || m.locked != nil && m.locked != g.locked {
		return false
	}
	s := m.spot(g.at)
	if s.id == nil || len(s.indexes) > 0 {
		return false
	}
	f, ok := m.grows(m.decl.Body, s, token.ADD, g.key)
	for id := range m.body.Preorder((*ast.Ident)(nil)) {
		m.known[id.Node()] = true
	}
	m.locked, m.guard, m.gives = g.locked, g.guard, f
	text := fmt.Sprintf("%s[%s]", rewrite.Text(m.Pass.Fset, g.at), rewrite.Text(m.Pass.Fset, g.key))
	m.edits = append(m.edits, rewrite.Replace(m.decl.Body, fmt.Sprintf("{\n%[1]s := %[2]s\nif %[1]s == nil {\n%[1]s = %[3]s\n%[2]s = %[1]s\n}\nreturn %[1]s\n}", g.have.Name(), text, rewrite.Text(m.Pass.Fset, g.made))))
	return ok && m.made(m.decl, f, g.made)
}

// list takes statements.
func (g *getter) list(stmts []ast.Stmt) bool {
	for i := 0; i < len(stmts); i++ {
		switch n := stmts[i].(type) {
		case *ast.ExprStmt:
			call, _ := n.X.(*ast.CallExpr)
			if !g.locks(call) {
				return false
			}
		case *ast.DeferStmt:
			if !g.locks(n.Call) {
				return false
			}
		case *ast.AssignStmt:
			if g.looks(n) {
				continue
			}
			// It is made, and the next statement puts it into the map.
			if i++; !g.none || i == len(stmts) || !g.makes(n, stmts[i]) {
				return false
			}
		case *ast.IfStmt:
			if n.Init != nil {
				if a, ok := n.Init.(*ast.AssignStmt); !ok || !g.looks(a) {
					return false
				}
			}
			there, ok := g.asks(n.Cond)
			if !ok || n.Else != nil {
				return false
			}
			if g.none = !there; !g.list(n.Body.List) {
				return false
			}
			_, returns := n.Body.List[len(n.Body.List)-1].(*ast.ReturnStmt)
			if g.none = there; there && !returns {
				return false
			}
		case *ast.ReturnStmt:
			if g.none || len(n.Results) != 1 || g.have == nil || loop.Var(g.Pass.TypesInfo, n.Results[0]) != g.have {
				return false
			}
		default:
			return false
		}
	}
	return len(stmts) > 0
}

// locks takes a call that takes a lock of the object, or gives it back.
func (g *getter) locks(call *ast.CallExpr) bool {
	if call == nil {
		return false
	}
	id, lock, written := g.mutex(call)
	if id == nil || lock == nil || g.locked != nil && g.locked != lock {
		return false
	}
	g.locked, g.guard = lock, written
	return true
}

// looks takes p := t.m[k] and p, ok := t.m[k].
func (g *getter) looks(n *ast.AssignStmt) bool {
	x, ok := ast.Unparen(n.Rhs[0]).(*ast.IndexExpr)
	if !ok || len(n.Rhs) != 1 || !g.same(x) {
		return false
	}
	g.have, g.ok, g.none = loop.Var(g.Pass.TypesInfo, n.Lhs[0]), nil, false
	if len(n.Lhs) == 2 {
		g.ok = loop.Var(g.Pass.TypesInfo, n.Lhs[1])
	}
	return g.have != nil
}

// same reports whether an element is the one that the method is about.
func (g *getter) same(x *ast.IndexExpr) bool {
	if g.at == nil {
		g.at, g.key = x.X, x.Index
	}
	info := g.Pass.TypesInfo
	return same(info, g.at, x.X) && same(info, g.key, x.Index)
}

// asks takes a condition that the element is there, or is not.
func (g *getter) asks(cond ast.Expr) (there, ok bool) {
	switch x := ast.Unparen(cond).(type) {
	case *ast.Ident:
		return true, g.ok != nil && loop.Var(g.Pass.TypesInfo, x) == g.ok
	case *ast.UnaryExpr:
		return false, x.Op == token.NOT && g.ok != nil && loop.Var(g.Pass.TypesInfo, x.X) == g.ok
	case *ast.BinaryExpr:
		return x.Op == token.NEQ, (x.Op == token.NEQ || x.Op == token.EQL) && g.have != nil && loop.Var(g.Pass.TypesInfo, x.X) == g.have && g.Pass.TypesInfo.Types[x.Y].IsNil()
	}
	return false, false
}

// makes takes p = new(S) and t.m[k] = p.
func (g *getter) makes(n *ast.AssignStmt, next ast.Stmt) bool {
	put, ok := next.(*ast.AssignStmt)
	if !ok || len(n.Lhs) != 1 || len(n.Rhs) != 1 || len(put.Lhs) != 1 || len(put.Rhs) != 1 || g.made != nil {
		return false
	}
	x, ok := ast.Unparen(put.Lhs[0]).(*ast.IndexExpr)
	v := loop.Var(g.Pass.TypesInfo, n.Lhs[0])
	if !ok || v == nil || !g.same(x) || loop.Var(g.Pass.TypesInfo, put.Rhs[0]) != v {
		return false
	}
	g.made, g.have, g.none = n.Rhs[0], v, false
	return true
}

// gotten returns what a call of a getter returns an element of, or nil.
func (m *method) gotten(call *ast.CallExpr) *field {
	fn := section.Callee(m.Pass.TypesInfo, call)
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); !ok || fn == nil || !m.is(sel) || !m.sibling(call) {
		return nil
	}
	for _, other := range m.methods {
		if other.fn == fn {
			return other.gives
		}
	}
	return nil
}
