package forkjoin

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
)

// The text of code in an env: the task's body in place of its call, names that are
// free there, and what has no use any more left out.

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
