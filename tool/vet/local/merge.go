package local

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A MergeKind is how something shared grows.
type MergeKind int

const (
	Sum    MergeKind = iota // x += e
	Count                   // m[k] += e
	Append                  // s = append(s, e)
	Best                    // if e > x { x = e }, x = max(x, e)
	Each                    // x[i] += e
)

// A Merge is something shared that statements of a loop add to. The additions
// may as well be done first for the items of the goroutine and then once.
type Merge struct {
	*Place // that grows: x, m, s
	Kind   MergeKind
	op     token.Token // of Sum, Count and Each
	last   string      // Best: the statement that merges, with %[1]s for the variable
	edits  []edit
	name   string
	room   string // Count: how many keys there may be, as the second argument of make
	rounds bool   // the order of the additions may show
}

// An edit puts the variable somewhere; its text holds %s for the name.
type edit struct{ analysis.TextEdit }

// A Merger collects the merges of a loop.
type Merger struct {
	*Loop
	Sections *section.Index
	Lock     *section.Lock
	Merges   []*Merge
	guarded  map[*types.Var]bool
	why      string
	at       token.Pos
}

// NewMerger returns a Merger for what the loop does under a lock.
func (l *Loop) NewMerger(sections *section.Index, lock *section.Lock) *Merger {
	return &Merger{Loop: l, Sections: sections, Lock: lock, guarded: sections.Guarded(lock)}
}

func (m *Merger) refuse(n ast.Node, why string) bool {
	if m.why == "" {
		m.why, m.at = why, n.Pos()
	}
	return false
}

// Statements takes statements that run under the lock, and reports whether
// they merge and do nothing else that needs it.
func (m *Merger) Statements(list []inspector.Cursor) bool {
	for _, c := range list {
		if !m.statement(c) {
			return false
		}
	}
	return true
}

func (m *Merger) statement(c inspector.Cursor) bool {
	info := m.Pass.TypesInfo
	switch n := c.Node().(type) {
	case *ast.IncDecStmt:
		if m.shared(n.X) {
			return m.sum(c, n.X, token.ADD_ASSIGN, nil)
		}
	case *ast.AssignStmt:
		if len(n.Lhs) != 1 || len(n.Rhs) != 1 || !m.shared(n.Lhs[0]) {
			break
		}
		switch n.Tok {
		case token.ADD_ASSIGN, token.SUB_ASSIGN:
			return m.sum(c, n.Lhs[0], token.ADD_ASSIGN, n.Rhs)
		case token.OR_ASSIGN, token.XOR_ASSIGN:
			return m.sum(c, n.Lhs[0], n.Tok, n.Rhs)
		case token.ASSIGN:
			call, ok := ast.Unparen(n.Rhs[0]).(*ast.CallExpr)
			if !ok {
				break
			}
			b, ok := info.Uses[ident(call.Fun)].(*types.Builtin)
			if !ok || len(call.Args) == 0 {
				break
			}
			switch b.Name() {
			case "append":
				return m.grow(c, n.Lhs[0], call)
			case "max", "min":
				return m.bestCall(c, n.Lhs[0], call, b.Name())
			}
		}
		return m.refuse(n, "it does more under the lock than add to "+types.ExprString(n.Lhs[0]))
	case *ast.IfStmt:
		if m.bestIf(c, n) {
			return true
		}
		if m.why != "" || n.Init != nil {
			break
		}
		if cond, ok := c.FindNode(n.Cond); !ok || !m.free(cond) {
			return m.refuse(n.Cond, "it decides under the lock by what others may change")
		}
		if !m.block(c, n.Body) {
			return false
		}
		if n.Else == nil {
			return true
		}
		e, _ := c.FindNode(n.Else)
		if b, ok := n.Else.(*ast.BlockStmt); ok {
			return m.block(c, b)
		}
		return m.statement(e)
	}
	if m.why == "" && m.free(c) {
		return true
	}
	switch n := c.Node().(type) { // loops that merge
	case *ast.RangeStmt:
		return m.frees(c, n.X) && m.block(c, n.Body)
	case *ast.ForStmt:
		return m.header(c, n) && m.block(c, n.Body)
	}
	return m.refuse(c.Node(), "it does more under the lock than add up")
}

func (m *Merger) block(c inspector.Cursor, b *ast.BlockStmt) bool {
	for _, s := range b.List {
		if x, ok := c.FindNode(s); !ok || !m.statement(x) {
			return false
		}
	}
	return true
}

// header takes what is in front of the body of a loop.
func (m *Merger) header(c inspector.Cursor, n *ast.ForStmt) bool {
	var parts []ast.Node
	if n.Init != nil {
		parts = append(parts, n.Init)
	}
	if n.Cond != nil {
		parts = append(parts, n.Cond)
	}
	if n.Post != nil {
		parts = append(parts, n.Post)
	}
	for _, part := range parts {
		if x, ok := c.FindNode(part); !ok || !m.free(x) {
			return m.refuse(part, "it does more under the lock than add up")
		}
	}
	return true
}

// shared reports whether an operand is something that the goroutines share.
func (m *Merger) shared(e ast.Expr) bool {
	if x, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
		if _, isMap := m.Pass.TypesInfo.TypeOf(x.X).Underlying().(*types.Map); isMap || m.elements(x.X) {
			e = x.X
		}
	}
	return m.Site.SharedExpr(e)
}

// merge returns the merge of the place that e names.
func (m *Merger) merge(e ast.Expr, kind MergeKind, op token.Token) *Merge {
	p, ok := PlaceOf(m.Uses, e, m.At)
	if !ok {
		m.refuse(e, types.ExprString(e)+" is not the same in all iterations")
		return nil
	}
	for _, x := range m.Merges {
		if x.key != p.key {
			continue
		}
		if x.Kind != kind || x.op != op {
			m.refuse(e, p.Text()+" grows in several ways")
			return nil
		}
		return x
	}
	if kind == Each {
		p.Uses = nil
		for u := range mentions(m.Pass.TypesInfo, m.At) {
			if u.path.key == p.key || strings.HasPrefix(u.path.key, p.key+"[") {
				p.Uses = append(p.Uses, u.Use)
			}
		}
	}
	x := &Merge{Place: p, Kind: kind, op: op}
	m.Merges = append(m.Merges, x)
	return x
}

// frees reports whether operands mean the same without the lock.
func (m *Merger) frees(c inspector.Cursor, es ...ast.Expr) bool {
	for _, e := range es {
		if x, ok := c.FindNode(e); !ok || !m.free(x) {
			return m.refuse(e, types.ExprString(e)+" may be something else without the lock")
		}
	}
	return true
}

// free reports whether code means the same without the lock: it reads nothing
// that is written under it, and writes only what the goroutine has for itself.
func (m *Merger) free(c inspector.Cursor) bool {
	e := m.Sections.Effects(c)
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
	return len(rewrite.Leaves(m.Pass.TypesInfo, c.Node(), false)) == 0
}

// own reports whether a variable is the goroutine's, or local to a function that
// it calls.
func (m *Merger) own(v *types.Var) bool {
	if m.Func() != nil && !spans(m.Func(), v.Pos()) {
		return v.Parent() != m.Pass.Pkg.Scope()
	}
	return m.Site.Own(v) && !m.Site.Shared(v)
}

// sum takes x += e and m[k] += e.
func (m *Merger) sum(c inspector.Cursor, lhs ast.Expr, op token.Token, rhs []ast.Expr) bool {
	kind, x, room := Sum, lhs, ""
	if i, ok := ast.Unparen(lhs).(*ast.IndexExpr); ok {
		if _, isMap := m.Pass.TypesInfo.TypeOf(i.X).Underlying().(*types.Map); isMap {
			if kind, x, room = Count, i.X, Room(m.Pass.TypesInfo, i.Index); !m.frees(c, i.Index) {
				return false
			}
		} else if _, same := PlaceOf(m.Uses, i, m.At); !same && m.elements(i.X) {
			if kind, x = Each, i.X; !m.frees(c, i.Index) {
				return false
			}
		}
	}
	switch t := m.Pass.TypesInfo.TypeOf(lhs); {
	case rounded(t) && !m.AtOnce():
		return m.refuse(lhs, "each addition to "+types.ExprString(lhs)+" rounds, and their order is certain")
	case !number(t):
		return m.refuse(lhs, types.ExprString(lhs)+" is no number") // strings: the order shows
	}
	if !m.frees(c, rhs...) {
		return false
	}
	g := m.merge(x, kind, op)
	if g == nil {
		return false
	}
	g.put(x)
	g.room, g.rounds = room, rounded(m.Pass.TypesInfo.TypeOf(lhs))
	return true
}

// elements reports whether an operand is an array, or a slice that the goroutines do
// not set.
func (m *Merger) elements(x ast.Expr) bool {
	switch m.Pass.TypesInfo.TypeOf(x).Underlying().(type) {
	case *types.Array:
		return true
	case *types.Slice:
		v := m.Uses.Var(x)
		return v != nil && !slices.ContainsFunc(m.Uses.Of(v), func(use inspector.Cursor) bool {
			return !m.Uses.Declares(use) && writtenAt(use) && (m.inBodies(use.Node().Pos()) || v.IsField())
		})
	}
	return false
}

// Room returns the second argument of make for a map with a key like i&127 or
// i%100. It returns "" if it is not known how many keys there may be, or they
// are many. A map that grows as it is filled costs twice what one of the right
// size does.
func Room(info *types.Info, key ast.Expr) string {
	for {
		call, ok := ast.Unparen(key).(*ast.CallExpr)
		if !ok || !info.Types[call.Fun].IsType() {
			break
		}
		key = call.Args[0]
	}
	x, ok := ast.Unparen(key).(*ast.BinaryExpr)
	if !ok || x.Op != token.AND && x.Op != token.REM || info.Types[x.Y].Value == nil {
		return ""
	}
	n, _ := constant.Int64Val(constant.ToInt(info.Types[x.Y].Value))
	if x.Op == token.AND {
		n++
	}
	if n <= 8 || n > 1024 {
		return ""
	}
	return fmt.Sprintf(", %d", n)
}

// Rounds is what to say of an edit that adds up floats by goroutine.
const Rounds = "; the sum may be rounded otherwise, as it may by the order of the goroutines"

// rounded reports whether sums of a type depend on their order.
func rounded(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsFloat|types.IsComplex) != 0
}

func number(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

// put stands the variable in for e.
func (g *Merge) put(e ast.Expr) { g.edits = append(g.edits, edit{rewrite.Replace(e, "%s")}) }

// grow takes s = append(s, e).
func (m *Merger) grow(c inspector.Cursor, lhs ast.Expr, call *ast.CallExpr) bool {
	g := m.merge(lhs, Append, 0)
	if g == nil {
		return false
	}
	if !g.Same(m.Pass.TypesInfo, call.Args[0]) {
		return m.refuse(call, "it appends to something else")
	}
	if !m.frees(c, call.Args[1:]...) {
		return false
	}
	g.put(lhs)
	g.put(call.Args[0])
	return true
}

// bestCall takes x = max(x, e).
func (m *Merger) bestCall(c inspector.Cursor, lhs ast.Expr, call *ast.CallExpr, name string) bool {
	g := m.merge(lhs, Best, 0)
	if g == nil {
		return false
	}
	last := fmt.Sprintf("%s = %s(%s, %%[1]s)", g.Text(), name, g.Text())
	if len(call.Args) != 2 || g.last != "" && g.last != last {
		return m.refuse(call, g.Text()+" grows in several ways")
	}
	g.last = last
	g.put(lhs)
	for _, a := range call.Args {
		if g.Same(m.Pass.TypesInfo, a) {
			g.put(a)
		} else if !m.frees(c, a) {
			return false
		}
	}
	return true
}

// bestIf takes if e > x { x = e }.
func (m *Merger) bestIf(c inspector.Cursor, n *ast.IfStmt) bool {
	cond, ok := ast.Unparen(n.Cond).(*ast.BinaryExpr)
	if !ok || n.Init != nil || n.Else != nil || len(n.Body.List) != 1 {
		return false
	}
	set, ok := n.Body.List[0].(*ast.AssignStmt)
	if !ok || set.Tok != token.ASSIGN || len(set.Lhs) != 1 || len(set.Rhs) != 1 || !m.shared(set.Lhs[0]) {
		return false
	}
	p, ok := PlaceOf(m.Uses, set.Lhs[0], m.At)
	if !ok {
		return false
	}
	info := m.Pass.TypesInfo
	x, e := cond.X, cond.Y
	left := p.Same(info, x)
	if !left {
		x, e = e, x
	}
	switch cond.Op {
	case token.LSS, token.GTR, token.LEQ, token.GEQ:
	default:
		return false
	}
	if !p.Same(info, x) || types.ExprString(e) != types.ExprString(set.Rhs[0]) || !m.frees(c, e) {
		return false
	}
	g := m.merge(set.Lhs[0], Best, 0)
	if g == nil {
		return false
	}
	test := fmt.Sprintf("%%[1]s %s %s", cond.Op, g.Text())
	if left {
		test = fmt.Sprintf("%s %s %%[1]s", g.Text(), cond.Op)
	}
	last := fmt.Sprintf("if %s {\n%s = %%[1]s\n}", test, g.Text())
	if g.last != "" && g.last != last {
		return m.refuse(n, g.Text()+" grows in several ways")
	}
	g.last = last
	g.put(x)
	g.put(set.Lhs[0])
	return true
}

// Edits returns the edits that merge once, after the loop, under the lock that
// is written lock, or why there are none.
func (m *Merger) Edits(lock ast.Expr) (edits []analysis.TextEdit, why string, at token.Pos) {
	if m.why != "" {
		return nil, m.why, m.at
	}
	if len(m.Merges) == 0 {
		return nil, "nothing is added to under the lock", m.At.Node().Pos()
	}
	if why, at := m.Leaves(); why != "" {
		return nil, why, at
	}
	if _, ok := PlaceOf(m.Uses, lock, m.At); !ok {
		return nil, types.ExprString(lock) + " is not the same lock in all iterations", lock.Pos()
	}
	if !m.Evaluates(lock) {
		return nil, types.ExprString(lock) + " may not be there where the loop does not run", lock.Pos()
	}
	var before, start, after strings.Builder
	for _, g := range m.Merges {
		if n := len(g.edits); n != len(g.Uses) {
			return nil, "the loop looks at " + g.Text(), g.Expr.Pos()
		}
		if !m.Evaluates(g.Expr) {
			return nil, g.Text() + " may not be there where the loop does not run", g.Expr.Pos()
		}
		if m.inLiteral(g.Place) {
			return nil, "a function literal in the loop uses " + g.Text(), g.Expr.Pos()
		}
		if !m.Confined(g.Place) {
			return nil, "others may look at " + g.Text() + " while the loop runs", g.Expr.Pos()
		}
		if why, at := m.Rescued(g.Place); why != "" {
			return nil, why, at
		}
	}
	for _, g := range m.Merges {
		g.name = m.Name(m.Func(), m.At.Node(), g.Variable())
		typ, ok := m.Spell(g.Type)
		if !ok {
			return nil, "its type has no name here", g.Expr.Pos()
		}
		text := rewrite.Text(m.Pass.Fset, g.Expr)
		switch g.Kind {
		case Sum:
			fmt.Fprintf(&before, "var %s %s\n", g.name, typ)
			fmt.Fprintf(&after, "%s %s %s\n", text, g.op, g.name)
		case Count:
			fmt.Fprintf(&before, "%s := make(%s%s)\n", g.name, typ, g.room)
			k, v := m.Name(m.Func(), m.At.Node(), "key"), m.Name(m.Func(), m.At.Node(), "count")
			fmt.Fprintf(&after, "for %s, %s := range %s {\n%s[%s] %s %s\n}\n", k, v, g.name, text, k, g.op, v)
		case Each:
			if _, array := g.Type.Underlying().(*types.Array); array {
				fmt.Fprintf(&before, "var %s %s\n", g.name, typ)
			} else {
				fmt.Fprintf(&start, "%s := make(%s, len(%s))\n", g.name, typ, text)
			}
			i, n := m.Name(m.Func(), m.At.Node(), "i"), m.Name(m.Func(), m.At.Node(), "n")
			fmt.Fprintf(&after, "for %s, %s := range %s {\n%s[%s] %s %s\n}\n", i, n, g.name, text, i, g.op, n)
		case Append:
			fmt.Fprintf(&before, "var %s %s\n", g.name, typ)
			fmt.Fprintf(&after, "%s = append(%s, %s...)\n", text, text, g.name)
		case Best:
			fmt.Fprintf(&start, "%s := %s\n", g.name, text)
			fmt.Fprintf(&after, g.last+"\n", g.name)
		}
		for _, e := range g.edits {
			e.NewText = []byte(g.name)
			edits = append(edits, e.TextEdit)
		}
	}
	by := rewrite.Text(m.Pass.Fset, lock)
	if start.Len() > 0 {
		fmt.Fprintf(&before, "%s.Lock()\n%s%s.Unlock()\n", by, start.String(), by)
	}
	n := m.At.Node()
	return append(edits,
		rewrite.Insert(n.Pos(), before.String()),
		rewrite.Insert(n.End(), fmt.Sprintf("\n%s.Lock()\n%s%s.Unlock()", by, after.String(), by))), "", 0
}

// inLiteral reports whether a function literal within the loop mentions the
// root of the place.
func (m *Merger) inLiteral(p *Place) bool {
	for _, use := range m.Uses.Of(p.root) {
		if fn, ok := uses.Func(use); ok && spans(m.At.Node(), use.Node().Pos()) && spans(m.At.Node(), fn.Node().Pos()) {
			return true
		}
	}
	return false
}

// Unlocked returns the edits that take the lock away from a section.
func (m *Merger) Unlocked(s *section.Section) (edits []analysis.TextEdit) {
	gone := func(c inspector.Cursor, next bool) {
		n := c.Node()
		e := rewrite.Delete(n)
		if sib, ok := c.NextSibling(); ok && next && !m.comments(n.End(), sib.Node().Pos()) {
			e.End = sib.Node().Pos()
		} else if sib, ok := c.PrevSibling(); ok && !next && !m.comments(sib.Node().End(), n.Pos()) {
			e.Pos = sib.Node().End()
		}
		edits = append(edits, e)
	}
	gone(s.Enter, true)
	gone(s.Leave, s.Deferred)
	return edits
}

// comments reports whether there is a comment between two positions.
func (m *Merger) comments(from, to token.Pos) bool {
	for _, g := range m.file().Comments {
		if g.Pos() >= from && g.End() <= to {
			return true
		}
	}
	return false
}
