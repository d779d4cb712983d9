package staticsplit

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// newParts returns the loop of a worker over one of the parts that the loop which
// starts the workers goes over: by key or by owner, where some have most of the
// elements. It is nil where the site's workers have none.
func newParts(pass *analysis.Pass, s *spawn.Site) *split {
	p := &split{pass: pass, info: pass.TypesInfo, s: s}
	l, ok := s.Loop.(*ast.RangeStmt)
	if !ok || l.Tok != token.DEFINE || l.Value == nil {
		return nil
	}
	switch p.info.TypeOf(l.X).Underlying().(type) {
	case *types.Slice, *types.Array:
	default:
		return nil
	}
	part, _ := inline.Object(p.info, l.Value).(*types.Var)
	if part == nil || inline.Sets(p.info, l.Body, part) {
		return nil
	}
	if _, ok := part.Type().Underlying().(*types.Slice); !ok {
		return nil
	}
	if p.w, _ = inline.Object(p.info, l.Key).(*types.Var); p.w == nil {
		p.w = types.NewVar(token.NoPos, pass.Pkg, "", types.Typ[types.Int]) // nobody's number
	}
	for _, st := range inline.Literal(s).Body.List {
		if r, ok := st.(*ast.RangeStmt); ok && r.Tok != token.ASSIGN && inline.Object(p.info, p.resolve(r.X)) == types.Object(part) {
			p.loop, p.made = r, l
			return p
		}
	}
	return nil
}

// share has workers that are done with their part take chunks of the others'.
func (p *split) share(f *shape.Finding, refuse func(token.Pos, string, ...any)) {
	l, why := inline.Numbered(p.pass, p.s.File, p.made)
	if l == nil {
		refuse(p.made.Pos(), "%s", why)
		return
	}
	if at, why := l.Late(p.pass, p.s); at != nil {
		refuse(at.Pos(), "%s", why)
		return
	}
	rest, err := inline.Source(p.pass, p.body().Lbrace+1, p.body().Rbrace, nil)
	if err != nil {
		refuse(p.loop.Pos(), "%v", err)
		return
	}
	atomic, imports := rewrite.Import(p.pass.Pkg, p.s.File, "sync/atomic", p.made.Pos())
	fresh := func(name string) string { return rewrite.Fresh(p.pass.Pkg, p.s.Func, name) }
	next, from, turn, at, part := fresh("next"), fresh("from"), fresh("turn"), fresh("at"), fresh("some")
	over, w := p.text(p.made.X), p.text(p.made.Key)
	head := []analysis.TextEdit{}
	if w == "_" {
		w = fresh("w")
		head = append(head, rewrite.Replace(p.made.Key, w))
	}
	if v := inline.Object(p.info, p.made.Value); !p.usedElsewhere(v) {
		head = append(head, analysis.TextEdit{Pos: p.made.Key.End(), End: p.made.Value.End()})
	}
	value := ""
	if r := p.loop.(*ast.RangeStmt); r.Value != nil {
		value = "_, " + p.text(r.Value) + " := "
	}
	for _, k := range []int{1, 16, 256} {
		text := fmt.Sprintf("for %[1]s := range %[2]s { // its own part first\n%[3]s := (%[4]s + %[1]s) %% %[2]s\n%[5]s := %[6]s[%[3]s]\nfor {\n"+
			"%[7]s := int(%[8]s[%[3]s].Add(%[9]d)) - %[9]d\nif %[7]s >= len(%[5]s) {\nbreak\n}\nfor %[10]srange %[5]s[%[7]s:min(%[7]s+%[9]d, len(%[5]s))] {%[11]s}\n}\n}",
			turn, l.Count, at, w, part, over, from, next, k, value, rest)
		edits := append([]analysis.TextEdit{
			rewrite.Insert(p.made.Pos(), fmt.Sprintf("%s := make([]%s.Int64, %s) // of each part the first element that nobody has taken\n", next, atomic, l.Count)),
			rewrite.Replace(p.loop, text),
		}, imports...)
		f.Fixes = append(f.Fixes, shape.Fix{
			Name: "dynamic", Value: k,
			Says:  fmt.Sprintf("let workers that are done with their part take elements of the others' parts, %d at a time", k),
			Edits: append(edits, head...),
		})
	}
}
