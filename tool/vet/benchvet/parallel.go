package benchvet

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

func edits(all ...analysis.TextEdit) []analysis.TextEdit { return all }

// parallel finds what is wrong in functions given to b.RunParallel.
func (x *bench) parallel(m *heat.Map) (all []shape.Finding) {
	slows := x.slows(m)
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
			if l.byN && lit.Pos() <= l.stmt.Pos() && l.stmt.End() <= lit.End() {
				all = append(all, x.inside(lit, pb, l))
			}
		}
		if pb != nil {
			for _, f := range x.sharedWrites(lit, pb) {
				f.Seen = slows
				all = append(all, f)
			}
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
	if pb == nil {
		f.Refused = append(f.Refused, shape.Refusal{Name: "next", Why: "the *testing.PB has no name", Pos: lit.Pos()})
		return f
	}
	if used, _ := uses(x.pass.TypesInfo, lit.Body, pb); used {
		f.Refused = append(f.Refused, shape.Refusal{Name: "next", Why: pb.Name() + " is used already", Pos: lit.Pos()})
		return f
	}
	header, why := x.header(l, pb.Name()+".Next()")
	if why != "" {
		f.Refused = append(f.Refused, shape.Refusal{Name: "next", Why: why, Pos: l.stmt.Pos()})
		return f
	}
	f.Fixes = append(f.Fixes, shape.Fix{Name: "next", Says: "let " + pb.Name() + ".Next deal out the operations", Edits: edits(header)})
	return f
}

// sharedWrites finds writes in each iteration to what all goroutines share.
func (x *bench) sharedWrites(lit *ast.FuncLit, pb *types.Var) (all []shape.Finding) {
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		loop, ok := n.(*ast.ForStmt)
		if !ok {
			return true
		}
		if next, ok := ast.Unparen(loop.Cond).(*ast.CallExpr); !ok || !isMethod(x.pass.TypesInfo, next, pb, "Next") {
			return true
		}
		for _, s := range loop.Body.List {
			if e, how := x.sharedWrite(lit, s); e != nil {
				all = append(all, shape.Finding{
					Pos: s.Pos(), End: s.End(),
					Message: fmt.Sprintf("all goroutines of RunParallel %s %s: its cache line travels between the processors in each iteration", how, rewrite.Text(x.pass.Fset, e)),
					Causes:  []string{"trueshare", "falseshare"}, Hot: []shape.Range{shape.Of(loop)},
				})
			}
		}
		return false
	})
	return all
}

func isMethod(info *types.Info, call *ast.CallExpr, of *types.Var, name string) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name {
		return false
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	return ok && info.Uses[id] == of
}

// sharedWrite returns what a statement writes that is declared outside of the
// literal, and how. Elements of slices and maps may be one's own.
func (x *bench) sharedWrite(lit *ast.FuncLit, s ast.Stmt) (ast.Expr, string) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			return nil, ""
		}
		for _, e := range s.Lhs {
			if x.outside(lit, e) {
				return e, "write"
			}
		}
	case *ast.IncDecStmt:
		if x.outside(lit, s.X) {
			return s.X, "write"
		}
	case *ast.ExprStmt:
		call, ok := ast.Unparen(s.X).(*ast.CallExpr)
		if !ok {
			return nil, ""
		}
		fn, ok := callee(x.pass.TypesInfo, call).(*types.Func)
		if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "sync/atomic" || !strings.HasPrefix(fn.Name(), "Add") {
			return nil, ""
		}
		var word ast.Expr
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && fn.Signature().Recv() != nil {
			word = sel.X
		} else if a, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr); ok && a.Op == token.AND {
			word = a.X
		}
		if word != nil && x.outside(lit, word) {
			return word, "add to"
		}
	}
	return nil, ""
}

// outside reports whether e is a variable from outside of lit, or a field of one.
func (x *bench) outside(lit *ast.FuncLit, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := x.pass.TypesInfo.Uses[e].(*types.Var)
		return ok && e.Name != "_" && (v.Pos() < lit.Pos() || lit.End() <= v.Pos())
	case *ast.SelectorExpr:
		if s := x.pass.TypesInfo.Selections[e]; s == nil {
			_, ok := x.pass.TypesInfo.Uses[e.Sel].(*types.Var)
			return ok // a variable of another package
		}
		return x.outside(lit, e.X)
	}
	return false
}
