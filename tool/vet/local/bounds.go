package local

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// Evaluates reports whether an operand can be evaluated before the loop without
// a panic that the loop would not have met. The loop may run not once.
func (l *Loop) Evaluates(e ast.Expr) bool {
	info := l.Pass.TypesInfo
	p, ok := pathOf(info, e)
	if ok && l.before(p) {
		return true
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		if _, field := info.Selections[x]; !field {
			return true
		}
		return l.Evaluates(x.X) && (!p.derefsAfter(info, x.X) || l.notNil(x.X))
	case *ast.StarExpr:
		return l.Evaluates(x.X) && l.notNil(x.X)
	case *ast.IndexExpr:
		return l.Evaluates(x.X) && l.computes(x.Index) && l.inBounds(x)
	}
	return false
}

// derefsAfter reports whether the way from x to p follows a pointer.
func (p *path) derefsAfter(info *types.Info, x ast.Expr) bool {
	q, ok := pathOf(info, x)
	return !ok || slices.ContainsFunc(p.steps[len(q.steps):], func(s step) bool { return s.deref })
}

// computes reports whether an index has nothing in it that panics.
func (l *Loop) computes(index ast.Expr) bool {
	ok := true
	ast.Inspect(index, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr, *ast.StarExpr:
			ok = false
		case *ast.SelectorExpr:
			ok = ok && l.Evaluates(n)
		case *ast.BinaryExpr:
			if (n.Op == token.QUO || n.Op == token.REM || n.Op == token.SHL || n.Op == token.SHR) && l.Pass.TypesInfo.Types[n.Y].Value == nil {
				ok = false
			}
		}
		return ok
	})
	return ok
}

// before reports whether the place, or what leads on from it, is evaluated
// each time before the loop's body runs: in the header of the loop or in a
// statement before it.
func (l *Loop) before(p path) bool {
	for _, v := range p.vars {
		if l.Site.Body != nil && written(l.Uses, v, l.Site.Body) {
			return false
		}
	}
	has := func(c inspector.Cursor) (found bool) {
		for m := range mentions(l.Pass.TypesInfo, c) {
			if strings.Contains(m.path.key, p.key) && len(p.steps) > 0 && always(m.At, c) {
				found = true
			}
		}
		return found
	}
	switch n := l.At.Node().(type) {
	case *ast.RangeStmt:
		if c, ok := l.At.FindNode(n.X); ok && has(c) {
			return true
		}
	case *ast.ForStmt:
		if n.Init != nil {
			if c, ok := l.At.FindNode(n.Init); ok && has(c) {
				return true
			}
		}
		if n.Cond != nil {
			if c, ok := l.At.FindNode(n.Cond); ok && has(c) {
				return true
			}
		}
	case *ast.ExprStmt:
		if has(l.At) {
			return true
		}
	}
	for c, ok := l.At.PrevSibling(); ok; c, ok = c.PrevSibling() {
		switch c.Node().(type) {
		case *ast.AssignStmt, *ast.ExprStmt, *ast.IncDecStmt, *ast.DeclStmt:
			if has(c) {
				return true
			}
		}
	}
	return false
}

// always reports whether c is evaluated whenever root is.
func always(c, root inspector.Cursor) bool {
	for ; c != root; c = c.Parent() {
		if c.ParentEdgeKind() == edge.BinaryExpr_Y {
			if op := c.Parent().Node().(*ast.BinaryExpr).Op; op == token.LAND || op == token.LOR {
				return false
			}
		}
	}
	return true
}

// notNil reports whether a pointer is known to point to something.
func (l *Loop) notNil(e ast.Expr) bool {
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
	case *ast.Ident:
		v, ok := info.ObjectOf(x).(*types.Var)
		if !ok {
			return false
		}
		if at, ok := l.made(v, false); ok {
			return at.Node() != nil
		}
		if decl := l.declOf(v); decl != nil {
			return !written(l.Uses, v, decl) && l.alwaysPassed(decl, v)
		}
		if arg, ok := l.Site.Args[v]; ok {
			return l.notNil(arg)
		}
		if def := l.sole(v); def != nil {
			return l.notNil(def)
		}
		_, set := l.aims(v)
		return set
	}
	return false
}

// alwaysPassed reports whether all calls of a function hand an address to its
// parameter or receiver v.
func (l *Loop) alwaysPassed(decl *ast.FuncDecl, v *types.Var) bool {
	fn := l.Pass.TypesInfo.Defs[decl.Name].(*types.Func)
	if !l.called(fn) {
		return false
	}
	sig := fn.Signature()
	at := -1
	for i := range sig.Params().Len() {
		if sig.Params().At(i) == v {
			at = i
		}
	}
	for _, id := range l.calls[fn] {
		c, ok := l.Find(id)
		if !ok {
			return false
		}
		for c.ParentEdgeKind() == edge.SelectorExpr_Sel || c.ParentEdgeKind() == edge.IndexExpr_X {
			c = c.Parent()
		}
		if c.ParentEdgeKind() != edge.CallExpr_Fun {
			return false
		}
		call := c.Parent().Node().(*ast.CallExpr)
		if at < 0 {
			sel, ok := c.Node().(*ast.SelectorExpr)
			if !ok || isPointer(l.Pass.TypesInfo.TypeOf(sel.X)) {
				return false
			}
			continue
		}
		if u, ok := ast.Unparen(call.Args[at]).(*ast.UnaryExpr); !ok || u.Op != token.AND {
			return false
		}
	}
	return len(l.calls[fn]) > 0
}

// sole returns what a local variable is declared with, if it is set nowhere
// else.
func (l *Loop) sole(v *types.Var) (def ast.Expr) {
	if v.Parent() == l.Pass.Pkg.Scope() {
		return nil
	}
	for _, use := range l.Uses.Of(v) {
		if !l.Uses.Declares(use) {
			if writtenAt(use) {
				return nil
			}
			continue
		}
		switch d := use.Parent().Node().(type) {
		case *ast.AssignStmt:
			if len(d.Lhs) == len(d.Rhs) {
				def = d.Rhs[use.ParentEdgeIndex()]
			}
		case *ast.ValueSpec:
			if len(d.Names) == len(d.Values) {
				def = d.Values[use.ParentEdgeIndex()]
			}
		}
	}
	return def
}

// inBounds reports whether the index is known to be one of the slice or array:
// it counts up to what the slice was made with, or ranges over it.
func (l *Loop) inBounds(x *ast.IndexExpr) bool {
	sizes := l.lengths(x.X, 0)
	if tv := l.Pass.TypesInfo.Types[x.Index]; tv.Value != nil {
		i, ok := constant.Int64Val(constant.ToInt(tv.Value))
		return ok && slices.ContainsFunc(sizes, func(s string) bool { n, err := strconv.ParseInt(s, 10, 64); return err == nil && i < n })
	}
	for _, b := range l.bounds(ident(x.Index)) {
		for _, s := range sizes {
			if b == s {
				return true
			}
			i, err1 := strconv.ParseInt(b, 10, 64)
			n, err2 := strconv.ParseInt(s, 10, 64)
			if err1 == nil && err2 == nil && i <= n {
				return true
			}
		}
	}
	return false
}

// bounds returns, as sizes, what the variable of a loop stays below.
func (l *Loop) bounds(id *ast.Ident) []string {
	v := l.argument(id)
	if v == nil {
		return nil
	}
	for _, use := range l.Uses.Of(v) {
		if !l.Uses.Declares(use) {
			continue
		}
		switch use.ParentEdgeKind() {
		case edge.RangeStmt_Key:
			r := use.Parent().Node().(*ast.RangeStmt)
			if written(l.Uses, v, r.Body) {
				return nil
			}
			if b, ok := l.Pass.TypesInfo.TypeOf(r.X).Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
				return l.sizes(r.X, 0)
			}
			return l.lengths(r.X, 0)
		case edge.AssignStmt_Lhs:
			set := use.Parent()
			a := set.Node().(*ast.AssignStmt)
			if set.ParentEdgeKind() != edge.ForStmt_Init || len(a.Lhs) != len(a.Rhs) {
				return nil
			}
			f := set.Parent().Node().(*ast.ForStmt)
			cond, ok := f.Cond.(*ast.BinaryExpr)
			from := l.Pass.TypesInfo.Types[a.Rhs[use.ParentEdgeIndex()]].Value
			if !ok || cond.Op != token.LSS || ident(cond.X) == nil || l.Pass.TypesInfo.Uses[ident(cond.X)] != types.Object(v) ||
				from == nil || constant.Sign(from) < 0 || written(l.Uses, v, f.Body) {
				return nil
			}
			return l.sizes(cond.Y, 0)
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
		arg, ok := l.Site.Args[v]
		if !ok || v == nil {
			return v
		}
		if id = ident(arg); l.declOf(v) != nil && !l.calledOnce(v) {
			return nil // others may pass anything
		}
	}
	return nil
}

// sizes returns keys of what an integer expression is; two expressions with a
// key in common are equal.
func (l *Loop) sizes(e ast.Expr, depth int) (keys []string) {
	if depth > 6 {
		return nil
	}
	info := l.Pass.TypesInfo
	if tv := info.Types[e]; tv.Value != nil {
		return []string{tv.Value.ExactString()}
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := info.ObjectOf(x).(*types.Var)
		if !ok || v.Parent() == l.Pass.Pkg.Scope() {
			return nil
		}
		for _, use := range l.Uses.Of(v) {
			if !l.Uses.Declares(use) && writtenAt(use) {
				return nil
			}
		}
		keys = append(keys, name(v))
		if arg, ok := l.Site.Args[v]; ok {
			keys = append(keys, l.sizes(arg, depth+1)...)
		} else if def := l.sole(v); def != nil {
			keys = append(keys, l.sizes(def, depth+1)...)
		}
	case *ast.CallExpr:
		if b, ok := info.Uses[ident(x.Fun)].(*types.Builtin); ok && b.Name() == "len" {
			return l.lengths(x.Args[0], depth+1)
		}
	}
	return keys
}

// lengths returns keys of the length of a slice or array.
func (l *Loop) lengths(e ast.Expr, depth int) (keys []string) {
	if depth > 6 {
		return nil
	}
	info := l.Pass.TypesInfo
	t := info.TypeOf(e)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if a, ok := t.Underlying().(*types.Array); ok {
		return []string{strconv.FormatInt(a.Len(), 10)}
	}
	id := ident(e)
	if id == nil {
		return nil
	}
	v, ok := info.ObjectOf(id).(*types.Var)
	if !ok || v.Parent() == l.Pass.Pkg.Scope() {
		return nil
	}
	for _, use := range l.Uses.Of(v) {
		if !l.Uses.Declares(use) && writtenAt(use) {
			return nil
		}
	}
	keys = append(keys, "len "+name(v))
	if arg, ok := l.Site.Args[v]; ok {
		return append(keys, l.lengths(arg, depth+1)...)
	}
	switch d := ast.Unparen(l.sole(v)).(type) {
	case *ast.CallExpr:
		if b, ok := info.Uses[ident(d.Fun)].(*types.Builtin); ok && b.Name() == "make" && len(d.Args) > 1 {
			keys = append(keys, l.sizes(d.Args[1], depth+1)...)
		}
	case *ast.CompositeLit:
		if len(d.Elts) == 0 {
			break
		}
		if _, keyed := d.Elts[0].(*ast.KeyValueExpr); !keyed {
			keys = append(keys, strconv.Itoa(len(d.Elts)))
		}
	case *ast.Ident, *ast.SelectorExpr:
		keys = append(keys, l.lengths(d, depth+1)...)
	}
	return keys
}

// Argument returns the variable that v, a parameter of what the goroutine
// runs, is bound to, or to an element of which it points. It returns v itself
// if that is no parameter, and nil if others may pass anything.
func (l *Loop) Argument(v *types.Var) *types.Var {
	arg, ok := l.Site.Args[v]
	if !ok {
		return v
	}
	switch x := ast.Unparen(arg).(type) {
	case *ast.Ident:
		return l.argument(x)
	case *ast.UnaryExpr:
		if i, ok := x.X.(*ast.IndexExpr); ok && x.Op == token.AND {
			return l.argument(ident(i.X))
		}
	case *ast.IndexExpr: // a receiver whose address is taken
		if isPointer(v.Type()) && !isPointer(l.Pass.TypesInfo.TypeOf(x)) {
			return l.argument(ident(x.X))
		}
	}
	return nil
}
