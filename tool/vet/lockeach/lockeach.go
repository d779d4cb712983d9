package lockeach

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds loops that take one lock in each iteration.
var Analyzer = shape.Analyzer("lockeach",
	"find loops that take one lock anew in each iteration\n\nTwo atomic operations an iteration, and a cache line that goes to and fro.",
	find, section.Analyzer, spawn.Analyzer)

// A check looks at one loop.
type check struct {
	*analysis.Pass
	in   *section.Index
	loop loop.Loop
	lock string           // as the loop names it
	of   ast.Expr         // what the loop names it by: the lock, or the value that has it
	with []ast.Node       // what locks: two statements, or calls
	s    *section.Section // the body, or that of the method
	gets *getter          // that is called; nil where the body locks
}

// A getter is a method that returns an expression under a lock of its receiver.
type getter struct {
	fn     *types.Func
	decl   *ast.FuncDecl
	result ast.Expr
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	in := pass.ResultOf[section.Analyzer].(*section.Index)
	getters := map[*types.Func]*getter{}
	for c := range in.Uses.Root.Preorder((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		x := &check{Pass: pass, in: in, loop: loop.New(pass.TypesInfo, c)}
		if x.body() || x.calls(getters) {
			all = append(all, x.finding())
		}
	}
	return all, nil
}

// body reports whether the body of the loop is what runs under a lock.
func (x *check) body() bool {
	list := x.loop.Body.List
	for _, s := range x.in.Within(x.loop.Body) {
		if len(list) > 2 && s.Enter.Node() == list[0] && !s.Deferred && s.Leave.Node() == list[len(list)-1] && len(s.Early) == 0 {
			x.s, x.of, x.lock = s, s.X, x.text(s.X)
			x.with = []ast.Node{s.Enter.Node(), s.Leave.Node()}
			return true
		}
	}
	return false
}

// calls reports whether the loop calls getters of one value, and nothing else that locks
// it there.
func (x *check) calls(known map[*types.Func]*getter) bool {
	ast.Inspect(x.loop.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fn := typeutil.StaticCallee(x.TypesInfo, call)
		if fn == nil || fn.Signature().Recv() == nil {
			return true
		}
		if _, ok := known[fn]; !ok {
			known[fn] = x.getter(fn)
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		g := known[fn]
		if g == nil || !ok || x.gets != nil && x.gets != g || x.innermost(call) != x.loop.Stmt {
			return true
		}
		lock := x.text(sel.X) + "." + x.sectionOf(g).Lock.Var.Name()
		if x.gets != nil && x.lock != lock {
			return true
		}
		x.gets, x.s, x.of, x.lock = g, x.sectionOf(g), sel.X, lock
		x.with = append(x.with, call)
		return true
	})
	return x.gets != nil
}

// innermost is the loop around a call.
func (x *check) innermost(call *ast.CallExpr) ast.Stmt {
	c, ok := x.in.Uses.Root.FindNode(call)
	if !ok {
		return nil
	}
	l, _ := loop.Around(x.TypesInfo, c)
	return l.Stmt
}

func (x *check) sectionOf(g *getter) *section.Section { return x.in.Within(g.decl.Body)[0] }

// getter is what a method is, nil if it is none: lock, deferred unlock and a return of
// an expression that calls nothing.
func (x *check) getter(fn *types.Func) *getter {
	d := spawn.Decls(x.Pass)[fn]
	if d == nil || len(d.Body.List) != 3 || fn.Signature().Variadic() || fn.Signature().RecvTypeParams().Len() > 0 {
		return nil
	}
	ret, ok := d.Body.List[2].(*ast.ReturnStmt)
	all := x.in.Within(d.Body)
	if !ok || len(ret.Results) != 1 || len(all) != 1 || !all[0].Deferred || all[0].Enter.Node() != d.Body.List[0] || all[0].Leave.Node() != d.Body.List[1] {
		return nil
	}
	lock, ok := all[0].X.(*ast.SelectorExpr)
	recv := fn.Signature().Recv()
	if !ok || recv.Name() == "" || loop.Var(x.TypesInfo, lock.X) != recv || rewrite.Comments(rewrite.File(x.Pass, d.Pos()), d.Body) {
		return nil
	}
	plain := x.TypesInfo.Types[ret.Results[0]].Value == nil
	ast.Inspect(ret.Results[0], func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.BasicLit:
		case *ast.CallExpr:
			plain = plain && loop.Builtin(x.TypesInfo, n) == "len"
		default:
			plain = false
		}
		return plain
	})
	if !plain || !types.Identical(x.TypesInfo.TypeOf(ret.Results[0]), fn.Signature().Results().At(0).Type()) {
		return nil
	}
	return &getter{fn, d, ret.Results[0]}
}

func (x *check) text(n ast.Node) string { return rewrite.Text(x.Fset, n) }

func (x *check) finding() shape.Finding {
	f := shape.Finding{
		Pos: x.loop.Stmt.Pos(), End: x.loop.Body.Lbrace, Func: uses.Decl(x.loop.At),
		Message: fmt.Sprintf("%s is locked in each iteration: the loop could lock it once", x.lock),
		Causes:  []string{"lock", "rwmutex", "rmw", "work"}, Hot: []shape.Range{shape.Of(x.loop.Stmt)},
	}
	if x.gets != nil {
		f.Shared = []shape.Range{shape.Of(x.gets.decl)}
	}
	fix := shape.Fix{Name: "once", Says: "lock " + x.lock + " once, around the loop", Dearer: "others wait for " + x.lock + " until the loop is done"}
	edits, holds, why := x.once()
	if why != nil {
		f.Refused = []shape.Refusal{{Name: fix.Name, Why: why.Why, Pos: why.Pos}}
		return f
	}
	fix.Edits, fix.Holds = edits, holds
	f.Fixes = []shape.Fix{fix}
	return f
}

// waits is what must not be done while the lock is held for long. What looks at an
// atomic may wait for it.
const waits = flow.Lock | flow.Look | flow.Sync | flow.Send | flow.Receive | flow.Close | flow.Wait | flow.Spawn | flow.Exit

// once are the edits that lock around the loop, on what they hold if that is not proved,
// and why there are none.
func (x *check) once() (edits []analysis.TextEdit, holds string, why *shape.Refusal) {
	does := flow.Of(x.Pass).Within(x.loop.Stmt, x.with...)
	if !x.fixed(x.of) {
		return nil, "", shape.No(x.of, x.lock+" may be another in each iteration")
	}
	if !x.bounded() {
		return nil, "", shape.No(x.loop.Stmt, "nothing says how long the loop runs")
	}
	if all := rewrite.Leaves(x.TypesInfo, x.loop.Body, true); len(all) > 0 {
		return nil, "", &shape.Refusal{Why: "the loop may be left in between: " + all[0].How, Pos: all[0].Pos}
	}
	if !uses.Listed(x.loop.Whole()) {
		return nil, "", shape.No(x.loop.Stmt, "the loop is not a statement of a list")
	}
	before, no := x.loop.Before()
	if no != "" {
		return nil, "", shape.No(x.loop.Stmt, no)
	}
	if e := does.First(waits); e != nil {
		return nil, "", &shape.Refusal{Why: "in the loop it " + e.String(), Pos: e.Pos()}
	}
	if e := does.First(flow.Call | flow.Unknown); e != nil {
		holds = "what the loop calls neither waits nor takes " + x.lock
	} else if x.gets != nil && flow.Of(x.Pass).Within(x.loop.Stmt).First(flow.Panic) != nil {
		holds = "no iteration panics"
	}
	lock, unlock := x.lock+".Lock()", x.lock+".Unlock()"
	if x.s.Read {
		lock, unlock = x.lock+".RLock()", x.lock+".RUnlock()"
	}
	edits = []analysis.TextEdit{rewrite.Insert(before, lock+"\n"), rewrite.Insert(x.loop.Whole().Node().End(), "\n"+unlock)}
	if x.gets == nil {
		for _, n := range x.with {
			c, _ := x.in.Uses.Root.FindNode(n)
			edits = append(edits, rewrite.Drop(x.Fset, c))
		}
		return edits, holds, nil
	}
	for _, n := range x.with {
		text, ok := x.gets.text(x, n.(*ast.CallExpr))
		if !ok {
			return nil, "", shape.No(n, "what it is given is no plain value, or what it returns means something else here")
		}
		edits = append(edits, rewrite.Replace(n, text))
	}
	return edits, holds, nil
}

// fixed reports whether an expression is the same variable in all iterations.
func (x *check) fixed(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := x.TypesInfo.Uses[e].(*types.Var)
		if !ok {
			return false
		}
		_, pointer := v.Type().Underlying().(*types.Pointer)
		return x.loop.Constant(v) || v.Parent() == x.Pkg.Scope() && !pointer
	case *ast.SelectorExpr:
		s := x.TypesInfo.Selections[e]
		_, root := ast.Unparen(e.X).(*ast.Ident)
		if s == nil || s.Kind() != types.FieldVal || len(s.Index()) > 1 || !root && s.Indirect() {
			return false
		}
		if _, pointer := s.Type().Underlying().(*types.Pointer); pointer {
			return false // something may set it
		}
		return x.fixed(e.X)
	}
	return false
}

// bounded reports whether the statement of the loop says how long it runs at most.
func (x *check) bounded() bool {
	if r, ok := x.loop.Stmt.(*ast.RangeStmt); ok {
		switch x.TypesInfo.TypeOf(r.X).Underlying().(type) {
		case *types.Slice, *types.Array, *types.Pointer, *types.Map, *types.Basic:
			return true
		}
		return false
	}
	_, _, known := x.loop.Count(x.text)
	return known
}

// plain reports whether an operand is x.f or x.f[y.g], which can stand where the value does.
func plain(e ast.Expr) bool {
	if ix, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
		return loop.Chain(ix.X) && loop.Chain(ix.Index)
	}
	return loop.Chain(e)
}

// text is what a call of the getter returns, as the loop has names for it.
func (g *getter) text(x *check, call *ast.CallExpr) (string, bool) {
	sel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	s := x.TypesInfo.Selections[sel]
	if s == nil || len(s.Index()) > 1 {
		return "", false
	}
	names := map[types.Object]string{g.fn.Signature().Recv(): x.text(sel.X)}
	for i, arg := range call.Args {
		want := g.fn.Signature().Params().At(i)
		if !plain(arg) || !types.Identical(x.TypesInfo.TypeOf(arg), want.Type()) || x.TypesInfo.Types[arg].Value != nil {
			return "", false
		}
		names[want] = x.text(arg)
	}
	scope := x.Pkg.Scope().Innermost(call.Pos())
	from := g.result.Pos()
	var edits []analysis.TextEdit
	ok := true
	ast.Inspect(g.result, func(n ast.Node) bool {
		id, is := n.(*ast.Ident)
		if !is {
			return true
		}
		o := x.TypesInfo.Uses[id]
		if name, given := names[o]; given {
			edits = append(edits, rewrite.Replace(id, name))
		} else if v, field := o.(*types.Var); !field || !v.IsField() { // of the package, or of all
			_, here := scope.LookupParent(id.Name, call.Pos())
			ok = ok && here == o
		}
		return true
	})
	src, err := x.ReadFile(x.Fset.File(from).Name())
	if err != nil || !ok {
		return "", false
	}
	tf := x.Fset.File(from)
	text := src[tf.Offset(from):tf.Offset(g.result.End())]
	for _, e := range slices.Backward(edits) {
		text = slices.Concat(text[:e.Pos-from], e.NewText, text[e.End-from:])
	}
	c, _ := x.in.Uses.Root.FindNode(call)
	switch c.Parent().Node().(type) {
	case *ast.ExprStmt, *ast.DeferStmt, *ast.GoStmt: // where only calls stand
		return "", false
	}
	return string(text), true
}
