package waitloop

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/atonce"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds loops of goroutines that wait in each iteration.
var Analyzer = shape.Analyzer("waitloop", doc, find, spawn.Reached, uses.Analyzer)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	weigher := spawn.NewWeigher(pass)
	pkg, r := local.New(pass), atonce.New(pass)
	seen := map[ast.Node]bool{}
	for _, s := range pass.ResultOf[spawn.Reached].([]*spawn.Site) {
		if s.Body == nil || seen[s.Body] {
			continue
		}
		seen[s.Body] = true
		body, ok := pkg.Find(s.Body)
		if !ok {
			continue
		}
		for at := range body.Preorder((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
			w := &wait{Package: pkg, info: pass.TypesInfo, r: r, s: s, at: at, loop: at.Node().(ast.Stmt), body: spawn.LoopBody(at.Node().(ast.Stmt))}
			if fn, ok := uses.Func(at); !ok || fn != body.Parent() {
				continue
			}
			w.calls = waits(pass, weigher, w.body)
			if w.Numbers, ok = loop.Numbered(w.info, w.loop); !ok || w.calls == nil || w.chained() {
				continue
			}
			f := shape.Finding{
				Pos: w.loop.Pos(), End: w.body.Lbrace,
				Message: "each iteration waits before the next begins: what they wait for could be under way together",
				Func:    uses.Decl(at),
				Causes:  []string{"waiting", "network", "syscalls"},
				Hot:     []shape.Range{shape.Of(w.loop)},
				Shared:  shape.All(spawn.Called(pass, w.body)), // where it waits
			}
			w.together(&f)
			all = append(all, f)
		}
	}
	return all, nil
}

// waits returns the calls in a loop's body that wait for the world, but for
// those in loops of their own.
func waits(pass *analysis.Pass, weigher *spawn.Weigher, body *ast.BlockStmt) (out []*ast.CallExpr) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt:
			return false
		case *ast.CallExpr:
			if inline.Blocks(pass, weigher, &ast.CallExpr{Fun: n.Fun}) {
				out = append(out, n)
			}
		}
		return true
	})
	return out
}

// A wait is a loop of a goroutine, each iteration of which waits.
type wait struct {
	*local.Package
	loop.Numbers
	info  *types.Info
	r     *atonce.Reader
	s     *spawn.Site
	at    inspector.Cursor
	loop  ast.Stmt
	body  *ast.BlockStmt
	calls []*ast.CallExpr
}

// chained reports whether the iterations depend on each other by what they are
// for: they keep up a pace, ask something that keeps an order, as a connection, or hand on
// what they were answered.
func (w *wait) chained() bool {
	for _, call := range w.calls {
		t := w.info.TypeOf(call)
		tuple, several := t.(*types.Tuple)
		at, ok := w.Find(call)
		if several && tuple.Len() == 0 || types.Identical(t, types.Universe.Lookup("error").Type()) || !ok || at.ParentEdgeKind() == edge.ExprStmt_X {
			return true
		}
		if v := w.depends(call); v != nil && !uses.Holds(w.body, v.Pos()) || w.r.Read(&atonce.Code{Own: call}, call) != nil {
			return true
		}
	}
	return false
}

// depends returns a variable in code that the loop's body declares or changes, and the
// code does not declare itself.
func (w *wait) depends(code ast.Node) (found *types.Var) {
	ast.Inspect(code, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		if v := loop.Var(w.info, id); v != nil && !v.IsField() && !uses.Holds(code, v.Pos()) && (uses.Holds(w.body, v.Pos()) || len(loop.Writes(w.info, w.body, v)) > 0) {
			found = v
		}
		return found == nil
	})
	return found
}
