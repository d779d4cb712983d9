package chanperitem

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// ahead says why the senders of a stream must not get further ahead than they
// do: a hand-over is also the moment up to which memory is the other side's.
func (r *reader) ahead(s *stream) *shape.Refusal {
	name := s.v.Name()
	for _, e := range s.sends {
		if send := e.node.(*ast.SendStmt); !r.fresh(send.Value) && !r.quiet(e) {
			return shape.No(send, "what sends on "+name+" may write again to what an item leads to, before it is received")
		}
	}
	// What the sides do, each as the declaration sees it.
	var from, to flow.Effects
	for _, e := range s.sends {
		if e.repeated() != nil {
			from = append(from, r.does(e, e.repeated())...)
		}
	}
	for _, e := range s.ranges {
		to = append(to, r.does(e, e.node.(*ast.RangeStmt).Body)...)
	}
	for _, e := range s.receives {
		if loop := e.loop(); loop != nil {
			to = append(to, r.does(e, loop)...)
		}
	}
	if e := meet(to, from); e != nil {
		return &shape.Refusal{Why: "what receives from " + name + " may write to what the sender reads", Pos: e.Pos()}
	}
	if e := meet(from, to); e != nil && plain(r.info.TypeOf(s.elem)) {
		return &shape.Refusal{Why: "what sends on " + name + " may write to what the receiver reads", Pos: e.Pos()}
	}
	return nil
}

// does is what the goroutine of an end does as the declaration sees it, or what code
// of the declaration itself does.
func (r *reader) does(e end, code ast.Node) flow.Effects {
	switch {
	case e.site != nil && e.site.In == r.decl:
		code = e.site.Call
	case e.site != nil || e.later != nil:
		return flow.Effects{{Kind: flow.Unknown}}
	case len(e.lits) > 0:
		code = around(e)
	}
	if call, ok := code.(*ast.CallExpr); ok {
		return flow.Of(r.pass).Call(call)
	}
	return flow.Of(r.pass).Within(code)
}

// meet returns where one side reads what the other may write.
func meet(writes, reads flow.Effects) *flow.Effect {
	// What is not known may be all that the declaration has not made.
	outside := flow.Set(flow.Anywhere, flow.Globals)
	for i := range 12 {
		outside = outside.Or(flow.Set(flow.Param(i), flow.Param(i).Behind()))
	}
	const unknown = flow.Call | flow.Unknown
	on := func(e flow.Effect) flow.Roots {
		if e.Kind&unknown != 0 || e.On.Has(flow.Anywhere) {
			return e.On.Or(outside)
		}
		return e.On
	}
	for _, w := range writes {
		for _, r := range reads {
			if w.Kind&(flow.Write|unknown) == 0 || r.Kind&(flow.Read|unknown) == 0 || on(w).Without(on(r)) == on(w) {
				continue
			}
			if w.Var() == nil || r.Var() == nil || w.Var() == r.Var() {
				return &r
			}
		}
	}
	return nil
}

// onward says why a loop must not run further ahead of what may stop receiving:
// what it computes in vain may fail.
func (r *reader) onward(s *stream) *shape.Refusal {
	left := r.left(s)
	if !left && len(s.receives) == 0 {
		return nil
	}
	for _, e := range s.sends {
		loop := around(e)
		if f, ok := loop.(*ast.ForStmt); loop == nil || !left && (!ok || f.Cond != nil) {
			continue // its items are counted, and may all be received
		}
		send := e.stmt
		if o, offers := r.offer(e); offers {
			send = o.sel
		} else if e.chosen() {
			continue // it receives as well, which bounds it
		}
		if w := r.vain(e, send); w != nil {
			return w
		}
	}
	return nil
}

// left reports whether a loop over a stream may end before its items do.
func (r *reader) left(s *stream) bool {
	return slices.ContainsFunc(s.ranges, func(e end) bool { return leaves(r.info, e.node.(*ast.RangeStmt)) })
}

func leaves(info *types.Info, loop *ast.RangeStmt) bool {
	return slices.ContainsFunc(rewrite.Leaves(info, loop.Body, false), func(l rewrite.Leave) bool {
		return l.How != "continue" && l.How != "panic"
	})
}

// plain reports whether values of a type lead to no memory that can be written.
// An error counts as one of them.
func plain(t types.Type) bool {
	if types.Identical(t, types.Universe.Lookup("error").Type()) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Array:
		return plain(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if !plain(f.Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// fresh reports whether a value that is sent leads to no memory but what is made there.
func (r *reader) fresh(v ast.Expr) bool {
	if plain(r.info.TypeOf(v)) || r.info.Types[v].IsNil() {
		return true
	}
	switch x := ast.Unparen(v).(type) {
	case *ast.CompositeLit:
		return !slices.ContainsFunc(x.Elts, func(x ast.Expr) bool {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			return !r.fresh(x)
		})
	case *ast.UnaryExpr:
		lit, ok := ast.Unparen(x.X).(*ast.CompositeLit)
		return x.Op == token.AND && ok && r.fresh(lit)
	case *ast.CallExpr:
		return loop.Builtin(r.info, x) == "" && !r.info.Types[x.Fun].IsType() && flow.Of(r.pass).Apart(x)
	}
	return false
}

// quiet reports whether the loop that sends writes to no memory, and calls nothing that
// could.
func (r *reader) quiet(e end) bool {
	st := around(e)
	return st != nil && flow.Of(r.pass).Within(st).First(flow.Write|flow.Sync|flow.Call|flow.Unknown) == nil
}

// writes returns the variables that code writes to, or to elements or fields of.
func (r *reader) writes(code ast.Node) map[types.Object]bool {
	written := map[types.Object]bool{}
	to := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); !ok || r.info.Defs[id] == nil {
			written[inline.Root(r.info, e)] = true
		}
	}
	ast.Inspect(code, func(n ast.Node) bool {
		for _, e := range rewrite.Assigned(n) {
			to(e)
		}
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				to(n.X)
			}
		case *ast.CallExpr:
			switch loop.Builtin(r.info, n) {
			case "copy", "clear", "delete":
				to(n.Args[0])
			}
		}
		return true
	})
	return written
}

// minds returns what of the world beside its streams the code waits for or looks
// at, itself or in a function of the package that it calls: locks, atomic words,
// other goroutines, channels but for loops over them.
func (r *reader) minds(code ast.Node) ast.Node {
	at := spawn.Reaches(r.pass, code, func(o types.Object) bool {
		fn, ok := o.(*types.Func)
		if !ok || fn.Pkg() == nil {
			return false
		}
		switch fn.Pkg().Path() {
		case "sync":
			return !slices.Contains([]string{"Unlock", "RUnlock", "Done", "Add", "Go", "Put", "Get"}, fn.Name())
		case "sync/atomic":
			return true
		case "runtime", "time":
			return fn.Name() == "Gosched" || fn.Name() == "Sleep"
		}
		return false
	})
	if at != nil {
		return at
	}
	var heads []ast.Node
	for n := range ast.Preorder(code) {
		switch n := n.(type) {
		case *ast.RangeStmt:
			heads = append(heads, head(n))
		case *ast.SelectStmt:
			return n
		case *ast.SendStmt:
			if id, ok := ast.Unparen(n.Chan).(*ast.Ident); !ok || r.alias[r.info.Uses[id]] == nil {
				return n
			}
		}
	}
	return r.waits(code, flow.Receive|flow.Wait, heads...)
}

// head is the place where a loop over a channel receives.
func head(loop *ast.RangeStmt) ast.Node { return &ast.BadExpr{From: loop.For, To: loop.For + 1} }

// waits returns where code does one of what may have to wait, but for some of it.
func (r *reader) waits(code ast.Node, kinds flow.Kind, but ...ast.Node) ast.Node {
	if e := flow.Of(r.pass).Within(code, but...).First(kinds); e != nil {
		return &ast.BadExpr{From: e.Pos(), To: e.Pos()}
	}
	return nil
}
