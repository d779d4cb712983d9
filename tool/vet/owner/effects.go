package owner

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/guard"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// questions turns requests into calls.
func (o *owner) questions() *shape.Refusal {
	for _, a := range o.asks {
		if no := a.read(); no != nil {
			return no
		}
		o.held = o.held || a.chosen
	}
	for _, a := range o.asks {
		late := "nothing is asked of a " + o.typ.Name() + " that has been told to stop"
		if o.stop != nil && !a.chosen && !slices.Contains(o.holds, late) {
			o.holds = append(o.holds, late)
		}
		if o.held {
			if no := a.locks(); no != nil {
				return no
			}
		}
	}
	for _, v := range o.locals {
		for _, c := range o.uses.Of(v) {
			if !o.known[c.Node()] {
				return shape.No(c.Node(), v.Name()+" is used for more than one answer")
			}
		}
	}
	return nil
}

// locks takes the lock where a request is made. What the function does from there on must be
// nothing that others see or wait for.
func (a *ask) locks() *shape.Refusal {
	st := a.send
	if a.chosen {
		st = a.choice
	}
	fn, _ := uses.Func(st)
	if st.Parent().Parent() != fn || !uses.Listed(st) {
		return shape.No(st.Node(), "the function asks in a part of it alone")
	}
	own := []ast.Node{a.wait.Node()}
	rest := []ast.Node{}
	if a.chosen {
		for _, c := range st.Node().(*ast.SelectStmt).Body.List {
			for _, s := range c.(*ast.CommClause).Body {
				rest = append(rest, s)
			}
		}
	}
	for next, ok := st.NextSibling(); ok; next, ok = next.NextSibling() {
		rest = append(rest, next.Node())
	}
	const more = flow.Call | flow.Unknown | flow.Lock | flow.Send | flow.Receive | flow.Close | flow.Wait | flow.Spawn | flow.Exit | flow.Sync | flow.Tell
	for _, s := range rest {
		for n := range ast.Preorder(s) {
			switch n := n.(type) {
			case *ast.DeferStmt, *ast.FuncLit, *ast.LabeledStmt, *ast.ForStmt, *ast.RangeStmt:
				return shape.No(n, "the function does more after it has asked")
			}
		}
		if e := a.does.Within(s, own...).First(more); e != nil {
			return &shape.Refusal{Why: "after it has asked, the function " + strings.TrimPrefix(e.String(), "it "), Pos: e.Pos()}
		}
	}
	v := a.send.Node().(*ast.SendStmt).Value
	if literal(v) != nil && (inline.Calls(v, a.info) || inline.Receives(v) || a.does.Within(v).First(more|flow.Panic) != nil) {
		return shape.No(v, "the request is computed")
	}
	return nil
}

// answered says why the channel of an answer may be for something else.
func (o *owner) answered() *shape.Refusal {
	for _, c := range o.uses.Of(o.reply) {
		if !o.known[c.Node()] && !o.uses.Declares(c) {
			return shape.No(c.Node(), o.reply.Name()+" is used in another way than to answer")
		}
	}
	for _, c := range o.uses.Literals(o.request) {
		if lit := c.Node().(*ast.CompositeLit); len(lit.Elts) > 0 && !o.known[lit] {
			if _, keyed := lit.Elts[0].(*ast.KeyValueExpr); !keyed {
				return shape.No(lit, "a request has no field names")
			}
		}
	}
	if at := o.compared(); at != nil {
		return shape.No(at, "requests are compared, with the channels of their answers")
	}
	gone, _ := guard.Undeclare(o.pass, o.uses, o.reply)
	for _, c := range o.uses.Of(o.reply) {
		if f, ok := c.Parent().Node().(*ast.Field); ok && gone == nil && len(f.Names) == 1 {
			gone = append(gone, rewrite.Drop(o.pass.Fset, c.Parent()))
		}
	}
	if gone == nil {
		return &shape.Refusal{Why: o.reply.Name() + " cannot be taken away", Pos: o.reply.Pos()}
	}
	o.edits = append(o.edits, gone...)
	return nil
}

// compared returns where requests are compared, or may be, or nil.
func (o *owner) compared() (at ast.Node) {
	var holds func(t types.Type) bool
	holds = func(t types.Type) bool {
		if t == nil || types.Unalias(t) == o.request.Type() {
			return t != nil
		}
		switch u := t.Underlying().(type) {
		case *types.Array:
			return holds(u.Elem())
		case *types.Struct:
			return slices.ContainsFunc(slices.Collect(u.Fields()), func(f *types.Var) bool { return holds(f.Type()) })
		}
		return false
	}
	for c := range o.uses.Root.Preorder((*ast.BinaryExpr)(nil), (*ast.SwitchStmt)(nil), (*ast.MapType)(nil), (*ast.InterfaceType)(nil), (*ast.Ident)(nil)) {
		is := false
		switch n := c.Node().(type) {
		case *ast.BinaryExpr:
			is = (n.Op == token.EQL || n.Op == token.NEQ) && (holds(o.info.TypeOf(n.X)) || holds(o.info.TypeOf(n.Y)))
		case *ast.SwitchStmt:
			is = n.Tag != nil && holds(o.info.TypeOf(n.Tag))
		case *ast.MapType:
			is = holds(o.info.TypeOf(n.Key))
		case *ast.InterfaceType: // by which others may compare them
			in, ok := o.info.TypeOf(n).(*types.Interface)
			is = ok && !in.Empty() && types.Implements(o.request.Type(), in)
		case *ast.Ident:
			if all := o.info.Instances[n].TypeArgs; all != nil {
				is = slices.ContainsFunc(slices.Collect(all.Types()), holds)
			}
		}
		if is {
			return c.Node()
		}
	}
	return nil
}

// effects says why what is done for a request is to be done by a goroutine of its own.
func (o *owner) effects() *shape.Refusal {
	all := o.does.Within(o.code, o.but...)
	const waits = flow.Lock | flow.Send | flow.Receive | flow.Close | flow.Wait | flow.Spawn | flow.Exit
	if e := all.First(waits); e != nil {
		return &shape.Refusal{Why: "for a request the goroutine " + strings.TrimPrefix(e.String(), "it "), Pos: e.Pos()}
	}
	back := map[*ast.FuncDecl]bool{}
	for _, a := range o.asks {
		back[uses.Decl(a.send)] = true
	}
	asks := func(n ast.Node) *shape.Refusal {
		if at := spawn.Reaches(o.pass, n, func(x types.Object) bool {
			f, ok := x.(*types.Func)
			return ok && slices.ContainsFunc(spawn.Callees(o.pass, f), func(d *ast.FuncDecl) bool { return back[d] })
		}); at != nil {
			return shape.No(at, "what is done for a request may ask again")
		}
		if at := spawn.Reaches(o.pass, n, inline.Binds); at != nil {
			return shape.No(at, "what is done for a request is about the goroutine itself")
		}
		return nil
	}
	if no := asks(o.code); no != nil {
		return no
	}
	foreign := all.First(flow.Call|flow.Unknown) != nil
	if foreign || o.shut != "" || all.First(flow.Panic) != nil { // o.shut: what it panics with is another
		for c := range o.uses.Root.Preorder((*ast.CallExpr)(nil)) {
			if id := c.Node().(*ast.CallExpr); loop.Builtin(o.info, id) == "recover" {
				return shape.No(id, "a panic of the goroutine, or of what asks, is recovered, and may be another")
			}
		}
	}
	if foreign {
		if no := o.literals(asks, waits); no != nil {
			return no
		}
		o.holds = append(o.holds, "what is called for a request neither waits, nor panics, nor asks again")
	} else if e := all.First(flow.Panic); e != nil {
		o.holds = append(o.holds, "no request makes the goroutine panic")
	}
	return nil
}

// literals looks at the functions that a request may have: those of a type that is called
// for it.
func (o *owner) literals(asks func(ast.Node) *shape.Refusal, waits flow.Kind) *shape.Refusal {
	var called []types.Type
	for n := range ast.Preorder(o.code) {
		if c, ok := n.(*ast.CallExpr); ok {
			if t := o.info.TypeOf(c.Fun); t != nil {
				called = append(called, t.Underlying())
			}
		}
	}
	for c := range o.uses.Root.Preorder((*ast.FuncLit)(nil)) {
		lit := c.Node().(*ast.FuncLit)
		if call, ok := c.Parent().Node().(*ast.CallExpr); ok {
			if fn := typeutil.StaticCallee(o.info, call); call.Fun == lit || fn != nil && fn.Pkg() != o.pass.Pkg {
				continue // it is for that call
			}
		}
		if !slices.ContainsFunc(called, func(t types.Type) bool { return types.Identical(t, o.info.TypeOf(lit)) }) || spawn.Within(o.code, lit) {
			continue
		}
		if no := asks(lit.Body); no != nil {
			return no
		}
		if e := o.does.Within(lit.Body).First(waits); e != nil {
			return &shape.Refusal{Why: "what a request may have done " + strings.TrimPrefix(e.String(), "it "), Pos: e.Pos()}
		}
	}
	return nil
}
