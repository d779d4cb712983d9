package inline

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Late says what would be seen by goroutines that look only then at what the
// loop goes over. It is a change of it between the loop and the join.
func (l *Loop) Late(pass *analysis.Pass, s *spawn.Site) (at ast.Node, why string) {
	info := pass.TypesInfo
	from, to := l.meanwhile(s)
	meanwhile := func(n ast.Node) bool { return from <= n.Pos() && n.Pos() < to }
	inLoop := func(n ast.Node) bool { return l.Stmt.Pos() <= n.Pos() && n.End() <= l.Stmt.End() }
	no := func(n ast.Node, o types.Object) {
		if at == nil {
			at, why = n, fmt.Sprintf("%s changes before all goroutines have ended", o.Name())
		}
	}
	elsewhere := l.setBy(pass)
	var lits []ast.Node // around the node, the loop not among what they hold
	ast.Inspect(s.Func.Body, func(n ast.Node) bool {
		if n == nil || at != nil {
			return false
		}
		for len(lits) > 0 && n.Pos() >= lits[len(lits)-1].End() {
			lits = lits[:len(lits)-1]
		}
		if lit, ok := n.(*ast.FuncLit); ok && !(lit.Pos() <= l.Stmt.Pos() && l.Stmt.End() <= lit.End()) {
			lits = append(lits, lit)
		}
		if c, ok := n.(*ast.CallExpr); ok && elsewhere != nil && (inLoop(n) || meanwhile(n) || len(lits) > 0) {
			if x := spawn.Reaches(pass, c.Fun, elsewhere); x != nil {
				at, why = c, "what the loop goes over may be set in a function that is called before all goroutines have ended"
			}
		}
		if inLoop(n) || !meanwhile(n) && len(lits) == 0 {
			return true
		}
		changed(info, n, func(e ast.Expr) {
			if o := last(info, e); o != nil && l.bound[o] {
				no(n, o)
			} else if x := base(e); l.value != "" && x != nil && l.bound[last(info, x)] {
				no(n, last(info, x))
			}
		})
		if c, ok := n.(*ast.CallExpr); ok && l.value != "" {
			if b, ok := Object(info, c.Fun).(*types.Builtin); ok && (b.Name() == "len" || b.Name() == "cap" || b.Name() == "append") {
				return true
			}
			for _, a := range c.Args {
				if o := last(info, a); o != nil && l.bound[o] && !info.Types[c.Fun].IsType() && !uses.Basic(info.TypeOf(a)) {
					at, why = c, o.Name()+" is handed on before all goroutines have ended"
				}
			}
		}
		return true
	})
	return at, why
}

// meanwhile is where the goroutines of the site may run, outside of the loop:
// from its end to the join, and all of a loop around it that has not the join.
func (l *Loop) meanwhile(s *spawn.Site) (from, to token.Pos) {
	from, to = l.Stmt.End(), s.Func.End()
	has := func(n, x ast.Node) bool { return n.Pos() <= x.Pos() && x.End() <= n.End() }
	after := s.Join != nil && s.Join.Pos() > l.Stmt.End()
	ast.Inspect(s.Func.Body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && after && has(lit, s.Join) && !has(lit, l.Stmt) {
			after = false // run who knows when
		}
		if d, ok := n.(*ast.DeferStmt); ok && after && has(d, s.Join) {
			after = false
		}
		return true
	})
	if after {
		to = s.Join.End()
	}
	ast.Inspect(s.Func.Body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if has(n, l.Stmt) && n != ast.Node(l.Stmt) && !(after && has(n, s.Join)) {
				from = min(from, n.Pos())
			}
			if after && has(n, s.Join) && !has(n, l.Stmt) {
				to = max(to, n.End())
			}
		}
		return true
	})
	return from, to
}

// setBy returns what is asked of the functions that are called: whether they set
// a field or a variable of the package that the loop's bound is made of. It is
// nil where there is none.
func (l *Loop) setBy(pass *analysis.Pass) func(types.Object) bool {
	far := map[types.Object]bool{}
	for o := range l.bound {
		if v, ok := o.(*types.Var); ok && (v.IsField() || v.Parent() == pass.Pkg.Scope()) {
			far[o] = true
		}
	}
	if len(far) == 0 {
		return nil
	}
	sets := map[types.Object]bool{}
	for fn, d := range spawn.Decls(pass) {
		if d.Body == nil || d.Pos() <= l.Stmt.Pos() && l.Stmt.End() <= d.End() {
			continue
		}
		ast.Inspect(d.Body, func(n ast.Node) bool {
			changed(pass.TypesInfo, n, func(e ast.Expr) {
				if o := last(pass.TypesInfo, e); far[o] || l.value != "" && base(e) != nil && far[last(pass.TypesInfo, base(e))] {
					sets[fn] = true
				}
			})
			return true
		})
	}
	return func(o types.Object) bool {
		fn, ok := o.(*types.Func)
		return ok && sets[fn.Origin()]
	}
}

// changed calls f with the operands that a node sets, or has the address of.
func changed(info *types.Info, n ast.Node, f func(ast.Expr)) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, l := range n.Lhs {
			if id, ok := l.(*ast.Ident); !ok || info.Defs[id] == nil {
				f(l)
			}
		}
	case *ast.IncDecStmt:
		f(n.X)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			f(n.X)
		}
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			f(n.Key)
			if n.Value != nil {
				f(n.Value)
			}
		}
	}
}

// last is the variable or field that an operand is: xs of b.xs, p of *p.
func last(info *types.Info, e ast.Expr) types.Object {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return info.Uses[x]
	case *ast.SelectorExpr:
		return info.Uses[x.Sel]
	case *ast.StarExpr:
		return last(info, x.X)
	case *ast.SliceExpr:
		return last(info, x.X)
	}
	return nil
}

// base is what the first index in an operand is of: b.xs of b.xs[i].y; nil where
// there is none.
func base(e ast.Expr) (of ast.Expr) {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			of, e = x.X, x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return of
		}
	}
}
