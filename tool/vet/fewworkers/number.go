package fewworkers

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A number is where a package says how many workers there are.
type number struct {
	at     ast.Expr // the expression: 4 * runtime.NumCPU(), 8
	call   ast.Expr // of package runtime in it, nil for a constant
	many   bool     // it is a multiple of the call
	slots  bool     // as many goroutines run at once, of more
	direct bool     // it stands in the function of the loop

	// Variables and constants that it goes through, and functions that return it.
	via     []types.Object
	through []*types.Func
}

// numbers returns what bounds the site's workers, as far as that is a number of
// processors or a small constant.
func (r *reader) numbers() []*number {
	r.seen = map[types.Object]bool{}
	hi, key := r.bound()
	if key != nil {
		r.seen[key] = true
	}
	all := append(r.trace(hi, nil), r.slots()...)
	if key != nil && uses.Mentions(r.info, spawn.LoopBody(r.s.Loop), key) {
		// What has a place for each worker has one for each processor, but where one
		// variable says both.
		all = slices.DeleteFunc(all, func(n *number) bool { return len(n.via) == 0 })
	}
	return all
}

// bound returns the expression that says how many goroutines the loop starts, and what
// it counts with.
func (r *reader) bound() (hi ast.Expr, key *types.Var) {
	if l, ok := loop.Numbered(r.info, r.s.Loop); ok && l.Over == nil && l.Hi != nil {
		if l.Key != nil {
			key = loop.Var(r.info, l.Key)
		}
		return l.Hi, key
	}
	if l, ok := r.s.Loop.(*ast.ForStmt); ok { // that counts down
		init, ok := l.Init.(*ast.AssignStmt)
		post, ok2 := l.Post.(*ast.IncDecStmt)
		if ok && ok2 && len(init.Rhs) == 1 && post.Tok == token.DEC {
			return init.Rhs[0], loop.Var(r.info, init.Lhs[0])
		}
	}
	return nil, nil
}

// slots returns the numbers that a semaphore or the limit of a group has: so many at once.
func (r *reader) slots() (all []*number) {
	if g := loop.Var(r.info, r.s.Group); g != nil {
		for _, use := range r.uses.Of(g) {
			sel, ok := use.Parent().Node().(*ast.SelectorExpr)
			if c, calls := use.Parent().Parent().Node().(*ast.CallExpr); ok && calls && sel.Sel.Name == "SetLimit" && len(c.Args) == 1 {
				all = append(all, r.trace(c.Args[0], nil)...)
			}
		}
	}
	if _, of := r.s.Node.(*ast.SendStmt); of {
		for _, e := range r.set(r.uses.Var(r.s.Node.(*ast.SendStmt).Chan)) {
			if c, ok := e.(*ast.CallExpr); ok && loop.Builtin(r.info, c) == "make" && len(c.Args) == 2 {
				all = append(all, r.trace(c.Args[1], nil)...)
			}
		}
		// One slot is a lock.
		all = slices.DeleteFunc(all, func(n *number) bool { k, ok := r.constant(n.at); return ok && k == 1 })
	}
	for _, n := range all {
		n.slots = true
	}
	return all
}

// semaphores returns the functions that take a slot of a channel and give it back, or have
// others do so, as sites whose body is that of the function.
func semaphores(info *types.Info, in *uses.Index) (all []*spawn.Site) {
	for c := range in.Root.Preorder((*ast.SendStmt)(nil)) {
		send := c.Node().(*ast.SendStmt)
		v := in.Var(send.Chan)
		t, empty := info.TypeOf(send.Value).Underlying().(*types.Struct)
		fn, ok := uses.Func(c)
		if v == nil || !empty || t.NumFields() > 0 || !ok || uses.Decl(c) == nil {
			continue
		}
		of := func(d *ast.FuncDecl) {
			all = append(all, &spawn.Site{Node: send, Func: d, In: d, Loop: d.Body, Body: d.Body})
		}
		for _, use := range in.Of(v) {
			recv, ok := uses.Whole(use).Parent().Node().(*ast.UnaryExpr)
			switch {
			case !ok || recv.Op != token.ARROW:
			case spawn.Within(fn.Node(), recv) && send.Pos() < recv.Pos():
				of(uses.Decl(c))
			case len(uses.Decl(c).Body.List) == 1 && len(uses.Decl(use).Body.List) == 1: // acquire and release
				for id := range in.Root.Preorder((*ast.Ident)(nil)) {
					if info.Uses[id.Node().(*ast.Ident)] == info.Defs[uses.Decl(c).Name] && uses.Decl(id) != nil {
						of(uses.Decl(id))
					}
				}
			}
		}
	}
	return all
}

// trace returns the numbers that an expression may be: itself, what its variable is set
// to anywhere in the package, what its function returns.
func (r *reader) trace(e ast.Expr, via []types.Object) (all []*number) {
	if e == nil {
		return nil
	}
	if n := r.parse(e); n != nil {
		n.via, n.direct = via, r.s.Func.Pos() <= e.Pos() && e.Pos() < r.s.Func.End()
		return []*number{n}
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		if loop.Builtin(r.info, x) == "min" || r.info.Types[x.Fun].IsType() {
			for _, arg := range x.Args {
				all = append(all, r.trace(arg, via)...)
			}
			return all
		}
		return r.results(typeutil.StaticCallee(r.info, x), via)
	case *ast.Ident, *ast.SelectorExpr:
		o := spawn.Object(r.info, x)
		if o == nil || !r.uses.Owns(o.Pkg()) || r.seen[o] {
			return nil
		}
		r.seen[o] = true
		for _, from := range r.set(o) {
			all = append(all, r.trace(from, append(slices.Clip(via), o))...)
		}
	}
	return all
}

// results are the numbers that a function of the package may return.
func (r *reader) results(fn *types.Func, via []types.Object) (all []*number) {
	if fn == nil || !r.uses.Owns(fn.Pkg()) || r.seen[fn] {
		return nil
	}
	r.seen[fn] = true
	decl, ok := r.uses.Declaration(fn)
	if !ok {
		return nil
	}
	for c := range decl.Preorder((*ast.ReturnStmt)(nil)) {
		if fn, ok := uses.Func(c); ok && fn == decl && len(c.Node().(*ast.ReturnStmt).Results) == 1 {
			all = append(all, r.trace(c.Node().(*ast.ReturnStmt).Results[0], via)...)
		}
	}
	for _, n := range all {
		n.through = append(n.through, fn)
	}
	return all
}

// set returns the expressions that a variable, field or constant is set to.
func (r *reader) set(o types.Object) (all []ast.Expr) {
	v, ok := o.(*types.Var)
	if !ok {
		return r.constants(o)
	}
	for _, use := range r.uses.Of(v) {
		if sel := use.Parent(); use.ParentEdgeKind() == edge.SelectorExpr_Sel {
			use = sel
		}
		switch p := use.Parent().Node().(type) {
		case *ast.AssignStmt:
			if i := slices.Index(p.Lhs, use.Node().(ast.Expr)); i >= 0 && len(p.Lhs) == len(p.Rhs) && (p.Tok == token.ASSIGN || p.Tok == token.DEFINE) {
				all = append(all, p.Rhs[i])
			}
		case *ast.ValueSpec:
			if i := slices.Index(p.Names, use.Node().(*ast.Ident)); i >= 0 && i < len(p.Values) {
				all = append(all, p.Values[i])
			}
		case *ast.KeyValueExpr:
			if use.ParentEdgeKind() == edge.KeyValueExpr_Key {
				all = append(all, p.Value)
			}
		case *ast.Field:
			all = append(all, r.handed(v, use)...)
		}
	}
	return all
}

// handed returns what calls outside of tests hand over for a parameter.
func (r *reader) handed(v *types.Var, at inspector.Cursor) (all []ast.Expr) {
	decl := uses.Decl(at)
	if decl == nil {
		return nil
	}
	fn, _ := r.info.Defs[decl.Name].(*types.Func)
	i := slices.Index(slices.Collect(fn.Signature().Params().Variables()), v)
	if i < 0 {
		return nil
	}
	for use := range r.named(fn) {
		if use.ParentEdgeKind() == edge.SelectorExpr_Sel {
			use = use.Parent()
		}
		call, ok := use.Parent().Node().(*ast.CallExpr)
		if ok && call.Fun == use.Node() && i < len(call.Args) && !strings.HasSuffix(r.pass.Fset.File(call.Pos()).Name(), "_test.go") {
			all = append(all, call.Args[i])
		}
	}
	return all
}

// constants returns what a constant of the package is declared with.
func (r *reader) constants(o types.Object) (all []ast.Expr) {
	if _, ok := o.(*types.Const); !ok {
		return nil
	}
	for c := range r.uses.Root.Preorder((*ast.ValueSpec)(nil)) {
		spec := c.Node().(*ast.ValueSpec)
		for i, name := range spec.Names {
			if r.info.Defs[name] == o && i < len(spec.Values) {
				all = append(all, spec.Values[i])
			}
		}
	}
	return all
}

// mostConstant is the constant number of workers from which there are many.
const mostConstant = 16

// parse returns the number that an expression is, nil if it is no such.
func (r *reader) parse(e ast.Expr) *number {
	e = ast.Unparen(e)
	if r.runtime(e) != "" {
		return &number{at: e, call: e}
	}
	switch x := e.(type) {
	case *ast.BinaryExpr:
		if k, ok := r.constant(x.X); ok && x.Op == token.MUL && r.runtime(x.Y) != "" {
			return &number{at: e, call: ast.Unparen(x.Y), many: k > 1}
		}
	case *ast.BasicLit:
		if k, ok := r.constant(x); ok && k <= mostConstant {
			return &number{at: e}
		}
	}
	return nil
}

func (r *reader) constant(e ast.Expr) (int64, bool) {
	v := r.info.Types[e].Value
	if v == nil || v.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(v)
}

// runtime is the name of the function of package runtime that a call asks for
// the number of processors, or "".
func (r *reader) runtime(e ast.Expr) string {
	c, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return ""
	}
	fn := typeutil.StaticCallee(r.info, c)
	if _, named := c.Fun.(*ast.SelectorExpr); !named || fn == nil {
		return ""
	}
	switch fn.FullName() {
	case "runtime.NumCPU":
		return "NumCPU"
	case "runtime.GOMAXPROCS":
		if k, ok := r.constant(c.Args[0]); ok && k < 1 {
			return "GOMAXPROCS"
		}
	}
	return ""
}
