package deferloop

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds calls that are deferred in loops.
var Analyzer = shape.Analyzer("deferloop",
	"find calls that are deferred in each iteration of a loop\n\nThey pile up until the function returns.",
	find, inspect.Analyzer)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	for c := range in.Root().Preorder((*ast.DeferStmt)(nil)) {
		if f, ok := inLoop(pass, c); ok {
			all = append(all, f)
		}
	}
	return all, nil
}

// inLoop looks at a defer that a loop repeats.
func inLoop(pass *analysis.Pass, c inspector.Cursor) (f shape.Finding, ok bool) {
	l, ok := loop.Around(pass.TypesInfo, c)
	if !ok || once(l, c) {
		return f, false
	}
	d := c.Node().(*ast.DeferStmt)
	f = shape.Finding{
		Pos: d.Pos(), End: d.End(), Func: uses.Decl(c),
		Message: rewrite.Text(pass.Fset, d.Call.Fun) + " is deferred in each iteration: the calls pile up until the function returns",
		Causes:  []string{"work", "alloc", "lock"}, Hot: []shape.Range{shape.Of(l.Stmt)},
	}
	edits, why := listed(pass, c, l)
	if why != nil {
		f.Refused = append(f.Refused, shape.Refusal{Name: "once", Why: why.Why, Pos: why.Pos})
	} else {
		f.Fixes = []shape.Fix{{Name: "once", Says: "defer once, and release there what the iterations took", Edits: edits}}
	}
	return f, true
}

// once reports whether the loop is left when the defer has been reached: the
// list that it is in ends in a return, or in a break of the loop.
func once(l loop.Loop, c inspector.Cursor) bool {
	if c.ParentEdgeKind() != edge.BlockStmt_List {
		return false
	}
	list := c.Parent().Node().(*ast.BlockStmt).List
	for _, st := range list[c.ParentEdgeIndex()+1:] {
		continues := false
		ast.Inspect(st, func(n ast.Node) bool {
			b, ok := n.(*ast.BranchStmt)
			continues = continues || ok && b.Tok != token.BREAK
			return !continues
		})
		if continues {
			return false
		}
	}
	switch last := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return last.Tok == token.BREAK && last.Label == nil && c.Parent().Node() == l.Body
	}
	return false
}
