package spinwait

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// signal makes the flag a channel that is closed where it was set.
func (c *check) signal(w *word) (edits []analysis.TextEdit, why string, at token.Pos) {
	name := w.v.Name()
	st, others, ok := c.local(w)
	if !ok {
		return nil, name + " is no variable of a function with a declaration of its own: a channel would have to be made for it", w.v.Pos()
	}
	var set *use
	for _, u := range c.elsewhere(w) {
		switch {
		case u.v == nil:
			return nil, name + " is asked about or passed on elsewhere", u.Node().Pos()
		case u.name != "Store" || !c.is(true, u.args[0]):
			return nil, name + " is set to something else", u.Node().Pos()
		case set != nil:
			return nil, name + " may be set twice, and a channel is closed once", u.Node().Pos()
		}
		set = &u
	}
	if set == nil {
		return nil, "nobody sets " + name, w.v.Pos()
	}
	if at := c.again(set.stmt, st.Parent()); at != nil {
		return nil, name + " may be set twice, and a channel is closed once", at.Pos()
	}
	edits = append(edits, rewrite.Replace(st.Node(), others+name+" := make(chan struct{})"))
	for call := range set.Enclosing((*ast.CallExpr)(nil)) {
		edits = append(edits, rewrite.Replace(call.Node(), "close("+name+")"))
		break
	}
	for _, s := range w.spins {
		edits = append(edits, c.put(s, "<-"+name))
	}
	return edits, "", 0
}

// again returns what may lead to a statement several times in one run of a block
// around it.
func (c *check) again(at, block inspector.Cursor) ast.Node {
	for up := at; up != block; up = up.Parent() {
		switch n := up.Node().(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.LabeledStmt:
			return n
		case *ast.FuncLit:
			if !c.once(up, n) {
				return n
			}
		}
	}
	// A goto leads back.
	for l := range block.Preorder((*ast.LabeledStmt)(nil)) {
		for b := range block.Preorder((*ast.BranchStmt)(nil)) {
			if b.Node().(*ast.BranchStmt).Tok == token.GOTO {
				return l.Node()
			}
		}
	}
	return nil
}

// once reports whether a literal is called where it stands, or run there by a
// goroutine.
func (c *check) once(at inspector.Cursor, lit *ast.FuncLit) bool {
	if at.ParentEdgeKind() == edge.CallExpr_Fun {
		return true
	}
	for _, s := range c.sites {
		if s.Kind != spawn.Go && ast.Unparen(s.Call.Args[0]) == ast.Expr(lit) {
			return true
		}
	}
	return false
}
