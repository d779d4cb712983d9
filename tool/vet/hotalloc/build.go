package hotalloc

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
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
	edits, why := s.builder(v)
	f := s.finding(c, l.Stmt, v.Name()+" is copied whenever something is added to it")
	s.add(f, shape.Fix{Name: "builder", Says: "collect the text in a strings.Builder", Edits: edits}, why)
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

// builder are the edits that make a strings.Builder of a variable.
func (s *search) builder(v *types.Var) (edits []analysis.TextEdit, why *refusal) {
	info := s.pass.TypesInfo
	all := s.index.Of(v)
	var d declaration
	for _, c := range all {
		if !s.index.Declares(c) {
			continue
		}
		st := c.Parent()
		if _, ok := st.Node().(*ast.ValueSpec); ok {
			st = st.Parent().Parent()
		}
		var ok bool
		if d, ok = s.declaration(st); !ok || d.v != v {
			return nil, no(c.Node(), v.Name()+" is a parameter, or declared beside others")
		}
	}
	if d.name == nil {
		return nil, &refusal{v.Name() + " is not a variable of the function", v.Pos()}
	}
	if s.comments(d.at, d.at.Node()) {
		return nil, no(d.at.Node(), "a comment stands in its declaration")
	}
	pkg, imports := rewrite.Import(s.pass.Pkg, s.file(d.at), "strings", d.at.Node().Pos())
	text := "var " + v.Name() + " " + pkg + ".Builder"
	if d.init != nil {
		if tv := info.Types[d.init]; tv.Value == nil || constant.StringVal(tv.Value) != "" {
			text += "\n" + v.Name() + ".WriteString(" + s.text(d.init) + ")"
		}
	}
	edits = append(imports, rewrite.Replace(d.at.Node(), text))
	for _, c := range all {
		if s.index.Declares(c) {
			continue
		}
		if why := s.keeper().later(v, c); why != nil {
			return nil, why
		}
		switch c.ParentEdgeKind() {
		case edge.AssignStmt_Lhs:
			st := c.Parent().Node().(*ast.AssignStmt)
			_, x, ok := s.appending(st)
			if !ok {
				return nil, no(st, v.Name()+" is assigned, too")
			}
			if len(st.Rhs) == 1 && s.mentions(x, v) {
				return nil, no(x, "what is added depends on "+v.Name())
			}
			if s.comments(c, &span{st.Lhs[0].Pos(), x.Pos()}) {
				return nil, no(st, "a comment stands in it")
			}
			edits = append(edits, analysis.TextEdit{Pos: st.Pos(), End: x.Pos(), NewText: []byte(v.Name() + ".WriteString(")}, rewrite.Insert(x.End(), ")"))
			continue
		case edge.BinaryExpr_X:
			if a, ok := c.Parent().Parent().Node().(*ast.AssignStmt); ok {
				if w, _, ok := s.appending(a); ok && w == v && a.Tok == token.ASSIGN {
					continue // the s of s = s + x
				}
			}
		case edge.UnaryExpr_X:
			return nil, no(c.Node(), "the address of "+v.Name()+" is taken")
		case edge.RangeStmt_Key, edge.RangeStmt_Value:
			return nil, no(c.Node(), v.Name()+" is assigned, too")
		}
		edits = append(edits, rewrite.Insert(c.Node().End(), ".String()"))
	}
	return edits, nil
}

// A span is a stretch of a file as a node.
type span struct{ from, to token.Pos }

func (s *span) Pos() token.Pos { return s.from }
func (s *span) End() token.Pos { return s.to }

// mentions reports whether e uses v.
func (s *search) mentions(e ast.Expr, v *types.Var) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && s.pass.TypesInfo.Uses[id] == v {
			found = true
		}
		return !found
	})
	return found
}
