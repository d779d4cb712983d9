package hotalloc

import (
	"fmt"
	"go/ast"
	"go/constant"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// splits looks at parts := strings.Split(s, sep) in a loop, and reports whether it
// is one.
func (s *search) splits(d declaration) bool {
	call, ok := d.init.(*ast.CallExpr)
	if !ok || d.typ != nil {
		return false
	}
	fn := typeutil.StaticCallee(s.pass.TypesInfo, call)
	if fn == nil || fn.FullName() != "strings.Split" && fn.FullName() != "strings.Fields" {
		return false
	}
	l, ok := loop.Around(s.pass.TypesInfo, d.at)
	if !ok {
		return false
	}
	f := s.finding(d.at, l.Stmt, d.v.Name()+" is made anew in each iteration")
	b := buffer{search: s, declaration: d, empty: true}
	edits, why := b.split(l, call, fn.Name())
	s.add(f, shape.Fix{Name: "hoist", Says: "make it once before the loop and fill it again in each iteration", Edits: edits}, why)
	return true
}

// split are the edits by which a slice that stays gets the parts that a function
// of package strings returns.
func (b *buffer) split(in loop.Loop, call *ast.CallExpr, function string) ([]analysis.TextEdit, *shape.Refusal) {
	at, name, fn := b.at.Node(), b.v.Name(), loop.Func(b.at)
	if why := b.own(); why != nil {
		return nil, why
	}
	before, why := b.moved(b.declaration, b.outermost(in))
	if why != nil {
		return nil, why
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !rewrite.Universal(b.pass.Pkg, before, "string") || !rewrite.Universal(b.pass.Pkg, at.Pos(), "append", "string", "true") {
		return nil, shape.No(at, "a name means something else here")
	}
	pkg, of, part := b.text(sel.X), b.text(call.Args[0]), b.fresh(fn, "part")
	var fill string
	if function == "Fields" {
		if !rewrite.Since(b.pass, b.file(b.at), "go1.24") {
			return nil, shape.No(call, "strings.FieldsSeq came with Go 1.24, and the module asks for less")
		}
		fill = fmt.Sprintf("for %s := range %s.FieldsSeq(%s) {\n%s = append(%s, %s)\n}", part, pkg, of, name, name, part)
	} else {
		sep := b.pass.TypesInfo.Types[call.Args[1]].Value
		if sep == nil || constant.StringVal(sep) == "" {
			return nil, shape.No(call.Args[1], "the separator may be empty")
		}
		rest, more := b.fresh(fn, "rest"), b.fresh(fn, "more")
		fill = fmt.Sprintf("for %s, %s := %s, true; %s; {\nvar %s string\n%s, %s, %s = %s.Cut(%s, %s)\n%s = append(%s, %s)\n}",
			rest, more, of, more, part, part, rest, more, pkg, rest, b.text(call.Args[1]), name, name, part)
	}
	return []analysis.TextEdit{
		rewrite.Insert(before, name+" := []string{}\n"), // as empty, and not nil, as what is returned
		rewrite.Replace(at, name+" = "+name+"[:0]\n"+fill),
	}, nil
}
