package hotalloc

import (
	"fmt"
	"go/ast"
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

// presize looks at x = append(x, …) and m[k] = … in a loop, where x or m was
// made empty before it.
func (s *search) presize(c inspector.Cursor, st *ast.AssignStmt) {
	info := s.pass.TypesInfo
	if st.Tok != token.ASSIGN || len(st.Lhs) != 1 || len(st.Rhs) != 1 {
		return
	}
	l, ok := loop.Around(info, c)
	if !ok {
		return
	}
	var v *types.Var
	per := 1
	if ix, ok := ast.Unparen(st.Lhs[0]).(*ast.IndexExpr); ok {
		v = loop.Var(info, ix.X)
		if v == nil || !isMap(v.Type()) {
			return
		}
	} else {
		v = loop.Var(info, st.Lhs[0])
		call, ok := ast.Unparen(st.Rhs[0]).(*ast.CallExpr)
		if !ok || v == nil || loop.Builtin(info, call) != "append" || loop.Var(info, call.Args[0]) != v || call.Ellipsis.IsValid() {
			return
		}
		if _, ok := v.Type().Underlying().(*types.Slice); !ok {
			return
		}
		per = len(call.Args) - 1
	}
	g := growth{search: s, v: v, loop: l, at: c, per: per}
	if !g.declared() {
		return
	}
	message := v.Name() + " grows while it is appended to: what it holds is copied again and again"
	f := s.finding(c, l.Stmt, message)
	if isMap(v.Type()) {
		f.Message = v.Name() + " grows while it is filled: what it holds is moved again and again"
		f.Causes = append(f.Causes, "mapgrow")
	}
	if edits := g.whole(); edits != nil {
		f.Fixes = append(f.Fixes, shape.Fix{Name: "whole", Says: "append all of it at once", Edits: edits})
	}
	edits, why := g.edit()
	s.add(f, shape.Fix{Name: "presize", Says: "make room for all of it at once", Edits: edits}, why)
}

func isMap(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// A growth is of a slice or map in a loop.
type growth struct {
	*search
	v    *types.Var
	loop loop.Loop
	at   inspector.Cursor // the statement that adds
	per  int              // elements that it adds
	decl declaration
	hint ast.Expr // room that the map is made with, nil if there is none
}

// hinted reports whether the room of a map is a number that may be too small.
func (g *growth) hinted() bool {
	info := g.pass.TypesInfo
	tv := info.Types[g.hint]
	if tv.Value == nil && !types.Identical(tv.Type, types.Typ[types.Int]) {
		return false
	}
	known := false // how much it gets
	ast.Inspect(g.hint, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		known = known || ok && loop.Builtin(info, call) == "len"
		return !known
	})
	return !known
}

// declared finds where the variable was made without room, in the list of the
// loop.
func (g *growth) declared() bool {
	for prev, ok := g.loop.Whole().PrevSibling(); ok; prev, ok = prev.PrevSibling() {
		d, ok := g.declaration(prev)
		if !ok || d.v != g.v {
			continue
		}
		g.decl = d
		if d.init == nil {
			return d.typ != nil && !isMap(d.v.Type())
		}
		if _, lit := d.init.(*ast.CompositeLit); lit && isMap(d.v.Type()) && len(d.init.(*ast.CompositeLit).Elts) > 0 {
			return false
		}
		args, ok := d.makes(g.pass.TypesInfo)
		if ok && len(args) == 1 && isMap(d.v.Type()) && !isZero(g.pass.TypesInfo, args[0]) {
			g.hint = args[0]
			return g.hinted()
		}
		return ok && (len(args) == 0 || len(args) == 1 && isZero(g.pass.TypesInfo, args[0]))
	}
	return false
}

func (g *growth) edit() ([]analysis.TextEdit, *shape.Refusal) {
	info := g.pass.TypesInfo
	count, neg, known := g.loop.Count(g.search.text)
	if !known {
		return nil, shape.No(g.loop.Stmt, "the loop does not say how often it runs")
	}
	if !strings.HasPrefix(count, "len(") {
		// What has a length is in memory already; a number may be any.
		if isMap(g.v.Type()) || !g.always() {
			return nil, shape.No(g.at.Node(), "of "+count+" iterations only some may add an element")
		}
		if leaves := rewrite.Leaves(info, g.loop.Body, false); len(leaves) > 0 {
			for _, x := range leaves {
				switch x.How {
				case "continue", "defer", "recover":
				default:
					return nil, &shape.Refusal{Why: "the loop may end long before " + count, Pos: x.Pos}
				}
			}
		}
	}
	// Only the loop may add, and nothing may hold an earlier array.
	for _, c := range g.index.Of(g.v) {
		id := c.Node().(*ast.Ident)
		if g.index.Declares(c) {
			continue
		}
		if why := g.keeper().later(g.v, c); why != nil {
			return nil, why
		}
		if c.ParentEdgeKind() == edge.UnaryExpr_X && c.Parent().Node().(*ast.UnaryExpr).Op == token.AND {
			return nil, shape.No(id, "the address of "+g.v.Name()+" is taken")
		}
		if call, ok := c.Parent().Node().(*ast.CallExpr); ok && loop.Builtin(info, call) == "cap" {
			return nil, shape.No(id, "the capacity of "+g.v.Name()+" is asked for")
		}
		if id.Pos() < g.loop.Stmt.Pos() {
			return nil, shape.No(id, g.v.Name()+" is used before the loop")
		}
		if id.Pos() >= g.loop.Stmt.End() {
			continue
		}
		st, _ := uses.Statement(c)
		if st == g.at || c.ParentEdgeKind() == edge.CallExpr_Args && loop.Builtin(info, c.Parent().Node().(*ast.CallExpr)) == "len" {
			continue
		}
		if isMap(g.v.Type()) {
			if c.ParentEdgeKind() == edge.IndexExpr_X {
				continue
			}
		} else if c.ParentEdgeKind() == edge.IndexExpr_X && c.Parent().ParentEdgeKind() != edge.UnaryExpr_X {
			continue
		}
		return nil, shape.No(id, "the loop does something else with "+g.v.Name())
	}
	if g.per > 1 {
		count = fmt.Sprintf("%d*%s", g.per, paren(count))
	}
	if neg {
		if !rewrite.Universal(g.pass.Pkg, g.loop.Stmt.Pos(), "max") || !rewrite.Since(g.pass, g.search.file(g.at), "go1.21") {
			return nil, shape.No(g.loop.Stmt, count+" may be negative")
		}
		count = "max(" + count + ", 0)"
	}
	if g.hint != nil {
		if !rewrite.Universal(g.pass.Pkg, g.decl.at.Node().Pos(), "max") || !rewrite.Since(g.pass, g.search.file(g.at), "go1.21") {
			return nil, shape.No(g.hint, "there is no max, which came with Go 1.21")
		}
		count = "max(" + g.search.text(g.hint) + ", " + count + ")"
	}
	if g.decl.init != nil && g.early() && rewrite.Universal(g.pass.Pkg, g.decl.at.Node().Pos(), "make") {
		// It is not nil, whatever the loop does: with room it is the same.
		if g.comments(g.decl.at, g.decl.init) {
			return nil, shape.No(g.decl.init, "a comment stands in it")
		}
		typ := g.made()
		if isMap(g.v.Type()) {
			return []analysis.TextEdit{rewrite.Replace(g.decl.init, "make("+typ+", "+count+")")}, nil
		}
		return []analysis.TextEdit{rewrite.Replace(g.decl.init, "make("+typ+", 0, "+count+")")}, nil
	}
	if isMap(g.v.Type()) {
		return nil, shape.No(g.decl.at.Node(), count+" is not known where "+g.v.Name()+" is made")
	}
	if g.decl.init == nil {
		if why := g.nilness(); why != nil {
			return nil, why
		}
	}
	if !rewrite.Since(g.pass, g.search.file(g.at), "go1.21") {
		return nil, shape.No(g.at.Node(), "package slices came with Go 1.21, and the module asks for less")
	}
	before := g.loop.Whole().Node().Pos()
	pkg, edits := rewrite.Import(g.pass.Pkg, g.search.file(g.at), "slices", g.loop.Stmt.Pos())
	return append(edits, rewrite.Insert(before, fmt.Sprintf("%s = %s.Grow(%s, %s)\n", g.v.Name(), pkg, g.v.Name(), count))), nil
}

// made is the type that is made.
func (g *growth) made() string {
	switch e := g.decl.init.(type) {
	case *ast.CallExpr:
		return g.search.text(e.Args[0])
	case *ast.CompositeLit:
		return g.search.text(e.Type)
	}
	panic("unreachable")
}

// whole are the edits that append all elements of what the loop ranges over, if it
// does nothing else.
func (g *growth) whole() []analysis.TextEdit {
	info := g.pass.TypesInfo
	r, ok := g.loop.Stmt.(*ast.RangeStmt)
	if !ok || g.per != 1 || isMap(g.v.Type()) || g.loop.Whole() != g.loop.At {
		return nil
	}
	st := g.at.Node().(*ast.AssignStmt)
	call := ast.Unparen(st.Rhs[0]).(*ast.CallExpr)
	if !g.alone(g.at, r, call.Args[1], g.v.Type().Underlying().(*types.Slice).Elem()) {
		return nil
	}
	// It is empty and nobody's: what is appended lies elsewhere.
	for _, c := range g.index.Of(g.v) {
		if !g.index.Declares(c) && c.Node().Pos() < r.Pos() {
			return nil
		}
		if up, ok := c.Parent().Node().(*ast.CallExpr); ok && loop.Builtin(info, up) == "cap" {
			return nil
		}
	}
	all := fmt.Sprintf("%s = %s(%s, %s...)", g.v.Name(), g.search.text(call.Fun), g.v.Name(), g.search.text(r.X))
	return inPlace(r, st, all)
}

// alone reports whether a loop over a slice has one statement, in which its elements
// are the values, of the type elem.
func (s *search) alone(at inspector.Cursor, r *ast.RangeStmt, value ast.Expr, elem types.Type) bool {
	info := s.pass.TypesInfo
	from, ok := info.TypeOf(r.X).Underlying().(*types.Slice)
	return ok && r.Tok == token.DEFINE && len(r.Body.List) == 1 && r.Body.List[0] == at.Node() && types.Identical(from.Elem(), elem) &&
		identOf(r.Value) != nil && loop.Var(info, value) == info.Defs[identOf(r.Value)] &&
		!s.comments(at, at.Node()) && !s.comments(at, &ast.BadStmt{From: r.Pos(), To: at.Node().Pos()})
}

// inPlace are the edits that put text in the place of a loop of one statement.
func inPlace(r *ast.RangeStmt, st ast.Node, text string) []analysis.TextEdit {
	return []analysis.TextEdit{{Pos: r.Pos(), End: st.End(), NewText: []byte(text)}, {Pos: r.Body.Rbrace, End: r.End()}}
}

func paren(count string) string {
	if strings.ContainsAny(count, " +-*") && !strings.HasPrefix(count, "len(") {
		return "(" + count + ")"
	}
	return count
}

// early reports whether the bound of the loop has its value where the variable
// is declared already.
func (g *growth) early() bool {
	info := g.pass.TypesInfo
	var bound ast.Expr
	switch st := g.loop.Stmt.(type) {
	case *ast.RangeStmt:
		bound = st.X
	case *ast.ForStmt:
		bound = st.Cond.(*ast.BinaryExpr).Y
	}
	from, to := g.decl.at.Node().Pos(), g.loop.Stmt.Pos()
	ok := true
	ast.Inspect(bound, func(n ast.Node) bool {
		id, is := n.(*ast.Ident)
		if !is {
			return ok
		}
		v, is := info.Uses[id].(*types.Var)
		if !is || v.IsField() {
			return ok
		}
		if v.Pos() >= from {
			ok = false
		}
		for _, w := range loop.Writes(info, uses.Decl(g.loop.At), v) {
			if from <= w.Node.Pos() && w.Node.Pos() < to {
				ok = false
			}
		}
		return ok
	})
	return ok
}

// nilness refuses where a slice that stays nil now would not be any more, and
// somebody could tell. slices.Grow by 0 leaves it nil.
func (g *growth) nilness() *shape.Refusal {
	if g.always() {
		return nil
	}
	for _, c := range g.index.Of(g.v) {
		if c.Node().Pos() < g.loop.Stmt.End() {
			continue
		}
		switch c.ParentEdgeKind() {
		case edge.RangeStmt_X, edge.IndexExpr_X:
			continue
		case edge.CallExpr_Args:
			if loop.Builtin(g.pass.TypesInfo, c.Parent().Node().(*ast.CallExpr)) == "len" {
				continue
			}
		}
		return shape.No(c.Node(), g.v.Name()+" is nil where nothing is appended, and would not be")
	}
	return nil
}

// always reports whether each iteration adds: the statement is one of the body's
// list, and none before it leaves that.
func (g *growth) always() bool {
	if g.at.ParentEdgeKind() != edge.BlockStmt_List || g.at.Parent().Node() != g.loop.Body {
		return false
	}
	for _, st := range g.loop.Body.List[:g.at.ParentEdgeIndex()] {
		if len(rewrite.Leaves(g.pass.TypesInfo, &ast.BlockStmt{List: []ast.Stmt{st}}, false)) > 0 {
			return false
		}
	}
	return true
}
