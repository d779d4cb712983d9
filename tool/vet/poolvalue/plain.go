package poolvalue

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/guard"
	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A pool is a variable of the package, or a field, whose New is known. A pool may lose all
// that it has at any time. So each Get may as well return what New makes.
type pool struct {
	pass  *analysis.Pass
	index *uses.Index
	v     *types.Var
	free  func(string) string
	typ   types.Type // of what New makes
	name  string     // of the function that it becomes
	edits []analysis.TextEdit
	holds string
}

// edit has each Get make a value, and takes the Puts away, and the pool.
func (p *pool) edit() (why string, at token.Pos) {
	if why := p.index.Unseen(p.v); why != "" {
		return why, p.v.Pos()
	}
	for _, declares := range []bool{true, false} { // what New makes is known before it is asked for
		for _, use := range p.index.Of(p.v) {
			whole := uses.Whole(use)
			_, selected := whole.Parent().Node().(*ast.SelectorExpr)
			if selected != declares && !(selected && p.call(whole.Parent()) || !selected && p.declared(whole.Parent(), use)) {
				return "the pool is not declared with its New, or used otherwise than by Get and Put", use.Node().Pos()
			}
		}
		if p.typ == nil {
			return "the pool has no New that makes a value, and no more", p.v.Pos()
		}
	}
	return "", 0
}

// declared takes a declaration away, or the value of a field.
func (p *pool) declared(at, use inspector.Cursor) bool {
	switch n := at.Node().(type) {
	case *ast.ValueSpec:
		g := at.Parent()
		if g.ParentEdgeKind() != edge.File_Decls || len(n.Names) != 1 || len(n.Values) != 1 {
			return false
		}
		if len(g.Node().(*ast.GenDecl).Specs) == 1 {
			return p.makes(analysis.TextEdit{Pos: rewrite.Begin(g.Node()), End: g.Node().End()}, n.Values[0])
		}
		p.edits = append(p.edits, rewrite.Drop(p.pass.Fset, at))
		return p.makes(rewrite.Insert(g.Node().End(), "\n\n"), n.Values[0])
	case *ast.Field:
		st, ok := layout.Around(p.index, use)
		if !ok || len(n.Names) != 1 || st.Name == nil || !uses.Global(st.Name) || uses.Named(st.Name.Type()).TypeParams().Len() > 0 || len(p.index.Literals(st.Name)) != 1 {
			return false
		}
		for id := range p.index.Root.Preorder((*ast.Ident)(nil)) {
			if kind := id.ParentEdgeKind(); p.index.Info.Uses[id.Node().(*ast.Ident)] == st.Name && kind != edge.StarExpr_X && kind != edge.CompositeLit_Type {
				return false
			}
		}
		why, _ := st.Relied(p.index, p.pass.Pkg)
		p.edits = append(p.edits, rewrite.Drop(p.pass.Fset, at))
		p.holds = "each " + st.Name.Name() + " that is used has its pool"
		return why == ""
	case *ast.KeyValueExpr:
		lit := at.Parent().Node().(*ast.CompositeLit)
		from, to := lit.Lbrace+1, lit.Rbrace
		switch i := at.ParentEdgeIndex(); {
		case i+1 < len(lit.Elts):
			from, to = n.Pos(), lit.Elts[i+1].Pos()
		case i > 0:
			from, to = lit.Elts[i-1].End(), n.End()
		}
		p.edits = append(p.edits, analysis.TextEdit{Pos: from, End: to})
		return p.makes(rewrite.Insert(uses.Top(at).Node().End(), "\n\n"), n.Value) && !rewrite.Comments(rewrite.File(p.pass, lit.Pos()), lit)
	}
	return false
}

// makes has New of a pool as a function of the package, at a place. It makes a value of
// one type of what is known there, and does nothing else.
func (p *pool) makes(at analysis.TextEdit, e ast.Expr) bool {
	e = ast.Unparen(e)
	if ref, ok := e.(*ast.UnaryExpr); ok {
		e = ast.Unparen(ref.X)
	}
	pool, ok := e.(*ast.CompositeLit)
	if !ok || p.typ != nil || len(pool.Elts) != 1 || !uses.Is(p.index.Info.TypeOf(pool), "sync", "Pool") {
		return false
	}
	kv, _ := pool.Elts[0].(*ast.KeyValueExpr) // of New, the only one that others may write
	lit, ok := ast.Unparen(kv.Value).(*ast.FuncLit)
	if !ok {
		return false
	}
	within := flow.Of(p.pass).Within(lit.Body)
	if within.First(guard.Waits|flow.Call|flow.Unknown|flow.Sync|flow.Exit|flow.Tell|flow.Ask) != nil || slices.ContainsFunc(within, func(x flow.Effect) bool { return x.Kind&flow.Changes != 0 && !guard.Own(x.On) }) {
		return false
	}
	for n := range ast.Preorder(lit) {
		switch n := n.(type) {
		case *ast.FuncLit:
			if n != lit {
				return false
			}
		case *ast.Ident:
			o := p.index.Info.Uses[n]
			if _, pkg := o.(*types.PkgName); o != nil && !pkg && o.Parent() != nil && o.Parent() != types.Universe && !uses.Global(o) && !uses.Holds(lit, o.Pos()) {
				return false
			}
		case *ast.ReturnStmt:
			t := p.index.Info.TypeOf(n.Results[0])
			if types.IsInterface(t) || p.typ != nil && !types.Identical(t, p.typ) {
				return false
			}
			p.typ = t
		}
	}
	if p.typ == nil {
		return false
	}
	file := rewrite.File(p.pass, e.Pos())
	typ, ok := rewrite.Type(p.pass.Pkg, file, at.End, p.typ)
	p.name = p.free("new" + rewrite.Title(p.v.Name()))
	at.NewText = append(at.NewText, "func "+p.name+"() "+typ+" "+rewrite.Text(p.pass.Fset, lit.Body)...)
	p.edits = append(p.edits, at)
	return ok && !rewrite.Comments(file, lit)
}

// call makes the edit of a call of Get or Put.
func (p *pool) call(sel inspector.Cursor) bool {
	call, ok := sel.Parent().Node().(*ast.CallExpr)
	if !ok || sel.ParentEdgeKind() != edge.CallExpr_Fun {
		return false
	}
	switch _, name := method(p.index, call); name {
	case "Get":
		assert := uses.Whole(sel.Parent()).Parent()
		e, ok := assert.Node().(*ast.TypeAssertExpr)
		p.edits = append(p.edits, rewrite.Replace(assert.Node(), p.name+"()"))
		return ok && types.Identical(p.index.Info.TypeOf(e), p.typ)
	case "Put":
		st := sel.Parent().Parent()
		if _, spawned := st.Node().(*ast.GoStmt); spawned || !uses.Listed(st) || len(call.Args) != 1 {
			return false
		}
		p.edits = append(p.edits, rewrite.Drop(p.pass.Fset, st))
		return types.Identical(p.index.Info.TypeOf(call.Args[0]), p.typ) && p.stays(call.Args[0])
	}
	return false
}

// stays reports whether an argument of Put is a variable, or all of its array, which other
// code uses as well.
func (p *pool) stays(e ast.Expr) bool {
	e = ast.Unparen(e)
	if s, ok := e.(*ast.SliceExpr); ok && s.Low == nil && s.Max == nil && (s.High == nil || rewrite.Text(p.pass.Fset, s.High) == "0") {
		e = s.X
	} else if ref, ok := e.(*ast.UnaryExpr); ok && ref.Op == token.AND {
		e = ref.X
	}
	v := p.index.Var(e)
	return v != nil && !v.IsField() && slices.ContainsFunc(p.index.Of(v), func(use inspector.Cursor) bool {
		for call := range use.Enclosing((*ast.CallExpr)(nil)) {
			if _, name := method(p.index, call.Node().(*ast.CallExpr)); name == "Put" {
				return false
			}
		}
		_, param := use.Parent().Node().(*ast.Field)
		part, _ := uses.Elements(use)
		return param || !p.index.Declares(use) && !(part == use && uses.Written(use))
	})
}
