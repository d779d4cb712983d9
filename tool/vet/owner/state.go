package owner

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// state makes fields of what the goroutine keeps in variables of its own, and sets them
// where it was started.
func (o *owner) state() *shape.Refusal {
	at := o.start.Node().(*ast.GoStmt)
	var sets []string
	if lit, ok := at.Call.Fun.(*ast.FuncLit); ok {
		for n := range ast.Preorder(lit) {
			id, _ := n.(*ast.Ident)
			v, _ := o.info.Uses[id].(*types.Var)
			if v == nil || v == o.self || o.fields[v] != "" || v.IsField() || v.Parent() == o.pass.Pkg.Scope() || v.Pkg() != o.pass.Pkg || lit.Pos() <= v.Pos() && v.Pos() < lit.End() {
				continue
			}
			if !o.handed(v, lit) {
				return shape.No(id, "the goroutine uses "+id.Name+" of the function that starts it")
			}
			name, no := o.keep(id)
			if no != nil {
				return no
			}
			sets = append(sets, name+" = "+id.Name)
		}
	}
	if o.decl != nil {
		i := 0
		for _, p := range o.decl.Type.Params.List {
			if _, variadic := p.Type.(*ast.Ellipsis); variadic || len(p.Names) == 0 {
				return shape.No(p, "what the goroutine gets has no name")
			}
			for _, id := range p.Names {
				name, no := o.keep(id)
				text, err := inline.Source(o.pass, at.Call.Args[i].Pos(), at.Call.Args[i].End(), nil)
				if no == nil && err != nil {
					no = shape.No(id, "the source cannot be read")
				}
				if no != nil {
					return no
				}
				sets = append(sets, name+" = "+text)
				i++
			}
		}
	}
	for _, st := range o.before {
		names, values := declared(st)
		if names == nil {
			return shape.No(st, "the goroutine does more before it receives")
		}
		for i, id := range names {
			text := ""
			if values != nil {
				var no *shape.Refusal
				if text, no = o.begins(values[i]); no != nil {
					return no
				}
			}
			name, no := o.keep(id)
			if no != nil {
				return no
			}
			if text != "" {
				sets = append(sets, name+" = "+text)
			}
		}
	}
	if len(sets) == 0 {
		o.edits = append(o.edits, rewrite.Drop(o.pass.Fset, o.start))
	} else {
		o.edits = append(o.edits, rewrite.Replace(at, strings.Join(sets, "\n")))
	}
	return nil
}

// declared are the variables that a statement declares, and their values or nil.
func declared(st ast.Stmt) (names []*ast.Ident, values []ast.Expr) {
	switch st := st.(type) {
	case *ast.AssignStmt:
		if st.Tok == token.DEFINE && len(st.Lhs) == 1 && len(st.Rhs) == 1 {
			return []*ast.Ident{st.Lhs[0].(*ast.Ident)}, st.Rhs
		}
	case *ast.DeclStmt:
		if g := st.Decl.(*ast.GenDecl); g.Tok == token.VAR && len(g.Specs) == 1 {
			s := g.Specs[0].(*ast.ValueSpec)
			if len(s.Values) == 0 || len(s.Values) == len(s.Names) && len(s.Names) == 1 {
				return s.Names, s.Values
			}
		}
	}
	return nil, nil
}

// keep makes a field of a variable of the goroutine, and returns how it is written where
// that is started.
func (o *owner) keep(id *ast.Ident) (text string, no *shape.Refusal) {
	v, ok := o.info.ObjectOf(id).(*types.Var)
	if !ok || id.Name == "_" {
		return "", shape.No(id, "what the goroutine begins with has no name")
	}
	is, ok := rewrite.Type(o.pass.Pkg, rewrite.File(o.pass, o.typ.Pos()), o.typ.Pos(), v.Type())
	if !ok {
		return "", shape.No(id, "the type of "+id.Name+" cannot be written in "+o.typ.Name())
	}
	o.fields[v] = o.field(id.Name)
	o.declare += "\n" + o.fields[v] + " " + is
	return o.as.Name() + "." + o.fields[v], nil
}

// begins is the value that the goroutine gives a variable at first, as it is written
// where that is started; "" if it is the one that a field has anyway.
func (o *owner) begins(e ast.Expr) (text string, no *shape.Refusal) {
	if c := o.info.Types[e].Value; c != nil && (c.String() == "0" || c.String() == `""` || c.String() == "false") {
		return "", nil
	}
	does := o.does.Within(e)
	if at := does.First(flow.Changes&^flow.Write | flow.Ask | flow.Look); at != nil {
		return "", &shape.Refusal{Why: "what the goroutine begins with is computed, which may depend on when it is", Pos: at.Pos()}
	}
	if does.First(flow.Panic) != nil {
		o.hold("what the goroutine begins with is computed without a panic")
	}
	var edits []analysis.TextEdit
	pos := o.start.Node().Pos()
	scope := o.pass.Pkg.Scope().Innermost(pos)
	for n := range ast.Preorder(e) {
		if n, ok := n.(*ast.Ident); ok {
			obj := o.info.Uses[n]
			v, _ := obj.(*types.Var)
			switch {
			case obj == nil || v != nil && v.IsField():
			case v != nil && v == o.self:
				edits = append(edits, rewrite.Replace(n, o.as.Name()))
			case v != nil && o.fields[v] != "":
				edits = append(edits, rewrite.Replace(n, o.as.Name()+"."+o.fields[v]))
			default:
				if o.means(scope, n.Name, pos, obj) {
					continue
				}
				return "", shape.No(n, n.Name+" is something else where the goroutine is started")
			}
		}
	}
	text, err := inline.Source(o.pass, e.Pos(), e.End(), edits)
	if err != nil {
		return "", shape.No(e, "the source cannot be read")
	}
	return text, nil
}

// handed reports whether a variable of the function that starts the goroutine is that of
// the goroutine from then on.
func (o *owner) handed(v *types.Var, lit *ast.FuncLit) bool {
	around, _ := uses.Func(o.start)
	for _, c := range o.uses.Of(v) {
		in, ok := uses.Func(c)
		_, result := c.Parent().Parent().Parent().Node().(*ast.FuncType)
		u, _ := c.Parent().Node().(*ast.UnaryExpr)
		if !spawn.Within(lit, c.Node()) && (!ok || in != around || c.Node().Pos() > lit.Pos() || u != nil && u.Op == token.AND) || result && c.Parent().Parent().ParentEdgeKind() == edge.FuncType_Results {
			return false
		}
	}
	return true
}

// means reports whether a name is that of an object at a place, or of the same package.
func (o *owner) means(scope *types.Scope, name string, at token.Pos, obj types.Object) bool {
	_, there := scope.LookupParent(name, at)
	a, ok := there.(*types.PkgName)
	b, is := obj.(*types.PkgName)
	return there == obj || ok && is && a.Imported() == b.Imported()
}
