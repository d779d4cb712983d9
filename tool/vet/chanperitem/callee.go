package chanperitem

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/inline"
)

// A callee is a function of the package that gets a stream, and whose calls all
// hand it that one, in one goroutine. So what it does with the stream is read as if
// it stood where it is called, and the type of its parameter may change.
type callee struct {
	decl  *ast.FuncDecl
	field *ast.Field // of the parameter alone
	param *types.Var
	calls []end
	own   []*ast.Ident // what it hands to itself
}

// enter reads the functions that a stream is handed to, where that can be.
func (r *reader) enter(s *stream) {
	if r.ways == nil {
		return
	}
	var all []*callee
	var rest []end
	for _, e := range s.handed {
		c := r.gotBy(e)
		if c == nil {
			rest = append(rest, e)
			continue
		}
		if i := slices.IndexFunc(all, func(d *callee) bool { return d.param == c.param }); i < 0 {
			all = append(all, c)
		} else {
			all[i].calls = append(all[i].calls, e)
		}
	}
	s.handed = rest
	for _, c := range all {
		if !r.only(c) {
			s.handed = append(s.handed, c.calls...)
			continue
		}
		s.callees = append(s.callees, c)
		r.alias[c.param], r.params[c.param] = s, true
		r.walk(c)
	}
}

// gotBy returns the function and its parameter that an end hands a stream to, nil
// if that function may not change.
func (r *reader) gotBy(e end) *callee {
	call := e.node.(*ast.CallExpr)
	fn := typeutil.StaticCallee(r.info, call).Origin()
	c := &callee{decl: r.decls[fn], calls: []end{e}}
	at := slices.Index(call.Args, ast.Expr(e.use))
	if _, later := e.path[max(0, len(e.path)-2)].(*ast.DeferStmt); later || c.decl == r.decl || !r.ways.closed(fn) || at < 0 || fn.Signature().Params().Len() != len(call.Args) {
		return nil
	}
	c.param = fn.Signature().Params().At(at)
	for _, f := range c.decl.Type.Params.List {
		if len(f.Names) == 1 && r.info.Defs[f.Names[0]] == types.Object(c.param) {
			c.field = f
		}
	}
	if c.field == nil {
		return nil
	}
	if _, ok := c.field.Type.(*ast.ChanType); !ok || !r.consumers && !r.fills(c) {
		return nil
	}
	return c
}

// fills reports whether a function sends on its parameter, and does not receive.
func (r *reader) fills(c *callee) bool {
	sends, receives := false, false
	is := func(x ast.Expr) bool { return inline.Object(r.info, x) == types.Object(c.param) }
	ast.Inspect(c.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			sends = sends || is(n.Chan)
		case *ast.RangeStmt:
			receives = receives || is(n.X)
		case *ast.UnaryExpr:
			receives = receives || n.Op == token.ARROW && is(n.X)
		}
		return true
	})
	return sends && !receives
}

// only reports whether all calls of a function hand the stream to it, in one
// goroutine, and enters what its other parameters stand for.
func (r *reader) only(c *callee) bool {
	fn := r.info.Defs[c.decl.Name].(*types.Func)
	at := 0
	for fn.Signature().Params().At(at) != c.param {
		at++
	}
	calls := 0
	for _, x := range r.ways.calls[fn] {
		if x.in != c.decl {
			calls++
			continue
		}
		for _, n := range x.path {
			switch n.(type) {
			case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt:
				return false
			}
		}
		id, ok := x.expr.Args[at].(*ast.Ident)
		if !ok || r.info.Uses[id] != types.Object(c.param) {
			return false
		}
		c.own = append(c.own, id)
	}
	if calls != len(c.calls) {
		return false
	}
	for _, e := range c.calls {
		if e.fn != c.calls[0].fn || e.site != c.calls[0].site {
			return false
		}
		call := e.node.(*ast.CallExpr)
		for i, a := range call.Args {
			if i != at && !r.stand(fn.Signature().Params().At(i), a) {
				return false
			}
		}
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && !r.stand(fn.Signature().Recv(), sel.X) {
			return false
		}
	}
	return true
}

// stand enters the variable through which what a parameter is given leads to
// memory, and reports false if it is not known.
func (r *reader) stand(p *types.Var, a ast.Expr) bool {
	a = ast.Unparen(a)
	if plain(p.Type()) || r.alias[inline.Object(r.info, a)] != nil || r.info.Types[a].IsNil() {
		return true
	}
	if u, ok := a.(*ast.UnaryExpr); ok && u.Op == token.AND {
		a = u.X
	}
	o := inline.Root(r.info, a)
	if o != nil {
		r.stands[p] = append(r.stands[p], o)
	}
	return o != nil
}

// closed reports whether nobody but the package calls a function, and does nothing
// else with it.
func (w *ways) closed(fn *types.Func) bool {
	sig := fn.Signature()
	return !fn.Exported() && !sig.Variadic() && sig.TypeParams().Len() == 0 && !w.values[fn] &&
		(sig.Recv() == nil || sig.RecvTypeParams().Len() == 0 && !w.asked[fn.Name()])
}

// roots are the variables through which memory may be written: a parameter of a
// callee leads to that of what it stands for.
func (r *reader) roots(o types.Object) []types.Object {
	if o == nil {
		return nil
	}
	return append([]types.Object{o}, r.stands[o]...)
}

// within is the function in whose declaration an end stands.
func (r *reader) within(e end) *ast.FuncDecl {
	if e.in != nil {
		return e.in.decl
	}
	return r.decl
}

// elemOf is the type of the items as it is written where an end stands.
func (r *reader) elemOf(s *stream, e end) string {
	if e.in != nil {
		return r.text(e.in.field.Type.(*ast.ChanType).Value)
	}
	return r.text(s.elem)
}

// leaves reports whether to return, in the place of an end, is the end of its
// goroutine.
func (e end) leaves() bool {
	return len(e.lits) == 0 && (e.in == nil || e.fn == ast.Node(e.in.decl) && len(e.in.own) == 0 && e.in.decl.Type.Results == nil)
}

// body is what a goroutine runs.
func (e end) body() *ast.BlockStmt {
	switch fn := e.fn.(type) {
	case *ast.FuncLit:
		return fn.Body
	case *ast.FuncDecl:
		return fn.Body
	}
	return nil
}

// stays reports whether a value is the same at any time the function runs.
func (r *reader) stays(x ast.Expr) bool {
	if tv := r.info.Types[x]; tv.Value != nil || tv.IsNil() {
		return true
	}
	id, ok := ast.Unparen(x).(*ast.Ident)
	if !ok {
		return false
	}
	switch v := r.info.Uses[id].(type) {
	case *types.Func:
		return true
	case *types.Var:
		whole, parts := map[types.Object]ast.Node{}, map[types.Object]ast.Node{}
		r.writes(r.decl, whole, parts)
		copied := true // what is in it, as well
		switch v.Type().Underlying().(type) {
		case *types.Slice, *types.Map, *types.Pointer:
			copied = false
		}
		addressed := types.NewMethodSet(types.NewPointer(v.Type())).Len() > types.NewMethodSet(v.Type()).Len() // by a method
		return v.Parent() != r.pass.Pkg.Scope() && whole[v] == nil && (!copied || parts[v] == nil) && !addressed
	}
	return false
}
