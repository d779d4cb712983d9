package inline

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// mostWorkers is the constant number of iterations up to which a loop is taken
// for the start of workers.
const mostWorkers = 64

// OverInput reports whether the loop that starts the site's goroutines goes over
// input, not over workers. Workers slice their part of the input or loop over it
// themselves, take items from a channel, or number as the processors do.
func OverInput(pass *analysis.Pass, s *spawn.Site) bool {
	info := pass.TypesInfo
	input, counted := Elements(info, s.Func, s.Loop)
	if !input {
		return false
	}
	return !(counted && divides(s)) &&
		!uses.Any(s.Body, func(n *ast.ForStmt) bool { return n.Cond == nil || s.DiffersExpr(n.Cond) }) &&
		!uses.Any(s.Body, func(n *ast.RangeStmt) bool {
			return uses.Under[*types.Chan](info.TypeOf(n.X)) || s.DiffersExpr(n.X) && (counted || !ofElement(info, s.Loop, n.X))
		})
}

// divides reports whether each iteration of the loop takes its part of something
// to be sliced: xs[len(xs)*w/workers : len(xs)*(w+1)/workers].
func divides(s *spawn.Site) bool {
	return uses.Any(s.Loop, func(x *ast.SliceExpr) bool {
		return x.Low != nil && x.High != nil && s.DiffersExpr(x.Low) && s.DiffersExpr(x.High)
	})
}

// Elements reports whether a loop of a function goes over input as far as its
// head tells, and whether it counts up to a number. That is not the number of
// processors, nor to a small constant.
func Elements(info *types.Info, in *ast.FuncDecl, loop ast.Stmt) (input, counted bool) {
	var bound ast.Expr
	switch l := loop.(type) {
	case *ast.RangeStmt:
		bound = l.X
		switch t := info.TypeOf(l.X).Underlying().(type) {
		case *types.Chan:
			return true, false
		case *types.Array:
			if t.Len() <= mostWorkers {
				return false, false
			}
		case *types.Basic:
			counted = t.Info()&types.IsInteger != 0
		}
	case *ast.ForStmt:
		counted = true
		if c, ok := l.Cond.(*ast.BinaryExpr); ok {
			bound = c.Y
		}
	}
	if bound != nil {
		if v := info.Types[bound].Value; v != nil {
			if n, ok := constant.Int64Val(constant.ToInt(v)); ok && n <= mostWorkers {
				return false, counted
			}
		}
		if perProcessor(info, in, bound, 0) {
			return false, counted
		}
	}
	return true, counted
}

// ofElement reports whether an expression is part of the element that an
// iteration of the loop has: of row in for _, row := range rows, or of rows[i].
func ofElement(info *types.Info, loop ast.Stmt, e ast.Expr) bool {
	l, ok := loop.(*ast.RangeStmt)
	if !ok {
		return false
	}
	r := Root(info, e)
	return r != nil && (r == Root(info, l.Value) || r == Root(info, l.X))
}

// Root is the variable that an operand begins with: rows of rows[i].cells[1:].
func Root(info *types.Info, e ast.Expr) types.Object {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			return info.ObjectOf(x)
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// perProcessor reports whether an expression is made of the number of
// processors.
func perProcessor(info *types.Info, in *ast.FuncDecl, e ast.Expr, depth int) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if fn := typeutil.StaticCallee(info, n); fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "runtime" {
				found = found || fn.Name() == "GOMAXPROCS" || fn.Name() == "NumCPU"
			}
		case *ast.Ident:
			v, ok := info.Uses[n].(*types.Var)
			if !ok || depth > 3 {
				return true
			}
			found = found || uses.Any(in.Body, func(a *ast.AssignStmt) bool {
				i := slices.IndexFunc(a.Lhs, func(l ast.Expr) bool { return spawn.Object(info, l) == v })
				return i >= 0 && len(a.Lhs) == len(a.Rhs) && perProcessor(info, in, a.Rhs[i], depth+1)
			})
		}
		return !found
	})
	return found
}

// Blocks reports whether code waits for the world, a network, a file, a clock, other than
// by calls of the functions of but.
func Blocks(pass *analysis.Pass, w *spawn.Weigher, n ast.Node, but ...*types.Func) bool {
	return uses.Any(n, func(c *ast.CallExpr) bool {
		fn, _ := typeutil.Callee(pass.TypesInfo, c).(*types.Func)
		return fn != nil && !spawn.IsMethod(fn, "sync", "", "Wait") && !slices.Contains(but, fn.Origin()) && w.Weigh(&ast.CallExpr{Fun: c.Fun}).Blocking > 0
	})
}

// Bounded reports whether something keeps the number of the site's goroutines
// small. That is a slot that is taken before each start or first in it, a
// semaphore, the limit of an errgroup.
func Bounded(pass *analysis.Pass, s *spawn.Site) bool {
	info := pass.TypesInfo
	takes := func(st ast.Stmt) (found bool) {
		switch st := st.(type) {
		case *ast.SendStmt:
			return idle(st.Value)
		case *ast.SelectStmt:
			return true
		case *ast.ExprStmt:
			found = Receives(st.X)
		}
		ast.Inspect(st, func(n ast.Node) bool {
			if n == s.Node {
				return false
			}
			if c, ok := n.(*ast.CallExpr); ok {
				sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
				found = found || ok && (sel.Sel.Name == "Acquire" || sel.Sel.Name == "TryAcquire")
			}
			return !found
		})
		return found
	}
	list := s.Func.Body.List
	if s.Loop != nil {
		list = spawn.LoopBody(s.Loop).List
	}
	for _, st := range list {
		if st.Pos() < s.Node.Pos() && takes(st) {
			return true
		}
	}
	if s.Lit != nil && slices.ContainsFunc(s.Lit.Body.List[:min(2, len(s.Lit.Body.List))], takes) {
		return true
	}
	return s.Kind == spawn.ErrGroup && uses.Any(s.Func.Body, func(sel *ast.SelectorExpr) bool {
		return sel.Sel.Name == "SetLimit" && spawn.Object(info, sel.X) == spawn.Object(info, s.Group)
	})
}

// Recursive reports whether the goroutine names the function that starts it.
func Recursive(pass *analysis.Pass, s *spawn.Site) bool {
	return uses.Mentions(pass.TypesInfo, s.Body, pass.TypesInfo.Defs[s.Func.Name])
}
