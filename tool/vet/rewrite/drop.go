package rewrite

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"
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
	if next, ok := c.NextSibling(); ok {
		to = next.Node().Pos()
	}
	for f := range c.Enclosing((*ast.File)(nil)) {
		for _, g := range f.Node().(*ast.File).Comments {
			for _, x := range g.List {
				if g != own && end <= x.Pos() && line(x.Pos()) == line(end) {
					return analysis.TextEdit{Pos: pos, End: end}
				}
			}
		}
	}
	tf := fset.File(pos)
	if line(from) < line(pos) && line(end) < line(to) {
		return analysis.TextEdit{Pos: tf.LineStart(line(pos)), End: tf.LineStart(line(end) + 1)}
	}
	return analysis.TextEdit{Pos: pos, End: end}
}
