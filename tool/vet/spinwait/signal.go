package spinwait

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// signal makes the flag a channel that is closed where it was set.
func (c *check) signal(w *word) (edits []analysis.TextEdit, no *shape.Refusal) {
	name := w.v.Name()
	for _, loop := range w.loops {
		if !c.waits(loop.Cond) {
			return nil, shape.No(loop, "the loop waits for something else than a flag that is set")
		}
		edits = append(edits, rewrite.Replace(loop, "<-"+name))
	}
	var decl, set inspector.Cursor
next:
	for _, at := range c.uses.Of(w.v) {
		for _, loop := range w.loops {
			if spawn.Within(loop, at.Node()) {
				continue next
			}
		}
		if c.uses.Declares(at) {
			decl = at
			continue
		}
		var call inspector.Cursor
		for call = range at.Enclosing((*ast.CallExpr)(nil)) {
			break
		}
		if !call.Valid() {
			return nil, shape.No(at.Node(), name+" has another use")
		}
		o, kind := c.op(call.Node().(*ast.CallExpr)), call.ParentEdgeKind()
		if o.v != w.v || o.name != "Store" || !c.constant(o.args[0], true) || kind != edge.ExprStmt_X && kind != edge.DeferStmt_Call {
			return nil, shape.No(at.Node(), name+" has another use than that one place sets it")
		}
		if set.Valid() {
			return nil, shape.No(at.Node(), name+" may be set twice, and a channel is closed once")
		}
		set = call
	}
	if !set.Valid() {
		return nil, shape.No(decl.Node(), "no code sets "+name)
	}
	spec, ok := decl.Parent().Node().(*ast.ValueSpec)
	st := decl.Parent().Parent().Parent()
	d, local := st.Node().(*ast.DeclStmt)
	if !ok || !local || len(spec.Names) > 1 || len(spec.Values) > 0 || len(d.Decl.(*ast.GenDecl).Specs) > 1 {
		return nil, shape.No(decl.Node(), name+" is no variable of a function with a declaration of its own: a channel would have to be made for it")
	}
	if at := c.again(set, st.Parent()); at != nil {
		return nil, shape.No(at, name+" may be set twice, and a channel is closed once")
	}
	return append(edits, rewrite.Replace(d, name+" := make(chan struct{})"), rewrite.Replace(set.Node(), "close("+name+")")), nil
}

// waits reports whether a condition is that a flag is not set.
func (c *check) waits(cond ast.Expr) bool {
	switch x := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		return x.Op == token.NOT && c.op(x.X).name == "Load"
	case *ast.BinaryExpr:
		return (x.Op == token.EQL && c.constant(x.Y, false) || x.Op == token.NEQ && c.constant(x.Y, true)) && c.op(x.X).name == "Load"
	}
	return false
}

// again returns what may lead to a call several times in one run of a block around
// it: a loop, a label, or a function literal that is neither called where it stands
// nor run there by a goroutine.
func (c *check) again(at, block inspector.Cursor) ast.Node {
	for l := range block.Preorder((*ast.LabeledStmt)(nil)) {
		return l.Node()
	}
	for up := at; up != block; up = up.Parent() {
		switch n := up.Node().(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return n
		case *ast.FuncLit:
			started := up.ParentEdgeKind() == edge.CallExpr_Fun
			for _, s := range c.sites {
				started = started || s.Kind != spawn.Go && ast.Unparen(s.Call.Args[0]) == ast.Expr(n)
			}
			if !started {
				return n
			}
		}
	}
	return nil
}
