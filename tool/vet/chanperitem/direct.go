package chanperitem

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// filled says why a stream is not filled by a goroutine that can be an iterator.
func (r *reader) filled(s *stream, stops bool) *shape.Refusal {
	name := s.v.Name()
	p, c := s.sends[0], s.closes[0]
	for _, e := range s.sends {
		if e.chosen() {
			return shape.No(e.node, name+" is a case of a select")
		}
		if !r.listed(e.stmt) {
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
	stmt := p.site.Stmt
	fits := stmt != nil && r.together(s.decl, stmt) && p.site.Kind != spawn.ErrGroup
	if !fits || len(p.site.Args) > 0 {
		return shape.No(p.site.Node, "the goroutine that sends on "+name+" may fail, has parameters, or does not start where "+name+" is made")
	}
	return nil
}

// iterators returns the edits that make the streams of a set iterators.
func (r *reader) iterators(order []*stream) (edits []analysis.TextEdit, no *shape.Refusal) {
	cut := func(pos, end token.Pos, text string) {
		edits = append(edits, analysis.TextEdit{Pos: pos, End: end, NewText: []byte(text)})
	}
	var sites []*spawn.Site
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
		stmt := s.sends[0].site.Stmt
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
