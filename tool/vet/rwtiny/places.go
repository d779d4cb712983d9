package rwtiny

import (
	"fmt"
	"go/ast"
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

// A place is where the guarded value is used.
type place struct {
	inspector.Cursor                  // the expression: s.n
	in               *section.Section // nil outside the sections of the lock
}

// value returns the one field or package variable that a read section reads of
// what the lock guards, alone in all sections that touch it; or why there is
// none.
func (c *check) value(read *section.Section) (v *types.Var, why string, at token.Pos) {
	for x := range c.effects[read].Reads {
		if c.guarded[x] {
			if v != nil {
				return nil, "it reads several values together", read.Enter.Node().Pos()
			}
			v = x
		}
	}
	if v == nil || !v.IsField() && v.Parent() != c.Pass.Pkg.Scope() {
		return nil, notMeant, 0
	}
	if why, at := c.visible(); why != "" {
		return nil, why, at
	}
	if !c.private(v) || v.Pkg() != c.Pass.Pkg {
		return nil, "other packages may use " + v.Name(), v.Pos()
	}
	for _, s := range c.Sections {
		e := c.effects[s]
		if !e.Touches(v) {
			continue
		}
		var others []string
		for x := range c.guarded {
			if x != v && e.Touches(x) {
				others = append(others, x.Name())
			}
		}
		if len(others) > 0 {
			return nil, fmt.Sprintf("%s and %s are used under the lock together", v.Name(), slices.Min(others)), s.Enter.Node().Pos()
		}
		for _, stmt := range s.Stmts {
			for call := range stmt.Preorder((*ast.CallExpr)(nil)) {
				fn := section.Callee(c.Uses.Info, call.Node().(*ast.CallExpr))
				if fn == nil {
					continue
				}
				if decl, ok := c.Uses.Declaration(fn); ok && c.Effects(decl).Touches(v) {
					return nil, fn.Name() + ", which is called under the lock, uses " + v.Name(), call.Node().Pos()
				}
			}
		}
		if len(e.Unknown) > 0 {
			return nil, "nobody knows what is done under the lock by a call", e.Unknown[0].Pos()
		}
		if len(e.Waits) > 0 {
			return nil, "somebody waits while holding the lock", e.Waits[0].Pos()
		}
	}
	return v, "", 0
}

// private reports whether other packages cannot use v. An embedded field is
// known by its type.
func (c *check) private(v *types.Var) bool {
	if uses.Private(v) || c.Pass.Pkg.Name() == "main" {
		return true
	}
	for _, use := range c.Uses.Of(v) {
		if v.Embedded() && c.Uses.Declares(use) {
			st, ok := c.struct_(use)
			return ok && st.Name != nil && !st.Name.Exported()
		}
	}
	return false
}

// places are the uses of v, but for its declaration.
func (c *check) places(v *types.Var) (all []place) {
	for _, use := range c.Uses.Of(v) {
		if !c.Uses.Declares(use) {
			p := place{Cursor: uses.Whole(use)}
			for _, s := range c.Sections {
				for _, stmt := range s.Stmts {
					if stmt.Contains(use) {
						p.in = s
					}
				}
			}
			all = append(all, p)
		}
	}
	return all
}

// declared edits the type of v where it is declared, alone and without a value.
func (c *check) declared(v *types.Var, change func(typ ast.Expr) []analysis.TextEdit) (edits []analysis.TextEdit, why string, at token.Pos) {
	for _, use := range c.Uses.Of(v) {
		if !c.Uses.Declares(use) {
			continue
		}
		switch d := use.Parent().Node().(type) {
		case *ast.Field:
			if len(d.Names) == 1 {
				if st, ok := c.struct_(use); ok {
					if why, at := c.unkeyed(st); why != "" {
						return nil, why, at
					}
				}
				return change(d.Type), "", 0
			}
			return nil, v.Name() + " is embedded, or declared together with others", v.Pos()
		case *ast.ValueSpec:
			if len(d.Names) == 1 && d.Type != nil && len(d.Values) == 0 {
				return change(d.Type), "", 0
			}
			return nil, v.Name() + " is declared with a value, or together with others", v.Pos()
		}
	}
	return nil, notMeant, 0
}

// struct_ returns the struct type that a field is declared in.
func (c *check) struct_(field inspector.Cursor) (layout.Struct, bool) {
	for st := range field.Enclosing((*ast.StructType)(nil)) {
		s := layout.Struct{Node: st.Node().(*ast.StructType), Under: st}
		s.Type, _ = c.Uses.Info.TypeOf(s.Node).(*types.Struct)
		if spec, ok := st.Parent().Node().(*ast.TypeSpec); ok {
			s.Name, _ = c.Uses.Info.Defs[spec.Name].(*types.TypeName)
		}
		return s, s.Type != nil
	}
	return layout.Struct{}, false
}

// unkeyed returns where a literal of a struct has no field names.
func (c *check) unkeyed(st layout.Struct) (why string, at token.Pos) {
	if st.Name == nil {
		return "", 0
	}
	for _, lit := range c.Uses.Literals(st.Name) {
		n := lit.Node().(*ast.CompositeLit)
		if len(n.Elts) > 0 {
			if _, keyed := n.Elts[0].(*ast.KeyValueExpr); !keyed {
				return "a literal of " + st.Name.Name() + " has no field names", n.Pos()
			}
		}
	}
	return "", 0
}

// settle takes a field out of a literal and sets it in a statement that follows.
// set makes the statements: of the variable's field and the value.
func (c *check) settle(kv inspector.Cursor, set func(field, value string) string) (edits []analysis.TextEdit, why string) {
	pair := kv.Node().(*ast.KeyValueExpr)
	lit := kv.Parent()
	n := lit.Node().(*ast.CompositeLit)
	i := slices.Index(n.Elts, ast.Expr(pair))
	for j, e := range n.Elts {
		if j != i && calls(c.Uses.Info, e) && calls(c.Uses.Info, pair.Value) {
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
		if c.line(n.Rbrace) > c.line(pair.End()) {
			gone.End = n.Rbrace
			edits = append(edits, rewrite.Insert(n.Rbrace, ",\n"))
		}
	default:
		gone.Pos, gone.End = n.Lbrace+1, n.Rbrace
	}
	edits = append(edits, gone)
	field, value := pair.Key.(*ast.Ident).Name, rewrite.Text(c.Fset, pair.Value)
	e := lit
	if e.ParentEdgeKind() == edge.UnaryExpr_X {
		e = e.Parent()
	}
	const nowhere = "a literal sets it where no statement can follow"
	stmt := e.Parent()
	switch s := stmt.Node().(type) {
	case *ast.AssignStmt:
		id, ok := s.Lhs[0].(*ast.Ident)
		if _, inList := uses.Statement(stmt); len(s.Lhs) != 1 || !ok || id.Name == "_" || !inList || !listed(stmt) {
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
		if len(s.Results) != 1 || e == lit || !listed(stmt) {
			return nil, nowhere
		}
		fn, _ := uses.Func(stmt)
		x := rewrite.Fresh(c.Pass.Pkg, fn.Node(), strings.ToLower(uses.Named(c.Uses.Info.TypeOf(n)).Obj().Name()[:1]))
		edits = append(edits, analysis.TextEdit{Pos: s.Pos(), End: e.Node().Pos(), NewText: []byte(x + " := ")})
		return append(edits, rewrite.Insert(s.End(), "\n"+set(x+"."+field, value)+"\nreturn "+x)), ""
	}
	return nil, nowhere
}

// listed reports whether a statement stands in a list, so that another can follow.
func listed(stmt inspector.Cursor) bool {
	switch stmt.ParentEdgeKind() {
	case edge.BlockStmt_List, edge.CaseClause_Body, edge.CommClause_Body:
		return true
	}
	return false
}

func (c *check) line(p token.Pos) int { return c.Fset.PositionFor(p, false).Line }

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

// file is the file that a node is in.
func file(at inspector.Cursor) *ast.File {
	for f := range at.Enclosing((*ast.File)(nil)) {
		return f.Node().(*ast.File)
	}
	return nil
}
