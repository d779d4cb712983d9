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
// An iteration may set what has the element's own index, and look there alone;
// what outlives it otherwise may only be added up, counted, or be the largest or
// smallest, and of what workers have by themselves only the whole may be looked at.
func (p *split) ordered() (at ast.Node, why string) {
	no := func(n ast.Node, s string) {
		if at == nil {
			at, why = n, s
		}
	}
	kept := map[string]merge{}     // by the text of the operand
	elements := map[string]bool{}  // operands up to their index
	targets := map[ast.Node]bool{} // where the operands of kept stand
	keep := func(st ast.Stmt, l ast.Expr, op string) {
		switch t, basic := p.info.TypeOf(l).Underlying().(*types.Basic); {
		case basic && t.Info()&types.IsString != 0 && op == "+":
			no(st, "the loop builds a string in the order of its part")
		case op == "+" && (!basic || t.Info()&types.IsInteger == 0):
			no(st, "the loop adds up floating point numbers: in another order the last digits differ")
		}
		kept[p.text(l)] = merge{l, op}
		targets[ast.Unparen(l)] = true
	}
	ast.Inspect(p.body(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if !p.outlives(l) {
					if prefix := p.element(l); prefix != "" {
						elements[prefix] = true
					}
					continue
				}
				switch op := merges[n.Tok]; {
				case op != "":
					keep(n, l, op)
				case n.Tok != token.ASSIGN:
					no(n, "the loop changes "+p.text(l)+" in a way that depends on the order")
				case len(n.Lhs) != len(n.Rhs):
					no(n, "the loop sets "+p.text(l)+", and what it is depends on the order")
				default:
					op, arg := inline.Extreme(p.info, l, n.Rhs[i])
					if op == "" {
						no(n, "the loop sets "+p.text(l)+", and what it is depends on the order")
						break
					}
					keep(n, l, op)
					targets[arg] = true
				}
			}
		case *ast.IncDecStmt:
			if p.outlives(n.X) {
				keep(n, n.X, "+")
			} else if prefix := p.element(n.X); prefix != "" {
				elements[prefix] = true
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND && p.outlives(n.X) {
				no(n, "the loop hands on the address of "+p.text(n.X))
			} else if prefix := p.element(n.X); n.Op == token.AND && prefix != "" {
				elements[prefix] = true
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
	if at == nil {
		at, why = p.looks(kept, elements, targets)
	}
	if at == nil {
		at, why = p.whole(kept)
	}
	return at, why
}

// A merge is an operand to which the loop adds in any order, and how.
type merge struct {
	x  ast.Expr
	op string // + | & ^ max min
}

var merges = map[token.Token]string{
	token.ADD_ASSIGN: "+", token.SUB_ASSIGN: "+",
	token.OR_ASSIGN: "|", token.AND_ASSIGN: "&", token.XOR_ASSIGN: "^",
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

// element is the operand that the element's index is of: out for out[i].x.
func (p *split) element(e ast.Expr) string {
	switch x := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		return p.element(x.X)
	case *ast.StarExpr:
		return p.element(x.X)
	case *ast.IndexExpr:
		if p.ofElement(x.Index) {
			return p.text(x.X)
		}
		return p.element(x.X)
	}
	return ""
}

// inLoop reports whether the loop declares a variable, in its head or body.
func (p *split) inLoop(v *types.Var) bool { return p.loop.Pos() <= v.Pos() && v.Pos() < p.loop.End() }

// ofElement reports whether an index is that of the element and of no other: the
// loop's counter i, or i*k+j where j counts up to k.
func (p *split) ofElement(index ast.Expr) bool {
	l, ok := p.loop.(*ast.ForStmt)
	if !ok {
		return false
	}
	i := inline.Object(p.info, l.Init.(*ast.AssignStmt).Lhs[0])
	if id, ok := ast.Unparen(index).(*ast.Ident); ok {
		return p.info.Uses[id] == i
	}
	sum, ok := ast.Unparen(index).(*ast.BinaryExpr)
	if !ok || sum.Op != token.ADD {
		return false
	}
	row := func(a, b ast.Expr) bool {
		m, ok := ast.Unparen(a).(*ast.BinaryExpr)
		j, name := ast.Unparen(b).(*ast.Ident)
		if !ok || !name || m.Op != token.MUL {
			return false
		}
		for _, f := range [][2]ast.Expr{{m.X, m.Y}, {m.Y, m.X}} {
			if id, ok := ast.Unparen(f[0]).(*ast.Ident); ok && p.info.Uses[id] == i && p.counts(p.info.Uses[j], f[1]) {
				return true
			}
		}
		return false
	}
	return row(sum.X, sum.Y) || row(sum.Y, sum.X)
}

// counts reports whether a variable is the counter of a loop from 0 up to k.
func (p *split) counts(j types.Object, k ast.Expr) (found bool) {
	sets := 0
	ast.Inspect(p.body(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if n.Key != nil && n.Tok == token.DEFINE && inline.Object(p.info, n.Key) == j {
				b, number := p.info.TypeOf(n.X).Underlying().(*types.Basic)
				found = number && b.Info()&types.IsInteger != 0 && p.text(n.X) == p.text(k)
			}
		case *ast.ForStmt:
			init, ok := n.Init.(*ast.AssignStmt)
			c, ok2 := n.Cond.(*ast.BinaryExpr)
			post, ok3 := n.Post.(*ast.IncDecStmt)
			if ok && ok2 && ok3 && init.Tok == token.DEFINE && len(init.Lhs) == 1 && inline.Object(p.info, init.Lhs[0]) == j {
				zero := p.info.Types[init.Rhs[0]].Value
				found = zero != nil && zero.ExactString() == "0" && c.Op == token.LSS && inline.Object(p.info, c.X) == j &&
					post.Tok == token.INC && p.text(c.Y) == p.text(k)
			}
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if inline.Object(p.info, l) == j {
					sets++
				}
			}
		case *ast.IncDecStmt:
			if inline.Object(p.info, n.X) == j {
				sets++
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND && inline.Object(p.info, n.X) == j {
				sets += 3
			}
		}
		return true
	})
	return found && (sets == 0 || sets == 2) // by range, or by init and post
}

// mine reports whether a variable is the worker's own: declared in what it
// runs, outside of the loop.
func (p *split) mine(v *types.Var) bool {
	lit := inline.Literal(p.s)
	return lit.Pos() <= v.Pos() && v.Pos() < lit.End() && !p.inLoop(v)
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
