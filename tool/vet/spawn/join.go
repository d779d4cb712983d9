package spawn

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// join looks for what waits for the site's goroutines: the first such place
// after the site that In itself runs.
func (s *Site) join() {
	groups, chans := map[types.Object]bool{}, map[types.Object]bool{}
	if s.Group != nil {
		groups[s.object(s.Group)] = true
	}
	if s.Body != nil {
		s.announces(groups, chans)
	}
	delete(groups, nil)
	delete(chans, nil)
	s.Join = s.after(func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
			return ok && sel.Sel.Name == "Wait" && groups[s.object(sel.X)] && typeutil.StaticCallee(s.info, n) != nil
		case *ast.UnaryExpr:
			return n.Op == token.ARROW && chans[s.object(n.X)]
		case *ast.RangeStmt:
			return chans[s.object(n.X)]
		}
		return false
	})
}

// after returns the first node of a kind after the site that In itself runs.
func (s *Site) after(is func(n ast.Node) bool) (found ast.Node) {
	if s.In == nil {
		return nil
	}
	body := s.In
	if lit, ok := body.(*ast.FuncLit); ok {
		body = lit.Body
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil || found != nil || n.End() <= s.Node.End() {
			return false
		}
		if _, lit := n.(*ast.FuncLit); lit {
			return false
		}
		if n.Pos() > s.Node.End() && is(n) {
			found = n
		}
		return true
	})
	return found
}

// announces adds the groups that the body calls Done of, and the channels that
// it sends to or closes, as the function around the site names them.
func (s *Site) announces(groups, chans map[types.Object]bool) {
	ast.Inspect(s.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			chans[s.outer(n.Chan)] = true
		case *ast.CallExpr:
			if b, ok := typeutil.Callee(s.info, n).(*types.Builtin); ok && b.Name() == "close" {
				chans[s.outer(n.Args[0])] = true
			}
			if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && IsMethod(typeutil.StaticCallee(s.info, n), "sync", "WaitGroup", "Done") {
				groups[s.outer(sel.X)] = true
			}
		}
		return true
	})
}

// outer returns the object of an operand of the body, or that of the argument
// where the operand is a parameter.
func (s *Site) outer(e ast.Expr) types.Object {
	obj := s.object(e)
	if v, ok := obj.(*types.Var); ok {
		if arg, ok := s.Args[v]; ok {
			return s.object(arg)
		}
	}
	return obj
}

func (s *Site) object(e ast.Expr) types.Object { return Object(s.info, e) }

// Object is what an operand stands for: the variable or field of wg, &wg, *wg
// and p.wg, the function of f and p.f.
func Object(info *types.Info, e ast.Expr) types.Object {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return info.ObjectOf(x)
	case *ast.SelectorExpr:
		return info.ObjectOf(x.Sel)
	case *ast.StarExpr:
		return Object(info, x.X)
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return Object(info, x.X)
		}
	}
	return nil
}
