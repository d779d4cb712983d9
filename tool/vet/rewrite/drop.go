package rewrite

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// Drop takes away a node of a list, like a statement or a field, with its line
// if nothing else stands there. A comment on the line stays, unless it belongs
// to a declaration.
func Drop(fset *token.FileSet, c inspector.Cursor) analysis.TextEdit {
	n := c.Node()
	pos, end := n.Pos(), n.End()
	var doc, own *ast.CommentGroup
	switch n := n.(type) {
	case *ast.Field:
		doc, own = n.Doc, n.Comment
	case *ast.ValueSpec:
		doc, own = n.Doc, n.Comment
	case *ast.GenDecl:
		doc = n.Doc
	case *ast.DeclStmt:
		doc = n.Decl.(*ast.GenDecl).Doc
	}
	if doc != nil {
		pos = doc.Pos()
	}
	if own != nil {
		end = own.End()
	}
	line := func(p token.Pos) int { return fset.PositionFor(p, false).Line }
	from, to := c.Parent().Node().Pos(), c.Parent().Node().End()-1
	if prev, ok := c.PrevSibling(); ok && prev.Node().End() > from {
		from = prev.Node().End()
	}
	next, ok := c.NextSibling()
	if ok {
		to = next.Node().Pos()
	}
	for f := range c.Enclosing((*ast.File)(nil)) {
		for _, g := range f.Node().(*ast.File).Comments {
			for _, x := range g.List {
				if g != own && end <= x.Pos() && line(x.Pos()) == line(end) && !(ok && to <= x.Pos()) {
					return analysis.TextEdit{Pos: pos, End: end}
				}
			}
		}
	}
	tf := fset.File(pos)
	if line(from) < line(pos) && line(end) < line(to) {
		return analysis.TextEdit{Pos: tf.LineStart(line(pos)), End: tf.LineStart(line(end) + 1)}
	}
	if k := c.ParentEdgeKind(); ok && next.ParentEdgeKind() == k && line(end) == line(to) &&
		(k == edge.BlockStmt_List || k == edge.CaseClause_Body || k == edge.CommClause_Body) {
		end = to // with the semicolon
	}
	return analysis.TextEdit{Pos: pos, End: end}
}

// Above is where text can be put before a statement of a list: before the
// comment that stands above it.
func Above(fset *token.FileSet, c inspector.Cursor) token.Pos {
	pos := c.Node().Pos()
	line := func(p token.Pos) int { return fset.PositionFor(p, false).Line }
	prev, ok := c.PrevSibling()
	for f := range c.Enclosing((*ast.File)(nil)) {
		for _, g := range f.Node().(*ast.File).Comments {
			if g.End() <= pos && line(g.End()) == line(pos)-1 && (!ok || prev.Node().End() <= g.Pos() && line(prev.Node().End()) < line(g.Pos())) && g.Pos() > c.Parent().Node().Pos() &&
				line(g.Pos()) > line(c.Parent().Node().Pos()) {
				return g.Pos()
			}
		}
	}
	return pos
}
