package local

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// How something shared grows.
const (
	sum   = iota // x += e
	count        // m[k] += e
	grows        // s = append(s, e)
)

// A merge is something shared that statements of a loop add to. The additions
// may as well be done first for the items of the goroutine and then once.
type merge struct {
	*Place // that grows: x, m, s
	kind   int
	places []ast.Expr // where the loop names it
	rounds bool       // the order of the additions may show
}

// A merger collects the merges of a loop under a lock.
type merger struct {
	*Loop
	sections *section.Index
	merges   []*merge
	guarded  map[*types.Var]bool // by the lock
	locks    []ast.Node          // the statements that take and give it back
	why      string
	at       token.Pos
}

func (m *merger) refuse(n ast.Node, why string) bool {
	if m.why == "" {
		m.why, m.at = why, n.Pos()
	}
	return false
}

// statement takes a statement that runs under the lock, and reports whether it
// merges and does nothing else that needs it.
func (m *merger) statement(c inspector.Cursor) bool {
	switch n := c.Node().(type) {
	case *ast.IncDecStmt:
		if m.shared(n.X) {
			return m.sum(c, n.X)
		}
	case *ast.AssignStmt:
		if len(n.Lhs) != 1 || len(n.Rhs) != 1 || !m.shared(n.Lhs[0]) {
			break
		}
		switch n.Tok {
		case token.ADD_ASSIGN, token.SUB_ASSIGN:
			return m.sum(c, n.Lhs[0], n.Rhs...)
		case token.ASSIGN:
			if call, ok := ast.Unparen(n.Rhs[0]).(*ast.CallExpr); ok && loop.Builtin(m.Pass.TypesInfo, call) == "append" {
				return m.grow(c, n.Lhs[0], call)
			}
		}
	case *ast.IfStmt:
		if n.Init != nil || !m.frees(c, n.Cond) {
			break
		}
		block, ok := n.Else.(*ast.BlockStmt)
		return m.block(c, n.Body) && (n.Else == nil || ok && m.block(c, block))
	}
	return m.why == "" && m.free(c) || m.refuse(c.Node(), "it does more under the lock than add up")
}

func (m *merger) block(c inspector.Cursor, b *ast.BlockStmt) bool {
	for _, s := range b.List {
		if x, ok := c.FindNode(s); !ok || !m.statement(x) {
			return false
		}
	}
	return true
}

// shared reports whether an operand is something that the goroutines share.
func (m *merger) shared(e ast.Expr) bool {
	if x, ok := ast.Unparen(e).(*ast.IndexExpr); ok && uses.Under[*types.Map](m.Pass.TypesInfo.TypeOf(x.X)) {
		e = x.X
	}
	return m.Site.SharedExpr(e)
}

// merge takes the place that e names.
func (m *merger) merge(e ast.Expr, kind int) *merge {
	p, ok := PlaceOf(m.Uses, e, m.At)
	if !ok {
		m.refuse(e, types.ExprString(e)+" is not the same in all iterations")
		return nil
	}
	i := slices.IndexFunc(m.merges, func(x *merge) bool { return x.key == p.key })
	if i < 0 {
		i = len(m.merges)
		m.merges = append(m.merges, &merge{Place: p, kind: kind})
	}
	x := m.merges[i]
	if x.kind != kind {
		m.refuse(e, p.Text()+" grows in several ways")
		return nil
	}
	x.places = append(x.places, e)
	return x
}

// frees reports whether operands mean the same without the lock.
func (m *merger) frees(c inspector.Cursor, es ...ast.Expr) bool {
	for _, e := range es {
		if x, ok := c.FindNode(e); !ok || !m.free(x) {
			return m.refuse(e, types.ExprString(e)+" may be something else without the lock")
		}
	}
	return true
}

// free reports whether code means the same without the lock: it reads nothing
// that is written under it, and writes only what the goroutine has for itself.
func (m *merger) free(c inspector.Cursor) bool {
	e := m.sections.Effects(c)
	if len(e.Unknown)+len(e.Calls)+len(e.Waits)+len(e.Indirect)+len(e.Takes) > 0 {
		return false
	}
	for v := range e.Writes {
		if v.IsField() || !m.own(v) {
			return false
		}
	}
	for v := range e.Reads {
		if m.guarded[v] && (v.IsField() || !m.own(v)) {
			return false
		}
	}
	for _, x := range flow.Of(m.Pass).Within(c.Node()) {
		if x.Kind == flow.Write && x.On.Without(flow.Set(flow.Fresh))[0] != 0 {
			return false // through a pointer
		}
	}
	return len(rewrite.Leaves(m.Pass.TypesInfo, c.Node(), false)) == 0
}

// own reports whether a variable is the goroutine's, or local to a function that
// it calls.
func (m *merger) own(v *types.Var) bool {
	if m.Func() != nil && !uses.Holds(m.Func(), v.Pos()) {
		return !uses.Global(v)
	}
	return m.Site.Own(v) && !m.Site.Shared(v)
}

// sum takes x += e and m[k] += e.
func (m *merger) sum(c inspector.Cursor, lhs ast.Expr, rhs ...ast.Expr) bool {
	kind, x := sum, lhs
	if i, ok := ast.Unparen(lhs).(*ast.IndexExpr); ok && uses.Under[*types.Map](m.Pass.TypesInfo.TypeOf(i.X)) {
		kind, x, rhs = count, i.X, append(rhs[:len(rhs):len(rhs)], i.Index)
	}
	b, ok := m.Pass.TypesInfo.TypeOf(lhs).Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsNumeric == 0 {
		return m.refuse(lhs, types.ExprString(lhs)+" is no number") // strings: the order shows
	}
	rounds := b.Info()&types.IsInteger == 0
	if rounds && !m.AtOnce() {
		return m.refuse(lhs, "each addition to "+types.ExprString(lhs)+" rounds, and their order is certain")
	}
	if !m.frees(c, rhs...) {
		return false
	}
	g := m.merge(x, kind)
	if g == nil {
		return false
	}
	g.rounds = rounds
	return true
}

// grow takes s = append(s, e).
func (m *merger) grow(c inspector.Cursor, lhs ast.Expr, call *ast.CallExpr) bool {
	g := m.merge(lhs, grows)
	if g == nil || !m.frees(c, call.Args[1:]...) {
		return false
	}
	if q, ok := pathOf(m.Pass.TypesInfo, call.Args[0]); !ok || q.key != g.key {
		return m.refuse(call, "it appends to something else")
	}
	g.places = append(g.places, call.Args[0])
	return true
}

// elsewhere reports whether the goroutines use a variable beside the loop as well.
func (m *merger) elsewhere(v *types.Var) bool {
	return slices.ContainsFunc(m.Uses.Of(v), func(use inspector.Cursor) bool {
		pos := use.Node().Pos()
		return !m.Uses.Declares(use) && m.inBodies(pos) && !uses.Holds(m.At.Node(), pos)
	})
}

// edits returns the edits that merge once, after the loop, under the lock that
// is written lock, or why there are none.
func (m *merger) edits(lock ast.Expr) (edits []analysis.TextEdit, why string, at token.Pos) {
	if m.why != "" {
		return nil, m.why, m.at
	}
	if len(m.merges) == 0 {
		return nil, "nothing is added to under the lock", m.At.Node().Pos()
	}
	if why, at := m.Leaves(); why != "" {
		return nil, why, at
	}
	for c := range m.At.Preorder((*ast.FuncLit)(nil)) {
		return nil, "the loop has a function literal", c.Node().Pos()
	}
	if _, ok := PlaceOf(m.Uses, lock, m.At); !ok {
		return nil, types.ExprString(lock) + " is not the same lock in all iterations", lock.Pos()
	}
	if !m.Evaluates(lock) {
		return nil, types.ExprString(lock) + " may not be there where the loop does not run", lock.Pos()
	}
	tells := flow.Of(m.Pass).Within(m.At.Node(), m.locks...).First(flow.Changes&^flow.Write|flow.Look) != nil
	var before, after strings.Builder
	for _, g := range m.merges {
		text, pos := rewrite.Text(m.Pass.Fset, g.Expr), g.Expr.Pos()
		switch {
		case len(g.places) != len(g.Uses):
			return nil, "the loop looks at " + g.Text(), pos
		case !m.Evaluates(g.Expr):
			return nil, g.Text() + " may not be there where the loop does not run", pos
		case !m.Confined(g.Place) || tells && m.elsewhere(g.root):
			return nil, "others may look at " + g.Text() + " while the loop runs", pos
		}
		if why, at := m.Rescued(g.Place); why != "" {
			return nil, why, at
		}
		name := m.Name(m.Func(), m.At.Node(), g.Variable())
		typ, ok := m.Spell(g.Type)
		if !ok {
			return nil, "its type has no name here", pos
		}
		switch g.kind {
		case sum:
			fmt.Fprintf(&before, "var %s %s\n", name, typ)
			fmt.Fprintf(&after, "%s += %s\n", text, name)
		case count:
			fmt.Fprintf(&before, "%s := make(%s)\n", name, typ)
			k, v := m.Name(m.Func(), m.At.Node(), "key"), m.Name(m.Func(), m.At.Node(), "count")
			fmt.Fprintf(&after, "for %s, %s := range %s {\n%s[%s] += %s\n}\n", k, v, name, text, k, v)
		case grows:
			fmt.Fprintf(&before, "var %s %s\n", name, typ)
			fmt.Fprintf(&after, "%s = append(%s, %s...)\n", text, text, name)
		}
		for _, e := range g.places {
			edits = append(edits, rewrite.Replace(e, name))
		}
	}
	by, n := rewrite.Text(m.Pass.Fset, lock), m.At.Node()
	return append(edits,
		rewrite.Insert(n.Pos(), before.String()),
		rewrite.Insert(n.End(), fmt.Sprintf("\n%s.Lock()\n%s%s.Unlock()", by, after.String(), by))), "", 0
}
