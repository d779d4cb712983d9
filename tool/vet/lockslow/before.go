package lockslow

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

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

// A mover does parts of a section before the lock is taken.
type mover struct {
	*speed
	lock    *guard.Lock
	s       *section.Section
	written map[string]bool // types of what changes under the lock
	holds   []string        // what nothing proves
}

// before is the edit that does the slow part of a section before it.
func (p *speed) before(lock *guard.Lock, s *section.Section, slow inspector.Cursor) (fix shape.Fix, no *shape.Refusal) {
	fix = shape.Fix{Name: "before", Says: "take the lock after what needs nothing of it"}
	if why, at := lock.Visible(); why != "" {
		return fix, &shape.Refusal{Why: why, Pos: at}
	}
	m := &mover{speed: p, lock: lock, s: s, written: map[string]bool{}}
	for _, s := range lock.Sections {
		for v := range lock.Does[s].Writes {
			for t := range uses.LeadsTo(v.Type(), 8) {
				m.written[t.Underlying().String()] = true
			}
		}
	}
	n := 0 // statements that need nothing
	for ; n < len(s.Stmts) && no == nil; n++ {
		known := len(m.holds)
		if no = m.needs(s.Stmts[n], nil); no != nil || s.Stmts[n].Node().Pos() > slow.Node().Pos() && len(m.holds) > known {
			m.holds = m.holds[:known]
			break
		}
	}
	next, _ := s.Enter.NextSibling()
	switch {
	case n == len(s.Stmts):
		no = shape.No(s.Enter.Node(), "nothing in the section needs the lock")
	case s.Stmts[n].Node().Pos() > slow.Node().Pos() && (!s.Deferred || next == s.Leave):
		fix.Edits, no = m.later(s.Stmts[:n], s.Stmts[n].Node().Pos()), nil
	default:
		m.holds = nil
		at := slices.IndexFunc(s.Stmts, func(st inspector.Cursor) bool { return st.Contains(slow) })
		fix.Edits, no = m.lift(slow, s.Stmts[at], s.Stmts[:at])
	}
	fix.Holds = strings.Join(m.holds, ", and ")
	return fix, no
}

// later takes the lock after its first statements.
func (m *mover) later(first []inspector.Cursor, at token.Pos) (edits []analysis.TextEdit) {
	fset, s := m.lock.Pass.Fset, m.s
	for _, x := range s.Early {
		if x.Node().Pos() < at {
			edits = append(edits, rewrite.Drop(fset, x))
		}
	}
	text := rewrite.Text(fset, s.Enter.Node()) + "\n"
	if s.Deferred {
		text += rewrite.Text(fset, s.Leave.Node()) + "\n"
		edits = append(edits, rewrite.Drop(fset, s.Leave))
	}
	return append(edits, rewrite.Drop(fset, s.Enter), rewrite.Insert(at, text))
}

// needs says why code may need the lock, or may not come before these statements, or others
// may see when it is done.
func (m *mover) needs(code inspector.Cursor, stay []inspector.Cursor) *shape.Refusal {
	in, info := m.in, m.in.Uses.Info
	does := in.Effects(code)
	for v := range does.Takes {
		return shape.No(code.Node(), "it takes "+v.Name())
	}
	for _, l := range left(info, code) {
		if l.How != "return" && l.How != "break" && l.How != "continue" {
			return &shape.Refusal{Why: "it may leave the section", Pos: l.Pos}
		}
	}
	var own []ast.Node
	for _, x := range m.s.Early {
		own = append(own, x.Node())
	}
	all := in.Flow.Within(code.Node(), own...)
	lost := all.First(flow.Unknown | flow.Call)
	if lost != nil && len(does.Indirect) > 0 {
		return shape.No(does.Indirect[0], "it changes memory that others may see")
	}
	for _, n := range does.Unknown {
		call := n.(*ast.CallExpr)
		f, t := types.ExprString(call.Fun), info.TypeOf(call)
		several, ok := t.(*types.Tuple)
		_, alone := code.Node().(*ast.ExprStmt)
		if alone || ok && (several.Len() == 0 || strings.HasSuffix(f, ".Write")) || types.Identical(t, types.Universe.Lookup("error").Type()) {
			return shape.No(n, f+" is called for what it does")
		}
		if len(call.Args) == 0 { // like a clock
			return shape.No(n, "what "+f+" returns may depend on when")
		}
	}
	for _, x := range all {
		switch {
		case lost != nil && x.Kind == flow.Write && x.Var() == nil: // by what is called, if at all
		case x.Kind&(flow.Unknown|flow.Call) != 0:
			what := cmp.Or(strings.ReplaceAll(x.Name, "|", " or "), "the function that is called")
			for _, n := range does.Unknown {
				what = types.ExprString(n.(*ast.CallExpr).Fun)
			}
			m.assume("what " + what + " does needs no lock")
		case x.Kind == flow.Panic && (len(stay) > 0 || !m.s.Deferred):
			m.assume("nothing panics that is done before the lock is taken")
		case x.Kind&(flow.Changes|flow.Ask|flow.Look) != 0 && (x.Kind != flow.Write || !guard.Own(x.On)):
			return &shape.Refusal{Why: "others may see when it is done: it " + x.String(), Pos: x.Pos()}
		}
	}
	for _, st := range stay {
		theirs := in.Flow.Within(st.Node(), own...)
		kinds := flow.Lock | flow.Send | flow.Receive | flow.Wait
		if lost != nil {
			kinds |= flow.Unknown | flow.Call | flow.Ask | flow.Tell
		}
		if x := theirs.First(kinds); x != nil {
			return &shape.Refusal{Why: "it may have to come after this: it " + x.String(), Pos: x.Pos()}
		}
		if left := left(info, st); lost != nil && len(left) > 0 {
			return &shape.Refusal{Why: "the section may be left here, and then it is not called", Pos: left[0].Pos}
		}
		if theirs.First(flow.Unknown|flow.Call) != nil {
			m.assume("what is called before changes nothing that is moved")
		}
	}
	if no := m.keeps(code, stay); no != nil {
		return no
	}
	return m.depends(code, does)
}

// keeps says why code may not come before statements: what they do to its variables.
func (m *mover) keeps(code inspector.Cursor, stay []inspector.Cursor) *shape.Refusal {
	for _, st := range stay {
		theirs := m.in.Effects(st).Writes
		for c := range code.Preorder((*ast.Ident)(nil)) {
			v := m.in.Uses.Var(c.Node().(*ast.Ident))
			if v == nil {
				continue
			}
			changes := theirs[v] || uses.Holds(st.Node(), v.Pos())
			for w := range theirs { // or what may be the same memory
				changes = changes || uses.Refers(v.Type()) && !types.IsInterface(v.Type()) && types.Identical(v.Type(), w.Type())
			}
			if changes {
				return shape.No(st.Node(), v.Name()+" changes before it")
			}
		}
	}
	return nil
}

// depends says what code uses that others may change, or see change.
func (m *mover) depends(code inspector.Cursor, does *section.Effects) *shape.Refusal {
	mine := map[*types.Var]bool{}  // fields of variables of functions
	whole := map[*types.Var]bool{} // what is used otherwise than to select a field
	far := map[*types.Var]bool{}   // fields that a pointer may lead to
	looked := map[ast.Node]bool{}
	var look func(inspector.Cursor)
	look = func(code inspector.Cursor) {
		looked[code.Node()] = true
		for c := range code.Preorder((*ast.Ident)(nil), (*ast.CallExpr)(nil)) {
			if call, ok := c.Node().(*ast.CallExpr); ok {
				if fn := section.Callee(m.in.Uses.Info, call); fn != nil {
					if decl, ok := m.in.Uses.Declaration(fn); ok && !looked[decl.Node()] {
						look(decl)
					}
				}
			} else if v := m.in.Uses.Var(c.Node().(*ast.Ident)); v != nil {
				sel, ok := c.Parent().Node().(*ast.SelectorExpr)
				whole[v] = whole[v] || !ok || m.in.Uses.Var(sel) == nil || sel.Sel == c.Node()
				s := m.in.Uses.Info.Selections[sel]
				far[v] = far[v] || s == nil || s.Indirect() || m.in.Uses.Var(sel.X) == nil
				if is, before := mine[v]; v.IsField() {
					mine[v] = (is || !before) && (s != nil && m.value(sel) || c.ParentEdgeKind() == edge.KeyValueExpr_Key)
				}
			}
		}
	}
	look(code)
	for v := range does.Writes {
		if m.s.Shares(v) && !mine[v] {
			return shape.No(code.Node(), "it changes "+v.Name())
		}
	}
	for _, v := range slices.SortedFunc(maps.Keys(does.Reads), func(a, b *types.Var) int { return cmp.Compare(a.Pos(), b.Pos()) }) {
		shares := m.s.Shares(v) && !mine[v]
		if !mine[v] && m.lock.Guarded[v] || shares && !m.settled(v) {
			return shape.No(code.Node(), "it uses "+v.Name()+", which changes")
		}
		sentinel := uses.Global(v) && types.Identical(v.Type(), types.Universe.Lookup("error").Type())
		if shares && far[v] && !sentinel && m.in.Uses.Unseen(v) != "" {
			m.assume("no other package sets " + v.Name() + " meanwhile")
		}
		if is, here := whole[v]; here && !is || uses.Holds(&ast.BlockStmt{Lbrace: m.s.Enter.Node().End(), Rbrace: end(m.s)}, v.Pos()) {
			continue // a variable of the section has what was looked at
		}
		for t := range uses.LeadsTo(v.Type(), 8) {
			bad := m.written[t.Underlying().String()]
			switch u := t.Underlying().(type) {
			case *types.Slice:
				if bad {
					m.assume("what " + v.Name() + " leads to does not change under the lock")
				}
				continue
			case *types.Basic:
				bad = uses.Under[*types.Pointer](v.Type())
			case *types.Struct:
				bad = t != v.Type() && slices.ContainsFunc(slices.Collect(u.Fields()), func(f *types.Var) bool { return m.lock.Guarded[f.Origin()] })
			case *types.Map:
			default:
				bad = false
			}
			if bad {
				return shape.No(code.Node(), "it looks at what "+v.Name()+" leads to, which others may change under the lock")
			}
		}
	}
	return nil
}

// settled reports whether all of a variable or field is set where it is made.
func (m *mover) settled(v *types.Var) bool {
	return guard.Settled(m.in.Uses, v) && !(uses.Under[*types.Struct](v.Type()) && slices.ContainsFunc(m.in.Uses.Of(v), func(c inspector.Cursor) bool {
		part, _ := uses.Elements(uses.Whole(c))
		return uses.Written(part)
	}))
}

// value reports whether an expression is a variable of the function, or a part of it that
// no pointer leads to.
func (m *mover) value(e ast.Expr) bool {
	if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
		s := m.in.Uses.Info.Selections[sel]
		return s != nil && !s.Indirect() && m.value(sel.X)
	}
	id, _ := ast.Unparen(e).(*ast.Ident)
	return id != nil && m.in.Uses.Var(id) != nil && !m.s.Shares(m.in.Uses.Var(id))
}

// assume enters a condition.
func (m *mover) assume(what string) {
	if !slices.Contains(m.holds, what) {
		m.holds = append(m.holds, what)
	}
}

// left returns how control leaves code.
func left(info *types.Info, c inspector.Cursor) []rewrite.Leave {
	st, ok := c.Node().(ast.Stmt)
	if !ok {
		return nil
	}
	return rewrite.Leaves(info, &ast.BlockStmt{List: []ast.Stmt{st}}, false)
}
