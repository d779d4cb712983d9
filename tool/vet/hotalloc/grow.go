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
	g := growth{search: s, loop: l, at: c}
	if ix, ok := ast.Unparen(st.Lhs[0]).(*ast.IndexExpr); ok {
		g.v = loop.Var(info, ix.X)
		if g.v == nil || !uses.Under[*types.Map](g.v.Type()) {
			return
		}
	} else {
		g.v = loop.Var(info, st.Lhs[0])
		call, ok := ast.Unparen(st.Rhs[0]).(*ast.CallExpr)
		if !ok || g.v == nil || loop.Builtin(info, call) != "append" || loop.Var(info, call.Args[0]) != g.v || call.Ellipsis.IsValid() {
			return
		}
		if _, ok := g.v.Type().Underlying().(*types.Slice); !ok {
			return
		}
		g.adds = call.Args[1:]
	}
	if !g.declared() {
		return
	}
	f := s.finding(c, l.Stmt, g.v.Name()+" grows while it is appended to: what it holds is copied again and again")
	if uses.Under[*types.Map](g.v.Type()) {
		f.Message = g.v.Name() + " grows while it is filled: what it holds is moved again and again"
		f.Causes = append(f.Causes, "mapgrow")
	}
	edits, why := g.edit()
	s.add(f, shape.Fix{Name: "presize", Says: "make room for all of it at once", Edits: edits}, why)
}

// A growth is of a slice or map in a loop.
type growth struct {
	*search
	v    *types.Var
	loop loop.Loop
	at   inspector.Cursor // the statement that adds
	adds []ast.Expr       // what it appends
	decl declaration
	hint ast.Expr // room that the map is made with, nil if there is none
}

// declared finds where the variable was made without room, in the list of the
// loop. The room of a map may be a number, which may be too small.
func (g *growth) declared() bool {
	info := g.pass.TypesInfo
	for prev, ok := g.loop.Whole().PrevSibling(); ok; prev, ok = prev.PrevSibling() {
		d, ok := g.declaration(prev)
		if !ok || d.v != g.v {
			continue
		}
		g.decl = d
		if d.init == nil {
			return d.typ != nil && !uses.Under[*types.Map](d.v.Type())
		}
		args, ok := d.makes(info)
		if ok && len(args) == 1 && uses.Under[*types.Map](d.v.Type()) && !isZero(info, args[0]) {
			g.hint = args[0]
			return types.Identical(info.TypeOf(g.hint), types.Typ[types.Int]) && (info.Types[g.hint].Value != nil || loop.Var(info, g.hint) != nil)
		}
		return ok && (len(args) == 0 || len(args) == 1 && isZero(info, args[0]))
	}
	return false
}

// edit are the edits that make room.
func (g *growth) edit() ([]analysis.TextEdit, *shape.Refusal) {
	count, neg, known := g.loop.Count(g.text)
	if !known {
		return nil, shape.No(g.loop.Stmt, "the loop does not say how often it runs")
	}
	if !strings.HasPrefix(count, "len(") {
		// What has a length is in memory already; a number may be any.
		if uses.Under[*types.Map](g.v.Type()) || !g.always() {
			return nil, shape.No(g.at.Node(), "of "+count+" iterations only some may add an element")
		}
		for _, x := range rewrite.Leaves(g.pass.TypesInfo, g.loop.Body, false) {
			if x.How != "continue" {
				return nil, &shape.Refusal{Why: "the loop may end long before " + count, Pos: x.Pos}
			}
		}
	}
	for _, c := range g.index.Of(g.v) {
		if why := g.use(c); why != nil {
			return nil, why
		}
	}
	if len(g.adds) > 1 {
		if strings.Contains(count, " ") {
			count = "(" + count + ")"
		}
		count = fmt.Sprintf("%d*%s", len(g.adds), count)
	}
	decl := g.decl.at.Node()
	if neg || g.hint != nil {
		if !rewrite.Universal(g.pass.Pkg, g.loop.Stmt.Pos(), "max") || !rewrite.Universal(g.pass.Pkg, decl.Pos(), "max") || !rewrite.Since(g.pass, g.file(g.at), "go1.21") {
			return nil, shape.No(g.loop.Stmt, "there is no max, which came with Go 1.21")
		}
		least := "0"
		if g.hint != nil {
			least = g.text(g.hint)
		}
		count = "max(" + count + ", " + least + ")"
	}
	if g.decl.init != nil && g.early() && rewrite.Universal(g.pass.Pkg, decl.Pos(), "make") {
		// It is not nil, whatever the loop does: with room it is the same.
		if g.comments(g.decl.at, g.decl.init) {
			return nil, shape.No(g.decl.init, "a comment stands in it")
		}
		made := "make("
		switch e := g.decl.init.(type) {
		case *ast.CallExpr:
			made += g.text(e.Args[0])
		case *ast.CompositeLit:
			made += g.text(e.Type)
		}
		if !uses.Under[*types.Map](g.v.Type()) {
			made += ", 0"
		}
		return []analysis.TextEdit{rewrite.Replace(g.decl.init, made+", "+count+")")}, nil
	}
	if uses.Under[*types.Map](g.v.Type()) {
		return nil, shape.No(decl, count+" is not known where "+g.v.Name()+" is made")
	}
	if g.decl.init == nil {
		if why := g.nilness(); why != nil {
			return nil, why
		}
	}
	if !rewrite.Since(g.pass, g.file(g.at), "go1.21") {
		return nil, shape.No(g.at.Node(), "package slices came with Go 1.21, and the module asks for less")
	}
	pkg, edits := rewrite.Import(g.pass.Pkg, g.file(g.at), "slices", g.loop.Stmt.Pos())
	return append(edits, rewrite.Insert(g.loop.Whole().Node().Pos(), fmt.Sprintf("%s = %s.Grow(%s, %s)\n", g.v.Name(), pkg, g.v.Name(), count))), nil
}

// use refuses a use by which something else than the loop may add, or hold an
// earlier array.
func (g *growth) use(c inspector.Cursor) *shape.Refusal {
	n := c.Node()
	if g.index.Declares(c) {
		return nil
	}
	if why := g.keeper.later(g.v, c); why != nil {
		return why
	}
	builtin, appends := "", false
	if call, ok := c.Parent().Node().(*ast.CallExpr); ok {
		builtin = loop.Builtin(g.pass.TypesInfo, call)
		appends = c.ParentEdgeIndex() == 0 && c.ParentEdgeKind() == edge.CallExpr_Args && rewrite.Appends(g.pass.TypesInfo, call)
	}
	switch {
	case c.ParentEdgeKind() == edge.UnaryExpr_X:
		return shape.No(n, "the address of "+g.v.Name()+" is taken")
	case builtin == "cap":
		return shape.No(n, "the capacity of "+g.v.Name()+" is asked for")
	case n.Pos() < g.loop.Stmt.Pos():
		return shape.No(n, g.v.Name()+" is used before the loop")
	case n.Pos() >= g.loop.Stmt.End() && appends && c.Parent().ParentEdgeKind() != edge.ReturnStmt_Results && !g.keeper.back(g.v, c.Parent()):
		return shape.No(n, "what is appended to "+g.v.Name()+" twice would lie in the same room")
	case n.Pos() >= g.loop.Stmt.End(), builtin == "len":
		return nil
	case c.Parent() == g.at, builtin == "append" && c.Parent().Parent() == g.at && appends:
		return nil // it adds
	case c.ParentEdgeKind() == edge.IndexExpr_X && g.keeper.part(g.v, c.Parent()) == nil:
		return nil
	}
	return shape.No(n, "the loop does something else with "+g.v.Name())
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
		id, _ := n.(*ast.Ident)
		v, is := info.Uses[id].(*types.Var)
		if !is || v.IsField() {
			return ok
		}
		ok = ok && v.Pos() < from
		for _, w := range loop.Writes(info, uses.Decl(g.loop.At), v) {
			ok = ok && (w.Node.Pos() < from || to <= w.Node.Pos())
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
	before := &ast.BlockStmt{List: g.loop.Body.List[:g.at.ParentEdgeIndex()]}
	return len(rewrite.Leaves(g.pass.TypesInfo, before, false)) == 0
}
