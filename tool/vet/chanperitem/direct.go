package chanperitem

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// direct makes the goroutines that fill channels iterators: what they send is
// what they yield, and the loop over the channel stays as it is. So everything
// runs in the goroutine that ranges over the last of them, and break, return,
// defer and panic in the loop mean what they meant.
func (r *reader) direct(f *shape.Finding, hot []*stream) {
	if !rewrite.Since(r.pass, rewrite.File(r.pass, r.decl.Pos()), "go1.23") {
		return
	}
	why := map[*stream]*shape.Refusal{}
	set := map[*stream]bool{}
	// What ends a loop early, ends all that is before it.
	stops := slices.ContainsFunc(r.all, r.left)
	for _, s := range r.all {
		if why[s] = r.iterable(s, stops); why[s] == nil {
			set[s] = true
		}
	}
	// What a producer waits for has to be an iterator as well.
	for changed := true; changed; {
		changed = false
		for s := range set {
			if no := r.depends(s, set); no != nil {
				delete(set, s)
				why[s], changed = no, true
			}
		}
	}
	for _, s := range hot {
		if !set[s] {
			refuse(f, "direct", why[s])
		}
	}
	if !slices.ContainsFunc(hot, func(s *stream) bool { return set[s] }) {
		return
	}
	edits, no := r.iterators(set)
	if no != nil {
		refuse(f, "direct", no)
		return
	}
	f.Fixes = append(f.Fixes, shape.Fix{
		Name: "direct", Serial: true,
		Says:  "let the loop that receives call what sends, as an iterator",
		Edits: edits,
	})
}

// iterable says why a stream by itself cannot become an iterator. stops says that a
// loop over a stream may end early.
func (r *reader) iterable(s *stream, stops bool) *shape.Refusal {
	if w := s.escapes(); w != nil {
		return w
	}
	name := s.v.Name()
	if len(s.receives) > 0 || len(s.ranges) != 1 || len(s.sends) == 0 || len(s.closes) != 1 {
		return shape.No(s.decl, name+" is not received from by one loop until it is closed")
	}
	rng, p := s.ranges[0], s.sends[0]
	if p.site == nil {
		return shape.No(p.node, name+" is filled by the function itself, not by a goroutine")
	}
	if !one(slices.Concat(s.sends, s.closes)) || !one(s.ranges) || rng.fn == p.fn {
		return shape.No(p.node, "several goroutines use one end of "+name+", or one has both, or what uses it may be called later")
	}
	if w := r.filled(s, stops); w != nil {
		return w
	}
	body := r.does(rng, rng.node.(*ast.RangeStmt).Body)
	if e := r.does(p, p.node).First(flow.Lock); e != nil && body.First(flow.Lock|flow.Call|flow.Unknown) != nil {
		return shape.No(p.node, "the goroutine that sends on "+name+" may have a lock that the loop takes")
	}
	for _, n := range rng.path {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
			if n != rng.node && !spawn.Within(n, s.decl) {
				return shape.No(rng.node, "the loop over "+name+" runs several times")
			}
		}
	}
	if rng.node.Pos() < inline.Statement(r.decl, p.site).Pos() {
		return shape.No(rng.node, "the loop over "+name+" comes before the goroutine that sends")
	}
	return nil
}

// filled says why a stream is not filled by a goroutine that can be an iterator.
func (r *reader) filled(s *stream, stops bool) *shape.Refusal {
	name := s.v.Name()
	p, c := s.sends[0], s.closes[0]
	for _, e := range s.sends {
		if e.chosen() {
			return shape.No(e.node, name+" is a case of a select")
		}
		if !listed(r.decl, e.stmt) {
			return shape.No(e.node, "what sends on "+name+" is part of another statement")
		}
		if len(e.lits) > 0 && stops {
			return shape.No(e.node, "a loop may end early, and what sends on "+name+" is called by another function")
		}
	}
	lit := p.fn.(*ast.FuncLit)
	_, deferred := c.stmt.(*ast.DeferStmt)
	if len(c.lits) > 0 || !slices.Contains(lit.Body.List, c.stmt) || !deferred && c.stmt != lit.Body.List[len(lit.Body.List)-1] {
		return shape.No(c.node, "the goroutine that sends does not end by closing "+name)
	}
	for _, at := range []ast.Node{spawn.Recovers(r.pass, lit.Body), spawn.Goexits(r.pass, lit.Body)} {
		if at != nil {
			return shape.No(at, "the goroutine that sends on "+name+" recovers or may end by runtime.Goexit, which the loop would do")
		}
	}
	stmt := inline.Statement(r.decl, p.site)
	fits := stmt != nil && together(r.decl, s.decl, stmt) && p.site.Kind != spawn.ErrGroup
	if !fits || len(p.site.Args) > 0 {
		return shape.No(p.site.Node, "the goroutine that sends on "+name+" may fail, has parameters, or does not start where "+name+" is made")
	}
	return nil
}

// together reports whether two statements stand in one list.
func together(decl *ast.FuncDecl, a, b ast.Stmt) (found bool) {
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if l := list(n); slices.Contains(l, a) && slices.Contains(l, b) {
			found = slices.Index(l, a) < slices.Index(l, b)
		}
		return !found
	})
	return found
}

// depends says what the goroutine that fills a stream waits for that is none of
// the set.
func (r *reader) depends(s *stream, set map[*stream]bool) (w *shape.Refusal) {
	p := s.sends[0]
	if no := inline.Waits(r.pass, p.site, func(ch ast.Expr, send bool) bool {
		t := r.alias[spawn.Object(r.info, ch)]
		return t == s || t != nil && !send && set[t]
	}); no != nil {
		no.Holds = ""
		return no
	}
	for _, x := range s.decl.(*ast.AssignStmt).Lhs {
		if !set[r.alias[spawn.Object(r.info, x)]] {
			return shape.No(s.decl, s.v.Name()+" is declared together with what stays")
		}
	}
	for t := range set {
		if t != s && slices.ContainsFunc(t.sends, func(e end) bool { return e.fn == p.fn }) {
			return shape.No(t.sends[0].node, "the goroutine that sends on "+s.v.Name()+" sends on "+t.v.Name()+" as well")
		}
	}
	return nil
}

// iterators returns the edits that make the streams of a set iterators.
func (r *reader) iterators(set map[*stream]bool) (edits []analysis.TextEdit, no *shape.Refusal) {
	cut := func(pos, end token.Pos, text string) {
		edits = append(edits, analysis.TextEdit{Pos: pos, End: end, NewText: []byte(text)})
	}
	var sites []*spawn.Site
	order := slices.Collect(maps.Keys(set))
	slices.SortFunc(order, func(a, b *stream) int { return int(a.v.Pos() - b.v.Pos()) })
	for _, s := range order {
		sites = append(sites, s.sends[0].site)
	}
	gone, no := inline.Uncount(r.pass, r.decl, sites)
	if no != nil {
		return nil, no
	}
	yield := rewrite.Fresh(r.pass.Pkg, r.decl, "yield")
	for _, s := range order {
		stmt := inline.Statement(r.decl, s.sends[0].site)
		lit := s.sends[0].fn.(*ast.FuncLit)
		cut(stmt.Pos(), lit.Body.Lbrace, s.v.Name()+" := func("+yield+" func("+r.text(s.elem)+") bool) ")
		if lit.End() < stmt.End() {
			cut(lit.End(), stmt.End(), "")
		}
		for _, e := range s.sends {
			send := e.node.(*ast.SendStmt)
			if len(e.lits) > 0 {
				cut(send.Pos(), send.Value.Pos(), yield+"(")
				cut(send.End(), send.End(), ")")
				continue
			}
			cut(send.Pos(), send.Value.Pos(), "if !"+yield+"(")
			cut(send.End(), send.End(), ") {\nreturn\n}")
		}
		gone = append(gone, s.closes[0].stmt)
		if !slices.Contains(gone, s.decl) {
			gone = append(gone, s.decl)
		}
	}
	for i, st := range gone {
		if !slices.Contains(gone[:i], st) {
			edits = append(edits, inline.Line(r.pass, st))
		}
	}
	slices.SortFunc(edits, func(a, b analysis.TextEdit) int { return int(a.Pos - b.Pos) })
	return edits, nil
}
