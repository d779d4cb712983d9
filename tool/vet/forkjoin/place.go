package forkjoin

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
)

// What a helper does, in the place of its call: the loop that starts the
// goroutines, with the task's body in it. The code of a helper is read in an
// env, that of what the helper hands on in turn as well, until there is one text.

// An env is what the names of code stand for.
type env struct {
	names map[types.Object]string
	param *types.Var // the function that the code is to call, nil at the place itself
	task  *task      // which it is
}

// A task is what a helper is given: a literal and what its names stand for, or an
// expression.
type task struct {
	lit  *ast.FuncLit
	expr ast.Expr
	env  *env
}

// A place is where the text is to stand.
type place struct {
	call  *ast.CallExpr
	decl  *ast.FuncDecl   // that it is in
	names map[string]bool // in the call
	added map[string]bool // names that the text declares
	free  map[string]bool // names in it that mean something of outside
}

// add reports whether the text may declare a name: it does not yet.
func (p *place) add(name string) bool {
	if p.added[name] {
		return false
	}
	p.added[name] = true
	return true
}

// inPlace is the text of what a call of a helper does, in one goroutine; false
// where it would be more than a loop, or where something is not certain.
func (w *writer) inPlace(h *helper, call *ast.CallExpr, decl *ast.FuncDecl) (string, bool) {
	p := &place{call: call, decl: decl, names: map[string]bool{}, added: map[string]bool{}, free: map[string]bool{}}
	ast.Inspect(call, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			p.names[id.Name] = true
		}
		return true
	})
	text, ok := w.helper(p, h, call, &env{names: map[types.Object]string{}})
	for name := range p.added {
		ok = ok && !p.free[name]
	}
	return text, ok
}

func (w *writer) helper(p *place, h *helper, call *ast.CallExpr, e *env) (string, bool) {
	fn, _ := w.info.Defs[h.decl.Name].(*types.Func)
	sig := fn.Signature()
	left := h.left()
	if !rewrite.Since(w.pass, w.file, "go1.22") || h.refused != nil || sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0 || sig.Results().Len() > 0 || len(left) != 1 {
		return "", false
	}
	in := &env{names: map[types.Object]string{}, param: h.task, task: w.given(h, call, e)}
	if recv := sig.Recv(); recv != nil && w.refs(left[0], recv, in) > 0 {
		return "", false
	}
	for i, arg := range call.Args {
		v := sig.Params().At(i)
		if v == h.task {
			continue
		}
		n := w.refs(left[0], v, in)
		once := n == 1 && ranged(w.info, left[0], v)
		switch {
		case inline.Sets(w.info, h.decl.Body, v) || !w.same(arg, v.Type()):
			return "", false
		case n == 0 || once:
			if inline.Calls(arg, w.info) {
				return "", false
			}
		case !w.stable(p, arg, e):
			return "", false
		}
		if n == 0 {
			continue
		}
		if of := length(w.info, arg); of != nil && once {
			arg = of // range xs, not range len(xs)
		}
		text, err := w.source(arg, arg.Pos(), arg.End(), e, nil)
		if err != nil || !w.frees(p, arg, e, none) {
			return "", false
		}
		if _, binary := ast.Unparen(arg).(*ast.BinaryExpr); binary && !once {
			text = "(" + text + ")"
		}
		in.names[v] = text
	}
	if st, ok := left[0].(*ast.ExprStmt); ok && h.inner != nil && st.X == h.inner {
		return w.helper(p, h.up, h.inner, in)
	}
	switch left[0].(type) {
	case *ast.ForStmt, *ast.RangeStmt:
	default:
		return "", false
	}
	for _, s := range h.sites {
		if s.Lit != nil && !slices.ContainsFunc(h.edits, func(x analysis.TextEdit) bool { return x.Pos <= s.Lit.Pos() && s.Lit.Body.Lbrace <= x.End }) {
			return "", false // it stays a literal
		}
	}
	return w.code(p, left[0], left[0].Pos(), left[0].End(), in, h)
}

// given is what a call hands to a helper.
func (w *writer) given(h *helper, call *ast.CallExpr, e *env) *task {
	arg := ast.Unparen(call.Args[h.index])
	if lit, ok := arg.(*ast.FuncLit); ok {
		return &task{lit: lit, env: e}
	}
	if id, ok := arg.(*ast.Ident); ok && e.param != nil && w.info.Uses[id] == e.param {
		return e.task
	}
	return &task{expr: arg, env: e}
}

// same reports whether a value as it is written has the type that a parameter
// gives it.
func (w *writer) same(arg ast.Expr, t types.Type) bool {
	tv := w.info.Types[arg]
	if tv.Value == nil {
		return types.Identical(tv.Type, t)
	}
	whole := true
	ast.Inspect(arg, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		whole = whole && !(ok && lit.Kind != token.INT)
		return whole
	})
	return whole && tv.Value.Kind() == constant.Int && types.Identical(t, types.Typ[types.Int])
}

// ranged reports whether a loop ranges over v.
func ranged(info *types.Info, st ast.Stmt, v *types.Var) bool {
	r, ok := st.(*ast.RangeStmt)
	if !ok {
		return false
	}
	id, ok := ast.Unparen(r.X).(*ast.Ident)
	return ok && info.Uses[id] == v
}

// length is the slice that an expression is the length of, or nil.
func length(info *types.Info, e ast.Expr) ast.Expr {
	c, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(c.Args) != 1 || inline.Object(info, c.Fun) != types.Universe.Lookup("len") {
		return nil
	}
	if _, ok := info.TypeOf(c.Args[0]).Underlying().(*types.Slice); !ok {
		return nil
	}
	return c.Args[0]
}

// stable reports whether an operand has the same value whenever it is looked at.
func (w *writer) stable(p *place, x ast.Expr, e *env) bool {
	if w.info.Types[x].Value != nil {
		return true
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		v, ok := w.info.Uses[x].(*types.Var)
		if !ok {
			return false
		}
		if _, ok := e.names[v]; ok {
			return true
		}
		return p.decl.Pos() <= v.Pos() && v.Pos() < p.decl.End() && !setInLiteral(w.info, p.decl, v)
	case *ast.BinaryExpr:
		return w.stable(p, x.X, e) && w.stable(p, x.Y, e)
	case *ast.CallExpr:
		b, ok := inline.Object(w.info, x.Fun).(*types.Builtin)
		return ok && (b.Name() == "len" || b.Name() == "cap") && w.stable(p, x.Args[0], e)
	}
	return false
}

// setInLiteral reports whether a literal of the function sets v, or anything has
// its address.
func setInLiteral(info *types.Info, decl *ast.FuncDecl, v *types.Var) (found bool) {
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			found = found || inline.Sets(info, n.Body, v)
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && inline.Object(info, n.X) == v
		}
		return !found
	})
	return found
}
