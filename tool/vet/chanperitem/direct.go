package chanperitem

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// direct makes the goroutines that fill channels iterators: what they send is
// what they yield, and the loop over the channel stays as it is. So everything
// runs in the goroutine that ranges over the last of them, and break, return,
// defer and panic in the loop mean what they meant.
func (r *reader) direct(f *shape.Finding, hot, all []*stream, w *ways) {
	if !rewrite.Since(r.pass, rewrite.File(r.pass, r.decl.Pos()), "go1.23") {
		r.refuse(f, "direct", r.decl, "the file's version of Go has no range over functions")
		return
	}
	why := map[*stream]reason{}
	set := map[*stream]bool{}
	for _, s := range all {
		if no := r.iterable(s); no.why == "" {
			set[s] = true
		} else {
			why[s] = no
		}
	}
	// What a producer waits for has to be an iterator as well.
	for changed := true; changed; {
		changed = false
		for s := range set {
			if no := r.depends(s, set); no.why != "" {
				delete(set, s)
				why[s], changed = no, true
			}
		}
	}
	ok := false
	for _, s := range hot {
		if set[s] {
			ok = true
		} else if len(s.handed) == 0 && len(s.other) == 0 {
			r.refuse(f, "direct", why[s].at, "%s", why[s].why)
		}
	}
	if !ok {
		r.across(f, hot, w)
		return
	}
	edits, no := r.iterators(set)
	if no.why != "" {
		r.refuse(f, "direct", no.at, "%s", no.why)
		return
	}
	f.Fixes = append(f.Fixes, shape.Fix{
		Name: "direct", Serial: true,
		Says:  "let the loop that receives call what sends, as an iterator",
		Edits: edits,
	})
}

// A reason says why not, and where.
type reason struct {
	why string
	at  ast.Node
}

// escapes says why a stream may be used by others than the function sees.
func (s *stream) escapes() reason {
	switch {
	case len(s.other) > 0:
		return reason{s.v.Name() + " is used in another way than to send, receive and close", s.other[0]}
	case len(s.handed) > 0:
		return reason{s.v.Name() + " is handed to a function", s.handed[0].node}
	}
	return reason{}
}

// lent says the same, where no other function may have it either.
func (s *stream) lent() reason {
	if w := s.escapes(); w.why != "" || len(s.callees) == 0 {
		return w
	}
	return reason{s.v.Name() + " is handed to a function", s.callees[0].calls[0].node}
}

// iterable says why a stream by itself cannot become an iterator.
func (r *reader) iterable(s *stream) reason {
	if w := s.escapes(); w.why != "" {
		return w
	}
	name := s.v.Name()
	switch {
	case len(s.receives) > 0:
		return reason{name + " is received from without a loop over it", s.receives[0].node}
	case len(s.ranges) != 1:
		return reason{name + " has not one loop over it", s.decl}
	case len(s.sends) == 0:
		return reason{"nobody sends on " + name, s.decl}
	}
	rng := s.ranges[0]
	p := s.sends[0]
	if p.site != nil && rng.many() {
		return reason{"several goroutines use one end of " + name, p.node}
	}
	if p.site != nil && rng.fn == p.fn {
		return reason{"one goroutine has both ends of " + name, p.node}
	}
	// What ends a loop early, ends all that is before it.
	var stops ast.Node
	for _, t := range r.all {
		for _, e := range t.ranges {
			if at := r.stops(e.node.(*ast.RangeStmt)); stops == nil {
				stops = at
			}
		}
	}
	if w := r.filled(s, stops); w.why != "" {
		return w
	}
	if w := r.once(s, rng); w.why != "" {
		return w
	}
	if rng.node.Pos() < inline.Statement(r.decl, p.site).Pos() {
		return reason{"the loop over " + name + " comes before the goroutine that sends", rng.node}
	}
	return reason{}
}

// once says why a loop over a channel may run several times, or cannot be over an
// iterator.
func (r *reader) once(s *stream, rng end) reason {
	name := s.v.Name()
	if loop, ok := rng.node.(*ast.RangeStmt); ok && loop.Tok == token.ASSIGN {
		return reason{"the loop over " + name + " assigns to a variable from outside", rng.node}
	}
	for _, n := range rng.path {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
			if over, ok := n.(*ast.RangeStmt); ok && spawn.Within(over.X, rng.node) {
				continue
			}
			if n != rng.node && (s.decl == nil || !(n.Pos() <= s.decl.Pos() && s.decl.End() <= n.End())) {
				return reason{"the loop over " + name + " runs several times", rng.node}
			}
		}
	}
	return reason{}
}

// filled says why a stream is not filled by one goroutine that can be an iterator.
// stops is what may end a loop over it, nil if nothing does.
func (r *reader) filled(s *stream, stops ast.Node) reason {
	name := s.v.Name()
	switch {
	case len(s.closes) != 1:
		return reason{name + " is not closed in one place", s.decl}
	case len(s.sends) == 0:
		return reason{"nobody sends on " + name, s.decl}
	}
	p := s.sends[0]
	if p.site == nil {
		return reason{name + " is filled by the function itself, not by a goroutine", p.node}
	}
	if p.many() {
		return reason{"several goroutines use one end of " + name, p.node}
	}
	for _, e := range s.sends {
		switch {
		case e.fn != p.fn:
			return reason{"several goroutines send on " + name, e.node}
		case e.chosen():
			return reason{name + " is a case of a select", e.node}
		case !e.leaves() && stops != nil:
			return reason{"the loop over " + name + " may end early, and what sends is called by another function", stops}
		case e.later != nil:
			return reason{"what sends on " + name + " may be called later", e.later}
		}
	}
	c := s.closes[0]
	body := p.body()
	if c.fn != p.fn || len(c.lits) > 0 || !slices.Contains(body.List, c.stmt) {
		return reason{name + " is not closed by the goroutine that sends", c.node}
	}
	if c.in != nil && len(c.in.own) > 0 {
		return reason{name + " is closed by a function that calls itself", c.node}
	}
	if _, deferred := c.stmt.(*ast.DeferStmt); !deferred && c.stmt != body.List[len(body.List)-1] {
		return reason{"the goroutine that sends goes on after it has closed " + name, c.node}
	}
	if at := spawn.Recovers(r.pass, body); at != nil {
		return reason{"the goroutine that sends on " + name + " recovers, and would catch what the loop panics with", at}
	}
	if at := spawn.Goexits(r.pass, body); at != nil {
		return reason{"the goroutine that sends on " + name + " may end by runtime.Goexit, which would end who receives", at}
	}
	stmt := inline.Statement(r.decl, p.site)
	if stmt == nil || !together(r.decl, s.decl, stmt) {
		return reason{"the goroutine does not start where " + name + " is made", p.site.Node}
	}
	for q, a := range p.site.Args {
		if r.alias[q] == nil && (p.site.Decl == nil || !r.stays(a)) {
			return reason{"the goroutine that sends on " + name + " has parameters", p.site.Node}
		}
	}
	if p.site.Kind == spawn.ErrGroup {
		return reason{"the goroutine that sends on " + name + " may fail", p.site.Node}
	}
	return reason{}
}

// stops returns what ends a loop over a channel before it is closed.
func (r *reader) stops(loop *ast.RangeStmt) ast.Node {
	for _, l := range rewrite.Leaves(r.info, loop.Body, false) {
		switch l.How {
		case "return", "break", "goto", "labelled break", "labelled continue":
			return &ast.BadExpr{From: l.Pos, To: l.Pos}
		}
	}
	return nil
}

// together reports whether two statements stand in one list.
func together(decl *ast.FuncDecl, a, b ast.Stmt) (found bool) {
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if l, ok := n.(*ast.BlockStmt); ok && slices.Contains(l.List, a) && slices.Contains(l.List, b) {
			found = slices.Index(l.List, a) < slices.Index(l.List, b)
		}
		return !found
	})
	return found
}

// depends says what the goroutine that fills a stream waits for that is none of
// the set.
func (r *reader) depends(s *stream, set map[*stream]bool) (w reason) {
	p := s.sends[0]
	if no := inline.Waits(r.pass, p.site, func(ch ast.Expr, send bool) bool {
		if r.turns != nil && r.turns(ch, send) {
			return true
		}
		t := r.alias[inline.Object(r.info, ch)]
		return t == s || t != nil && !send && set[t]
	}); no != nil {
		return reason{no.Why, &ast.BadExpr{From: no.Pos, To: no.Pos}}
	}
	for t := range set {
		if t != s && slices.ContainsFunc(t.sends, func(e end) bool { return e.fn == p.fn }) {
			return reason{"the goroutine that sends on " + s.v.Name() + " sends on " + t.v.Name() + " as well", t.sends[0].node}
		}
	}
	return reason{}
}

// iterators returns the edits that make the streams of a set iterators.
func (r *reader) iterators(set map[*stream]bool) (edits []analysis.TextEdit, w reason) {
	cut := func(pos, end token.Pos, text string) {
		edits = append(edits, analysis.TextEdit{Pos: pos, End: end, NewText: []byte(text)})
	}
	var sites []*spawn.Site
	var order []*stream
	for s := range set {
		order = append(order, s)
	}
	slices.SortFunc(order, func(a, b *stream) int { return int(a.v.Pos() - b.v.Pos()) })
	gone := map[ast.Stmt][]*stream{}
	for _, s := range order {
		sites = append(sites, s.sends[0].site)
		gone[s.decl] = append(gone[s.decl], s)
	}
	counted, no := inline.Uncount(r.pass, r.decl, sites)
	if no != nil {
		return nil, reason{no.Why, &ast.BadExpr{From: no.Pos, To: no.Pos}}
	}
	dropped := map[ast.Stmt]bool{}
	for _, st := range counted {
		dropped[st] = true
	}
	for _, s := range order {
		stmt := inline.Statement(r.decl, s.sends[0].site)
		yield := rewrite.Fresh(r.pass.Pkg, r.decl, "yield")
		head := s.v.Name() + " := func(" + yield + " func(" + r.text(s.elem) + ") bool) "
		if lit, ok := s.sends[0].fn.(*ast.FuncLit); ok {
			cut(stmt.Pos(), lit.Body.Lbrace, head)
			if after := lit.End(); after < stmt.End() {
				cut(after, stmt.End(), "")
			}
		} else {
			cut(stmt.Pos(), s.sends[0].site.Call.Pos(), head+"{\n")
			cut(stmt.End(), stmt.End(), "\n}")
		}
		for _, c := range s.callees {
			for _, e := range c.calls {
				edits = append(edits, rewrite.Replace(e.use, yield))
			}
			yield := rewrite.Fresh(r.pass.Pkg, c.decl, "yield")
			edits = append(edits, rewrite.Replace(c.field, yield+" func("+r.text(c.field.Type.(*ast.ChanType).Value)+") bool"))
			for _, id := range c.own {
				edits = append(edits, rewrite.Replace(id, yield))
			}
		}
		for _, e := range s.sends {
			send := e.node.(*ast.SendStmt)
			yield := rewrite.Fresh(r.pass.Pkg, r.within(e), "yield")
			if !e.leaves() {
				cut(send.Pos(), send.Value.Pos(), yield+"(")
				cut(send.End(), send.End(), ")")
				continue
			}
			cut(send.Pos(), send.Value.Pos(), "if !"+yield+"(")
			cut(send.End(), send.End(), ") {\nreturn\n}")
		}
		dropped[s.closes[0].stmt] = true
		for _, e := range s.ranges {
			if x := e.node.(*ast.RangeStmt).X; r.text(x) != s.v.Name() {
				edits = append(edits, rewrite.Replace(x, s.v.Name())) // a parameter that goes
			}
		}
	}
	for st := range dropped {
		edits = append(edits, inline.Line(r.pass, st))
	}
	for st, streams := range gone {
		edits = append(edits, r.undeclare(st, streams))
	}
	slices.SortFunc(edits, func(a, b analysis.TextEdit) int { return int(a.Pos - b.Pos) })
	return edits, reason{}
}

// undeclare takes streams out of the statement that declares them.
func (r *reader) undeclare(st ast.Stmt, streams []*stream) analysis.TextEdit {
	a, ok := st.(*ast.AssignStmt)
	if !ok || len(a.Lhs) == len(streams) {
		return inline.Line(r.pass, st)
	}
	var left, right []string
	for i, l := range a.Lhs {
		if slices.ContainsFunc(streams, func(s *stream) bool { return inline.Object(r.info, l) == s.v }) {
			continue
		}
		left, right = append(left, r.text(l)), append(right, r.text(a.Rhs[i]))
	}
	return rewrite.Replace(st, strings.Join(left, ", ")+" := "+strings.Join(right, ", "))
}
