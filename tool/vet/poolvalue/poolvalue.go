package poolvalue

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
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
	find, inspect.Analyzer, uses.Analyzer)

// A pool is a variable or field that holds a sync.Pool.
type pool struct {
	pass  *analysis.Pass
	index *uses.Index
	v     *types.Var
	typ   types.Type // of what it holds
	edits []analysis.TextEdit
	gets  map[*types.Var]*got // by the variable that has what was got
	names rewrite.Names
	hot   []shape.Range
}

// got is what a Get returned.
type got struct {
	st   inspector.Cursor // that declares or assigns the variable
	name string           // of the pointer
	puts []inspector.Cursor
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	index := pass.ResultOf[uses.Analyzer].(*uses.Index)
	done, names := map[*types.Var]bool{}, rewrite.Names{}
	for c := range in.Root().Preorder((*ast.CallExpr)(nil)) {
		call := c.Node().(*ast.CallExpr)
		if method(pass.TypesInfo, call) != "Put" || len(call.Args) != 1 {
			continue
		}
		t := pass.TypesInfo.TypeOf(call.Args[0])
		if !boxed(t) {
			continue
		}
		v := index.Var(call.Fun.(*ast.SelectorExpr).X)
		if v != nil && done[v] {
			continue
		}
		done[v] = true
		p := &pool{pass: pass, index: index, v: v, typ: t, gets: map[*types.Var]*got{}, names: names}
		why := p.edit(call)
		f := shape.Finding{
			Pos: call.Pos(), End: call.End(), Func: uses.Decl(c),
			Message: rewrite.Text(pass.Fset, call.Fun) + " gets a " + kind(t) + " and not a pointer: each Put allocates",
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

// method names the method of a sync.Pool that is called, "" if it is none.
func method(info *types.Info, call *ast.CallExpr) string {
	fn := typeutil.StaticCallee(info, call)
	if _, ok := call.Fun.(*ast.SelectorExpr); !ok || fn == nil {
		return ""
	}
	switch fn.FullName() {
	case "(*sync.Pool).Put":
		return "Put"
	case "(*sync.Pool).Get":
		return "Get"
	}
	return ""
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

func kind(t types.Type) string {
	switch t.Underlying().(type) {
	case *types.Slice:
		return "slice"
	case *types.Struct:
		return "struct"
	case *types.Array:
		return "array"
	}
	return "value"
}

// edit makes the edits of all uses of the pool.
func (p *pool) edit(first *ast.CallExpr) *shape.Refusal {
	if p.v == nil {
		return shape.No(first, "the pool is not named by a variable")
	}
	if why := p.index.Unseen(p.v); why != "" {
		return shape.No(first, why)
	}
	var puts []inspector.Cursor
	made := false
	for _, c := range p.index.Of(p.v) {
		whole := uses.Whole(c)
		switch parent := whole.Parent(); whole.ParentEdgeKind() {
		case edge.SelectorExpr_X:
			call, ok := parent.Parent().Node().(*ast.CallExpr)
			if !ok || parent.ParentEdgeKind() != edge.CallExpr_Fun {
				return shape.No(c.Node(), "the pool is used otherwise than by Get and Put")
			}
			switch at := parent.Parent(); method(p.pass.TypesInfo, call) {
			case "Get":
				p.hot = append(p.hot, shape.Of(uses.Around(at)))
				if why := p.get(at); why != nil {
					return why
				}
			case "Put":
				p.hot = append(p.hot, shape.Of(uses.Around(at)))
				puts = append(puts, at)
			default:
				return shape.No(c.Node(), "the pool is used otherwise than by Get and Put")
			}
		case edge.ValueSpec_Names:
			spec := parent.Node().(*ast.ValueSpec)
			if len(spec.Names) != 1 || len(spec.Values) != 1 {
				return shape.No(spec, "the pool has no New of its own")
			}
			if why := p.news(spec.Values[0]); why != nil {
				return why
			}
			made = true
		case edge.AssignStmt_Lhs:
			a := parent.Node().(*ast.AssignStmt)
			if a.Tok != token.DEFINE || len(a.Lhs) != 1 {
				return shape.No(a, "the pool is assigned")
			}
			if why := p.news(a.Rhs[0]); why != nil {
				return why
			}
			made = true
		case edge.KeyValueExpr_Key:
			if why := p.news(parent.Node().(*ast.KeyValueExpr).Value); why != nil {
				return why
			}
			made = true
		case edge.Field_Names:
		default:
			return shape.No(c.Node(), "the pool is used otherwise than by Get and Put")
		}
	}
	if !made {
		return shape.No(first, "the pool has no New of its own")
	}
	for _, c := range puts {
		if why := p.put(c); why != nil {
			return why
		}
	}
	for _, g := range p.gets {
		if why := p.once(g); why != nil {
			return why
		}
	}
	return nil
}

// news are the edits of sync.Pool{New: func() any { return x }}.
func (p *pool) news(e ast.Expr) *shape.Refusal {
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if u, is := ast.Unparen(e).(*ast.UnaryExpr); is && u.Op == token.AND {
		lit, ok = u.X.(*ast.CompositeLit)
	}
	if !ok || len(lit.Elts) != 1 {
		return shape.No(e, "the pool has no New of its own")
	}
	kv, ok := lit.Elts[0].(*ast.KeyValueExpr)
	if !ok {
		return shape.No(lit, "the pool has no New of its own")
	}
	fn, ok := kv.Value.(*ast.FuncLit)
	if !ok {
		return shape.No(kv.Value, "its New is not written there")
	}
	var why *shape.Refusal
	at, _ := p.index.Root.FindNode(fn.Body)
	for c := range at.Preorder((*ast.ReturnStmt)(nil)) {
		if loop.Func(c) != ast.Node(fn) {
			continue
		}
		r := c.Node().(*ast.ReturnStmt)
		if len(r.Results) != 1 || !uses.Listed(c) {
			return shape.No(r, "its New returns in a way of its own")
		}
		if !types.Identical(p.pass.TypesInfo.TypeOf(r.Results[0]), p.typ) {
			return shape.No(r, "its New returns another type than is put")
		}
		name := rewrite.Fresh(p.pass.Pkg, fn, "v")
		p.edits = append(p.edits,
			analysis.TextEdit{Pos: r.Pos(), End: r.Results[0].Pos(), NewText: []byte(name + " := ")},
			rewrite.Insert(r.End(), "\nreturn &"+name))
	}
	return why
}

// get is the edit of x := pool.Get().(T).
func (p *pool) get(c inspector.Cursor) *shape.Refusal {
	info := p.pass.TypesInfo
	as := c.Parent()
	e, ok := as.Node().(*ast.TypeAssertExpr)
	if !ok || e.Type == nil {
		return shape.No(c.Node(), "what Get returns is not asserted to be of its type at once")
	}
	if !types.Identical(info.TypeOf(e), p.typ) {
		return shape.No(e, "what Get returns is asserted to be of another type")
	}
	top := as
	for top.ParentEdgeKind() == edge.SliceExpr_X || top.ParentEdgeKind() == edge.ParenExpr_X {
		top = top.Parent()
	}
	st := top.Parent()
	a, ok := st.Node().(*ast.AssignStmt)
	if !ok || top.ParentEdgeKind() != edge.AssignStmt_Rhs || len(a.Lhs) != 1 || !uses.Listed(st) {
		return shape.No(e, "what Get returns is not assigned to a variable")
	}
	v := loop.Var(info, a.Lhs[0])
	if v == nil || v.IsField() || v.Parent() == p.pass.Pkg.Scope() || a.Tok != token.DEFINE {
		return shape.No(a, "what Get returns is not assigned to a variable of its own")
	}
	fn := loop.Func(st)
	name := p.names.Fresh(p.pass.Pkg, fn, v.Name()+"p")
	p.gets[v] = &got{st: st, name: name}
	p.edits = append(p.edits, rewrite.Insert(st.Node().Pos(), name+" := "+rewrite.Text(p.pass.Fset, c.Node())+".(*"+rewrite.Text(p.pass.Fset, e.Type)+")\n"))
	text := "*" + name
	if top != as {
		text = "(" + text + ")"
	}
	p.edits = append(p.edits, rewrite.Replace(e, text))
	return nil
}

// put is the edit of pool.Put(x).
func (p *pool) put(c inspector.Cursor) *shape.Refusal {
	call := c.Node().(*ast.CallExpr)
	x := call.Args[0]
	if !types.Identical(p.pass.TypesInfo.TypeOf(x), p.typ) {
		return shape.No(x, "values of several types are put")
	}
	v := root(p.pass.TypesInfo, x)
	g := p.gets[v]
	if g == nil {
		return shape.No(x, "what is put was not got in the same function")
	}
	st := c.Parent()
	switch st.Node().(type) {
	case *ast.ExprStmt, *ast.DeferStmt:
	default:
		return shape.No(call, "the Put is no statement")
	}
	if !uses.Listed(st) {
		return shape.No(call, "the Put is not a statement of a list")
	}
	g.puts = append(g.puts, st)
	p.edits = append(p.edits, rewrite.Insert(st.Node().Pos(), "*"+g.name+" = "+rewrite.Text(p.pass.Fset, x)+"\n"), rewrite.Replace(x, g.name))
	return nil
}

// root is b of b, b[:0] and (b).
func root(info *types.Info, e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return loop.Var(info, e)
	case *ast.SliceExpr:
		return root(info, e.X)
	}
	return nil
}

// once refuses where a Get may be followed by two Puts.
func (p *pool) once(g *got) *shape.Refusal {
	info := p.pass.TypesInfo
	if len(g.puts) == 0 {
		return shape.No(g.st.Node(), "what is got is put in another function")
	}
	in, inLoop := loop.Around(info, g.st)
	for i, st := range g.puts {
		n := st.Node()
		fn := loop.Func(st)
		if lit, ok := fn.(*ast.FuncLit); ok && fn != loop.Func(g.st) {
			at, _ := p.index.Root.FindNode(lit)
			up := at.Parent()
			_, deferred := up.Parent().Node().(*ast.DeferStmt)
			if at.ParentEdgeKind() != edge.CallExpr_Fun || !deferred || loop.Func(up.Parent()) != loop.Func(g.st) {
				return shape.No(n, "the Put is in a function that may run more than once")
			}
			if _, looping := loop.Around(info, st); looping {
				return shape.No(n, "the Put is in a loop that the Get is not in")
			}
			st = up.Parent()
		}
		if l, ok := loop.Around(info, st); ok != inLoop || ok && l.Stmt != in.Stmt {
			return shape.No(n, "the Put is in a loop that the Get is not in")
		}
		if i < len(g.puts)-1 && !leaves(st) {
			return shape.No(n, "another Put may follow")
		}
		if _, deferred := st.Node().(*ast.DeferStmt); deferred && len(g.puts) > 1 {
			return shape.No(n, "another Put may follow")
		}
	}
	return nil
}

// leaves reports whether the statement behind st leaves the list.
func leaves(st inspector.Cursor) bool {
	next, ok := st.NextSibling()
	if !ok {
		return false
	}
	switch n := next.Node().(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return slices.Contains([]token.Token{token.CONTINUE, token.BREAK}, n.Tok) && n.Label == nil
	}
	return false
}
