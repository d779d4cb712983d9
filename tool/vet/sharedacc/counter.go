package sharedacc

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// library is the package whose Int spreads over cache lines.
const library = "github.com/gopayoff/payoff/counter"

// counter offers a counter.Int in the place of each atomic.Int64 that
// goroutines add to.
func (c *check) counter(f *shape.Finding, l *local.Loop, targets []*local.Place) {
	var edits []analysis.TextEdit
	seen := map[*types.Var]bool{}
	for _, p := range targets {
		v := c.Uses.Var(p.Expr)
		if v == nil || seen[v] {
			continue
		}
		seen[v] = true
		more, why, at := c.spread(v)
		if why != "" {
			f.Refused = append(f.Refused, shape.Refusal{Name: "counter", Why: why, Pos: at})
			return
		}
		edits = append(edits, more...)
	}
	if edits != nil {
		f.Fixes = append(f.Fixes, shape.Fix{Name: "counter", Says: "count in a counter.Int, which spreads over cache lines", Needs: library, Edits: edits})
	}
}

// spread makes v, an atomic.Int64, a counter.Int.
func (c *check) spread(v *types.Var) (edits []analysis.TextEdit, why string, at token.Pos) {
	if !uses.Is(v.Type(), "sync/atomic", "Int64") {
		return nil, v.Name() + " is no atomic.Int64", v.Pos()
	}
	if why := c.Uses.Unseen(v); why != "" {
		return nil, why, v.Pos()
	}
	for _, use := range c.Uses.Of(v) {
		if c.Uses.Declares(use) {
			more, why := c.declared(use)
			if why != "" {
				return nil, why, use.Node().Pos()
			}
			edits = append(edits, more...)
			continue
		}
		e := uses.Whole(use)
		sel, ok := e.Parent().Node().(*ast.SelectorExpr)
		if !ok || e.ParentEdgeKind() != edge.SelectorExpr_X || e.Parent().ParentEdgeKind() != edge.CallExpr_Fun {
			return nil, v.Name() + " is used as a whole", use.Node().Pos()
		}
		call := e.Parent().Parent()
		switch sel.Sel.Name {
		case "Add":
			if call.ParentEdgeKind() != edge.ExprStmt_X {
				return nil, "the result of adding to " + v.Name() + " is used", use.Node().Pos()
			}
		case "Load":
			if _, loop := local.Innermost(call); loop {
				return nil, v.Name() + " is read in a loop", use.Node().Pos()
			}
			edits = append(edits, rewrite.Replace(sel.Sel, "Value"))
		default:
			return nil, v.Name() + " is set or swapped", use.Node().Pos()
		}
	}
	return edits, "", 0
}

// declared changes the type in a declaration.
func (c *check) declared(at inspector.Cursor) (edits []analysis.TextEdit, why string) {
	var typ ast.Expr
	switch d := at.Parent().Node().(type) {
	case *ast.ValueSpec:
		if typ = d.Type; len(d.Names) > 1 || d.Values != nil {
			return nil, "it is declared together with others"
		}
	case *ast.Field:
		if typ = d.Type; len(d.Names) > 1 || at.Parent().Parent().ParentEdgeKind() != edge.StructType_Fields {
			return nil, "it is declared together with others"
		}
	}
	if typ == nil || !uses.Is(c.Pass.TypesInfo.TypeOf(typ), "sync/atomic", "Int64") {
		return nil, "its type is not written where it is declared"
	}
	for _, file := range c.Pass.Files {
		if file.FileStart <= typ.Pos() && typ.Pos() < file.FileEnd {
			name, imports := rewrite.Import(c.Pass.Pkg, file, library, typ.Pos())
			return append(imports, rewrite.Replace(typ, name+".Int")), ""
		}
	}
	return nil, "its type is not written where it is declared"
}
