package hotalloc

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// pooled looks at pool.Get().(T) in a loop: what one iteration puts back the next one
// gets again.
func (s *search) pooled(c inspector.Cursor, assert *ast.TypeAssertExpr) {
	info := s.pass.TypesInfo
	get, ok := ast.Unparen(assert.X).(*ast.CallExpr)
	if !ok || assert.Type == nil || !spawn.IsMethod(typeutil.StaticCallee(info, get), "sync", "Pool", "Get") {
		return
	}
	l, ok := loop.Around(info, c)
	sel, named := ast.Unparen(get.Fun).(*ast.SelectorExpr)
	if !ok || !named {
		return
	}
	p := loan{search: s, at: c, assert: assert, get: get, pool: sel.X, loop: l}
	why := p.edit()
	f := s.finding(c, l.Stmt, "the pool is asked in each iteration")
	f.Causes = append(f.Causes, "pool")
	if p.own != nil {
		f.Fixes = append(f.Fixes, shape.Fix{Name: "own", Says: "make one before the loop, and leave the pool to others", Edits: p.own})
	}
	s.add(f, shape.Fix{Name: "hoist", Says: "ask the pool once before the loop", Edits: p.edits}, why)
}

// A loan is what an iteration gets from a pool.
type loan struct {
	*search
	at     inspector.Cursor // of the type assertion
	assert *ast.TypeAssertExpr
	get    *ast.CallExpr
	pool   ast.Expr
	loop   loop.Loop
	edits  []analysis.TextEdit
	own    []analysis.TextEdit // without the pool
}

func (p *loan) edit() *shape.Refusal {
	info := p.pass.TypesInfo
	made, why := p.news()
	if why != nil {
		return why
	}
	st, ok := uses.Statement(p.at)
	if !ok || st.Parent().Node() != p.loop.Body {
		return shape.No(p.get, "not each iteration asks the pool")
	}
	if f, ok := p.loop.Stmt.(*ast.ForStmt); ok && f.Cond == nil {
		return shape.No(f, "the loop has no end to put it back at")
	}
	before, why := ahead(p.loop)
	if why != nil {
		return why
	}
	t := info.TypeOf(p.assert)
	typ, ok := rewrite.Type(p.pass.Pkg, p.file(p.at), before, uses.Deref(t))
	if !ok || !types.Identical(t, info.TypeOf(made)) {
		return shape.No(p.assert, "its type is unknown before the loop, or not what New makes")
	}
	zero, again := zero(info, made), "new("+typ+")"
	if zero {
		typ = "*" + typ
	} else {
		again = "make(" + typ
		for _, n := range made.(*ast.CallExpr).Args[1:] {
			again += ", " + info.Types[n].Value.ExactString()
		}
		again += ")"
	}
	d, ok := p.declaration(st)
	if !ok || d.init != ast.Expr(p.assert) || d.typ != nil {
		return shape.No(p.get, "it is not put back: the next iteration needs a new one")
	}
	put, why := p.back(d.v)
	if why != nil {
		return why
	}
	for _, x := range rewrite.Leaves(info, p.loop.Body, false) {
		switch x.How {
		case "return", "panic", "recover":
		default:
			if st.Node().Pos() < x.Pos && x.Pos < put.Node().Pos() {
				return &shape.Refusal{Why: "an iteration may end before it is put back", Pos: x.Pos}
			}
		}
	}
	if p.comments(st, st.Node()) || p.comments(put, put.Node()) {
		return shape.No(st.Node(), "a comment stands where it is got or put back")
	}
	if p.taken(loop.Func(p.at), d.v) || !rewrite.Universal(p.pass.Pkg, before, "new", "make") {
		return shape.No(d.name, "a name means something else here")
	}
	name := d.v.Name()
	drop := []analysis.TextEdit{rewrite.Drop(p.pass.Fset, st), rewrite.Drop(p.pass.Fset, put)}
	p.edits = append([]analysis.TextEdit{
		rewrite.Insert(before, name+" := "+p.text(p.get)+".("+typ+")\n"),
		rewrite.Insert(p.loop.Whole().Node().End(), "\n"+p.text(p.pool)+".Put("+name+")"),
	}, drop...)
	p.own = append([]analysis.TextEdit{rewrite.Insert(before, name+" := "+again+"\n")}, drop...)
	return nil
}

// back looks at the uses of the variable that has it, and finds the statement of the
// loop that puts it back.
func (p *loan) back(v *types.Var) (put inspector.Cursor, why *shape.Refusal) {
	info, found := p.pass.TypesInfo, false
	for _, u := range p.index.Of(v) {
		if p.index.Declares(u) {
			continue
		}
		k, how := p.keeper, manner{}
		if why := k.later(v, u); why != nil {
			return put, why
		}
		if found {
			return put, shape.No(u.Node(), v.Name()+" is used when it was put back")
		}
		call, ok := u.Parent().Node().(*ast.CallExpr)
		if !ok || !spawn.IsMethod(typeutil.StaticCallee(info, call), "sync", "Pool", "Put") {
			if why := k.use(v, u, &how); why != nil {
				return put, why
			}
			continue
		}
		put, found = u.Parent().Parent(), true
		_, ok = put.Node().(*ast.ExprStmt)
		sel, named := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || put.Parent().Node() != p.loop.Body || !named || loop.Var(info, sel.X) != loop.Var(info, p.pool) {
			return put, shape.No(call, "it is put into another pool, or not by each iteration")
		}
	}
	if !found {
		return put, shape.No(p.get, "it is not put back: the next iteration needs a new one")
	}
	return put, nil
}

// news is what New of the pool makes, which is a new value of a size that is
// constant. It does nothing else.
func (p *loan) news() (made ast.Expr, why *shape.Refusal) {
	info := p.pass.TypesInfo
	v := loop.Var(info, p.pool)
	if v == nil || v.Parent() != p.pass.Pkg.Scope() {
		return nil, shape.No(p.pool, "the pool is not a variable of the package")
	}
	if why := p.index.Unseen(v); why != "" {
		return nil, shape.No(p.pool, why)
	}
	for _, c := range p.index.Of(v) {
		whole := uses.Whole(c)
		if spec, ok := whole.Parent().Node().(*ast.ValueSpec); ok && p.index.Declares(c) && len(spec.Names) == 1 && len(spec.Values) == 1 {
			made = p.newsOf(spec.Values[0])
			continue
		}
		call, ok := whole.Parent().Parent().Node().(*ast.CallExpr)
		if !ok || whole.ParentEdgeKind() != edge.SelectorExpr_X || !spawn.IsMethod(typeutil.StaticCallee(info, call), "sync", "Pool", "") {
			return nil, shape.No(c.Node(), "the pool is not declared with its New, or used otherwise than by Get and Put")
		}
	}
	if made == nil {
		return nil, shape.No(p.pool, "its New may do more than to make a value")
	}
	return made, nil
}

// newsOf is the expression that New of sync.Pool{New: func() any { return … }}
// returns, nil if that is not made there and then of constants.
func (p *loan) newsOf(e ast.Expr) ast.Expr {
	info := p.pass.TypesInfo
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok || len(lit.Elts) != 1 {
		return nil
	}
	kv, ok := lit.Elts[0].(*ast.KeyValueExpr)
	if !ok {
		return nil
	}
	fn, ok := kv.Value.(*ast.FuncLit)
	if !ok || len(fn.Body.List) != 1 {
		return nil
	}
	ret, ok := fn.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return nil
	}
	made := ast.Unparen(ret.Results[0])
	if zero(info, made) {
		return made
	}
	call, ok := made.(*ast.CallExpr)
	if !ok || loop.Builtin(info, call) != "make" {
		return nil
	}
	for _, a := range call.Args[1:] {
		if info.Types[a].Value == nil {
			return nil
		}
	}
	return made
}
