package local

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Evaluates reports whether an operand can be evaluated before the loop without
// a panic that the loop would not have met. The loop may run not once.
func (l *Loop) Evaluates(e ast.Expr) bool {
	info := l.Pass.TypesInfo
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		p, _ := pathOf(info, e)
		q, ok := pathOf(info, x.X)
		derefs := !ok || slices.ContainsFunc(p.steps[len(q.steps):], func(s step) bool { return s.deref })
		return l.Evaluates(x.X) && (!derefs || l.notNil(x.X))
	case *ast.StarExpr:
		return l.Evaluates(x.X) && l.notNil(x.X)
	case *ast.IndexExpr:
		return l.Evaluates(x.X) && (!uses.Under[*types.Array](uses.Deref(info.TypeOf(x.X))) || !uses.Under[*types.Pointer](info.TypeOf(x.X)) || l.notNil(x.X)) && l.inBounds(x)
	}
	return false
}

// before reports whether what the loop goes over leads on from the place.
func (l *Loop) before(p path) bool {
	r, ok := l.At.Node().(*ast.RangeStmt)
	if !ok || len(p.steps) == 0 {
		return false
	}
	q, ok := pathOf(l.Pass.TypesInfo, r.X)
	return ok && strings.Contains(q.key, p.key)
}

// notNil reports whether a pointer is known to point to something.
func (l *Loop) notNil(e ast.Expr) bool { return l.points(e, 0) }

// points is notNil, over some calls.
func (l *Loop) points(e ast.Expr, calls int) bool {
	info := l.Pass.TypesInfo
	if p, ok := pathOf(info, e); ok {
		p.key = "(*" + p.key + ")"
		p.steps = append(slices.Clone(p.steps), step{deref: true})
		if l.before(p) {
			return true
		}
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		return x.Op == token.AND
	case *ast.CallExpr:
		return loop.Builtin(info, x) == "new" || l.makes(x)
	case *ast.Ident:
		v, ok := info.ObjectOf(x).(*types.Var)
		if !ok {
			return false
		}
		if decl := l.declOf(v); decl != nil {
			return calls < 3 && !written(l.Uses, v, decl) && l.alwaysPassed(decl, v, calls+1)
		}
		def := l.sole(v)
		return def != nil && l.points(def, calls)
	}
	return false
}

// makes reports whether a call is of a function of the package that returns the
// address of a new value.
func (l *Loop) makes(call *ast.CallExpr) bool {
	fn := section.Callee(l.Pass.TypesInfo, call)
	if fn == nil {
		return false
	}
	decl, ok := l.Uses.Declaration(fn)
	if !ok {
		return false
	}
	for c := range decl.Preorder((*ast.ReturnStmt)(nil)) {
		results := c.Node().(*ast.ReturnStmt).Results
		if len(results) == 0 {
			return false
		}
		e := results[0]
		if v := l.Uses.Var(e); v != nil && !v.IsField() {
			e = l.sole(v)
		}
		if u, ok := ast.Unparen(e).(*ast.UnaryExpr); !ok || u.Op != token.AND {
			return false
		}
	}
	return true
}

// alwaysPassed reports whether all calls of a function hand a pointer that is not nil to its
// parameter or receiver v.
func (l *Loop) alwaysPassed(decl *ast.FuncDecl, v *types.Var, calls int) bool {
	fn := l.Pass.TypesInfo.Defs[decl.Name].(*types.Func)
	if !l.called(fn) {
		return false
	}
	at := slices.Index(slices.Collect(fn.Signature().Params().Variables()), v)
	for _, id := range l.calls[fn] {
		c, ok := l.Find(id)
		for ok && (c.ParentEdgeKind() == edge.SelectorExpr_Sel || c.ParentEdgeKind() == edge.IndexExpr_X) {
			c = c.Parent()
		}
		if !ok || c.ParentEdgeKind() != edge.CallExpr_Fun {
			return false
		}
		if at >= 0 {
			if !l.points(c.Parent().Node().(*ast.CallExpr).Args[at], calls) {
				return false
			}
		} else if sel, ok := c.Node().(*ast.SelectorExpr); !ok || uses.Under[*types.Pointer](l.Pass.TypesInfo.TypeOf(sel.X)) && !l.points(sel.X, calls) {
			return false
		}
	}
	return len(l.calls[fn]) > 0
}

// sole returns what a local variable is declared with, if it is set nowhere
// else.
func (l *Loop) sole(v *types.Var) (def ast.Expr) {
	if !l.keeps(v) {
		return nil
	}
	for _, use := range l.Uses.Of(v) {
		if a, ok := use.Parent().Node().(*ast.AssignStmt); ok && l.Uses.Declares(use) && len(a.Lhs) == len(a.Rhs) {
			def = a.Rhs[use.ParentEdgeIndex()]
		}
	}
	return def
}

// inBounds reports whether the index is known to be one of the slice or array: it
// counts up to what the slice was made with, or ranges over it.
func (l *Loop) inBounds(x *ast.IndexExpr) bool {
	sizes := l.lengths(x.X, 0)
	return slices.ContainsFunc(l.bounds(ident(x.Index)), func(b string) bool { return slices.Contains(sizes, b) })
}

// bounds returns, as sizes, what the variable of a loop stays below.
func (l *Loop) bounds(id *ast.Ident) []string {
	info := l.Pass.TypesInfo
	v := l.argument(id)
	if v == nil {
		return nil
	}
	for _, use := range l.Uses.Of(v) {
		if !l.Uses.Declares(use) {
			continue
		}
		for c := range use.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
			n, ok := loop.Numbered(info, c.Node().(ast.Stmt))
			if !ok || n.Key == nil || info.ObjectOf(n.Key) != v || written(l.Uses, v, body(c)) {
				return nil
			}
			if n.Over != nil {
				return l.lengths(n.Over, 0)
			}
			if n.Lo != nil {
				return nil
			}
			return l.sizes(n.Hi, 0)
		}
	}
	return nil
}

// argument returns the variable behind an identifier: that of the argument if it
// is a parameter.
func (l *Loop) argument(id *ast.Ident) *types.Var {
	for range 8 {
		if id == nil {
			return nil
		}
		v, _ := l.Pass.TypesInfo.ObjectOf(id).(*types.Var)
		if _, param := l.Site.Args[v]; v == nil || !param {
			return v
		}
		arg, ok := l.given(v)
		if !ok {
			return nil
		}
		id = ident(arg)
	}
	return nil
}

// given returns the argument that a parameter has, unless other calls may pass
// another.
func (l *Loop) given(v *types.Var) (arg ast.Expr, ok bool) {
	arg, ok = l.Site.Args[v]
	if decl := l.declOf(v); ok && decl != nil {
		fn := l.Pass.TypesInfo.Defs[decl.Name].(*types.Func)
		ok = l.called(fn) && len(l.calls[fn]) == 1
	}
	return arg, ok && l.keeps(v)
}

// sizes returns keys of what an integer expression is; two expressions with a
// key in common are equal.
func (l *Loop) sizes(e ast.Expr, depth int) (keys []string) {
	info := l.Pass.TypesInfo
	if tv := info.Types[e]; tv.Value != nil {
		return []string{tv.Value.ExactString()}
	}
	v := loop.Var(info, e)
	if v == nil || depth > 6 || !l.keeps(v) {
		return nil
	}
	keys = append(keys, name(v))
	if arg, ok := l.given(v); ok {
		keys = append(keys, l.sizes(arg, depth+1)...)
	}
	return keys
}

// keeps reports whether a variable is local and set where it is declared alone.
func (l *Loop) keeps(v *types.Var) bool {
	return !uses.Global(v) && !slices.ContainsFunc(l.Uses.Of(v), func(use inspector.Cursor) bool {
		return !l.Uses.Declares(use) && writtenAt(use)
	})
}

// lengths returns keys of the length of a slice or array.
func (l *Loop) lengths(e ast.Expr, depth int) (keys []string) {
	info := l.Pass.TypesInfo
	if a, ok := uses.Deref(info.TypeOf(e)).Underlying().(*types.Array); ok {
		return []string{strconv.FormatInt(a.Len(), 10)}
	}
	v := loop.Var(info, e)
	if v == nil || depth > 6 || !l.keeps(v) {
		return nil
	}
	keys = append(keys, "len "+name(v))
	if arg, ok := l.given(v); ok {
		return append(keys, l.lengths(arg, depth+1)...)
	}
	if call, ok := ast.Unparen(l.sole(v)).(*ast.CallExpr); ok && loop.Builtin(info, call) == "make" && len(call.Args) > 1 {
		keys = append(keys, l.sizes(call.Args[1], depth+1)...)
	}
	return keys
}
