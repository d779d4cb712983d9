package syncmap

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/uses"
)

// settled reports whether whoever writes the map is alone with it: it is written
// by way of local variables alone, in the function that makes it, before
// somebody else can have it.
func (g *group) settled() bool {
	wrote := map[inspector.Cursor]bool{}
	for _, c := range g.calls {
		if !c.writes() {
			continue
		}
		v := c.on
		if v.IsField() || v.Parent() == g.pass.Pkg.Scope() || !g.made[v] || g.again[v] {
			return false
		}
		for _, d := range g.index.Of(v) {
			if g.index.Declares(d) && !wrote[d] {
				wrote[d] = true
				if !g.before(d) {
					return false
				}
			}
		}
	}
	return true
}

// before reports whether all calls that write to the variable come before what
// gives it to somebody else.
func (g *group) before(decl inspector.Cursor) bool {
	fn, ok := uses.Func(decl)
	if !ok {
		return false
	}
	v := g.index.Var(decl.Node().(ast.Expr))
	var writes []inspector.Cursor
	leaks := slices.Clone(g.leaks[v])
	last := false // it is written as the function returns
	for _, c := range g.calls {
		if c.on != v {
			continue
		}
		leak, is, deferred := g.out(c.Cursor, fn)
		switch {
		case is:
			if leaks = append(leaks, leak); c.writes() {
				return false
			}
		case deferred:
			last = last || c.writes()
		case c.writes():
			writes = append(writes, c.Cursor)
		}
	}
	for i, l := range leaks {
		if leak, is, _ := g.out(l, fn); is {
			leaks[i] = leak
		}
	}
	if len(leaks) > 0 && (last || jumps(decl)) {
		return false
	}
	for _, w := range writes {
		around := again(w, decl)
		for _, l := range leaks {
			if w.Node().Pos() > l.Node().Pos() || slices.ContainsFunc(again(l, decl), func(n ast.Node) bool { return slices.Contains(around, n) }) {
				return false
			}
		}
	}
	return true
}

// jumps reports whether there is a goto in the declared function around a node,
// so that what comes later in the source may run earlier.
func jumps(c inspector.Cursor) bool {
	for fn := range c.Enclosing((*ast.FuncDecl)(nil), (*ast.GenDecl)(nil)) {
		for b := range fn.Preorder((*ast.BranchStmt)(nil)) {
			if b.Node().(*ast.BranchStmt).Tok == token.GOTO {
				return true
			}
		}
	}
	return false
}

// again is what runs code around a node more than once, and does not have the
// declaration in it.
func again(c, decl inspector.Cursor) (all []ast.Node) {
	for at := range c.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.FuncLit)(nil)) {
		if n := at.Node(); !(n.Pos() <= decl.Node().Pos() && decl.Node().Pos() < n.End()) {
			all = append(all, n)
		}
	}
	return all
}

// out returns the outermost code around a node within fn that others may run,
// if there is such code, and reports whether the node runs when fn returns.
func (g *group) out(c, fn inspector.Cursor) (leak inspector.Cursor, is, deferred bool) {
	for at := c; at.Node() != fn.Node(); at = at.Parent() {
		switch at.ParentEdgeKind() {
		case edge.GoStmt_Call:
			leak, is = at, true
		case edge.DeferStmt_Call:
			deferred = true
		}
		if _, lit := at.Node().(*ast.FuncLit); !lit {
			continue
		}
		switch at.ParentEdgeKind() {
		case edge.CallExpr_Fun:
			continue
		case edge.CallExpr_Args:
			if sel, ok := ast.Unparen(at.Parent().Node().(*ast.CallExpr).Fun).(*ast.SelectorExpr); ok && method(g.index.Info, sel) == "Range" && inPlace(at.Parent()) {
				continue
			}
		}
		leak, is = at, true
	}
	return leak, is, deferred
}

// inPlace reports whether a call runs where it stands.
func inPlace(c inspector.Cursor) bool {
	return c.ParentEdgeKind() != edge.GoStmt_Call && c.ParentEdgeKind() != edge.DeferStmt_Call
}
