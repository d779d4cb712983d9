package chanperitem

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// batch has the channels carry slices of items.
func (r *reader) batch(f *shape.Finding, hot []*stream) {
	var set []*stream
	for _, s := range hot {
		if w := r.batchable(s); w != nil {
			refuse(f, "batch", w)
		} else {
			set = append(set, s)
		}
	}
	if set == nil {
		return
	}
	for _, n := range []int{64, 256} {
		var edits []analysis.TextEdit
		for _, s := range set {
			edits = append(edits, r.batches(s, n)...)
		}
		f.Fixes = append(f.Fixes, shape.Fix{
			Name: "batch", Value: n,
			Says:  fmt.Sprintf("send slices of up to %d items", n),
			Edits: edits,
		})
	}
}

// batchable says why the items of a stream cannot go in batches.
func (r *reader) batchable(s *stream) *shape.Refusal {
	if w := s.escapes(); w != nil {
		return w
	}
	name := s.v.Name()
	if len(s.closes) == 0 || len(s.ranges) == 0 || len(s.receives) > 0 {
		return shape.No(s.decl, name+" is not received from by loops until it is closed")
	}
	for _, e := range s.sends {
		switch outer := e.outermost(); {
		case e.chosen():
			return shape.No(e.node, name+" is a case of a select")
		case outer == nil || len(e.lits) > 0:
			return shape.No(e.node, "what sends on "+name+" is in no loop, or in a function that others call")
		case !r.listed(e.stmt) || !r.listed(outer):
			return shape.No(e.node, "what sends on "+name+" is part of another statement")
		}
	}
	if w := r.ahead(s); w != nil {
		return w
	}
	if at := r.returns(s); at != nil {
		return shape.No(at, "items that come of those of "+name+" go to the goroutine that sends on it, which would wait for a batch")
	}
	for _, e := range s.ranges {
		if l := rewrite.Stops(r.info, e.node.(*ast.RangeStmt).Body); l != nil {
			return &shape.Refusal{Why: "the loop over " + name + " may end early", Pos: l.Pos}
		}
	}
	for _, e := range s.sends {
		if w := r.gathers(s, e); w != nil {
			return w
		}
	}
	return nil
}

// gathers says why the items of a send cannot be held back until there are more.
func (r *reader) gathers(s *stream, e end) *shape.Refusal {
	name := s.v.Name()
	outer := e.outermost()
	if slices.ContainsFunc(s.ranges, func(x end) bool { return x.fn == e.fn }) {
		return shape.No(e.node, "one goroutine has both ends of "+name)
	}
	lost := "the goroutine that sends on " + name + " may end within the loop, or recover: a batch that was begun would be lost"
	for _, at := range []ast.Node{spawn.Recovers(r.pass, e.fn), r.stopped(e), spawn.Goexits(r.pass, outer)} {
		if at != nil {
			return shape.No(at, lost)
		}
	}
	f, ok := outer.(*ast.ForStmt)
	ends := !ok || f.Cond != nil
	for _, l := range rewrite.Leaves(r.info, outer, false) {
		if l.How == "return" || l.How == "goto" || l.How == "labelled break" || l.How == "labelled continue" {
			return &shape.Refusal{Why: lost, Pos: l.Pos}
		}
		ends = ends || l.How == "break"
	}
	if !ends {
		return shape.No(outer, lost)
	}
	if at := r.minds(outer); at != nil {
		return shape.No(at, "the goroutine that sends on "+name+" waits, or looks at what others do: a batch would hold items back")
	}
	return nil
}

// stopped returns a recover of the package, if the function itself sends: its
// panics go to whoever calls it.
func (r *reader) stopped(e end) (at ast.Node) {
	for _, f := range r.pass.Files {
		if e.site == nil && at == nil {
			at = spawn.Recovers(r.pass, f)
		}
	}
	return at
}

// returns follows what the receivers of a stream send on. Where that comes to the
// goroutine that fills the stream, while it does, it returns that loop.
func (r *reader) returns(s *stream) ast.Node {
	seen := map[ast.Node]bool{}
	todo := []*stream{s}
	for len(todo) > 0 {
		t := todo[0]
		todo = todo[1:]
		for _, e := range slices.Concat(t.ranges, t.receives) {
			if t != s {
				for _, p := range s.sends {
					if p.fn == e.fn && e.node.Pos() < p.outermost().End() {
						return e.node
					}
				}
			}
			if seen[e.fn] {
				continue
			}
			seen[e.fn] = true
			for _, u := range r.all {
				if slices.ContainsFunc(u.sends, func(p end) bool { return p.fn == e.fn }) {
					todo = append(todo, u)
				}
			}
		}
	}
	return nil
}

// outermost is the loop around the end that is around all others, nil without one.
func (e end) outermost() ast.Stmt {
	for _, n := range e.path {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return n.(ast.Stmt)
		}
	}
	return nil
}

// listed reports whether a statement is one of a list.
func (r *reader) listed(st ast.Stmt) bool {
	c, _ := uses.Find(r.x.Root, st)
	return uses.Listed(c)
}

// together reports whether two statements stand in one list.
func (r *reader) together(a, b ast.Stmt) bool {
	x, _ := uses.Find(r.x.Root, a)
	y, _ := uses.Find(r.x.Root, b)
	return x.Parent() == y.Parent()
}

// batches returns the edits for a stream.
func (r *reader) batches(s *stream, n int) (edits []analysis.TextEdit) {
	elem := r.text(s.elem)
	edits = append(edits, rewrite.Insert(s.make.Args[0].(*ast.ChanType).Value.Pos(), "[]"))
	edits = append(edits, r.roomFor(s, n)...)
	batchOf := func(e end) string { return rewrite.Fresh(r.pass.Pkg, r.decl, e.use.Name+"Batch") }
	var begun []ast.Stmt
	for _, e := range s.sends {
		send := e.node.(*ast.SendStmt)
		batch := batchOf(e)
		cut := func(pos, end token.Pos, text string) {
			edits = append(edits, analysis.TextEdit{Pos: pos, End: end, NewText: []byte(text)})
		}
		rest := e.use.Name + " <- " + batch
		cut(send.Pos(), send.Value.Pos(), batch+" = append("+batch+", ")
		cut(send.End(), send.End(), fmt.Sprintf(")\nif len(%[1]s) == %[2]d {\n%[3]s\n%[1]s = make([]%[4]s, 0, %[2]d)\n}", batch, n, rest, elem))
		if st := e.outermost(); !slices.Contains(begun, st) {
			begin := ":="
			if slices.ContainsFunc(begun, func(other ast.Stmt) bool { return r.together(other, st) }) {
				begin = "="
			}
			begun = append(begun, st)
			cut(st.Pos(), st.Pos(), fmt.Sprintf("%s %s make([]%s, 0, %d)\n", batch, begin, elem, n))
			cut(st.End(), st.End(), fmt.Sprintf("\nif len(%s) > 0 {\n%s\n}", batch, rest))
		}
	}
	for _, e := range s.ranges {
		loop := e.node.(*ast.RangeStmt)
		batch := batchOf(e)
		head := "for " + batch + " := range " + e.use.Name + " {\nfor "
		if loop.Key != nil && r.text(loop.Key) != "_" {
			head += "_, " + r.text(loop.Key) + " := "
		}
		edits = append(edits,
			analysis.TextEdit{Pos: loop.Pos(), End: loop.Body.Lbrace, NewText: []byte(head + "range " + batch + " ")},
			rewrite.Insert(loop.End(), "\n}"),
		)
	}
	return edits
}

// roomFor gives a stream room for as many items as it had, in batches. Where only
// the last of them may be short, that takes fewer places and less memory, some more
// than needed since the sides do not keep pace; elsewhere the capacity stays.
func (r *reader) roomFor(s *stream, n int) []analysis.TextEdit {
	const spare = 4
	if len(s.make.Args) < 2 || !one(s.sends) || slices.ContainsFunc(s.sends, func(e end) bool { return e.outermost() != s.sends[0].outermost() }) {
		return nil
	}
	room := s.make.Args[1]
	switch room.(type) {
	case *ast.BasicLit, *ast.Ident:
		if t := r.info.TypeOf(room); types.Identical(t, types.Typ[types.Int]) && rewrite.Since(r.pass, rewrite.File(r.pass, r.decl.Pos()), "go1.21") {
			return []analysis.TextEdit{rewrite.Replace(room, fmt.Sprintf("min(%[1]s, %[1]s/%[2]d+%[3]d)", r.text(room), n, spare))}
		}
	}
	return nil
}
