package forkjoin

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

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

// refs counts where code mentions o and the text will, too: what the task does
// not look at is left out.
func (w *writer) refs(n ast.Node, o types.Object, e *env) (count int) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if w.info.Uses[n] == o {
				count++
			}
		case *ast.CallExpr:
			if !w.calls(n, e) {
				return true
			}
			for i, arg := range n.Args {
				if w.used(e.task, i) {
					count += w.refs(arg, o, e)
				}
			}
			return false
		}
		return true
	})
	return count
}

// calls reports whether a call is that of the task.
func (w *writer) calls(c *ast.CallExpr, e *env) bool {
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	return ok && e.param != nil && w.info.Uses[id] == e.param
}

// used reports whether a task looks at its ith argument.
func (w *writer) used(t *task, i int) bool {
	if t.lit == nil {
		return true
	}
	v := w.param(t, i)
	return v != nil && w.refs(t.lit.Body, v, t.env) > 0
}

// param is the ith parameter of a literal, nil if it has no name.
func (w *writer) param(t *task, i int) types.Object {
	for _, field := range t.lit.Type.Params.List {
		for _, name := range field.Names {
			if i == 0 {
				return w.info.Defs[name]
			}
			i--
		}
		if field.Names == nil {
			i--
		}
	}
	return nil
}

// prefers is the name that a task has for its ith argument: that of the one it
// hands it on to, if it does.
func (w *writer) prefers(p *place, t *task, i int) string {
	v := w.param(t, i)
	name := v.Name()
	if t.env.task == nil {
		return name
	}
	own := true
	ast.Inspect(t.lit.Body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && w.calls(c, t.env) && t.env.task.lit != nil {
			for j, arg := range c.Args {
				if inline.Object(w.info, arg) == v && w.used(t.env.task, j) {
					name, own = w.prefers(p, t.env.task, j), false
				}
			}
		}
		return true
	})
	if own && p.names[name] {
		name = rewrite.Fresh(w.pass.Pkg, p.call, name)
	}
	return name
}

// none stands for the helper of code that starts no goroutines.
var none = &helper{}

// code is the text of code that calls the task once, with what that does in the
// place of the call. h is the helper that it is the loop of, none for a literal.
func (w *writer) code(p *place, n ast.Node, pos, end token.Pos, e *env, h *helper) (string, bool) {
	if e.task == nil {
		text, err := w.source(n, pos, end, e, nil)
		return text, err == nil
	}
	c, at, last := w.theCall(n, e, h)
	if c == nil || !plain(w.info, n, h) {
		return "", false
	}
	t := e.task
	alias := map[types.Object]types.Object{} // of the parameters of goroutines
	for _, s := range h.sites {
		for v, arg := range s.Args {
			alias[v] = inline.Object(w.info, arg)
		}
	}
	local := w.locals(n, h)
	bound := map[int]bool{}
	for i, arg := range c.Args {
		if t.lit == nil || !w.used(t, i) {
			continue
		}
		v := w.param(t, i)
		o := inline.Object(w.info, arg)
		if _, ident := ast.Unparen(arg).(*ast.Ident); !ident || inline.Sets(w.info, t.lit.Body, v) || !types.Identical(o.Type(), v.Type()) {
			continue
		}
		if a := alias[o]; a != nil {
			o = a
		}
		name := w.prefers(p, t, i)
		switch was, named := e.names[o]; {
		case named && (was != name || !p.added[name]), !named && !slices.Contains(local, o):
			continue
		case !named && !p.add(name):
			return "", false
		}
		e.names[o], t.env.names[v] = name, name
		bound[i] = true
	}
	for _, o := range local {
		if _, ok := e.names[o]; ok {
			continue
		}
		e.names[o] = o.Name()
		if p.names[o.Name()] {
			e.names[o] = rewrite.Fresh(w.pass.Pkg, p.call, o.Name())
		}
		if !p.add(e.names[o]) {
			return "", false
		}
	}
	for v, o := range alias {
		if name, ok := e.names[o]; ok {
			e.names[v] = name
		}
	}
	edits := slices.Clone(h.edits)
	for _, o := range local {
		refs := w.refs(n, o, e)
		for _, s := range h.sites {
			for v, arg := range s.Args {
				if alias[v] == o {
					refs += w.refs(n, v, e) - w.refs(arg, o, e)
				}
			}
		}
		if refs > 0 {
			continue
		}
		r, ok := n.(*ast.RangeStmt)
		if !ok || r.Key == nil || r.Value != nil || inline.Object(w.info, r.Key) != o {
			return "", false // it would be declared and not used
		}
		edits = append(edits, analysis.TextEdit{Pos: r.Key.Pos(), End: r.Range, NewText: nil})
		delete(p.added, e.names[o])
	}
	text, ok := w.called(p, c, bound, e)
	if !ok {
		return "", false
	}
	if !last {
		text = "{\n" + text + "\n}"
	}
	if !w.frees(p, n, e, h) {
		return "", false
	}
	edits = append(edits, rewrite.Replace(at, text))
	out, err := w.source(n, pos, end, e, edits)
	return out, err == nil
}

// theCall is the one call of the task in code, the node that is to be replaced for
// it, and whether nothing comes after it in its blocks.
func (w *writer) theCall(n ast.Node, e *env, h *helper) (call *ast.CallExpr, at ast.Node, last bool) {
	last = true
	calls := 0
	var stack []ast.Node
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if c, ok := n.(*ast.CallExpr); ok && w.calls(c, e) {
			calls++
			switch st := stack[len(stack)-1].(type) {
			case *ast.ExprStmt:
				call, at = c, st
			case *ast.GoStmt:
				call, at = c, c
			}
			for _, b := range stack {
				if b, ok := b.(*ast.BlockStmt); ok {
					last = last && !slices.ContainsFunc(b.List, func(st ast.Stmt) bool { return st.Pos() > c.Pos() && !h.gone(st) })
				}
			}
		}
		stack = append(stack, n)
		return true
	})
	if calls != 1 {
		return nil, nil, false
	}
	return call, at, last
}

// plain reports whether code does nothing that would mean something else in
// another function: it leaves by its end, and holds no literals but those that
// goroutines start with.
func plain(info *types.Info, n ast.Node, h *helper) bool {
	ok := true
	leaves := func(n ast.Node) {
		for _, l := range rewrite.Leaves(info, n, false) {
			switch l.How {
			case "panic", "os.Exit", "log.Fatal", "log.Fatalf", "log.Fatalln", "log.Panic", "log.Panicf", "log.Panicln":
			case "break", "continue": // of the loop that n is
			default:
				ok = ok && h.gone(&ast.BadStmt{From: l.Pos, To: l.Pos})
			}
		}
	}
	leaves(n)
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.LabeledStmt, *ast.TypeSwitchStmt:
			ok = false
		case *ast.FuncLit:
			site := false
			for _, s := range h.sites {
				site = site || s.Lit == n
			}
			if site {
				leaves(n.Body)
				return true
			}
			ok = ok && h.gone(n)
			return false
		}
		return ok
	})
	return ok
}

// locals are the variables that code declares and that stay.
func (w *writer) locals(n ast.Node, h *helper) (out []types.Object) {
	ast.Inspect(n, func(n ast.Node) bool {
		if st, ok := n.(ast.Stmt); ok && h.gone(st) {
			return false
		}
		if lit, ok := n.(*ast.FuncLit); ok { // its head goes
			out = append(out, w.locals(lit.Body, h)...)
			return false
		}
		if id, ok := n.(*ast.Ident); ok && id.Name != "_" {
			if v, ok := w.info.Defs[id].(*types.Var); ok && !v.IsField() {
				out = append(out, v)
			}
		}
		return true
	})
	return out
}

// called is what stands for the call of the task: names for the arguments that
// have none yet, and its body.
func (w *writer) called(p *place, c *ast.CallExpr, bound map[int]bool, e *env) (string, bool) {
	t := e.task
	var args, lhs, rhs []string
	for i, arg := range c.Args {
		if t.lit != nil && (bound[i] || !w.used(t, i)) {
			if inline.Calls(arg, w.info) {
				return "", false
			}
			continue
		}
		text, err := w.source(arg, arg.Pos(), arg.End(), e, nil)
		if err != nil || !w.frees(p, arg, e, none) {
			return "", false
		}
		args = append(args, text)
		if t.lit == nil {
			continue
		}
		v := w.param(t, i)
		if !w.same(arg, v.Type()) {
			return "", false
		}
		name := w.prefers(p, t, i)
		t.env.names[v] = name
		if !p.add(name) {
			return "", false
		}
		lhs, rhs = append(lhs, name), append(rhs, text)
	}
	if _, ident := t.expr.(*ast.Ident); t.lit == nil {
		if !ident {
			return "", false // what it is called on is looked at once
		}
		fun, err := w.source(t.expr, t.expr.Pos(), t.expr.End(), t.env, nil)
		return fun + "(" + strings.Join(args, ", ") + ")", err == nil && w.frees(p, t.expr, t.env, none)
	}
	if t.lit.Type.Results.NumFields() > 0 || !plainBody(w.info, t.lit.Body) {
		return "", false
	}
	body, ok := w.code(p, t.lit.Body, t.lit.Body.Lbrace+1, t.lit.Body.Rbrace, t.env, none)
	if len(lhs) > 0 {
		body = strings.Join(lhs, ", ") + " := " + strings.Join(rhs, ", ") + "\n" + body
	}
	return strings.Trim(body, "\n\t "), ok
}

// plainBody reports whether the statements of a task can stand in a loop.
func plainBody(info *types.Info, body *ast.BlockStmt) (ok bool) {
	ok = !slices.ContainsFunc(rewrite.Leaves(info, body, false), func(l rewrite.Leave) bool {
		switch l.How {
		case "return", "defer", "recover", "goto", "labelled break", "labelled continue":
			return true
		}
		return false
	})
	ast.Inspect(body, func(n ast.Node) bool {
		_, label := n.(*ast.LabeledStmt)
		ok = ok && !label
		return ok
	})
	return ok
}

// frees enters the names in code that mean something of outside, and reports
// whether they mean the same at the place. What the edits of h take away is none.
func (w *writer) frees(p *place, n ast.Node, e *env, h *helper) bool {
	scope := w.pass.Pkg.Scope().Innermost(p.call.Pos())
	ok := scope != nil
	sel := map[*ast.Ident]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			sel[n.Sel] = true
		case *ast.KeyValueExpr:
			if id, is := n.Key.(*ast.Ident); is {
				if v, is := w.info.Uses[id].(*types.Var); is && v.IsField() {
					sel[id] = true
				}
			}
		case *ast.Ident:
			o := w.info.Uses[n]
			if o == nil || sel[n] || !ok || o == e.param || h.gone(n) {
				return ok
			}
			if text, named := e.names[o]; named {
				if text != n.Name || !p.added[text] {
					w.freeText(p, text)
				}
				return true
			}
			_, is := scope.LookupParent(n.Name, p.call.Pos())
			if a, pkg := o.(*types.PkgName); pkg {
				b, same := is.(*types.PkgName)
				ok = same && a.Imported() == b.Imported()
			} else {
				ok = is == o
			}
			p.free[n.Name] = true
		}
		return ok
	})
	return ok
}

// freeText enters the names of an argument's text.
func (w *writer) freeText(p *place, text string) {
	x, err := parser.ParseExpr(text)
	if err != nil {
		return
	}
	ast.Inspect(x, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !p.added[id.Name] {
			p.free[id.Name] = true
		}
		return true
	})
}

// source is the text of code with the names as they are in env, and the edits.
func (w *writer) source(n ast.Node, pos, end token.Pos, e *env, edits []analysis.TextEdit) (string, error) {
	all := slices.DeleteFunc(slices.Clone(edits), func(x analysis.TextEdit) bool { return x.Pos < pos || max(x.Pos, x.End) > end })
	edits = slices.Clone(all)
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || slices.ContainsFunc(edits, func(x analysis.TextEdit) bool { return x.Pos <= id.Pos() && id.End() <= x.End }) {
			return true
		}
		if text, ok := e.names[w.info.ObjectOf(id)]; ok && text != id.Name {
			all = append(all, rewrite.Replace(id, text))
		}
		return true
	})
	return inline.Source(w.pass, pos, end, all)
}
