package forkjoin

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// Iterations of a loop that is done in order so far may run at once where they
// write to nothing but variables of their own, and to sums of whole numbers, which
// come out the same in any order. What two names may stand for is then no question:
// nothing that they share is written.

// A reader looks for what code writes.
type reader struct {
	w     *writer
	loop  ast.Node // outside of it are sums
	sums  map[*types.Var]token.Token
	adds  map[*ast.Ident]bool // the operands of the sums
	known map[ast.Node]bool   // literals and calls of which it is known what they do
	skip  func(ast.Node) bool
	decls map[*types.Func]*ast.FuncDecl
	seen  map[*ast.FuncDecl]bool
	at    ast.Node
	why   string
}

// independent returns the sums that the iterations add to, or what makes them
// depend on each other.
func (w *writer) independent(r *round) (sums map[*types.Var]token.Token, at ast.Node, why string) {
	x := &reader{
		w: w, loop: r.stmt, sums: map[*types.Var]token.Token{}, adds: map[*ast.Ident]bool{}, known: map[ast.Node]bool{w.call: true},
		decls: spawn.Decls(w.pass), seen: map[*ast.FuncDecl]bool{}, skip: func(ast.Node) bool { return false },
	}
	if slices.ContainsFunc(rewrite.Leaves(w.info, r.body, true), func(l rewrite.Leave) bool {
		at = &ast.BadStmt{From: l.Pos, To: l.Pos}
		return l.How != "panic"
	}) {
		return nil, at, "the loop may end early"
	}
	if breaks(r.body) {
		return nil, r.body, "the loop may end early"
	}
	arg := ast.Unparen(w.call.Args[w.h.index])
	x.known[arg] = true
	for h := w.h; h != nil; h = h.up {
		x.skip = func(n ast.Node) bool { return h.gone(n) }
		for _, c := range h.calls {
			x.known[c] = true
		}
		for _, s := range h.sites {
			x.known[s.Node], x.known[s.Call] = true, true
			if s.Lit != nil {
				x.known[s.Lit] = true
			}
		}
		if h.inner != nil {
			x.known[h.inner], x.known[ast.Unparen(h.inner.Args[h.up.index])] = true, true
		}
		x.code(h.decl.Body, h.decl, true)
	}
	x.skip = func(ast.Node) bool { return false }
	if fn := typeutil.StaticCallee(w.info, &ast.CallExpr{Fun: arg}); fn != nil {
		x.calls(arg, fn)
	}
	x.code(r.body, r.body, false)
	for v := range x.sums {
		ast.Inspect(r.stmt, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && w.info.Uses[id] == v && !x.adds[id] {
				x.no(id, "the loop looks at "+v.Name()+", to which earlier iterations add")
			}
			return true
		})
	}
	return x.sums, x.at, x.why
}

// breaks reports whether a loop's body leaves it by break.
func breaks(body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			found = found || n.Tok == token.BREAK
		}
		return !found
	})
	return found
}

func (x *reader) no(at ast.Node, why string) {
	if x.at == nil {
		x.at, x.why = at, why
	}
}

// code reads what runs with the variables declared in own. far says that it runs
// elsewhere than in the loop's own statements, where there are no sums.
func (x *reader) code(n, own ast.Node, far bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if x.at != nil || n == nil || x.skip(n) {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			if !x.known[n] {
				x.no(n, "the loop makes a function, of which nobody knows where it runs")
			} else if !far {
				x.code(n.Body, own, true)
				return false
			}
		case *ast.GoStmt:
			if !x.known[n] {
				x.no(n, "the loop does more than compute")
			}
		case *ast.DeferStmt, *ast.SendStmt, *ast.SelectStmt:
			x.no(n, "the loop does more than compute")
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				x.no(n, "the loop does more than compute")
			} else if n.Op == token.AND {
				if _, fresh := ast.Unparen(n.X).(*ast.CompositeLit); !fresh && !x.own(n.X, own) {
					x.no(n, "the loop hands on an address from outside")
				}
			}
		case *ast.RangeStmt:
			switch x.w.info.TypeOf(n.X).Underlying().(type) {
			case *types.Chan, *types.Signature:
				x.no(n, "the loop does more than compute")
			}
			if n.Tok == token.ASSIGN {
				x.writes(n.Key, own, far, token.ASSIGN)
				if n.Value != nil {
					x.writes(n.Value, own, far, token.ASSIGN)
				}
			}
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, l := range n.Lhs {
					x.writes(l, own, far, n.Tok)
				}
			}
		case *ast.IncDecStmt:
			x.writes(n.X, own, far, token.ADD_ASSIGN)
		case *ast.CallExpr:
			if !x.known[n] {
				x.call(n)
			}
		}
		return x.at == nil
	})
}

// writes enters a sum, or says that what is written is shared.
func (x *reader) writes(e ast.Expr, own ast.Node, far bool, tok token.Token) {
	if x.own(e, own) {
		return
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	v, _ := inline.Object(x.w.info, e).(*types.Var)
	sum := tok == token.ADD_ASSIGN || tok == token.OR_ASSIGN || tok == token.XOR_ASSIGN
	if ok && v != nil && sum && !far && within(x.loop, e) && within(x.w.decl, declared{v}) && !setInLiteral(x.w.info, x.w.decl, v) {
		if b, basic := v.Type().Underlying().(*types.Basic); basic && b.Info()&types.IsInteger != 0 && (x.sums[v] == 0 || x.sums[v] == tok) {
			x.sums[v], x.adds[id] = tok, true
			return
		}
	}
	x.no(e, "the loop sets "+rewrite.Text(x.w.pass.Fset, e)+", which iterations may share")
}

// declared is the place of a variable.
type declared struct{ *types.Var }

func (d declared) End() token.Pos { return d.Pos() }

// own reports whether an operand is, or is part of, a variable that is declared in
// a node: not what that points to.
func (x *reader) own(e ast.Expr, in ast.Node) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := x.w.info.ObjectOf(e).(*types.Var)
		return e.Name == "_" || ok && within(in, declared{v})
	case *ast.SelectorExpr:
		s := x.w.info.Selections[e]
		return s != nil && !s.Indirect() && x.own(e.X, in)
	case *ast.IndexExpr:
		switch x.w.info.TypeOf(e.X).Underlying().(type) {
		case *types.Array:
			return x.own(e.X, in)
		case *types.Slice, *types.Map:
			return x.own(e.X, in) && x.made(e.X, in)
		}
	}
	return false
}

// made reports whether a variable of a slice or map is nothing but what is made in
// the node.
func (x *reader) made(e ast.Expr, in ast.Node) (ok bool) {
	v, _ := x.w.info.ObjectOf(identOf(e)).(*types.Var)
	if v == nil {
		return false
	}
	ok = true
	from := func(rhs ast.Expr) {
		c, call := ast.Unparen(rhs).(*ast.CallExpr)
		_, lit := ast.Unparen(rhs).(*ast.CompositeLit)
		ok = ok && (lit || call && (inline.Object(x.w.info, c.Fun) == types.Universe.Lookup("make") || flow.Of(x.w.pass).Made(c)))
	}
	found := false
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if inline.Object(x.w.info, l) == v {
					if found = true; len(n.Lhs) == len(n.Rhs) {
						from(n.Rhs[i])
					} else {
						ok = false
					}
				}
			}
		case *ast.UnaryExpr:
			ok = ok && !(n.Op == token.AND && inline.Object(x.w.info, n.X) == v)
		}
		return ok
	})
	return ok && found
}

func identOf(e ast.Expr) *ast.Ident {
	id, _ := ast.Unparen(e).(*ast.Ident)
	if id == nil {
		return ast.NewIdent("_")
	}
	return id
}

// call reads what a call does.
func (x *reader) call(c *ast.CallExpr) {
	if x.w.info.Types[c.Fun].IsType() {
		return
	}
	switch fn := typeutil.Callee(x.w.info, c).(type) {
	case *types.Builtin:
		switch fn.Name() {
		case "len", "cap", "min", "max", "make", "new", "real", "imag", "complex", "panic":
		default:
			x.no(c, "the loop calls "+fn.Name())
		}
	case *types.Func:
		x.calls(c, fn)
	default:
		x.no(c, "the loop calls a function from elsewhere")
	}
}

// calls reads a function that is called, or handed on to be called.
func (x *reader) calls(at ast.Node, fn *types.Func) {
	does := flow.Of(x.w.pass)
	if call, ok := at.(*ast.CallExpr); ok && does.Pure(call) == "" {
		return
	} else if s := does.Func(fn); !ok && s != nil && s.Effects.First(flow.Changes) == nil {
		return
	}
	d := x.decls[fn.Origin()]
	if d == nil {
		x.no(at, "the loop calls "+fn.Name()+", which may write to something")
		return
	}
	if x.seen[d] {
		return
	}
	x.seen[d] = true
	skip := x.skip
	x.skip = func(ast.Node) bool { return false }
	x.code(d.Body, d, true)
	if x.skip = skip; x.at != nil && !within(x.w.decl, x.at) {
		x.at, x.why = at, "the loop calls "+fn.Name()+", which may write to something"
	}
}
