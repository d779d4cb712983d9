package recgo

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// Three levels of halves have a part for each of eight processors. More let those
// that are done early help, as far as calls of one level differ.
var depths = []int{3, 6, 10}

// levels starts goroutines for the first levels of calls alone: where nothing
// tells how much a call has to do, how many there are above it does.
func (r *recursion) levels(f *shape.Finding, serial []analysis.TextEdit) {
	refuse := func(at ast.Node, why string) {
		f.Refused = append(f.Refused, shape.Refusal{Name: "levels", Why: why, Pos: at.Pos()})
	}
	if r.fn.Signature().Variadic() {
		refuse(r.decl, "the function takes any number of arguments")
		return
	}
	called := map[*ast.Ident]bool{}
	for _, c := range r.calls {
		ast.Inspect(c.Fun, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && r.isName(id) {
				called[id] = true
			}
			return true
		})
	}
	var other *ast.Ident
	ast.Inspect(r.decl.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && r.isName(id) && !called[id] {
			other = id
		}
		return other == nil
	})
	if other != nil {
		refuse(other, "the function is started as a value, which cannot be given more")
		return
	}
	one, no := r.twin(serial)
	if no != nil {
		refuse(r.decl, no.Why)
		return
	}
	left := rewrite.Fresh(r.pass.Pkg, r.decl, "levels")
	name := r.name("Levels")
	edits := []analysis.TextEdit{
		r.more(r.decl.Type.Params.Opening+1, fields(r.decl.Type.Params), left+" int"),
		rewrite.Insert(r.decl.Body.Lbrace+1, fmt.Sprintf("\nif %s == 0 {\n%s\n}", left, r.ends(r.name("Serial")))),
	}
	for _, c := range r.calls {
		edits = append(edits, r.more(c.Lparen+1, exprs(c.Args), left+"-1"))
	}
	text, err := inline.Twin(r.pass, r.decl, name, edits)
	if err != nil {
		refuse(r.decl, err.Error())
		return
	}
	text = fmt.Sprintf("\n\n// %s is %s with goroutines for the first levels of calls.\n%s", name, r.decl.Name.Name, text)
	for _, k := range depths {
		first := analysis.TextEdit{
			Pos: r.decl.Body.Lbrace + 1, End: r.decl.Body.Rbrace,
			NewText: []byte("\n" + strings.TrimSuffix(r.ends(name, fmt.Sprint(k)), "\nreturn") + "\n"),
		}
		f.Fixes = append(f.Fixes, shape.Fix{
			Name: "levels", Value: k,
			Says:  fmt.Sprintf("start goroutines for the first %d levels of calls alone", k),
			Edits: append(slices.Clone(one), first, rewrite.Insert(r.decl.End(), text)),
		})
	}
}

// isName reports whether an identifier stands for the function.
func (r *recursion) isName(id *ast.Ident) bool {
	fn, ok := r.info.Uses[id].(*types.Func)
	return ok && fn.Origin() == r.fn
}

// more puts one more behind a list that begins at pos.
func (r *recursion) more(pos token.Pos, list []ast.Node, text string) analysis.TextEdit {
	if len(list) == 0 {
		return rewrite.Insert(pos, text)
	}
	return rewrite.Insert(list[len(list)-1].End(), ", "+text)
}

func fields(l *ast.FieldList) (out []ast.Node) {
	for _, f := range l.List {
		out = append(out, f)
	}
	return out
}

func exprs(list []ast.Expr) (out []ast.Node) {
	for _, e := range list {
		out = append(out, e)
	}
	return out
}
