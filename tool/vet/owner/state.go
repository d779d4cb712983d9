package owner

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

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
			if no := o.keep(v, id.Name); no != nil {
				return no
			}
		}
	}
	if o.decl != nil {
		gets := o.info.Defs[o.decl.Name].(*types.Func).Signature()
		if gets.Variadic() || gets.Params().Len() != len(at.Call.Args) {
			return shape.No(at, "the goroutine gets several values at once")
		}
		for i, arg := range at.Call.Args {
			text, err := inline.Source(o.pass, arg.Pos(), arg.End(), nil)
			if err != nil {
				return shape.No(arg, "the source cannot be read")
			}
			if no := o.keep(gets.Params().At(i), text); no != nil {
				return no
			}
			o.refers = o.refers || uses.Mentions(o.info, arg, o.as)
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
			if no := o.keep(o.info.Defs[id].(*types.Var), text); no != nil {
				return no
			}
		}
	}
	return o.begin()
}

// begin sets the fields that variables become: in the literal that makes the struct if it
// comes to the same, in the place of a channel.
func (o *owner) begin() *shape.Refusal {
	before, _ := o.start.PrevSibling()
	in := slices.IndexFunc(o.parts, func(c inspector.Cursor) bool { return c.Parent() == o.made })
	plain := !slices.ContainsFunc(o.made.Node().(*ast.CompositeLit).Elts, func(e ast.Expr) bool {
		v := e.(*ast.KeyValueExpr).Value
		return !o.makes(v) && o.info.Types[v].Value == nil
	})
	whole := len(o.sets) > 0 && in >= 0 && plain && !o.refers && before == o.made.Parent().Parent()
	var fields, sets []string
	for _, s := range o.sets {
		fields, sets = append(fields, s[0]+": "+s[1]), append(sets, o.as.Name()+"."+s[0]+" = "+s[1])
	}
	for i, c := range o.parts {
		if whole && i == in {
			o.edits = append(o.edits, rewrite.Replace(c.Node(), strings.Join(fields, ", ")))
		} else {
			o.edits = append(o.edits, o.drop(c))
		}
	}
	if whole || len(sets) == 0 {
		o.edits = append(o.edits, rewrite.Drop(o.pass.Fset, o.start))
	} else {
		o.edits = append(o.edits, rewrite.Replace(o.start.Node(), strings.Join(sets, "\n")))
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

// keep makes a field of a variable of the goroutine, with the value that it begins with.
func (o *owner) keep(v *types.Var, text string) *shape.Refusal {
	if v.Name() == "" || v.Name() == "_" {
		return &shape.Refusal{Why: "what the goroutine begins with has no name", Pos: v.Pos()}
	}
	is, ok := rewrite.Type(o.pass.Pkg, rewrite.File(o.pass, o.typ.Pos()), o.typ.Pos(), v.Type())
	if !ok {
		return &shape.Refusal{Why: "the type of " + v.Name() + " cannot be written in " + o.typ.Name(), Pos: v.Pos()}
	}
	o.fields[v] = o.field(v.Name())
	o.declare += "\n" + o.fields[v] + " " + is
	if text != "" {
		o.sets = append(o.sets, [2]string{o.fields[v], text})
	}
	return nil
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
	for n := range ast.Preorder(e) {
		if n, ok := n.(*ast.Ident); ok {
			obj := o.info.Uses[n]
			v, _ := obj.(*types.Var)
			switch {
			case obj == nil || v != nil && v.IsField():
			case v != nil && (v == o.self || o.fields[v] != ""):
				o.refers = true
				edits = append(edits, rewrite.Replace(n, strings.TrimSuffix(o.as.Name()+"."+o.fields[v], ".")))
			case !o.means(n.Name, obj):
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

// means reports whether a name is that of an object where the goroutine is started, or of
// the same package.
func (o *owner) means(name string, obj types.Object) bool {
	pos := o.start.Node().Pos()
	_, there := o.pass.Pkg.Scope().Innermost(pos).LookupParent(name, pos)
	a, ok := there.(*types.PkgName)
	b, is := obj.(*types.PkgName)
	return there == obj || ok && is && a.Imported() == b.Imported()
}
