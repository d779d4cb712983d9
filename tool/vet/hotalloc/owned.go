package hotalloc

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// An owned pool is a field, and each object has its own.
type owned struct {
	*search
	v    *types.Var
	set  inspector.Cursor // x.pool.New = f, or pool: sync.Pool{New: f}
	new  ast.Expr         // f
	edit []analysis.TextEdit
}

// owned looks at what sets the New of a pool that is a field.
func (s *search) owned(c inspector.Cursor) {
	o := owned{search: s, set: c}
	switch n := c.Node().(type) {
	case *ast.AssignStmt:
		if len(n.Lhs) != 1 || len(n.Rhs) != 1 {
			return
		}
		sel, ok := n.Lhs[0].(*ast.SelectorExpr)
		if !ok {
			return
		}
		o.v, o.new = s.index.Var(sel.X), n.Rhs[0]
	case *ast.CompositeLit:
		if o.set = c.Parent(); c.ParentEdgeKind() != edge.KeyValueExpr_Value || len(n.Elts) != 1 {
			return
		}
		kv, ok := n.Elts[0].(*ast.KeyValueExpr)
		if !ok {
			return
		}
		o.v, o.new = s.index.Var(o.set.Node().(*ast.KeyValueExpr).Key), kv.Value
	}
	decl := uses.Decl(c)
	if o.v == nil || !o.v.IsField() || !uses.Is(o.v.Type(), "sync", "Pool") || decl == nil || strings.HasSuffix(s.pass.Fset.Position(c.Node().Pos()).Filename, "_test.go") {
		return
	}
	f := s.finding(c, decl, "each object has a pool of its own: a new one is empty")
	f.Common = true // a pool of an object that lives is right
	for _, use := range s.index.Of(o.v) {
		if d := uses.Decl(use); d != nil && d != decl {
			f.Hot, f.Shared = append(f.Hot, shape.Of(d)), append(f.Shared, s.reached(d)...)
		}
	}
	f.Shared = append(f.Shared, s.reached(o.new)...)
	why := o.move(decl)
	s.add(f, shape.Fix{Name: "share", Says: "keep one pool for all objects", Edits: o.edit, Holds: "each object has that New, and a value that one put into the pool does as well for another"}, why)
}

// move makes the edits by which a variable of the package is the pool.
func (o *owned) move(decl *ast.FuncDecl) *shape.Refusal {
	no := func(n ast.Node, why string) *shape.Refusal { return shape.No(n, why) }
	if why := o.index.Unseen(o.v); why != "" {
		return &shape.Refusal{Why: why, Pos: o.v.Pos()}
	}
	x := sharing{search: o.search, maker: lent, at: o.set}
	made := ast.Unparen(o.new)
	if !function(o.pass.TypesInfo, made) {
		return no(made, "its New is no function of a package")
	}
	if at := x.local(made); at != nil {
		return no(at, o.text(at)+" is the function's own")
	}
	spec, why := o.drop()
	if why != nil {
		return why
	}
	name := o.free(lower(spec.Name.Name) + strings.ToUpper(o.v.Name()[:1]) + o.v.Name()[1:])
	var users []*ast.FuncDecl
	for _, c := range o.index.Of(o.v) {
		whole := uses.Whole(c)
		up := whole.Parent()
		switch sel, _ := up.Node().(*ast.SelectorExpr); {
		case o.index.Declares(c), up == o.set:
		case whole.ParentEdgeKind() == edge.SelectorExpr_X && (sel.Sel.Name == "Get" || sel.Sel.Name == "Put"):
			if !loop.Chain(whole.Node().(ast.Expr)) {
				return no(whole.Node(), "its object is what a call returns")
			}
			o.edit = append(o.edit, rewrite.Replace(whole.Node(), name))
			users = append(users, uses.Decl(c))
		case whole.ParentEdgeKind() == edge.SelectorExpr_X && up.Parent() == o.set:
		default:
			return no(whole.Node(), "something else is done with the pool, or its New is set in two places")
		}
	}
	for _, d := range users {
		if d == nil || spawn.Reaches(o.pass, made, x.is(d)) != nil {
			return no(made, "what New does comes to what uses the pool")
		}
		if at := x.early(d); at != nil {
			return no(at, "a variable of the package may be set by way of "+d.Name.Name+", and before")
		}
	}
	if o.comments(o.set, o.set.Node()) {
		return no(o.set.Node(), "a comment stands in it")
	}
	sync, edits := rewrite.Import(o.pass.Pkg, o.file(o.set), "sync", decl.Pos())
	text := "// " + name + " is the pool of all " + spec.Name.Name + "s.\nvar " + name + " = " + sync + ".Pool{New: " + o.text(made) + "}\n\n"
	o.edit = append(append(o.edit, edits...), rewrite.Insert(rewrite.Begin(decl), text))
	return nil
}

// function reports whether an expression is a function that nothing sets: a literal, or one
// of a package.
func function(info *types.Info, e ast.Expr) bool {
	var id *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		return true
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	}
	fn, ok := info.Uses[id].(*types.Func)
	return ok && fn.Signature().Recv() == nil
}

// drop makes the edits that take the field away, and what sets it. spec is that of the
// type.
func (o *owned) drop() (spec *ast.TypeSpec, why *shape.Refusal) {
	for _, c := range o.index.Of(o.v) {
		if !o.index.Declares(c) {
			continue
		}
		field, list := c.Parent(), c.Parent().Parent()
		st := list.Parent()
		ok := false
		spec, ok = st.Parent().Node().(*ast.TypeSpec)
		if !ok || spec.TypeParams != nil || len(field.Node().(*ast.Field).Names) != 1 {
			return nil, shape.No(c.Node(), "its struct has no name, or parameters")
		}
		o.edit = append(o.edit, rewrite.Drop(o.pass.Fset, field))
	}
	if spec == nil {
		return nil, shape.No(o.set.Node(), "its struct is not here")
	}
	of := o.pass.TypesInfo.Defs[spec.Name].(*types.TypeName)
	for _, c := range o.index.Literals(of) {
		if lit := c.Node().(*ast.CompositeLit); len(lit.Elts) > 0 {
			if _, ok := lit.Elts[0].(*ast.KeyValueExpr); !ok {
				return nil, shape.No(lit, "a literal of "+spec.Name.Name+" has no names of fields")
			}
		}
	}
	if o.set.ParentEdgeKind() != edge.CompositeLit_Elts {
		if !uses.Listed(o.set) || o.set.Parent().ParentEdgeKind() != edge.FuncDecl_Body {
			return nil, shape.No(o.set.Node(), "its New may not be set")
		}
		o.edit = append(o.edit, rewrite.Drop(o.pass.Fset, o.set))
		return spec, nil
	}
	lit := o.set.Parent().Node().(*ast.CompositeLit)
	gone := analysis.TextEdit{Pos: lit.Lbrace + 1, End: lit.Rbrace}
	if i := o.set.ParentEdgeIndex(); i > 0 {
		gone = analysis.TextEdit{Pos: lit.Elts[i-1].End(), End: lit.Elts[i].End()}
	} else if len(lit.Elts) > 1 {
		gone = analysis.TextEdit{Pos: lit.Elts[0].Pos(), End: lit.Elts[1].Pos()}
	}
	o.edit = append(o.edit, gone)
	return spec, nil
}

// reached are the functions that code names. Those of other packages end where what
// is known next of their file begins.
func (s *search) reached(code ast.Node) (all []shape.Range) {
	ast.Inspect(code, func(n ast.Node) bool {
		id, _ := n.(*ast.Ident)
		fn, ok := s.pass.TypesInfo.Uses[id].(*types.Func)
		if !ok || s.pass.Fset.File(fn.Pos()) == nil {
			return true
		}
		if d, ok := s.index.Declaration(fn); ok {
			all = append(all, shape.Of(d.Node()))
		} else if fn.Pkg() != s.pass.Pkg {
			all = append(all, shape.Range{Pos: fn.Pos(), End: s.end(fn)})
		}
		return true
	})
	return all
}

// end is where a function of another package ends at the latest.
func (s *search) end(fn *types.Func) token.Pos {
	tf := s.pass.Fset.File(fn.Pos())
	end := token.Pos(tf.Base() + tf.Size())
	next := func(o types.Object) {
		if o.Pos() > fn.Pos() {
			end = min(end, o.Pos()-1)
		}
	}
	scope := fn.Pkg().Scope()
	for _, name := range scope.Names() {
		o := scope.Lookup(name)
		next(o)
		if n, ok := o.Type().(*types.Named); ok {
			for m := range n.Methods() {
				next(m)
			}
		}
	}
	return end
}
