package staticsplit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
)

func parseExpr(s string) (ast.Expr, error) { return parser.ParseExpr(s) }

// ordered says what depends on which elements a worker gets, and in what order.
// What outlives an iteration may only be added up, counted, or be the largest
// or smallest; what has an index of the element is the element's own.
func (p *split) ordered() (at ast.Node, why string) {
	no := func(n ast.Node, s string) {
		if at == nil {
			at, why = n, s
		}
	}
	ast.Inspect(p.body(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if !p.outlives(l) {
					continue
				}
				switch n.Tok {
				case token.ADD_ASSIGN, token.OR_ASSIGN, token.AND_ASSIGN, token.XOR_ASSIGN, token.SUB_ASSIGN:
					t, _ := p.info.TypeOf(l).Underlying().(*types.Basic)
					switch {
					case t == nil || t.Info()&types.IsInteger != 0:
					case t.Info()&types.IsString != 0:
						no(n, "the loop builds a string in the order of its part")
					default:
						no(n, "the loop adds up floating point numbers: in another order the last digits differ")
					}
				case token.ASSIGN:
					if len(n.Lhs) != len(n.Rhs) || !p.extreme(l, n.Rhs[i]) {
						no(n, "the loop sets "+p.text(l)+", and what it is depends on the order")
					}
				default:
					no(n, "the loop changes "+p.text(l)+" in a way that depends on the order")
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND && p.outlives(n.X) {
				no(n, "the loop hands on the address of "+p.text(n.X))
			}
		case *ast.CallExpr:
			sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
			if !ok || p.info.Selections[sel] == nil {
				return true
			}
			if v, ok := inline.Object(p.info, sel.X).(*types.Var); ok && p.mine(v) {
				no(n, "the loop calls a method of the worker's own "+v.Name())
			}
		}
		return at == nil
	})
	return at, why
}

// outlives reports whether an operand is more than the iteration's: declared
// outside of the loop, and not found by the element's index.
func (p *split) outlives(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := p.info.ObjectOf(x).(*types.Var)
		return ok && x.Name != "_" && !p.inLoop(v)
	case *ast.SelectorExpr:
		return p.outlives(x.X)
	case *ast.StarExpr:
		return p.outlives(x.X)
	case *ast.IndexExpr:
		if p.ofElement(x.Index) {
			return false
		}
		return p.outlives(x.X)
	}
	return true
}

// inLoop reports whether the loop declares a variable, in its head or body.
func (p *split) inLoop(v *types.Var) bool { return p.loop.Pos() <= v.Pos() && v.Pos() < p.loop.End() }

// ofElement reports whether an index is that of the element: it has the loop's
// counter. Keys that are computed from values may be the same for several.
func (p *split) ofElement(index ast.Expr) (found bool) {
	l, ok := p.loop.(*ast.ForStmt)
	if !ok {
		return false
	}
	i := inline.Object(p.info, l.Init.(*ast.AssignStmt).Lhs[0])
	ast.Inspect(index, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr, *ast.IndexExpr:
			return false
		case *ast.Ident:
			found = found || p.info.Uses[n] == i
		}
		return !found
	})
	return found
}

// mine reports whether a variable is the worker's own: declared in what it
// runs, outside of the loop.
func (p *split) mine(v *types.Var) bool {
	lit := inline.Literal(p.s)
	return lit.Pos() <= v.Pos() && v.Pos() < lit.End() && !p.inLoop(v)
}

// extreme reports whether x = y keeps the largest or smallest: x = max(x, y).
func (p *split) extreme(x, y ast.Expr) bool {
	c, ok := ast.Unparen(y).(*ast.CallExpr)
	if !ok {
		return false
	}
	b, ok := inline.Object(p.info, c.Fun).(*types.Builtin)
	if !ok || b.Name() != "max" && b.Name() != "min" {
		return false
	}
	for _, a := range c.Args {
		if p.text(a) == p.text(x) {
			return true
		}
	}
	return false
}

// unused deletes the names of the part's ends that nothing uses any more.
func (p *split) unused() (edits []analysis.TextEdit) {
	drop := map[ast.Stmt]bool{}
	ast.Inspect(p.s.Loop, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE || p.loop.Pos() <= a.Pos() && a.End() <= p.loop.End() {
			return true
		}
		for _, l := range a.Lhs {
			if p.usedElsewhere(inline.Object(p.info, l)) {
				return true
			}
		}
		drop[a] = true
		return true
	})
	for st := range drop {
		edits = append(edits, inline.Line(p.pass, st))
	}
	used := false
	ast.Inspect(p.s.Loop, func(n ast.Node) bool {
		if st, ok := n.(ast.Stmt); ok && drop[st] {
			return false
		}
		id, ok := n.(*ast.Ident)
		used = used || ok && p.info.Uses[id] == p.w && (id.Pos() < p.loop.Pos() || id.Pos() > p.body().Lbrace)
		return !used
	})
	if r, ok := p.s.Loop.(*ast.RangeStmt); ok && !used && r.Value == nil {
		edits = append(edits, analysis.TextEdit{Pos: r.Key.Pos(), End: r.X.Pos(), NewText: []byte("range ")})
	}
	return edits
}

// usedElsewhere reports whether a variable is used but in the head of the loop.
func (p *split) usedElsewhere(o types.Object) (found bool) {
	ast.Inspect(p.s.Func.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if ok && p.info.Uses[id] == o && (id.Pos() < p.loop.Pos() || id.Pos() > p.body().Lbrace) {
			found = true
		}
		return !found
	})
	return found
}
