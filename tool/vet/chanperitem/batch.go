package chanperitem

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// batch has the channels carry slices of items. It reads the functions that receive
// them as well.
func (r *reader) batch(f *shape.Finding, hot []*stream) {
	r = &reader{pass: r.pass, info: r.info, decls: r.decls, decl: r.decl, sites: r.sites, ways: r.ways, consumers: true}
	var set []*stream
	for _, s := range r.streams() {
		if !slices.ContainsFunc(hot, func(t *stream) bool { return t.v == s.v }) {
			continue
		}
		if w := r.batchable(s); w.why != "" {
			r.refuse(f, "batch", w.at, "%s", w.why)
		} else {
			set = append(set, s)
		}
	}
	again := r.again(set)
	for _, n := range []int{64, 256} {
		var edits []analysis.TextEdit
		for _, s := range set {
			edits = append(edits, r.batches(s, n, again)...)
		}
		if edits != nil {
			f.Fixes = append(f.Fixes, shape.Fix{
				Name: "batch", Value: n,
				Says:  fmt.Sprintf("send slices of up to %d items", n),
				Edits: edits,
			})
		}
	}
}

// batchable says why the items of a stream cannot go in batches.
func (r *reader) batchable(s *stream) reason {
	if w := s.escapes(); w.why != "" {
		return w
	}
	name := s.v.Name()
	switch {
	case !r.named(s):
		return reason{name + " is a parameter of the goroutine", s.decl}
	case len(s.ranges) == 0 && len(s.receives) == 0:
		return reason{"nobody receives from " + name, s.decl}
	case len(s.closes) == 0 && len(s.receives) == 0:
		return reason{"nobody closes " + name, s.decl}
	}
	if len(s.receives) > 0 {
		if w := r.takes(s); w.why != "" {
			return w
		}
	}
	if w := r.ahead(s); w.why != "" {
		return w
	}
	if at := r.returns(s); at != nil {
		return reason{"items that come of those of " + name + " go to the goroutine that sends on it, which would wait for a batch", at}
	}
	for _, e := range s.ranges {
		loop := e.node.(*ast.RangeStmt)
		if loop.Tok == token.ASSIGN {
			return reason{"the loop over " + name + " assigns to a variable from outside", loop}
		}
		// What a loop leaves of a batch, another must not want.
		alone := len(s.ranges) == 1 && !e.many() && e.loop() == nil && len(e.lits) == 0 && (e.in == nil || len(e.in.calls) == 1)
		for _, l := range rewrite.Leaves(r.info, loop.Body, false) {
			switch l.How {
			case "return":
				if alone {
					continue
				}
				fallthrough
			case "break", "goto", "labelled break", "labelled continue":
				return reason{"the loop over " + name + " may end early", &ast.BadExpr{From: l.Pos, To: l.Pos}}
			}
		}
		if labelled(r.within(e), loop) {
			return reason{"the loop over " + name + " has a label", loop}
		}
	}
	for _, e := range s.sends {
		if slices.ContainsFunc(slices.Concat(s.ranges, s.receives), func(x end) bool { return x.fn == e.fn }) {
			return reason{"one goroutine has both ends of " + name, e.node}
		}
		if e.chosen() {
			if w := r.offered(s, e); w.why != "" {
				return w
			}
			continue
		}
		if e.later != nil {
			return reason{"what sends on " + name + " may be called later", e.later}
		}
		if w := r.apart(s, e); w.why != "" {
			return w
		}
		if e.single() {
			continue
		}
		if len(s.receives) > 0 || r.left(s) {
			if w := r.vain(e, e.stmt); w.why != "" {
				return w
			}
		}
		outer := around(e)
		if ret, ok := outer.(*ast.ReturnStmt); ok {
			return reason{"the goroutine that sends on " + name + " may end within the loop", ret}
		}
		if at := spawn.Recovers(r.pass, e.fn); at != nil {
			return reason{"the goroutine that sends on " + name + " recovers: a batch that was begun would be lost", at}
		}
		if at := r.stopped(e); at != nil {
			return reason{"a panic of the function, which sends on " + name + ", may be stopped: a batch that was begun would be lost", at}
		}
		if at := spawn.Goexits(r.pass, outer); at != nil {
			return reason{"the goroutine that sends on " + name + " may end within the loop", at}
		}
		if at := r.looks(outer); at != nil {
			return reason{"the goroutine that sends on " + name + " looks at what others do: a batch would hold items back", at}
		}
		if at := r.waits(outer); at != nil {
			return reason{"the goroutine that sends on " + name + " waits meanwhile: a batch would hold items back", at}
		}
		if at := r.blocks(outer); at != nil {
			return reason{"the goroutine that sends on " + name + " waits meanwhile: a batch would hold items back", at}
		}
		for _, l := range rewrite.Leaves(r.info, outer, false) {
			if l.How == "return" || l.How == "goto" || l.How == "labelled break" || l.How == "labelled continue" {
				return reason{"the goroutine that sends on " + name + " may end within the loop", &ast.BadExpr{From: l.Pos, To: l.Pos}}
			}
		}
	}
	return reason{}
}

// apart says why what a callee sends cannot have batches that begin and end with
// each call, in the order of the items.
func (r *reader) apart(s *stream, e end) reason {
	switch {
	case e.in == nil:
	case len(e.in.own) > 0:
		return reason{"what sends on " + s.v.Name() + " calls itself", e.in.own[0]}
	case around(e) == nil && e.loop() != nil:
		return reason{"a call sends one item on " + s.v.Name(), e.in.calls[0].node}
	default:
		for _, c := range e.in.calls {
			for _, other := range s.sends {
				if st := around(c); st != nil && other.in == nil && around(other) == st {
					return reason{"what sends on " + s.v.Name() + " calls another function that does", c.node}
				}
			}
		}
	}
	return reason{}
}

// stopped returns a recover of the package, if the function itself sends: its
// panics go to whoever calls it.
func (r *reader) stopped(e end) ast.Node {
	if e.site != nil {
		return nil
	}
	return r.recovers()
}

// recovers returns a recover of the package.
func (r *reader) recovers() (at ast.Node) {
	for _, f := range r.pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && at == nil {
				if b, ok := r.info.Uses[id].(*types.Builtin); ok && b.Name() == "recover" {
					at = id
				}
			}
			return at == nil
		})
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
					if p.fn == e.fn && (p.in != e.in || around(p) == nil || e.node.Pos() < around(p).End()) {
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

// single reports whether an end is in no loop, nor in a literal, of which others
// may send before and after it.
func (e end) single() bool { return e.loop() == nil && len(e.lits) == 0 }

func labelled(decl *ast.FuncDecl, loop ast.Stmt) (found bool) {
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		l, ok := n.(*ast.LabeledStmt)
		found = found || ok && l.Stmt == loop
		return !found
	})
	return found
}

// around is the statement before and after which a batch begins and ends: the
// outermost loop around the end, or what calls the literal that it is in. That is a
// statement of a list, so that others can stand next to it.
func around(e end) ast.Stmt {
	for i, n := range e.path {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return n.(ast.Stmt)
		case *ast.FuncLit:
			for j := i - 1; j > 0; j-- {
				if st, ok := e.path[j].(ast.Stmt); ok && slices.Contains(listIn(e.path[j-1]), st) {
					return st
				}
			}
			return e.path[0].(ast.Stmt)
		}
	}
	return nil
}

// blocks returns what the code waits for beside streams until they are closed.
func (r *reader) blocks(code ast.Node) (at ast.Node) {
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectStmt:
			at = n
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				at = n
			}
		case *ast.CallExpr:
			if fn, ok := typeutil.Callee(r.info, n).(*types.Func); ok && fn.Name() == "Wait" && fn.Pkg() != nil && fn.Pkg().Path() == "sync" {
				at = n
			}
		}
		return at == nil
	})
	return at
}

// again returns the sends that make one item of each item of a loop over another
// stream of the set, by that loop: what they send can be written over what was
// received, so that it needs no slice of its own.
func (r *reader) again(set []*stream) map[ast.Node]end {
	sends := map[ast.Node]end{}
	for _, in := range set {
		for _, from := range in.ranges {
			loop := from.node.(*ast.RangeStmt)
			if len(rewrite.Leaves(r.info, loop.Body, false)) > 0 {
				continue // an item may be left out
			}
			for _, out := range set {
				if !types.Identical(r.info.TypeOf(in.elem), r.info.TypeOf(out.elem)) {
					continue
				}
				var own []ast.Node
				for _, e := range out.sends {
					if spawn.Within(loop, e.node) {
						own = append(own, e.node)
					}
				}
				if len(own) == 1 && slices.Contains(loop.Body.List, own[0].(ast.Stmt)) {
					sends[own[0]] = from
					break // one stream gets the slice
				}
			}
		}
	}
	return sends
}

// batches returns the edits for a stream. again is what reader.again returns.
func (r *reader) batches(s *stream, n int, again map[ast.Node]end) (edits []analysis.TextEdit) {
	elem := r.text(s.elem)
	chanType := s.make.Args[0].(*ast.ChanType)
	edits = append(edits, rewrite.Replace(chanType.Value, "[]"+elem))
	edits = append(edits, r.roomFor(s, n, again)...)
	for _, c := range s.callees {
		edits = append(edits, rewrite.Insert(c.field.Type.(*ast.ChanType).Value.Pos(), "[]"))
	}
	for _, f := range r.fields[s] {
		edits = append(edits, rewrite.Insert(f.Type.(*ast.ChanType).Value.Pos(), "[]"))
	}
	begun := map[ast.Stmt]bool{}
	for _, e := range s.sends {
		send := e.node.(*ast.SendStmt)
		batch, elem := r.batchOf(e), r.elemOf(s, e)
		cut := func(pos, end token.Pos, text string) {
			edits = append(edits, analysis.TextEdit{Pos: pos, End: end, NewText: []byte(text)})
		}
		switch from, ok := again[send]; {
		case ok:
			cut(send.Pos(), send.Value.Pos(), r.batchOf(from)+"["+r.place(from)+"] = ")
			continue
		case e.single():
			cut(send.Value.Pos(), send.Value.Pos(), "[]"+elem+"{")
			cut(send.Value.End(), send.Value.End(), "}")
			continue
		}
		full, fresh := fmt.Sprintf("if len(%s) == %d {\n", batch, n), fmt.Sprintf("\n%s = make([]%s, 0, %d)\n}", batch, elem, n)
		rest := e.use.Name + " <- " + batch
		if o, ok := r.offer(e); ok {
			cut(o.sel.Pos(), o.sel.Pos(), batch+" = append("+batch+", "+r.text(send.Value)+")\n"+full)
			cut(send.Value.Pos(), send.Value.End(), batch)
			cut(o.sel.End(), o.sel.End(), fresh)
			rest = "select {\ncase " + rest + ":\ncase " + r.text(o.done) + ":\nreturn\n}"
		} else {
			cut(send.Pos(), send.Value.Pos(), batch+" = append("+batch+", ")
			cut(send.End(), send.End(), ")\n"+full+rest+fresh)
		}
		if st := around(e); !begun[st] {
			begin := ":="
			for other := range begun {
				if together(r.within(e), other, st) {
					begin = "="
				}
			}
			begun[st] = true
			cut(st.Pos(), st.Pos(), fmt.Sprintf("%s %s make([]%s, 0, %d)\n", batch, begin, elem, n))
			if !r.endless(st) {
				cut(st.End(), st.End(), fmt.Sprintf("\nif len(%s) > 0 {\n%s\n}", batch, rest))
			}
		}
	}
	edits = append(edits, r.taken(s)...)
	for _, e := range s.ranges {
		loop := e.node.(*ast.RangeStmt)
		batch := r.batchOf(e)
		head, tail := "for "+batch+" := range "+e.use.Name+" {\nfor ", "\n}"
		place := "_"
		for send, from := range again {
			if from.node == ast.Node(loop) {
				place = r.place(e)
				tail = "\n" + r.text(send.(*ast.SendStmt).Chan) + " <- " + batch + tail
			}
		}
		if loop.Key != nil && r.text(loop.Key) != "_" {
			head += place + ", " + r.text(loop.Key) + " := "
		} else if place != "_" {
			head += place + " := "
		}
		head += "range " + batch + " "
		edits = append(edits,
			analysis.TextEdit{Pos: loop.Pos(), End: loop.Body.Lbrace, NewText: []byte(head)},
			rewrite.Insert(loop.End(), tail),
		)
	}
	return edits
}

// roomFor gives a stream room for as many items as it had, in batches, so that
// nobody waits who did not. Where only the last batch may have fewer items than n,
// that takes fewer places and less memory, some of them more than needed since the
// sides do not keep pace; elsewhere the capacity stays.
func (r *reader) roomFor(s *stream, n int, again map[ast.Node]end) []analysis.TextEdit {
	const spare = 4
	if s.room == 0 || !one(s.sends) {
		return nil
	}
	for _, e := range s.sends {
		if _, ok := again[e.node]; ok || e.single() || around(e) != around(s.sends[0]) {
			return nil
		}
		if e.in != nil && (len(e.in.calls) > 1 || !e.in.calls[0].single()) {
			return nil // each call ends with a batch that may be short
		}
	}
	room := s.make.Args[1]
	switch {
	case s.room > 0:
		return []analysis.TextEdit{rewrite.Replace(room, fmt.Sprint(min(s.room, s.room/int64(n)+spare)))}
	case types.Identical(r.info.TypeOf(room), types.Typ[types.Int]) && !inline.Calls(room, r.info) && rewrite.Since(r.pass, rewrite.File(r.pass, r.decl.Pos()), "go1.21"):
		text := r.text(room)
		if _, name := room.(*ast.Ident); !name {
			text = "(" + text + ")"
		}
		return []analysis.TextEdit{rewrite.Replace(room, fmt.Sprintf("min(%s, %s/%d+%d)", r.text(room), text, n, spare))}
	}
	return nil
}

// batchOf is the name of the slices of a stream, place that of an index of them,
// where an end of it stands.
func (r *reader) batchOf(e end) string {
	return rewrite.Fresh(r.pass.Pkg, r.within(e), e.use.Name+"Batch")
}

func (r *reader) place(e end) string { return rewrite.Fresh(r.pass.Pkg, r.within(e), "at") }

// listOf is the list of statements that the statement of an end is one of.
func listOf(e end) []ast.Stmt {
	in := e.fn
	if i := slices.Index(e.path, ast.Node(e.stmt)); i > 0 {
		in = e.path[i-1]
	}
	return listIn(in)
}

// listIn is the list of statements that a node has.
func listIn(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return n.Body.List
	case *ast.FuncLit:
		return n.Body.List
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}
