package owner

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// closes takes the making of a channel of requests away, and keeps what closes it.
func (o *port) closes() *shape.Refusal {
	for _, c := range o.uses.Of(o.ch) {
		if o.known[c.Node()] || o.uses.Declares(c) || o.madeAt(c) {
			continue
		}
		st, base := o.closing(c)
		if base == "" || !o.ranges {
			return shape.No(c.Node(), o.ch.Name()+" is used in another way than to ask and to end")
		}
		if o.shut == "" {
			o.shut = o.field("closed")
		}
		was := rewrite.Fresh(o.pass.Pkg, uses.Decl(c), "was")
		text := base + "." + o.mu + ".Lock()\n" + was + " := " + base + "." + o.shut + "\n" + base + "." + o.shut + " = true\n" + base + "." + o.mu + ".Unlock()\n" +
			"if " + was + " {\npanic(\"" + o.typ.Name() + " is closed already\")\n}"
		o.edits = append(o.edits, rewrite.Replace(st.Node(), text))
	}
	return nil
}

// madeAt sees to the element of a literal that makes a channel, where a use of a field is one.
func (o *owner) madeAt(c inspector.Cursor) bool {
	kv := c.Parent()
	ok := c.ParentEdgeKind() == edge.KeyValueExpr_Key && o.makes(kv.Node().(*ast.KeyValueExpr).Value)
	if ok {
		o.parts = append(o.parts, kv)
	}
	return ok
}

// stops looks at what ends the goroutine by a channel of its own, which stays.
func (o *owner) stops() *shape.Refusal {
	if o.stop == nil {
		return nil
	}
	for _, c := range o.uses.Of(o.stop) {
		if _, base := o.closing(c); base != "" || o.uses.Declares(c) || uses.Whole(c).ParentEdgeKind() == edge.UnaryExpr_X && !uses.Written(uses.Whole(c)) ||
			c.ParentEdgeKind() == edge.KeyValueExpr_Key && o.makes(c.Parent().Node().(*ast.KeyValueExpr).Value) {
			continue
		}
		return shape.No(c.Node(), o.stop.Name()+" is used in another way than to be closed, and to wait for that")
	}
	return o.hidden(o.stop)
}

// hidden says why code that is not seen may use a variable.
func (o *owner) hidden(v *types.Var) *shape.Refusal {
	if why := o.uses.Unseen(v); why != "" {
		return &shape.Refusal{Why: why, Pos: v.Pos()}
	}
	return nil
}

// closing is the statement that closes a channel that is used, and the text of the
// variable that has it; "" if there is none.
func (o *owner) closing(c inspector.Cursor) (st inspector.Cursor, base string) {
	sel := uses.Whole(c)
	x, ok := sel.Node().(*ast.SelectorExpr)
	if !ok || sel.ParentEdgeKind() != edge.CallExpr_Args || loop.Builtin(o.info, sel.Parent().Node().(*ast.CallExpr)) != "close" {
		return st, ""
	}
	st = sel.Parent().Parent()
	if o.is(x.X) && st.Node() != nil && uses.Listed(st) {
		return st, rewrite.Text(o.pass.Fset, x.X)
	}
	return st, ""
}

// signals takes what tells others that the goroutine has ended: a deferred call.
func (o *owner) signals() *shape.Refusal {
	var rest []ast.Stmt
	for _, st := range o.before {
		d, ok := st.(*ast.DeferStmt)
		if !ok {
			rest = append(rest, st)
			continue
		}
		var told ast.Expr
		closes := loop.Builtin(o.info, d.Call) == "close"
		if closes {
			told = d.Call.Args[0]
		} else if spawn.IsMethod(typeutil.StaticCallee(o.info, d.Call), "sync", "WaitGroup", "Done") {
			told = d.Call.Fun.(*ast.SelectorExpr).X
		}
		of, v := o.part(told)
		if of != o.self {
			return shape.No(d.Call, "the goroutine does more in the end")
		}
		if closes {
			o.gone = v
		}
		o.through(told)
		o.told = append(o.told, v)
	}
	if o.before = rest; len(o.after) > 0 {
		return shape.No(o.after[0], "the goroutine does more in the end")
	}
	return nil
}

// joins has what waits for the end of the goroutine wait for the request that is under
// way: it comes right after what ends it.
func (o *owner) joins() *shape.Refusal {
	for _, v := range o.told {
		for _, c := range o.uses.Of(v) {
			if o.known[c.Node()] || o.uses.Declares(c) || o.madeAt(c) {
				continue
			}
			st, _ := uses.Statement(c)
			sel, is := uses.Whole(c).Node().(*ast.SelectorExpr)
			e, expr := st.Node().(*ast.ExprStmt)
			if !is || !expr {
				return shape.No(c.Node(), v.Name()+" is used in another way than to wait for the end")
			}
			var fn *types.Func
			call, calls := e.X.(*ast.CallExpr)
			if calls {
				fn = typeutil.StaticCallee(o.info, call)
			}
			switch {
			case spawn.IsMethod(fn, "sync", "WaitGroup", "Add") && rewrite.Text(o.pass.Fset, call.Args[0]) == "1" && st.Parent() == o.start.Parent():
				o.edits = append(o.edits, rewrite.Drop(o.pass.Fset, st))
			case inline.Received(e) == ast.Expr(sel) || spawn.IsMethod(fn, "sync", "WaitGroup", "Wait"):
				base := rewrite.Text(o.pass.Fset, sel.X)
				if !o.is(sel.X) || !o.ended(st) {
					return shape.No(e, "it is waited for the goroutine elsewhere than where it is ended")
				}
				if o.ranges {
					o.edits = append(o.edits, rewrite.Drop(o.pass.Fset, st))
				} else {
					o.edits = append(o.edits, rewrite.Replace(e, base+"."+o.mu+".Lock() // until what is under way is done\n"+base+"."+o.mu+".Unlock()"))
				}
			default:
				return shape.No(e, v.Name()+" is used in another way than to wait for the end")
			}
		}
		if no := o.undeclare(v); no != nil {
			return no
		}
	}
	return nil
}

// ended reports whether the statement before another one ends the goroutine.
func (o *owner) ended(st inspector.Cursor) bool {
	prev, ok := st.PrevSibling()
	by := o.stop
	if by == nil {
		by = o.ports[0].ch
	}
	return ok && slices.ContainsFunc(o.uses.Of(by), func(c inspector.Cursor) bool {
		at, base := o.closing(c)
		if base != "" && at != prev && at.Parent().Parent().ParentEdgeKind() == edge.CallExpr_Args {
			call := at.Parent().Parent().Parent()
			if spawn.IsMethod(typeutil.StaticCallee(o.info, call.Node().(*ast.CallExpr)), "sync", "Once", "Do") {
				at = call.Parent()
			}
		}
		return base != "" && at == prev
	})
}
