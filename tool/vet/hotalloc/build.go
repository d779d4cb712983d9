package hotalloc

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// concat looks at s += x of a string in a loop. The first statement of a variable
// speaks for all.
func (s *search) concat(c inspector.Cursor, st *ast.AssignStmt) {
	v, _ := s.appending(st)
	l, ok := loop.Around(s.pass.TypesInfo, c)
	if v == nil || !ok || l.Stmt.Pos() <= v.Pos() && v.Pos() < l.Stmt.End() || s.grown[v] {
		return
	}
	s.grown[v] = true
	f := s.finding(c, l.Stmt, v.Name()+" is copied whenever something is added to it")
	t := text{search: s, v: v}
	t.builder()
	s.add(f, shape.Fix{Name: "builder", Says: "collect the text in a strings.Builder", Edits: t.edits}, t.why)
}

// appending reads s += x.
func (s *search) appending(st *ast.AssignStmt) (v *types.Var, x ast.Expr) {
	if st.Tok != token.ADD_ASSIGN {
		return nil, nil
	}
	v = loop.Var(s.pass.TypesInfo, st.Lhs[0])
	if v == nil || v.IsField() || !types.Identical(v.Type(), types.Typ[types.String]) {
		return nil, nil
	}
	return v, st.Rhs[0]
}

// A text is a string that grows, and becomes what has room to grow.
type text struct {
	*search
	v     *types.Var
	edits []analysis.TextEdit
	why   *shape.Refusal
}

// builder makes the edits of a strings.Builder, for a string that is empty at first.
func (t *text) builder() {
	d, ok := t.of(t.v)
	if !ok {
		t.why = &shape.Refusal{Why: t.v.Name() + " is a parameter, or declared beside others", Pos: t.v.Pos()}
		return
	}
	at := d.at.Node()
	if d.init != nil && (t.pass.TypesInfo.Types[d.init].Value == nil || constant.StringVal(t.pass.TypesInfo.Types[d.init].Value) != "") {
		t.why = shape.No(d.init, "it begins with a text")
		return
	}
	if t.comments(d.at, at) {
		t.why = shape.No(at, "a comment stands in its declaration")
		return
	}
	pkg, imports := rewrite.Import(t.pass.Pkg, t.file(d.at), "strings", at.Pos())
	t.edits = append(imports, rewrite.Replace(at, "var "+t.v.Name()+" "+pkg+".Builder"))
	t.uses()
}

// uses has the statements write what they add, and the other uses ask for the string.
func (t *text) uses() {
	for _, c := range t.index.Of(t.v) {
		if t.index.Declares(c) {
			continue
		}
		if t.why = t.keeper.later(t.v, c); t.why != nil {
			return
		}
		whole := uses.Whole(c)
		if !uses.Written(whole) {
			t.edits = append(t.edits, rewrite.Insert(c.Node().End(), ".String()"))
			continue
		}
		st, ok := whole.Parent().Node().(*ast.AssignStmt)
		var x ast.Expr
		if ok {
			_, x = t.appending(st)
		}
		switch {
		case x == nil:
			t.why = shape.No(whole.Parent().Node(), t.v.Name()+" is assigned, too, or its address is taken")
		case uses.Mentions(t.pass.TypesInfo, x, t.v):
			t.why = shape.No(x, "what is added depends on "+t.v.Name())
		case t.comments(c, st) || !uses.Listed(whole.Parent()):
			t.why = shape.No(st, "a comment stands in it, or it is not a statement of a list")
		}
		if t.why != nil {
			return
		}
		from, write := st.Pos(), t.v.Name()+".WriteString("
		for _, part := range t.parts(x) {
			t.edits = append(t.edits, analysis.TextEdit{Pos: from, End: part.Pos(), NewText: []byte(write)})
			from, write = part.End(), ")\n"+t.v.Name()+".WriteString("
		}
		t.edits = append(t.edits, analysis.TextEdit{Pos: from, End: st.End(), NewText: []byte(")")})
	}
}

// parts are the strings that are put together in x. What stands before a call that
// may change it stays with that.
func (t *text) parts(x ast.Expr) []ast.Expr {
	if b, ok := ast.Unparen(x).(*ast.BinaryExpr); ok && b.Op == token.ADD && t.pass.TypesInfo.Types[b].Value == nil && flow.Of(t.pass).Within(b.Y).First(flow.Changes) == nil {
		return append(t.parts(b.X), t.parts(b.Y)...)
	}
	return []ast.Expr{x}
}
