package benchvet

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// empty is the time, ns, of a loop in which nothing is left. A processor of 3 GHz
// takes a third of a nanosecond for its addition and jump.
const empty = 0.4

// dropped finds calls whose results nobody wants.
func (x *bench) dropped(t timing) (all []shape.Finding) {
	for _, l := range x.loops {
		if !l.byN {
			continue
		}
		for _, s := range l.body.List {
			call := result(s)
			if call == nil {
				continue
			}
			fn, ok := callee(x.pass.TypesInfo, call).(*types.Func)
			if !ok || fn.Signature().Results().Len() == 0 {
				continue
			}
			sure := flow.Of(x.pass).Idle(call)
			if !sure && !(t.ns > 0 && t.ns < empty) {
				continue
			}
			f := shape.Finding{
				Pos: call.Pos(), End: call.End(),
				Message: fmt.Sprintf("nobody wants the result of %s: the compiler inlines the call and leaves it out, and an empty loop is measured", rewrite.Text(x.pass.Fset, call.Fun)),
				Causes:  own, Hot: []shape.Range{shape.Of(l.stmt)}, Sure: sure,
			}
			if t.ns > 0 && t.ns < empty {
				f.Seen = t.String()
			}
			x.offerLoop(&f, l)
			all = append(all, f)
		}
	}
	return all
}

// result is the call of a statement that does nothing with its result.
func result(s ast.Stmt) *ast.CallExpr {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, _ := ast.Unparen(s.X).(*ast.CallExpr)
		return call
	case *ast.AssignStmt:
		if len(s.Rhs) != 1 {
			return nil
		}
		for _, e := range s.Lhs {
			if id, ok := e.(*ast.Ident); !ok || id.Name != "_" {
				return nil
			}
		}
		call, _ := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
		return call
	}
	return nil
}

func callee(info *types.Info, call *ast.CallExpr) types.Object {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return info.Uses[f]
	case *ast.SelectorExpr:
		return info.Uses[f.Sel]
	}
	return nil
}
