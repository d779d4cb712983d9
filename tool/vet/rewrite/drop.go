package rewrite

import (
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// Drop takes away a node of a list, like a statement or a field, with its line
// if nothing else stands there. A comment on the line stays, unless it belongs
// to a declaration.
func Drop(fset *token.FileSet, c inspector.Cursor) analysis.TextEdit {
	pos, end := extent(c.Node())
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
				if end <= x.Pos() && line(x.Pos()) == line(end) && !(ok && to <= x.Pos()) {
					return analysis.TextEdit{Pos: pos, End: end}
				}
			}
		}
	}
	if line(from) < line(pos) && line(end) < line(to) {
		tf := fset.File(pos)
		pos, end = tf.LineStart(line(pos)), tf.LineStart(line(end)+1)
	} else if ok && next.ParentEdgeKind() == c.ParentEdgeKind() && line(end) == line(to) {
		end = to // with the semicolon
	}
	return analysis.TextEdit{Pos: pos, End: end}
}

// Gone takes a declaration or a spec away, with its comment and the empty lines behind it.
func Gone(pass *analysis.Pass, n ast.Node) analysis.TextEdit {
	pos, end := extent(n)
	tf := pass.Fset.File(pos)
	if src, err := pass.ReadFile(tf.Name()); err == nil {
		rest := string(src[tf.Offset(end):])
		space := rest[:len(rest)-len(strings.TrimLeft(rest, " \t\r\n"))]
		end += token.Pos(strings.LastIndexByte(space, '\n') + 1)
	}
	return analysis.TextEdit{Pos: pos, End: end}
}

// Begin is where a declaration begins, with its comment.
func Begin(decl ast.Node) token.Pos {
	pos, _ := extent(decl)
	return pos
}

// extent is where a node begins and ends, with the comments that belong to it.
func extent(n ast.Node) (pos, end token.Pos) {
	pos, end = n.Pos(), n.End()
	var doc, own *ast.CommentGroup
	switch n := n.(type) {
	case *ast.Field:
		doc, own = n.Doc, n.Comment
	case *ast.TypeSpec:
		doc, own = n.Doc, n.Comment
	case *ast.ValueSpec:
		doc, own = n.Doc, n.Comment
	case *ast.GenDecl:
		doc = n.Doc
	case *ast.FuncDecl:
		doc = n.Doc
	case *ast.DeclStmt:
		return extent(n.Decl)
	}
	if doc != nil {
		pos = doc.Pos()
	}
	if own != nil {
		end = own.End()
	}
	return pos, end
}

// Above is where text can be put before a statement of a list: before the
// comment that stands above it.
func Above(fset *token.FileSet, c inspector.Cursor) token.Pos {
	pos, after := c.Node().Pos(), c.Parent().Node().Pos()
	line := func(p token.Pos) int { return fset.PositionFor(p, false).Line }
	if prev, ok := c.PrevSibling(); ok {
		after = max(after, prev.Node().End())
	}
	for f := range c.Enclosing((*ast.File)(nil)) {
		for _, g := range f.Node().(*ast.File).Comments {
			if after <= g.Pos() && line(after) < line(g.Pos()) && g.End() <= pos && line(g.End()) == line(pos)-1 {
				return g.Pos()
			}
		}
	}
	return pos
}
