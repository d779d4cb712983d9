package hotalloc

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
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
	p := split{buffer: buffer{search: s, declaration: d}, call: call, fn: fn}
	edits, why := p.edit(l)
	s.add(f, shape.Fix{Name: "hoist", Says: "make it once before the loop and fill it again in each iteration", Edits: edits}, why)
	return true
}

// A split is the declaration of a slice of parts of a string.
type split struct {
	buffer
	call *ast.CallExpr
	fn   *types.Func
}

func (p *split) edit(in loop.Loop) ([]analysis.TextEdit, *shape.Refusal) {
	at, name := p.at.Node(), p.v.Name()
	p.empty = true
	if why := p.own(); why != nil {
		return nil, why
	}
	if p.how.asked {
		return nil, shape.No(at, name+" is compared with nil, which it would be")
	}
	if p.comments(p.at, at) {
		return nil, shape.No(at, "a comment stands in its declaration")
	}
	before, refused := p.before(in)
	if refused != nil {
		return nil, refused
	}
	fn := loop.Func(p.at)
	if p.taken(fn) {
		return nil, shape.No(p.name, "something else has its name")
	}
	if !rewrite.Universal(p.pass.Pkg, before, "string") || !rewrite.Universal(p.pass.Pkg, at.Pos(), "append") {
		return nil, shape.No(at, "a predeclared name means something else here")
	}
	fill, refused := p.fill(fn)
	if refused != nil {
		return nil, refused
	}
	return []analysis.TextEdit{
		rewrite.Insert(before, "var "+name+" []string\n"),
		rewrite.Replace(at, name+" = "+name+"[:0]\n"+fill),
	}, nil
}

// fill is the text that appends the parts.
func (p *split) fill(fn ast.Node) (string, *shape.Refusal) {
	name, of := p.v.Name(), p.text(p.call.Args[0])
	sel, ok := p.call.Fun.(*ast.SelectorExpr)
	if !ok {
		return "", shape.No(p.call, "the package has no name here")
	}
	pkg := p.text(sel.X)
	if p.fn.Name() == "Fields" {
		if !rewrite.Since(p.pass, p.file(p.at), "go1.24") {
			return "", shape.No(p.call, "strings.FieldsSeq came with Go 1.24, and the module asks for less")
		}
		part := p.fresh(fn, "part")
		return fmt.Sprintf("for %s := range %s.FieldsSeq(%s) {\n%s = append(%s, %s)\n}", part, pkg, of, name, name, part), nil
	}
	sep := p.pass.TypesInfo.Types[p.call.Args[1]].Value
	if sep == nil || constant.StringVal(sep) == "" {
		return "", shape.No(p.call.Args[1], "the separator may be empty")
	}
	find, long := pkg+".Index(%s, "+p.text(p.call.Args[1])+")", len(constant.StringVal(sep))
	if s := constant.StringVal(sep); long == 1 && s[0] < 0x80 {
		find = pkg + ".IndexByte(%s, " + strconv.QuoteRune(rune(s[0])) + ")"
	}
	rest, i := p.fresh(fn, "rest"), p.fresh(fn, "i")
	return fmt.Sprintf("for %s := %s; ; {\n", rest, of) +
		fmt.Sprintf("%s := "+find+"\n", i, rest) +
		fmt.Sprintf("if %s < 0 {\n%s = append(%s, %s)\nbreak\n}\n", i, name, name, rest) +
		fmt.Sprintf("%s = append(%s, %s[:%s])\n%s = %s[%s+%d:]\n}", name, name, rest, i, rest, rest, i, long), nil
}

// before is where a variable is declared once for the loops around l, too.
func (s *search) before(l loop.Loop) (token.Pos, *shape.Refusal) {
	for up, ok := l, true; ok && uses.Listed(up.Whole()); up, ok = loop.Around(s.pass.TypesInfo, up.At) {
		l = up
	}
	if !uses.Listed(l.Whole()) {
		return token.NoPos, shape.No(l.Stmt, "the loop is not a statement of a list")
	}
	pos, why := l.Before()
	if why != "" {
		return token.NoPos, shape.No(l.Stmt, why)
	}
	return pos, nil
}
