package chanperitem

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/loop"
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
		from = append(from, r.does(e, e.loop())...)
	}
	for _, e := range s.ranges {
		to = append(to, r.does(e, e.node.(*ast.RangeStmt).Body)...)
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
	case e.site != nil || len(e.lits) > 0:
		return flow.Effects{{Kind: flow.Unknown}}
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
		return loop.Builtin(r.info, x) == "" && flow.Of(r.pass).Apart(x)
	}
	return false
}

// quiet reports whether the loop that sends writes to no memory, and calls nothing that
// could.
func (r *reader) quiet(e end) bool {
	return flow.Of(r.pass).Within(e.outermost()).First(flow.Write|flow.Sync|flow.Call|flow.Unknown) == nil
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
			heads = append(heads, &ast.BadExpr{From: n.For, To: n.For + 1}) // where it receives
		case *ast.SelectStmt:
			return n
		case *ast.SendStmt:
			if id, ok := ast.Unparen(n.Chan).(*ast.Ident); !ok || r.alias[r.info.Uses[id]] == nil {
				return n
			}
		}
	}
	if e := flow.Of(r.pass).Within(code, heads...).First(flow.Receive | flow.Wait); e != nil {
		return &ast.BadExpr{From: e.Pos(), To: e.Pos()}
	}
	return nil
}
