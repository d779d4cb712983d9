package benchvet

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// parallel finds what is wrong in functions given to b.RunParallel.
func (x *bench) parallel(times []heat.Bench) (all []shape.Finding) {
	x.walk(x.body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || x.method(call) != "RunParallel" || len(call.Args) != 1 {
			return true
		}
		lit, ok := ast.Unparen(call.Args[0]).(*ast.FuncLit)
		if !ok {
			return true
		}
		pb := param(x.pass, lit.Type, "PB")
		for _, l := range x.loops {
			if l.byN && spawn.Within(lit, l.stmt) {
				all = append(all, x.inside(lit, pb, l))
			}
		}
		if pb != nil {
			all = append(all, x.sharedWrites(lit, pb, slows(times))...)
		}
		return true
	})
	return all
}

// inside is the finding of a loop over b.N in each goroutine.
func (x *bench) inside(lit *ast.FuncLit, pb *types.Var, l loop) shape.Finding {
	f := shape.Finding{
		Pos: l.stmt.Pos(), End: l.body.Lbrace,
		Message: "each goroutine of RunParallel does all b.N operations: what is reported is that many times too much",
		Causes:  own, Hot: []shape.Range{shape.Of(l.stmt)}, Sure: true,
	}
	if pb == nil || pb.Name() == "_" || uses.Mentions(x.pass.TypesInfo, lit.Body, pb) {
		offer(&f, "next", "", "the *testing.PB is used already, or has no name")
		return f
	}
	header, why := x.header(l, pb.Name()+".Next()")
	offer(&f, "next", "let "+pb.Name()+".Next deal out the operations", why, header)
	return f
}

// sharedWrites finds writes in each iteration to what all goroutines share.
func (x *bench) sharedWrites(lit *ast.FuncLit, pb *types.Var, seen string) (all []shape.Finding) {
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		loop, ok := n.(*ast.ForStmt)
		if !ok || loop.Cond == nil || !uses.Mentions(x.pass.TypesInfo, loop.Cond, pb) {
			return true
		}
		for _, s := range loop.Body.List {
			how, to := "write", rewrite.Assigned(s)
			if word := x.counter(s); word != nil {
				how, to = "add to", []ast.Expr{word}
			}
			for _, e := range to {
				if x.outside(lit, e) {
					all = append(all, shape.Finding{
						Pos: s.Pos(), End: s.End(),
						Message: fmt.Sprintf("all goroutines of RunParallel %s %s: its cache line travels between the processors in each iteration", how, rewrite.Text(x.pass.Fset, e)),
						Causes:  []string{"trueshare", "falseshare"}, Hot: []shape.Range{shape.Of(loop)}, Seen: seen,
					})
					break
				}
			}
		}
		return false
	})
	return all
}

// counter is what a statement adds to atomically, or nil.
func (x *bench) counter(s ast.Stmt) ast.Expr {
	st, ok := s.(*ast.ExprStmt)
	if !ok {
		return nil
	}
	call, ok := ast.Unparen(st.X).(*ast.CallExpr)
	if !ok {
		return nil
	}
	fn, ok := spawn.Object(x.pass.TypesInfo, call.Fun).(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "sync/atomic" || !strings.HasPrefix(fn.Name(), "Add") {
		return nil
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && fn.Signature().Recv() != nil {
		return sel.X
	}
	if a, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr); ok && a.Op == token.AND {
		return a.X
	}
	return nil
}

// outside reports whether e is a variable from outside of lit, or a field of one. Elements
// of slices and maps may be one's own.
func (x *bench) outside(lit *ast.FuncLit, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := x.pass.TypesInfo.Uses[e].(*types.Var)
		return ok && (v.Pos() < lit.Pos() || lit.End() <= v.Pos())
	case *ast.SelectorExpr:
		// A variable of another package, or a field.
		return x.pass.TypesInfo.Selections[e] == nil || x.outside(lit, e.X)
	}
	return false
}
