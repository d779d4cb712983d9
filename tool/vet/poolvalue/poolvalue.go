package poolvalue

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds pools of values that are no pointers.
var Analyzer = shape.Analyzer("poolvalue",
	"find values that are no pointers in a pool\n\nPut allocates for each: an interface holds a pointer.",
	find, uses.Analyzer)

// A pool is a variable that holds a sync.Pool.
type pool struct {
	pass  *analysis.Pass
	index *uses.Index
	v     *types.Var
	typ   types.Type // of what it holds
	edits []analysis.TextEdit
	put   map[*types.Var]bool // what was got and is put back
	names rewrite.Names
	hot   []shape.Range
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	index := pass.ResultOf[uses.Analyzer].(*uses.Index)
	done, names := map[*types.Var]bool{}, rewrite.Names{}
	for c := range index.Root.Preorder((*ast.CallExpr)(nil)) {
		call := c.Node().(*ast.CallExpr)
		if method(pass.TypesInfo, call) != "(*sync.Pool).Put" || len(call.Args) != 1 || !boxed(pass.TypesInfo.TypeOf(call.Args[0])) {
			continue
		}
		v := index.Var(call.Fun.(*ast.SelectorExpr).X)
		if v != nil && done[v] {
			continue
		}
		done[v] = true
		p := &pool{pass: pass, index: index, v: v, typ: pass.TypesInfo.TypeOf(call.Args[0]), put: map[*types.Var]bool{}, names: names}
		why := p.edit(call)
		f := shape.Finding{
			Pos: call.Pos(), End: call.End(), Func: uses.Decl(c),
			Message: rewrite.Text(pass.Fset, call.Fun) + " gets a value and not a pointer: each Put allocates",
			Causes:  []string{"alloc", "pool", "gc"}, Hot: append([]shape.Range{shape.Of(uses.Around(c))}, p.hot...),
		}
		if why != nil {
			f.Refused = []shape.Refusal{{Name: "pointer", Why: why.Why, Pos: why.Pos}}
		} else {
			f.Fixes = []shape.Fix{{Name: "pointer", Says: "keep pointers in the pool", Edits: p.edits}}
		}
		all = append(all, f)
	}
	return all, nil
}

// method names the method that is called, "" if it is none.
func method(info *types.Info, call *ast.CallExpr) string {
	fn := typeutil.StaticCallee(info, call)
	if _, ok := call.Fun.(*ast.SelectorExpr); !ok || fn == nil {
		return ""
	}
	return fn.FullName()
}

// boxed reports whether an interface that holds a value of the type has to
// point to a copy of it.
func boxed(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Struct, *types.Array:
		return true
	case *types.Basic:
		return u.Info()&types.IsUntyped == 0 && u.Kind() != types.UnsafePointer
	}
	return false
}

// edit makes the edits of all uses of the pool.
func (p *pool) edit(first *ast.CallExpr) *shape.Refusal {
	if p.v == nil {
		return shape.No(first, "the pool is not named by a variable")
	}
	if why := p.index.Unseen(p.v); why != "" {
		return shape.No(first, why)
	}
	made, gets := false, 0
	for _, c := range p.index.Of(p.v) {
		why := shape.No(c.Node(), "the pool is used otherwise than by Get and Put")
		switch up := c.Parent(); c.ParentEdgeKind() {
		case edge.ValueSpec_Names:
			made = true
			why = p.news(up.Node().(*ast.ValueSpec))
		case edge.SelectorExpr_X:
			call, ok := up.Parent().Node().(*ast.CallExpr)
			if !ok || up.ParentEdgeKind() != edge.CallExpr_Fun {
				return why
			}
			p.hot = append(p.hot, shape.Of(uses.Around(up)))
			switch method(p.pass.TypesInfo, call) {
			case "(*sync.Pool).Get":
				gets++
				why = nil
			case "(*sync.Pool).Put":
				why = p.pair(up.Parent())
			}
		}
		if why != nil {
			return why
		}
	}
	if !made || gets != len(p.put) {
		return shape.No(first, "the pool has no New of its own, or what is got is put in another function")
	}
	return nil
}

// news are the edits of sync.Pool{New: func() any { return x }}.
func (p *pool) news(spec *ast.ValueSpec) *shape.Refusal {
	var fn *ast.FuncLit
	if len(spec.Names) == 1 && len(spec.Values) == 1 {
		if lit, ok := ast.Unparen(spec.Values[0]).(*ast.CompositeLit); ok && len(lit.Elts) == 1 {
			if kv, ok := lit.Elts[0].(*ast.KeyValueExpr); ok {
				fn, _ = kv.Value.(*ast.FuncLit)
			}
		}
	}
	if fn == nil || len(fn.Body.List) != 1 {
		return shape.No(spec, "the pool has no New of its own, which returns a value at once")
	}
	r, ok := fn.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 || !types.Identical(p.pass.TypesInfo.TypeOf(r.Results[0]), p.typ) {
		return shape.No(fn, "its New returns another type than is put, or not at once")
	}
	name := rewrite.Fresh(p.pass.Pkg, fn, "v")
	p.edits = append(p.edits,
		analysis.TextEdit{Pos: r.Pos(), End: r.Results[0].Pos(), NewText: []byte(name + " := ")},
		rewrite.Insert(r.End(), "\nreturn &"+name))
	return nil
}

// pair are the edits of pool.Put(x) and pool.Put(x[:0]), and of the statement
// x := pool.Get().(T) that declares x.
func (p *pool) pair(c inspector.Cursor) *shape.Refusal {
	info, call, st := p.pass.TypesInfo, c.Node().(*ast.CallExpr), c.Parent()
	text := func(n ast.Node) string { return rewrite.Text(p.pass.Fset, n) }
	x := ast.Unparen(call.Args[0])
	if s, ok := x.(*ast.SliceExpr); ok {
		x = s.X
	}
	v := loop.Var(info, x)
	if v == nil || len(p.index.Of(v)) == 0 || !types.Identical(info.TypeOf(call.Args[0]), p.typ) {
		return shape.No(x, "what is put was not got in the same function")
	}
	declared := p.index.Of(v)[0].Parent()
	e, sliced := p.got(declared)
	if e == nil || loop.Func(st) != loop.Func(declared) {
		return shape.No(x, "what is put was not got in the same function")
	}
	in, inLoop := loop.Around(info, declared)
	l, ok := loop.Around(info, st)
	_, deferred := st.Node().(*ast.DeferStmt)
	_, alone := st.Node().(*ast.ExprStmt)
	switch {
	case !deferred && !alone || !uses.Listed(st):
		return shape.No(call, "the Put is not a statement of a list")
	case ok != inLoop || ok && l.Stmt != in.Stmt:
		return shape.No(call, "the Put is in a loop that the Get is not in")
	case p.put[v]:
		return shape.No(call, "another Put may come before")
	}
	for _, leave := range rewrite.Leaves(info, loop.Func(st), false) {
		if leave.How == "goto" {
			return &shape.Refusal{Why: "the function has a goto", Pos: leave.Pos}
		}
	}
	p.put[v] = true
	name := p.names.Fresh(p.pass.Pkg, loop.Func(st), v.Name()+"p")
	value := "*" + name
	if sliced {
		value = "(" + value + ")"
	}
	p.edits = append(p.edits,
		rewrite.Insert(declared.Node().Pos(), name+" := "+text(e.X)+".(*"+text(e.Type)+")\n"),
		rewrite.Replace(e, value),
		rewrite.Insert(st.Node().Pos(), "*"+name+" = "+text(call.Args[0])+"\n"),
		rewrite.Replace(call.Args[0], name))
	return nil
}

// got is the type assertion of x := pool.Get().(T), which may be sliced, nil if the
// statement is none.
func (p *pool) got(st inspector.Cursor) (e *ast.TypeAssertExpr, sliced bool) {
	a, ok := st.Node().(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 || a.Tok != token.DEFINE || !uses.Listed(st) {
		return nil, false
	}
	x := a.Rhs[0]
	if s, ok := x.(*ast.SliceExpr); ok {
		x, sliced = s.X, true
	}
	e, ok = x.(*ast.TypeAssertExpr)
	if !ok || e.Type == nil || !types.Identical(p.pass.TypesInfo.TypeOf(e), p.typ) {
		return nil, false
	}
	get, ok := e.X.(*ast.CallExpr)
	if !ok || method(p.pass.TypesInfo, get) != "(*sync.Pool).Get" || loop.Var(p.pass.TypesInfo, get.Fun.(*ast.SelectorExpr).X) != p.v {
		return nil, false
	}
	return e, sliced
}
