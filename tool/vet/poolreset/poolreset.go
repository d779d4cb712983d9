package poolreset

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds buffers that are put back with what is in them.
var Analyzer = shape.Analyzer("poolreset",
	"find buffers that grow and are put into a pool without a reset\n\nThe next user appends to what is there.",
	find, uses.Analyzer)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	index := pass.ResultOf[uses.Analyzer].(*uses.Index)
	for c := range index.Root.Preorder((*ast.CallExpr)(nil)) {
		call := c.Node().(*ast.CallExpr)
		if !spawn.IsMethod(section.Callee(pass.TypesInfo, call), "sync", "Pool", "Put") || len(call.Args) != 1 {
			continue
		}
		v, decl := loop.Var(pass.TypesInfo, call.Args[0]), uses.Decl(c)
		if v == nil || decl == nil || !loop.Local(v, decl) || !uses.Is(uses.Deref(v.Type()), "bytes", "Buffer") || !grows(index, v) {
			continue
		}
		all = append(all, shape.Finding{
			Pos: call.Pos(), End: call.End(), Func: decl,
			Message: v.Name() + " is put back with what is in it: it grows with each use",
			Causes:  []string{"alloc", "gc", "pool", "work"}, Hot: []shape.Range{shape.Of(decl)},
			Refused: []shape.Refusal{{Name: "reset", Why: "what the next Get finds would change: put " + rewrite.Text(pass.Fset, call.Args[0]) + ".Reset() before it if nothing counts on that", Pos: call.Pos()}},
		})
	}
	return all, nil
}

// grows reports whether a buffer comes from a pool, grows, and is not emptied.
func grows(index *uses.Index, v *types.Var) bool {
	got, grown := false, false
	for _, c := range index.Of(v) {
		up := c.Parent()
		switch c.ParentEdgeKind() {
		case edge.AssignStmt_Lhs:
			as, ok := up.Node().(*ast.AssignStmt).Rhs[0].(*ast.TypeAssertExpr)
			if !ok || !index.Declares(c) {
				return false
			}
			get, ok := ast.Unparen(as.X).(*ast.CallExpr)
			got = ok && spawn.IsMethod(section.Callee(index.Info, get), "sync", "Pool", "Get")
		case edge.CallExpr_Args:
			call := up.Node().(*ast.CallExpr)
			if spawn.IsMethod(section.Callee(index.Info, call), "sync", "Pool", "Put") {
				continue
			}
			sig, ok := index.Info.TypeOf(call.Fun).(*types.Signature)
			if i := c.ParentEdgeIndex(); !ok || i >= sig.Params().Len() || !uses.Is(sig.Params().At(i).Type(), "io", "Writer") {
				return false // it may empty it
			}
			grown = true
		case edge.SelectorExpr_X:
			switch name := up.Node().(*ast.SelectorExpr).Sel.Name; name {
			case "Bytes", "String", "Len", "Cap", "Available", "AvailableBuffer", "Grow":
			default:
				if name != "ReadFrom" && !strings.HasPrefix(name, "Write") || name == "WriteTo" {
					return false
				}
				grown = true
			}
		default:
			return false
		}
	}
	return got && grown
}
