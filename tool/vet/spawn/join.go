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

	var body *ast.BlockStmt
	switch in := s.In.(type) {
	case *ast.FuncDecl:
		body = in.Body
	case *ast.FuncLit:
		body = in.Body
	}
	if body == nil {
		return
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil || s.Join != nil || n.End() <= s.Node.End() {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if fn := typeutil.StaticCallee(s.info, n); fn != nil && fn.Name() == "Wait" && n.Pos() > s.Node.End() {
				if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && groups[s.object(sel.X)] {
					s.Join = n
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW && n.Pos() > s.Node.End() && chans[s.object(n.X)] {
				s.Join = n
			}
		case *ast.RangeStmt:
			if n.Pos() > s.Node.End() && chans[s.object(n.X)] {
				s.Join = n
			}
		}
		return true
	})
}

// announces adds the groups that the body calls Done of, and the channels that
// it sends to or closes, as the function around the site names them.
func (s *Site) announces(groups, chans map[types.Object]bool) {
	ast.Inspect(s.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			chans[s.outer(n.Chan)] = true
		case *ast.CallExpr:
			switch fun := ast.Unparen(n.Fun).(type) {
			case *ast.Ident:
				if b, ok := s.info.Uses[fun].(*types.Builtin); ok && b.Name() == "close" && len(n.Args) == 1 {
					chans[s.outer(n.Args[0])] = true
				}
			case *ast.SelectorExpr:
				if fn := typeutil.StaticCallee(s.info, n); IsMethod(fn, "sync", "WaitGroup", "Done") {
					groups[s.outer(fun.X)] = true
				}
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
