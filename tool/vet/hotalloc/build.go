package hotalloc

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// concat looks at s += x of a string in a loop.
func (s *search) concat(c inspector.Cursor, st *ast.AssignStmt) {
	info := s.pass.TypesInfo
	v, _, ok := s.appending(st)
	if !ok {
		return
	}
	l, ok := loop.Around(info, c)
	if !ok || l.Stmt.Pos() <= v.Pos() && v.Pos() < l.Stmt.End() {
		return
	}
	for _, u := range s.index.Of(v) {
		// The first statement of a variable speaks for all.
		if a, ok := u.Parent().Node().(*ast.AssignStmt); ok && a.Pos() < st.Pos() {
			if _, _, ok := s.appending(a); ok {
				if in, ok := loop.Around(info, u); ok && !(in.Stmt.Pos() <= v.Pos() && v.Pos() < in.Stmt.End()) {
					return
				}
			}
		}
	}
	f := s.finding(c, l.Stmt, v.Name()+" is copied whenever something is added to it")
	b := text{search: s, v: v}
	if b.bytes(); b.why == nil {
		f.Fixes = append(f.Fixes, shape.Fix{Name: "bytes", Says: "collect the text in a slice of bytes that is used again", Edits: b.edits})
	}
	b = text{search: s, v: v}
	b.builder()
	s.add(f, shape.Fix{Name: "builder", Says: "collect the text in a strings.Builder", Edits: b.edits}, b.why)
}

// appending reads s += x and s = s + x.
func (s *search) appending(st *ast.AssignStmt) (v *types.Var, x ast.Expr, ok bool) {
	info := s.pass.TypesInfo
	if len(st.Lhs) != 1 || len(st.Rhs) != 1 {
		return nil, nil, false
	}
	v = loop.Var(info, st.Lhs[0])
	if v == nil || v.IsField() || !types.Identical(v.Type(), types.Typ[types.String]) {
		return nil, nil, false
	}
	switch st.Tok {
	case token.ADD_ASSIGN:
		return v, st.Rhs[0], true
	case token.ASSIGN:
		if b, ok := st.Rhs[0].(*ast.BinaryExpr); ok && b.Op == token.ADD && loop.Var(info, b.X) == v {
			return v, b.Y, true
		}
	}
	return nil, nil, false
}

// A text is a string that grows, and becomes what has room to grow.
type text struct {
	*search
	v     *types.Var
	d     declaration
	edits []analysis.TextEdit
	why   *shape.Refusal
}

func (t *text) refuse(n ast.Node, why string) {
	if t.why == nil {
		t.why = shape.No(n, why)
	}
}

// declared finds the declaration.
func (t *text) declared() bool {
	d, ok := t.of(t.v)
	if !ok {
		t.why = &shape.Refusal{Why: t.v.Name() + " is a parameter, or declared beside others", Pos: t.v.Pos()}
		return false
	}
	t.d = d
	if t.comments(d.at, d.at.Node()) {
		t.refuse(d.at.Node(), "a comment stands in its declaration")
	}
	return t.why == nil
}

// starts reports whether the string is not empty at first.
func (t *text) starts() bool {
	if t.d.init == nil {
		return false
	}
	tv := t.pass.TypesInfo.Types[t.d.init]
	return tv.Value == nil || constant.StringVal(tv.Value) != ""
}

// builder makes the edits of a strings.Builder.
func (t *text) builder() {
	if !t.declared() {
		return
	}
	name, at := t.v.Name(), t.d.at.Node()
	pkg, imports := rewrite.Import(t.pass.Pkg, t.file(t.d.at), "strings", at.Pos())
	decl := "var " + name + " " + pkg + ".Builder"
	if t.starts() {
		decl += "\n" + name + ".WriteString(" + t.search.text(t.d.init) + ")"
	}
	t.edits = append(imports, rewrite.Replace(at, decl))
	t.uses(
		func(st *ast.AssignStmt, x ast.Expr, listed bool) {
			parts := []ast.Expr{x}
			if listed {
				parts = t.parts(x)
			}
			t.join(st, parts, name+".WriteString(", ")\n"+name+".WriteString(", ")")
		},
		func(c inspector.Cursor) { t.edits = append(t.edits, rewrite.Insert(c.Node().End(), ".String()")) },
	)
}

// bytes makes the edits of a slice of bytes, which is made before the loop that
// the string is declared in.
func (t *text) bytes() {
	if !t.declared() {
		return
	}
	name, at := t.v.Name(), t.d.at.Node()
	l, ok := loop.Around(t.pass.TypesInfo, t.d.at)
	if !ok {
		t.refuse(at, "it is made once")
		return
	}
	before, why := t.before(l)
	if why != nil {
		t.why = why
		return
	}
	b := buffer{search: t.search, declaration: t.d}
	if fn := loop.Func(t.d.at); b.taken(fn) {
		t.refuse(at, "something else has its name")
		return
	} else if t.names[fn] == nil {
		t.names[fn] = map[string]bool{name: true}
	} else {
		t.names[fn][name] = true
	}
	if !rewrite.Universal(t.pass.Pkg, before, "byte") || !rewrite.Universal(t.pass.Pkg, at.Pos(), "append", "string") {
		t.refuse(at, "a predeclared name means something else here")
		return
	}
	again := name + " = " + name + "[:0]"
	if t.starts() {
		again = name + " = append(" + name + "[:0], " + t.search.text(t.d.init) + "...)"
	}
	t.edits = []analysis.TextEdit{rewrite.Insert(before, "var "+name+" []byte\n"), rewrite.Replace(at, again)}
	t.uses(
		func(st *ast.AssignStmt, x ast.Expr, _ bool) {
			parts := t.parts(x)
			t.join(st, parts, name+" = "+strings.Repeat("append(", len(parts))+name+", ", "...), ", "...)")
		},
		func(c inspector.Cursor) {
			switch up := c.Parent(); c.ParentEdgeKind() {
			case edge.IndexExpr_X:
				return
			case edge.CallExpr_Args:
				if loop.Builtin(t.pass.TypesInfo, up.Node().(*ast.CallExpr)) == "len" {
					return
				}
			}
			t.edits = append(t.edits, rewrite.Insert(c.Node().Pos(), "string("), rewrite.Insert(c.Node().End(), ")"))
		},
	)
}

// join puts text before, between and behind the parts of what a statement adds.
func (t *text) join(st *ast.AssignStmt, parts []ast.Expr, before, between, behind string) {
	from, text := st.Pos(), before
	for _, x := range parts {
		t.edits = append(t.edits, analysis.TextEdit{Pos: from, End: x.Pos(), NewText: []byte(text)})
		from, text = x.End(), between
	}
	t.edits = append(t.edits, analysis.TextEdit{Pos: from, End: st.End(), NewText: []byte(behind)})
}

// uses tells of what the statements add, and of the other uses.
func (t *text) uses(add func(st *ast.AssignStmt, x ast.Expr, listed bool), use func(inspector.Cursor)) {
	v := t.v
	for _, c := range t.index.Of(v) {
		if t.index.Declares(c) {
			continue
		}
		if why := t.keeper().later(v, c); why != nil {
			t.why = why
			return
		}
		switch c.ParentEdgeKind() {
		case edge.AssignStmt_Lhs:
			st := c.Parent().Node().(*ast.AssignStmt)
			_, x, ok := t.appending(st)
			if !ok {
				t.refuse(st, v.Name()+" is assigned, too")
				return
			}
			if uses.Mentions(t.pass.TypesInfo, x, v) {
				t.refuse(x, "what is added depends on "+v.Name())
				return
			}
			if t.comments(c, st) {
				t.refuse(st, "a comment stands in it")
				return
			}
			add(st, x, uses.Listed(c.Parent()))
			continue
		case edge.BinaryExpr_X:
			if a, ok := c.Parent().Parent().Node().(*ast.AssignStmt); ok {
				if w, _, ok := t.appending(a); ok && w == v && a.Tok == token.ASSIGN {
					continue // the s of s = s + x
				}
			}
		case edge.UnaryExpr_X:
			t.refuse(c.Node(), "the address of "+v.Name()+" is taken")
			return
		case edge.RangeStmt_Key, edge.RangeStmt_Value:
			t.refuse(c.Node(), v.Name()+" is assigned, too")
			return
		}
		use(c)
	}
}

// parts are the strings that are put together in x.
func (t *text) parts(x ast.Expr) []ast.Expr {
	if b, ok := ast.Unparen(x).(*ast.BinaryExpr); ok && b.Op == token.ADD && t.pass.TypesInfo.Types[b].Value == nil {
		return append(t.parts(b.X), t.parts(b.Y)...)
	}
	return []ast.Expr{x}
}
