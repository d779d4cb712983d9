package hotalloc

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// pooled looks at pool.Get().(T) in a loop: what one iteration puts back, or
// forgets, the next one gets again.
func (s *search) pooled(c inspector.Cursor, assert *ast.TypeAssertExpr) {
	info := s.pass.TypesInfo
	get, ok := ast.Unparen(assert.X).(*ast.CallExpr)
	if !ok || assert.Type == nil || poolMethod(info, get) != "Get" {
		return
	}
	l, ok := loop.Around(info, c)
	if !ok {
		return
	}
	p := loan{search: s, assert: assert, get: get, loop: l}
	why := p.edit(c)
	f := s.finding(c, l.Stmt, "the pool is asked in each iteration")
	f.Causes = append(f.Causes, "pool")
	if p.own != nil && why == nil {
		f.Fixes = append(f.Fixes, shape.Fix{Name: "own", Says: "make one before the loop, and leave the pool to others", Edits: p.own})
	}
	s.add(f, shape.Fix{Name: "hoist", Says: "ask the pool once before the loop", Edits: p.edits}, why)
}

// poolMethod names the method of a sync.Pool that is called, "" if it is none.
func poolMethod(info *types.Info, call *ast.CallExpr) string {
	fn := typeutil.StaticCallee(info, call)
	if fn == nil || fn.Signature().Recv() == nil || !uses.Is(uses.Deref(fn.Signature().Recv().Type()), "sync", "Pool") {
		return ""
	}
	return fn.Name()
}

// A loan is what an iteration gets from a pool.
type loan struct {
	*search
	assert *ast.TypeAssertExpr
	get    *ast.CallExpr
	loop   loop.Loop
	put    inspector.Cursor // the statement that puts it back, if there is one
	back   ast.Expr         // what it puts, nil if it puts nothing
	made   ast.Expr         // what New of the pool makes
	edits  []analysis.TextEdit
	own    []analysis.TextEdit // without the pool; nil if New cannot be written here
}

// edit makes the edits. c is the type assertion.
func (p *loan) edit(c inspector.Cursor) *shape.Refusal {
	info := p.pass.TypesInfo
	zero, why := p.news(ast.Unparen(p.get.Fun).(*ast.SelectorExpr).X)
	if why != nil {
		return why
	}
	// Who has it.
	st, ok := uses.Statement(c)
	if !ok || st.Parent().Node() != p.loop.Body {
		return shape.No(p.get, "not each iteration asks the pool")
	}
	var v *types.Var
	if d, ok := p.declaration(st); ok && d.init == ast.Expr(p.assert) && d.typ == nil {
		v = d.v
		for _, u := range p.index.Of(v) {
			if p.index.Declares(u) {
				continue
			}
			if why := p.use(v, u); why != nil {
				return why
			}
		}
	} else if why := p.unnamed(c, st); why != nil {
		return why
	}
	if n := len(p.leaves(st)); n > 0 {
		return &shape.Refusal{Why: "an iteration may end before it is put back", Pos: p.leaves(st)[0].Pos}
	}
	if p.back == nil && !(zero && p.emptied()) {
		return shape.No(p.get, "it is not put back: the next iteration needs a new one")
	}
	if f, ok := p.loop.Stmt.(*ast.ForStmt); ok && f.Cond == nil {
		return shape.No(f, "the loop has no end to put it back at")
	}
	if p.comments(st, st.Node()) && v != nil {
		return shape.No(st.Node(), "a comment stands in its declaration")
	}
	if !uses.Listed(p.loop.Whole()) {
		return shape.No(p.loop.Stmt, "the loop is not a statement of a list")
	}
	before, reason := p.loop.Before()
	if reason != "" {
		return shape.No(p.loop.Stmt, reason)
	}
	typ, ok := rewrite.Type(p.pass.Pkg, p.file(c), before, info.TypeOf(p.assert.Type))
	if !ok {
		return shape.No(p.assert, "its type is unknown before the loop")
	}
	return p.write(c, st, v, before, typ)
}

// emptied reports whether T{} empties what the pool has pointers to.
func (p *loan) emptied() bool {
	elem := uses.Deref(p.pass.TypesInfo.TypeOf(p.assert))
	switch elem.Underlying().(type) {
	case *types.Struct, *types.Array:
		return !locks(elem, map[types.Type]bool{})
	}
	return false
}

// write makes the edits.
func (p *loan) write(c, st inspector.Cursor, v *types.Var, before token.Pos, typ string) *shape.Refusal {
	fn, name := loop.Func(c), "loan"
	if v != nil {
		name = v.Name()
	}
	b := buffer{search: p.search, declaration: declaration{v: v}}
	fresh := name
	if v == nil || b.taken(fn) {
		fresh = p.fresh(fn, name)
	}
	p.edits = append(p.edits, rewrite.Insert(before, fresh+" := "+p.text(p.get)+".("+typ+")\n"))
	again := ""
	if p.back == nil {
		elem := uses.Deref(p.pass.TypesInfo.TypeOf(p.assert.Type))
		text, ok := rewrite.Type(p.pass.Pkg, p.file(c), st.Node().Pos(), elem)
		if !ok {
			return shape.No(p.assert, "its type cannot be written here")
		}
		again = "*" + fresh + " = " + text + "{}"
	}
	switch {
	case v == nil:
		p.edits = append(p.edits, rewrite.Insert(st.Node().Pos(), again+"\n"), rewrite.Replace(p.assert, fresh))
		return nil
	case again == "":
		p.edits = append(p.edits, rewrite.Drop(p.pass.Fset, st))
	default:
		p.edits = append(p.edits, rewrite.Replace(st.Node(), again))
	}
	root := p.keeper().root(p.back)
	if fresh != name {
		for _, u := range p.index.Of(v) {
			if !p.index.Declares(u) && !(p.back != nil && p.back.Pos() <= u.Node().Pos() && u.Node().Pos() < p.back.End()) {
				p.edits = append(p.edits, rewrite.Replace(u.Node(), fresh))
			}
		}
	}
	if p.back == nil {
		return nil
	}
	if p.comments(p.put, p.put.Node()) {
		return shape.No(p.put.Node(), "a comment stands in it")
	}
	call := p.put.Node().(*ast.ExprStmt).X.(*ast.CallExpr)
	if root != v {
		return shape.No(p.back, "something else is put back")
	}
	if _, whole := ast.Unparen(p.back).(*ast.Ident); whole {
		p.edits = append(p.edits, rewrite.Drop(p.pass.Fset, p.put))
	} else if fresh == name {
		p.edits = append(p.edits, rewrite.Replace(p.put.Node(), name+" = "+p.text(p.back)))
	} else {
		return shape.No(p.back, "something else has its name")
	}
	if made, ok := p.make(c, before); ok {
		p.own = slices.Clone(p.edits)
		p.own[0] = rewrite.Insert(before, fresh+" := "+made+"\n")
	}
	p.edits = append(p.edits, rewrite.Insert(p.loop.Whole().Node().End(), "\n"+p.text(call.Fun)+"("+fresh+")"))
	return nil
}

// make is what New makes, as it is written before the loop.
func (p *loan) make(c inspector.Cursor, before token.Pos) (text string, ok bool) {
	info := p.pass.TypesInfo
	t := info.TypeOf(p.made)
	if !types.Identical(t, info.TypeOf(p.assert)) {
		return "", false
	}
	typ, ok := rewrite.Type(p.pass.Pkg, p.file(c), before, uses.Deref(t))
	switch e := p.made.(type) {
	case *ast.UnaryExpr:
		return "&" + typ + "{}", ok && len(e.X.(*ast.CompositeLit).Elts) == 0
	case *ast.CallExpr:
		if loop.Builtin(info, e) == "new" {
			return "new(" + typ + ")", ok
		}
		for _, n := range e.Args[1:] {
			typ += ", " + info.Types[n].Value.ExactString()
		}
		return "make(" + typ + ")", ok
	}
	return "", false
}

// use looks at a use of what was got.
func (p *loan) use(v *types.Var, c inspector.Cursor) *shape.Refusal {
	info := p.pass.TypesInfo
	if why := p.keeper().later(v, c); why != nil {
		return why
	}
	top := c
	for top.ParentEdgeKind() == edge.SliceExpr_X || top.ParentEdgeKind() == edge.ParenExpr_X {
		top = top.Parent()
	}
	if call, ok := top.Parent().Node().(*ast.CallExpr); ok && top.ParentEdgeKind() == edge.CallExpr_Args && poolMethod(info, call) == "Put" {
		st := top.Parent().Parent()
		if _, ok := st.Node().(*ast.ExprStmt); !ok || st.Parent().Node() != p.loop.Body || p.back != nil {
			return shape.No(call, "it is put back at several places, or not by each iteration")
		}
		if types.ExprString(call.Fun.(*ast.SelectorExpr).X) != types.ExprString(ast.Unparen(p.get.Fun).(*ast.SelectorExpr).X) {
			return shape.No(call, "it is put into another pool")
		}
		if !types.Identical(info.TypeOf(call.Args[0]), info.TypeOf(p.assert)) {
			return shape.No(call, "it is put back as another type")
		}
		if s, ok := top.Node().(*ast.SliceExpr); ok && (s.Low != nil || s.High != nil && !isZero(info, s.High) || s.Slice3) {
			return shape.No(call, "a part of it is put back")
		}
		p.put, p.back = st, call.Args[0]
		for _, u := range p.index.Of(v) {
			if u.Node().Pos() > call.End() {
				return shape.No(u.Node(), v.Name()+" is used when it was put back")
			}
		}
		return nil
	}
	var how manner
	return p.keeper().use(v, c, &how)
}

// unnamed looks at what is passed on at once, and not put back.
func (p *loan) unnamed(c, st inspector.Cursor) *shape.Refusal {
	switch st.Node().(type) {
	case *ast.AssignStmt, *ast.ExprStmt, *ast.DeclStmt:
	default:
		return shape.No(p.get, "what Get returns is not kept in a variable")
	}
	var how manner
	v := types.NewVar(p.get.Pos(), p.pass.Pkg, "what Get returns", p.pass.TypesInfo.TypeOf(p.assert))
	for up := c; up != st; up = up.Parent() {
		if _, ok := up.Node().(*ast.FuncLit); ok {
			return shape.No(p.get, "a function literal asks the pool")
		}
		if a, ok := up.Node().(*ast.BinaryExpr); ok && (a.Op == token.LAND || a.Op == token.LOR) {
			return shape.No(p.get, "not each iteration asks the pool")
		}
	}
	return p.keeper().use(v, c, &how)
}

// leaves are the ways out of an iteration while it has what it got: it would be
// forgotten there, and is not, if the next iteration has it again.
func (p *loan) leaves(st inspector.Cursor) (out []rewrite.Leave) {
	to := p.loop.Body.End()
	if p.back != nil {
		to = p.put.Node().Pos()
	}
	for _, x := range rewrite.Leaves(p.pass.TypesInfo, p.loop.Body, false) {
		switch x.How {
		case "return", "panic", "recover":
		default:
			if p.back != nil && st.Node().Pos() < x.Pos && x.Pos < to || x.How == "goto" || x.How == "defer" {
				out = append(out, x)
			}
		}
	}
	return out
}

// news looks at where the pool is made: that New makes a new value and does
// nothing else, and whether what it makes is zero behind a pointer.
func (p *loan) news(pool ast.Expr) (zero bool, why *shape.Refusal) {
	v := loop.Var(p.pass.TypesInfo, pool)
	if v == nil || v.Parent() != p.pass.Pkg.Scope() {
		return false, shape.No(pool, "the pool is not a variable of the package")
	}
	if why := p.index.Unseen(v); why != "" {
		return false, shape.No(pool, why)
	}
	var made ast.Expr
	for _, c := range p.index.Of(v) {
		whole := uses.Whole(c)
		if !p.index.Declares(c) && whole.ParentEdgeKind() == edge.SelectorExpr_X {
			call, ok := whole.Parent().Parent().Node().(*ast.CallExpr)
			if ok && poolMethod(p.pass.TypesInfo, call) != "" {
				continue
			}
		}
		spec, ok := whole.Parent().Node().(*ast.ValueSpec)
		if !ok || !p.index.Declares(c) || len(spec.Names) != 1 || len(spec.Values) != 1 {
			return false, shape.No(c.Node(), "the pool is not declared with its New, or used otherwise than by Get and Put")
		}
		made = p.newsOf(spec.Values[0])
	}
	if made == nil {
		return false, shape.No(pool, "its New may do more than to make a value")
	}
	p.made = made
	switch e := made.(type) {
	case *ast.UnaryExpr:
		return len(e.X.(*ast.CompositeLit).Elts) == 0, nil
	case *ast.CallExpr:
		return loop.Builtin(p.pass.TypesInfo, e) == "new", nil
	}
	return false, nil
}

// newsOf is the expression that New of sync.Pool{New: func() any { return … }}
// returns, if it is made there and then of constants.
func (p *loan) newsOf(e ast.Expr) ast.Expr {
	info := p.pass.TypesInfo
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = u.X
	}
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
	switch x := made.(type) {
	case *ast.CallExpr:
		if p.fixed(x) || loop.Builtin(info, x) == "new" && info.Types[x.Args[0]].IsType() {
			return made
		}
	case *ast.UnaryExpr:
		if lit := literal(x); lit != nil {
			for _, e := range lit.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					e = kv.Value
				}
				if info.Types[e].Value == nil && !p.fixed(e) {
					return nil
				}
			}
			return made
		}
	}
	return nil
}

// fixed reports whether e is make with sizes that are constant.
func (p *loan) fixed(e ast.Expr) bool {
	info := p.pass.TypesInfo
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || loop.Builtin(info, call) != "make" {
		return false
	}
	for _, a := range call.Args[1:] {
		if info.Types[a].Value == nil {
			return false
		}
	}
	return true
}
