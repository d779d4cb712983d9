package guard

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A Place is where the guarded value is used.
type Place struct {
	inspector.Cursor                  // the expression: s.n
	In               *section.Section // nil outside the sections of the lock
}

// Alone returns why v cannot be taken from the lock, or "". It has to be all
// that the sections which touch it use of what the lock guards.
func (l *Lock) Alone(v *types.Var) (why string, at token.Pos) {
	if why, at := l.Visible(); why != "" {
		return why, at
	}
	if why := l.Uses.Unseen(v); why != "" {
		return why, v.Pos()
	}
	if v.Pkg() != l.Pass.Pkg {
		return "other packages may use " + v.Name(), v.Pos()
	}
	for _, s := range l.Sections {
		e := l.Does[s]
		if len(e.Unknown) > 0 { // it may use v
			return "nobody knows what is done under the lock by a call", e.Unknown[0].Pos()
		}
		if !e.Touches(v) {
			continue
		}
		var others []string
		for x := range l.Guarded {
			if x != v && e.Touches(x) {
				others = append(others, x.Name())
			}
		}
		if len(others) > 0 {
			return fmt.Sprintf("%s and %s are used under the lock together", v.Name(), slices.Min(others)), s.Enter.Node().Pos()
		}
		for _, stmt := range s.Stmts {
			for call := range stmt.Preorder((*ast.CallExpr)(nil)) {
				fn := section.Callee(l.Uses.Info, call.Node().(*ast.CallExpr))
				if fn == nil {
					continue
				}
				if _, ok := l.Uses.Declaration(fn); ok && l.in.Called(fn).Touches(v) {
					return fn.Name() + ", which is called under the lock, uses " + v.Name(), call.Node().Pos()
				}
			}
		}
		if len(e.Waits) > 0 {
			return "somebody waits while holding the lock", e.Waits[0].Pos()
		}
	}
	return "", 0
}

// Places are the uses of v, but for its declaration.
func (l *Lock) Places(v *types.Var) (all []Place) {
	for _, use := range l.Uses.Of(v) {
		if !l.Uses.Declares(use) {
			p := Place{Cursor: uses.Whole(use)}
			for at := use; at.Node() != nil && p.In == nil; at = at.Parent() {
				p.In = l.stmts[at.Node()]
			}
			all = append(all, p)
		}
	}
	return all
}

// Declared edits the type of v where it is declared, alone and without a value.
func (l *Lock) Declared(v *types.Var, change func(typ ast.Expr) []analysis.TextEdit) (edits []analysis.TextEdit, why string, at token.Pos) {
	for _, use := range l.Uses.Of(v) {
		if !l.Uses.Declares(use) {
			continue
		}
		switch d := use.Parent().Node().(type) {
		case *ast.Field:
			st, ok := l.Struct(use)
			switch {
			case !ok || !v.IsField():
				return nil, v.Name() + " is a parameter or a result", v.Pos()
			case len(d.Names) != 1:
				return nil, v.Name() + " is embedded, or declared together with others", v.Pos()
			}
			if why, at := l.unkeyed(st); why != "" {
				return nil, why, at
			}
			if why, at := st.Shown(l.Uses); why != "" {
				return nil, why, at
			}
			return change(d.Type), "", 0
		case *ast.ValueSpec:
			if len(d.Names) == 1 && d.Type != nil && len(d.Values) == 0 {
				return change(d.Type), "", 0
			}
		}
		return nil, v.Name() + " is declared with a value, or together with others", v.Pos()
	}
	return nil, NotMeant, 0
}

// zero returns the statement x := 0 that declares v, or nil.
func (l *Lock) zero(v *types.Var) *ast.AssignStmt {
	for _, use := range l.Uses.Of(v) {
		if !l.Uses.Declares(use) || use.ParentEdgeKind() != edge.AssignStmt_Lhs || !uses.Listed(use.Parent()) {
			continue
		}
		a := use.Parent().Node().(*ast.AssignStmt)
		if len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			return nil
		}
		x := l.Uses.Info.Types[a.Rhs[0]].Value
		if x != nil && (x.Kind() == constant.Int && constant.Sign(x) == 0 || x.Kind() == constant.Bool && !constant.BoolVal(x)) {
			return a
		}
	}
	return nil
}

// unkeyed returns where a literal of a struct has no field names.
func (l *Lock) unkeyed(st layout.Struct) (why string, at token.Pos) {
	if st.Name == nil {
		return "", 0
	}
	for _, lit := range l.Uses.Literals(st.Name) {
		n := lit.Node().(*ast.CompositeLit)
		if len(n.Elts) > 0 {
			if _, keyed := n.Elts[0].(*ast.KeyValueExpr); !keyed {
				return "a literal of " + st.Name.Name() + " has no field names", n.Pos()
			}
		}
	}
	return "", 0
}

// Settle takes a field out of a literal and sets it in a statement that follows.
// The statements come from set, which gets the variable's field and the value;
// nil makes none.
func (l *Lock) Settle(kv inspector.Cursor, set func(field, value string) string) (edits []analysis.TextEdit, why string) {
	pair := kv.Node().(*ast.KeyValueExpr)
	lit := kv.Parent()
	n := lit.Node().(*ast.CompositeLit)
	i := slices.Index(n.Elts, ast.Expr(pair))
	for j, e := range n.Elts {
		if j != i && calls(l.Uses.Info, e) && calls(l.Uses.Info, pair.Value) {
			return nil, "a literal calls functions for several fields"
		}
	}
	// The element goes with its comma.
	gone := analysis.TextEdit{Pos: pair.Pos(), End: pair.End()}
	switch {
	case i+1 < len(n.Elts):
		gone.End = n.Elts[i+1].Pos()
	case i > 0:
		gone.Pos = n.Elts[i-1].End()
		if l.line(n.Rbrace) > l.line(pair.End()) {
			gone.End = n.Rbrace
			edits = append(edits, rewrite.Insert(n.Rbrace, ",\n"))
		}
	default:
		gone.Pos, gone.End = n.Lbrace+1, n.Rbrace
	}
	edits = append(edits, gone)
	if set == nil {
		return edits, ""
	}
	field, value := pair.Key.(*ast.Ident).Name, rewrite.Text(l.Pass.Fset, pair.Value)
	e := lit
	if e.ParentEdgeKind() == edge.UnaryExpr_X {
		e = e.Parent()
	}
	const nowhere = "a literal sets it where no statement can follow"
	stmt := e.Parent()
	switch s := stmt.Node().(type) {
	case *ast.AssignStmt:
		id, ok := s.Lhs[0].(*ast.Ident)
		if _, inList := uses.Statement(stmt); len(s.Lhs) != 1 || !ok || id.Name == "_" || !inList || !uses.Listed(stmt) {
			return nil, nowhere
		}
		return append(edits, rewrite.Insert(s.End(), "\n"+set(id.Name+"."+field, value))), ""
	case *ast.ValueSpec:
		decl := stmt.Parent().Parent()
		if len(s.Names) != 1 || decl.Node() == nil || stmt.Parent().ParentEdgeKind() != edge.DeclStmt_Decl || s.Names[0].Name == "_" {
			return nil, nowhere
		}
		return append(edits, rewrite.Insert(decl.Node().End(), "\n"+set(s.Names[0].Name+"."+field, value))), ""
	case *ast.ReturnStmt:
		if len(s.Results) != 1 || e == lit || !uses.Listed(stmt) {
			return nil, nowhere
		}
		fn, _ := uses.Func(stmt)
		x := rewrite.Fresh(l.Pass.Pkg, fn.Node(), strings.ToLower(uses.Named(l.Uses.Info.TypeOf(n)).Obj().Name()[:1]))
		edits = append(edits, analysis.TextEdit{Pos: s.Pos(), End: e.Node().Pos(), NewText: []byte(x + " := ")})
		return append(edits, rewrite.Insert(s.End(), "\n"+set(x+"."+field, value)+"\nreturn "+x)), ""
	}
	return nil, nowhere
}

func (l *Lock) line(p token.Pos) int { return l.Pass.Fset.PositionFor(p, false).Line }

// calls reports whether an expression calls functions.
func calls(info *types.Info, e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if tv := info.Types[call.Fun]; !tv.IsType() && !tv.IsBuiltin() {
				found = true
			}
		}
		return !found
	})
	return found
}
