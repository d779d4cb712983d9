package owner

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"

	"github.com/gopayoff/payoff/tool/vet/guard"
	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// others says why code that is not seen may depend on the goroutine.
func (o *owner) others() *shape.Refusal {
	if o.decl == nil {
		return nil
	}
	fn := o.info.Defs[o.decl.Name].(*types.Func)
	if why := o.uses.Left.Calls(fn); why != "" || fn.Exported() && o.pass.Pkg.Name() != "main" {
		return shape.No(o.decl, "others may call "+fn.Name()+" or need it to implement an interface")
	}
	for c := range o.uses.Root.Preorder((*ast.Ident)(nil)) {
		id := c.Node().(*ast.Ident)
		f, ok := o.info.ObjectOf(id).(*types.Func)
		switch {
		case !ok || f.Name() != fn.Name() || id == o.decl.Name:
		case f == fn && !spawn.Within(o.start.Node(), id):
			return shape.No(id, fn.Name()+" is called elsewhere")
		case f.Signature().Recv() != nil && types.IsInterface(f.Signature().Recv().Type()):
			return shape.No(id, fn.Name()+" is a method of an interface")
		}
	}
	return nil
}

// seen says why code that is not seen may depend on the channels.
func (o *port) seen() *shape.Refusal {
	fields, of := []*types.Var{o.ch}, []*types.TypeName{o.typ}
	if o.reply != nil && !o.bare() {
		request := uses.Named(o.ch.Type().Underlying().(*types.Chan).Elem())
		if request == nil || request.Obj().Pkg() != o.pass.Pkg || request.TypeParams().Len() > 0 {
			return &shape.Refusal{Why: "the type of a request has no name of its own", Pos: o.ch.Pos()}
		}
		o.request = request.Obj()
		fields, of = append(fields, o.reply), append(of, o.request)
	}
	for i, v := range fields {
		if no := o.hidden(v); no != nil {
			return no
		}
		t := of[i]
		st, ok := layout.Of(o.uses, t.Type())
		if !ok || !slices.Contains(slices.Collect(st.Type.Fields()), v) {
			return &shape.Refusal{Why: t.Name() + " is not written as a struct that has " + v.Name(), Pos: t.Pos()}
		}
		if why, at := st.Relied(o.uses, o.pass.Pkg); why != "" && (t == o.typ || why != "a literal of it has no field names") {
			return &shape.Refusal{Why: t.Name() + ": " + why, Pos: at}
		}
	}
	return nil
}

// alike says why the struct may be without its goroutine, or have several.
func (o *owner) alike() *shape.Refusal {
	start := shape.No(o.start.Node(), "it is not started where "+o.typ.Name()+" is made, and known there alone")
	lits := o.uses.Literals(o.typ)
	if len(lits) != 1 {
		return start
	}
	o.made = lits[0]
	set := o.made.Parent().Parent()
	a, ok := set.Node().(*ast.AssignStmt)
	in, in2 := set.Parent().Parent().Node(), o.start.Parent()
	_, fn := in.(*ast.FuncDecl)
	_, lit := in.(*ast.FuncLit)
	if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 1 || o.made.ParentEdgeKind() != edge.UnaryExpr_X ||
		set.Parent() != in2 || !fn && !lit || o.start.Node().Pos() < a.End() {
		return start
	}
	o.as = loop.Var(o.info, a.Lhs[0])
	of := o.self
	if sel, ok := o.start.Node().(*ast.GoStmt).Call.Fun.(*ast.SelectorExpr); ok {
		of = loop.Var(o.info, sel.X)
	}
	if o.as == nil || of != o.as {
		return start
	}
	for _, c := range o.uses.Of(o.self) {
		if uses.Written(c) && !o.uses.Declares(c) {
			return shape.No(c.Node(), o.self.Name()+" becomes another")
		}
	}
	around, _ := uses.Func(o.start)
	for _, c := range o.uses.Of(o.as) {
		if uses.Written(c) && !o.uses.Declares(c) {
			return start
		}
		if a.End() <= c.Node().Pos() && c.Node().Pos() < o.start.Node().Pos() {
			own, _ := uses.Func(c)
			sel, ok := c.Parent().Node().(*ast.SelectorExpr)
			if !ok || own != around || o.uses.Var(sel) == nil || o.carries(o.uses.Var(sel)) {
				return start
			}
		}
	}
	for c := range o.uses.Root.Preorder((*ast.Ident)(nil)) {
		if o.info.Uses[c.Node().(*ast.Ident)] == o.typ && c.ParentEdgeKind() != edge.StarExpr_X && c.Parent() != o.made {
			return shape.No(c.Node(), o.typ.Name()+" is made elsewhere, or is no pointer")
		}
	}
	if at := guard.Copied(o.uses, o.typ.Type().Underlying().(*types.Struct)); at != nil {
		return shape.No(at, o.typ.Name()+" is copied")
	}
	if o.typ.Exported() && o.pass.Pkg.Name() != "main" {
		o.hold("other packages neither copy nor make a " + o.typ.Name())
	}
	return nil
}
