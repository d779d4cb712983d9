package lockslow

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
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A mover does parts of a section before the lock is taken.
type mover struct {
	*speed
	lock  *guard.Lock
	s     *section.Section
	holds []string // what nothing proves
}

// before is the edit that does the slow part of a section before it.
func (p *speed) before(lock *guard.Lock, s *section.Section, slow inspector.Cursor) (fix shape.Fix, no *shape.Refusal) {
	fix = shape.Fix{Name: "before", Says: "take the lock after what needs nothing of it"}
	if why, at := lock.Visible(); why != "" {
		return fix, &shape.Refusal{Why: why, Pos: at}
	}
	m := &mover{speed: p, lock: lock, s: s}
	var holds []string
	n := slices.IndexFunc(s.Stmts, func(st inspector.Cursor) bool {
		holds = m.holds
		return m.needs(st) != nil
	})
	switch {
	case n < 0:
		return fix, shape.No(s.Enter.Node(), "nothing in the section needs the lock")
	case s.Stmts[n].Node().Pos() > slow.Node().Pos():
		m.holds = holds
		fix.Edits = m.later(s.Stmts[n].Node().Pos())
	default:
		m.holds = nil
		at := slices.IndexFunc(s.Stmts, func(st inspector.Cursor) bool { return st.Contains(slow) })
		fix.Edits, no = m.lift(slow, s.Stmts[at], s.Stmts[:at:at])
	}
	fix.Holds = strings.Join(m.holds, ", and ")
	return fix, no
}

// later takes the lock at a later place of the section.
func (m *mover) later(at token.Pos) (edits []analysis.TextEdit) {
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

// needs says why code may need the lock, or may not come before statements of the section,
// or others may see when it is done.
func (m *mover) needs(code inspector.Cursor, stay ...inspector.Cursor) *shape.Refusal {
	does := m.in.Effects(code)
	if len(does.Indirect) > 0 {
		return shape.No(does.Indirect[0], "it changes memory that others may see")
	}
	for _, l := range left(m.in.Uses.Info, code) {
		if l.How != "return" {
			return &shape.Refusal{Why: "it may leave the section", Pos: l.Pos}
		}
	}
	if no := m.comes(code, stay); no != nil {
		return no
	}
	if no := m.calls(does.Unknown); no != nil {
		return no
	}
	if no := m.looks(code); no != nil {
		return no
	}
	for _, x := range m.flow(code) {
		switch v := x.Var(); {
		case x.Kind == flow.Panic:
			if len(stay) > 0 {
				m.assume("nothing panics that is done before the lock is taken")
			}
		case x.Kind&(flow.Unknown|flow.Call) != 0, x.Kind == flow.Write && v == nil && len(does.Unknown) > 0:
			// by what is called
		case x.Kind&(flow.Changes|flow.Ask|flow.Look) != 0 && !(x.Kind == flow.Write && guard.Own(x.On)):
			return &shape.Refusal{Why: "others may see when it is done: it " + x.String(), Pos: x.Pos()}
		case v != nil && (m.lock.Guarded[v] || !guard.Own(x.On) && m.changes(v)):
			return shape.No(code.Node(), "it uses "+v.Name()+", which changes")
		case v != nil && (v.IsField() || !types.Identical(v.Type(), types.Universe.Lookup("error").Type())):
			if !guard.Own(x.On) && m.in.Uses.Unseen(v) != "" {
				m.assume("no other package sets " + v.Name() + " meanwhile")
			}
		case v == nil && x.On.Has(flow.Globals):
			return shape.No(code.Node(), "it uses what a variable of the package leads to")
		}
	}
	return nil
}

// flow is what code does, but for giving the lock back.
func (m *mover) flow(code inspector.Cursor) flow.Effects {
	var own []ast.Node
	for _, x := range m.s.Early {
		own = append(own, x.Node())
	}
	return m.in.Flow.Within(code.Node(), own...)
}

// comes says why code may have to come after statements.
func (m *mover) comes(code inspector.Cursor, stay []inspector.Cursor) *shape.Refusal {
	for _, st := range stay {
		if x := m.flow(st).First(flow.Changes&^(flow.Write|flow.Sync) | flow.Ask); x != nil {
			return &shape.Refusal{Why: "it may have to come after this: it " + x.String(), Pos: x.Pos()}
		}
		if left := left(m.in.Uses.Info, st); len(left) > 0 {
			return &shape.Refusal{Why: "the section may be left here, and then it is not called", Pos: left[0].Pos}
		}
	}
	return m.keeps(code, stay)
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
				changes = changes || uses.Refers(v.Type()) && types.Identical(v.Type(), w.Type())
			}
			if changes {
				return shape.No(st.Node(), v.Name()+" changes before it")
			}
		}
	}
	return nil
}

// calls says why calls of which nothing is known stay under the lock.
func (m *mover) calls(unknown []ast.Node) *shape.Refusal {
	for _, n := range unknown {
		call := n.(*ast.CallExpr)
		f := types.ExprString(call.Fun)
		at, _ := uses.Find(m.in.Uses.Root, call)
		if at.ParentEdgeKind() == edge.ExprStmt_X || strings.HasSuffix(f, ".Write") || types.Identical(m.in.Uses.Info.TypeOf(call), types.Universe.Lookup("error").Type()) {
			return shape.No(n, f+" is called for what it does")
		}
		if len(call.Args) == 0 { // like a clock
			return shape.No(n, "what "+f+" returns may depend on when")
		}
		m.assume("what " + f + " does needs no lock")
	}
	return nil
}

// looks says which variables of code others may change, or what they lead to.
func (m *mover) looks(code inspector.Cursor) *shape.Refusal {
	for c := range code.Preorder((*ast.Ident)(nil)) {
		v := m.in.Uses.Var(c.Node().(*ast.Ident))
		if v == nil || uses.Holds(&ast.BlockStmt{Lbrace: m.s.Enter.Node().End(), Rbrace: end(m.s)}, v.Pos()) {
			continue // a variable of the section has what was looked at
		}
		if !v.IsField() && m.changes(v) {
			return shape.No(code.Node(), "it uses "+v.Name()+", which changes")
		}
		if sel, ok := c.Parent().Node().(*ast.SelectorExpr); ok && sel.X == c.Node() && m.in.Uses.Var(sel) != nil {
			continue // a field of it
		}
		for t := range uses.LeadsTo(v.Type(), 8) {
			bad := false
			switch u := t.Underlying().(type) {
			case *types.Slice:
				m.assume("what " + v.Name() + " leads to does not change under the lock")
			case *types.Map:
				bad = true
			case *types.Basic:
				bad = uses.Under[*types.Pointer](v.Type())
			case *types.Struct:
				bad = t != v.Type() && slices.ContainsFunc(slices.Collect(u.Fields()), func(f *types.Var) bool { return m.lock.Guarded[f.Origin()] })
			}
			if bad {
				return shape.No(code.Node(), "it looks at what "+v.Name()+" leads to, which others may change under the lock")
			}
		}
	}
	return nil
}

// changes reports whether others may change a variable or field, or a part of it, later than
// where it is made.
func (m *mover) changes(v *types.Var) bool {
	return m.lock.Guarded[v] || m.s.Shares(v) && (!guard.Settled(m.in.Uses, v) || slices.ContainsFunc(m.in.Uses.Of(v), func(c inspector.Cursor) bool {
		part, whole := uses.Elements(uses.Whole(c))
		return !whole && uses.Written(part)
	}))
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
