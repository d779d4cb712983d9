package hotalloc

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// letGo are the edits by which a struct that was got goes back: put, before each
// end of the function, or deferred where that cannot be written. A panic passes
// the ends by, and the struct is collected. Deferring would cost a fifth of what
// a call with a pool does.
func (b *buffer) letGo(decl *ast.FuncDecl, get, put, deferred string) []analysis.TextEdit {
	edits, ok := b.ends(decl, put)
	if !ok {
		return b.lines(get + deferred)
	}
	return append(edits, b.lines(strings.TrimSuffix(get, "\n"))...)
}

// lines are the edits that put several in the place of the declaration. A comment
// behind it stays behind the first.
func (b *buffer) lines(text string) []analysis.TextEdit {
	n := b.at.Node()
	first, rest, several := strings.Cut(text, "\n")
	line := func(pos token.Pos) int { return b.pass.Fset.PositionFor(pos, false).Line }
	for _, c := range b.file(b.at).Comments {
		if several && n.End() <= c.Pos() && line(c.Pos()) == line(n.End()) {
			return []analysis.TextEdit{rewrite.Replace(n, first), rewrite.Insert(c.End(), "\n"+rest)}
		}
	}
	return []analysis.TextEdit{rewrite.Replace(n, text)}
}

// ends are the edits that put text before each end of the function that the
// declaration leads to. The results are computed before.
func (b *buffer) ends(decl *ast.FuncDecl, put string) (edits []analysis.TextEdit, ok bool) {
	for c := range b.at.Parent().Preorder((*ast.ReturnStmt)(nil)) {
		if c.Node().Pos() < b.at.Node().End() || loop.Func(c) != ast.Node(decl) {
			continue
		}
		edit, ok := b.end(decl, c, put)
		if !ok {
			return nil, false
		}
		edits = append(edits, edit)
	}
	if b.falls(decl) {
		edits = append(edits, rewrite.Insert(decl.Body.Rbrace, put))
	}
	return edits, len(edits) > 0
}

// falls reports whether the function may end with its last statement.
func (b *buffer) falls(decl *ast.FuncDecl) bool {
	if decl.Type.Results != nil {
		return false
	}
	switch last := decl.Body.List[len(decl.Body.List)-1].(type) {
	case *ast.ReturnStmt:
		return false
	case *ast.ForStmt:
		return last.Cond != nil
	case *ast.ExprStmt:
		call, ok := last.X.(*ast.CallExpr)
		return !ok || loop.Builtin(b.pass.TypesInfo, call) != "panic"
	}
	return true
}

// end is the edit of a return statement.
func (b *buffer) end(decl *ast.FuncDecl, c inspector.Cursor, put string) (edit analysis.TextEdit, ok bool) {
	ret := c.Node().(*ast.ReturnStmt)
	if !uses.Listed(c) || b.comments(c, ret) {
		return edit, false
	}
	scope := b.pass.Pkg.Scope().Innermost(ret.Pos())
	if _, o := scope.LookupParent(b.v.Name(), ret.Pos()); o != b.v {
		return edit, false
	}
	if _, ok := rewrite.Type(b.pass.Pkg, b.file(c), ret.Pos(), uses.Deref(b.v.Type())); !ok {
		return edit, false
	}
	var names, values, results []string
	computed, given := false, rewrite.Names{}
	name := func() {
		n := given.Fresh(b.pass.Pkg, decl, "out")
		names, results = append(names, n), append(results, n)
	}
	for _, e := range ret.Results {
		tv := b.pass.TypesInfo.Types[e]
		if tv.Value != nil || tv.IsNil() {
			results = append(results, b.text(e))
			continue
		}
		if b.untyped(e) {
			return edit, false
		}
		if loop.Var(b.pass.TypesInfo, e) == nil {
			computed = true
		}
		values = append(values, b.text(e))
		name()
		if t, ok := tv.Type.(*types.Tuple); ok {
			for range t.Len() - 1 {
				name()
			}
		}
	}
	if !computed {
		return rewrite.Insert(ret.Pos(), put), true
	}
	return rewrite.Replace(ret, strings.Join(names, ", ")+" := "+strings.Join(values, ", ")+"\n"+put+"return "+strings.Join(results, ", ")), true
}

// untyped reports whether the type of an expression that is no constant may
// depend on where it stands.
func (b *buffer) untyped(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		x, ok := n.(*ast.BinaryExpr)
		if !ok {
			return !found
		}
		switch x.Op {
		case token.SHL, token.SHR:
			found = found || b.pass.TypesInfo.Types[x.X].Value != nil
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			found = found || !types.Identical(b.pass.TypesInfo.TypeOf(x), types.Typ[types.Bool]) && !types.Identical(b.pass.TypesInfo.TypeOf(x), types.Typ[types.UntypedBool])
		}
		return !found
	})
	return found
}
