package privatize

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
	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Captured are variables and fields that a loop of goroutines adds to itself, under a
// lock or in a sync.Map. By the edit it adds to its own, and merges them once.
type Captured struct {
	*local.Loop
	X       ast.Expr // the lock or map
	Enter   ast.Node // what takes it
	Appends bool     // it collects things in slices and nothing else
	Fix     shape.Fix
	Why     string
	Reason  token.Pos
}

// captures is what is known of them: where a variable or field is, as the loop names it.
type captures struct {
	at       map[*types.Var]*local.Place
	sections []*section.Section // of the lock
	guarded  map[*types.Var]bool
}

// Captured returns what loops in the body of a site add to, each lock and map of a loop
// once, unless they do much besides.
func (p *Package) Captured(s *spawn.Site, w *spawn.Weigher) (all []Captured) {
	run, _ := p.Find(s.Body)
	done := map[ast.Node]bool{}
	// It is best merged after the outermost loop after which it can.
	outward := func(enter inspector.Cursor, x ast.Expr, sec *section.Section) {
		var loops []inspector.Cursor
		for loop, ok := local.Innermost(enter); ok; loop, ok = local.Innermost(loop) {
			loops = append(loops, loop)
		}
		c := Captured{}
		for _, loop := range slices.Backward(loops) {
			c = Captured{Loop: &local.Loop{Package: p.Package, Site: s, At: loop}, X: x, Enter: enter.Node()}
			if p.capture(&c, sec); c.Why == "" {
				break
			}
		}
		all = append(all, c)
	}
	for _, sec := range local.SectionsIn(p.sections, run) {
		loop, ok := local.Innermost(sec.Enter)
		if !ok || sec.Read || done[sec.Enter.Node()] || !s.SharedExpr(sec.X) || w.Weigh(loop.Node()).Blocking > 0 {
			continue
		}
		if outward(sec.Enter, sec.X, sec); all[len(all)-1].Why != "" && !local.Besides(w, loop, sec) {
			all = all[:len(all)-1]
			continue
		}
		for _, x := range local.SectionsIn(p.sections, all[len(all)-1].At) {
			done[x.Enter.Node()] = done[x.Enter.Node()] || x.Lock == sec.Lock
		}
	}
	for call := range run.Preorder((*ast.CallExpr)(nil)) {
		fn := section.Callee(p.Pass.TypesInfo, call.Node().(*ast.CallExpr))
		sel, _ := ast.Unparen(call.Node().(*ast.CallExpr).Fun).(*ast.SelectorExpr)
		loop, ok := local.Innermost(call)
		if ok && spawn.IsMethod(fn, "sync", "Map", "LoadOrStore") && s.SharedExpr(sel.X) && local.Light(w, loop) {
			outward(call, sel.X, nil)
		}
	}
	return all
}

// capture takes what a loop adds to in the sections of a lock, or, without, in a sync.Map.
func (p *Package) capture(c *Captured, sec *section.Section) {
	l := c.Loop
	o := p.object(l)
	o.captures = &captures{at: map[*types.Var]*local.Place{}}
	m := o.reader(nil, l.Func(), l.At, sec != nil)
	var locks []ast.Node
	var edits []analysis.TextEdit
	if sec != nil {
		o.captures.guarded = p.sections.Guarded(sec.Lock)
		for _, x := range local.SectionsIn(p.sections, l.At) {
			if x.Lock != sec.Lock {
				continue
			}
			if x.Read || len(x.Early) > 0 {
				o.refuse(x.Enter.Node(), "the loop looks at what it adds to")
			}
			o.captures.sections = append(o.captures.sections, x)
			locks = append(locks, x.Enter.Node(), x.Leave.Node())
			edits = append(edits, rewrite.Drop(p.Pass.Fset, x.Enter), rewrite.Drop(p.Pass.Fset, x.Leave))
		}
	}
	m.does = slices.Clone(locks)
	if o.why == "" && m.read() && m.alone() {
		more, after, named := m.merges(c, locks)
		if sec != nil {
			by := rewrite.Text(p.Pass.Fset, sec.X)
			if _, ok := local.PlaceOf(p.Uses, sec.X, l.At); !ok {
				o.refuse(sec.X, "%s is not the same lock in all iterations", by)
			} else if !l.Evaluates(sec.X) {
				o.refuse(sec.X, "%s may not be there where the loop does not run", by)
			}
			after, named = fmt.Sprintf("%s.Lock()\n%s\n%s.Unlock()", by, after, by), append(named, sec.X)
		}
		if o.why == "" {
			last, why, pos := l.After(after, named...)
			if why != "" {
				o.refuse(at(pos), "%s", why)
			}
			edits = append(append(edits, more...), last...)
		}
	}
	c.Fix.Name, c.Fix.Edits, c.Why, c.Reason = "local", edits, o.why, o.at
	c.Fix.Holds = strings.Join(o.holds, ", and ")
}

// captured is chain for what the goroutines share and the loop names: a variable, or a
// field at the end of a path. Atomics are added to one by one.
func (m *method) captured(e ast.Expr) (id *ast.Ident, path []*types.Var) {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	}
	v := m.Uses.Var(e)
	guarded := slices.ContainsFunc(m.captures.sections, func(s *section.Section) bool {
		return s.Enter.Node().End() <= e.Pos() && (s.Deferred || e.End() <= s.Leave.Node().Pos())
	})
	if v == nil || !guarded && !uses.Is(v.Type(), "sync", "Map") || !m.Site.SharedExpr(e) || atomicOf(v.Type()) != "" || uses.Under[*types.Pointer](v.Type()) {
		return nil, nil
	}
	p, ok := local.PlaceOf(m.Uses, e, m.At)
	if had := m.captures.at[v]; !ok || had != nil && !same(m.Pass.TypesInfo, had.Expr, e) {
		return nil, nil
	}
	m.captures.at[v] = p
	return id, []*types.Var{v}
}

// text is how an operand is written in the edit: what is captured has a mark for a name.
func (m *method) text(e ast.Expr) string {
	if v := m.Uses.Var(e); m.captures != nil && m.captures.at[v] != nil {
		return mark(v)
	}
	return rewrite.Text(m.Pass.Fset, e)
}

func mark(v *types.Var) string { return fmt.Sprintf("\x00%d\x00", v.Pos()) }

// alone reports whether the loop does nothing else under the lock that needs it.
func (m *method) alone() bool {
	for _, f := range m.fields.kids {
		for _, use := range m.Uses.Of(f.v) {
			id, is := use.Node().(*ast.Ident)
			if spawn.Within(m.At.Node(), use.Node()) && !(is && m.known[id]) {
				return m.refuse(use.Node(), "the loop looks at %s", m.captures.at[f.v].Text())
			}
		}
	}
	for c := range m.At.Preorder((*ast.FuncLit)(nil)) {
		return m.refuse(c.Node(), "the loop has a function literal")
	}
	for _, e := range m.operands {
		if c, ok := m.Find(e); !ok || !m.free(c) {
			return m.refuse(e, "%s may be something else without the lock", types.ExprString(e))
		}
	}
	for _, s := range m.captures.sections {
		for _, c := range s.Stmts {
			if !m.statement(c) {
				return false
			}
		}
	}
	if !m.once() {
		return false
	}
	for _, e := range flow.Of(m.Pass).Within(m.At.Node(), m.does...) {
		if v := e.Var(); v != nil && m.adds[v.Origin()] != 0 {
			return m.refuse(at(e.Pos()), "the loop %s", e.String())
		}
	}
	return len(m.fields.kids) > 0 && m.gives == nil || m.refuse(m.At.Node(), "nothing is added to under the lock")
}

// statement reports whether a statement adds up, or does not need the lock.
func (m *method) statement(c inspector.Cursor) bool {
	if x := keeps(m.Pass.TypesInfo, c); slices.Contains(m.does, c.Node()) || x.op != 0 && (m.spot(x.to).id != nil || m.elem(x.to).f != nil) {
		return true
	}
	list := func(b *ast.BlockStmt) bool {
		return !slices.ContainsFunc(b.List, func(s ast.Stmt) bool {
			x, ok := m.Find(s)
			return !ok || !m.statement(x)
		})
	}
	if n, ok := c.Node().(*ast.IfStmt); ok && n.Init == nil {
		if cond, ok := m.Find(n.Cond); !ok || !m.free(cond) {
			return m.refuse(n.Cond, "%s may be something else without the lock", types.ExprString(n.Cond))
		}
		block, ok := n.Else.(*ast.BlockStmt)
		if list(n.Body) && (n.Else == nil || ok && list(block)) {
			return true
		}
	}
	return m.why == "" && m.free(c) || m.refuse(c.Node(), "it does more under the lock than add up")
}

// free reports whether code means the same without the lock: it reads nothing that is
// written under it, and writes only what the goroutine has for itself.
func (m *method) free(c inspector.Cursor) bool {
	e := m.pkg.sections.Effects(c)
	if len(e.Unknown)+len(e.Calls)+len(e.Waits)+len(e.Indirect)+len(e.Takes) > 0 {
		return false
	}
	for v := range e.Writes {
		if v.IsField() || !m.mine(v) {
			return false
		}
	}
	for v := range e.Reads {
		if m.captures.guarded[v] && (v.IsField() || !m.mine(v)) {
			return false
		}
	}
	return len(rewrite.Leaves(m.Pass.TypesInfo, c.Node(), false)) == 0
}

// mine reports whether a variable is the goroutine's, or local to a function that it calls.
func (m *method) mine(v *types.Var) bool {
	if m.Func() != nil && !uses.Holds(m.Func(), v.Pos()) {
		return !uses.Global(v)
	}
	return m.Site.Own(v) && !m.Site.Shared(v)
}

// merges declares what the goroutine has for itself, and writes how that is merged.
func (m *method) merges(c *Captured, locks []ast.Node) (edits []analysis.TextEdit, after string, named []ast.Expr) {
	n := m.At.Node()
	tells := flow.Of(m.Pass).Within(n, locks...).First(flow.Changes&^flow.Write|flow.Look) != nil
	p := part{object: m.object, file: rewrite.File(m.Pass, n.Pos()), at: &ast.GenDecl{TokPos: n.Pos()}}
	var before, sums strings.Builder
	var all []string
	if !m.because(m.Leaves()) {
		return
	}
	if len(locks) > 0 && m.Holding(locks...) {
		m.refuse(n, "another lock may be held where the loop is left")
		return
	}
	c.Appends = true
	caveat := ""
	for _, f := range m.fields.kids {
		place := m.captures.at[f.v]
		text := rewrite.Text(m.Pass.Fset, place.Expr)
		op := m.adds[f.v]
		list := uses.Under[*types.Slice](f.v.Type())
		c.Appends = c.Appends && list && !f.sized
		typ, ok := m.Spell(f.v.Type())
		if f.key != nil {
			typ, ok = m.Spell(types.NewMap(f.key, f.val))
		}
		why, at := m.Rescued(place)
		switch {
		case m.floats && !m.AtOnce():
			m.refuse(place.Expr, "each addition to %s rounds, and their order is certain", place.Text())
		case !m.Evaluates(place.Expr):
			m.refuse(place.Expr, "%s may not be there where the loop does not run", place.Text())
		case why != "":
			m.why, m.at = why, at
		case !ok:
			m.refuse(place.Expr, "its type has no name here")
		case f.lazy || len(f.kids) > 0 || op != token.ADD && op != token.ASSIGN && !m.zero(f.v):
			m.refuse(place.Expr, "%s is set, not added to", place.Text())
		}
		if m.why == "" && (!m.Confined(place) || tells && m.Elsewhere(place.Root())) {
			if m.why, m.at = m.Watched(place); m.why == "" && m.Elsewhere(f.v) {
				m.refuse(place.Expr, "others may look at %s while the loop runs", place.Text())
			}
			m.assume("nothing looks at " + place.Text() + " before the loop is done")
		}
		if m.why != "" {
			return
		}
		name := m.Name(m.Func(), n, place.Variable())
		switch {
		case f.sized:
			fmt.Fprintf(&before, "%s := make(%s, len(%s))\n", name, typ, text)
		case f.hashed():
			fmt.Fprintf(&before, "%s := make(%s)\n", name, typ)
		default:
			fmt.Fprintf(&before, "var %s %s\n", name, typ)
		}
		to := text
		if slices.Contains(texts, place.Root().Name()) && !uses.Basic(f.v.Type()) && !(list && !f.sized) {
			ref := "" // a name that the text below has
			if to = m.Name(m.Func(), n, "whole"); !list && !uses.Under[*types.Map](f.v.Type()) {
				ref = "&"
			}
			fmt.Fprintf(&sums, "%s := %s%s\n", to, ref, text)
		}
		if !p.merge(&sums, f, to, name) {
			m.refuse(place.Expr, "%s cannot be added up", place.Text())
		}
		for _, use := range m.Uses.Of(f.v) {
			if whole := uses.Whole(use).Node(); spawn.Within(n, whole) && !slices.ContainsFunc(m.edits, func(e analysis.TextEdit) bool { return e.Pos <= whole.Pos() && whole.End() <= e.End }) {
				edits = append(edits, rewrite.Replace(whole, name))
			}
		}
		for i, e := range m.edits {
			m.edits[i].NewText = []byte(strings.ReplaceAll(string(e.NewText), mark(f.v), name))
		}
		named, all = append(named, place.Expr), append(all, place.Text())
	}
	if m.floats {
		caveat = "; the sum may be rounded otherwise, as it may by the order of the goroutines"
	}
	c.Fix.Says = fmt.Sprintf("collect %s in the goroutine and merge once after the loop", strings.Join(all, ", ")) + caveat
	c.Fix.Dearer = shape.Memory("each goroutine", p.own())
	return append(append(edits, m.edits...), rewrite.Insert(n.Pos(), before.String())), strings.TrimRight(sums.String(), "\n"), named
}

// zero reports whether a variable is declared without a value.
func (m *method) zero(v *types.Var) bool {
	return !slices.ContainsFunc(m.Uses.Of(v), func(use inspector.Cursor) bool {
		spec, ok := use.Parent().Node().(*ast.ValueSpec)
		return m.Uses.Declares(use) && (!ok || len(spec.Values) > 0)
	})
}
