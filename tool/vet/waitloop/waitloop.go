package waitloop

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/atonce"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds loops of goroutines that wait in each iteration.
var Analyzer = shape.Analyzer("waitloop", doc, find, spawn.Reached, uses.Analyzer)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	weigher := spawn.NewWeigher(pass)
	r := atonce.New(pass)
	var pkg *local.Package
	seen := map[ast.Node]bool{}
	for _, s := range pass.ResultOf[spawn.Reached].([]*spawn.Site) {
		if s.Body == nil || seen[s.Body] {
			continue
		}
		seen[s.Body] = true
		for _, l := range loops(s.Body) {
			w := &wait{pass: pass, info: pass.TypesInfo, r: r, s: s, loop: l, file: rewrite.File(pass, l.Pos())}
			w.calls = waits(pass, weigher, spawn.LoopBody(l))
			if w.file == nil || w.calls == nil || !w.counts() || w.chained() {
				continue
			}
			if pkg == nil {
				pkg = local.New(pass)
			}
			w.pkg = pkg
			w.decl = decl(w.file, l)
			f := shape.Finding{
				Pos: l.Pos(), End: spawn.LoopBody(l).Lbrace,
				Message: "each iteration waits before the next begins: what they wait for could be under way together",
				Func:    w.decl,
				Causes:  []string{"waiting", "network", "syscalls"},
				Hot:     []shape.Range{shape.Of(l)},
				Shared:  shape.All(spawn.Called(pass, spawn.LoopBody(l))), // where it waits
			}
			w.together(&f)
			all = append(all, f)
		}
	}
	return all, nil
}

// loops are those of a body, not of the literals in it.
func loops(body *ast.BlockStmt) (out []ast.Stmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt:
			out = append(out, n)
		case *ast.RangeStmt:
			out = append(out, n)
		}
		return true
	})
	return out
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

// decl is the declared function around a node.
func decl(file *ast.File, n ast.Node) *ast.FuncDecl {
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Pos() <= n.Pos() && n.End() <= f.End() {
			return f
		}
	}
	return nil
}

// A wait is a loop of a goroutine, each iteration of which waits.
type wait struct {
	pass  *analysis.Pass
	info  *types.Info
	pkg   *local.Package
	r     *atonce.Reader
	s     *spawn.Site
	file  *ast.File
	decl  *ast.FuncDecl
	loop  ast.Stmt
	calls []*ast.CallExpr

	key, value *ast.Ident // of its head, nil without
	lo, hi     ast.Expr   // numbers that it counts from and to; lo is nil for 0
	over       ast.Expr   // the slice or array that it goes over
}

// counts reports whether the iterations have numbers.
func (w *wait) counts() bool {
	n, ok := loop.Numbered(w.info, w.loop)
	w.key, w.value, w.lo, w.hi, w.over = n.Key, n.Value, n.Lo, n.Hi, n.Over
	return ok
}
