package rewrite

import (
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Gone takes a declaration or a spec away, with its comment and the empty lines behind it.
func Gone(pass *analysis.Pass, n ast.Node) analysis.TextEdit {
	pos, end := Begin(n), n.End()
	var doc, own *ast.CommentGroup
	switch n := n.(type) {
	case *ast.TypeSpec:
		doc, own = n.Doc, n.Comment
	case *ast.ValueSpec:
		doc, own = n.Doc, n.Comment
	}
	if doc != nil {
		pos = doc.Pos()
	}
	if own != nil {
		end = own.End()
	}
	tf := pass.Fset.File(pos)
	if src, err := pass.ReadFile(tf.Name()); err == nil {
		rest := string(src[tf.Offset(end):])
		space := rest[:len(rest)-len(strings.TrimLeft(rest, " \t\r\n"))]
		end += token.Pos(strings.LastIndexByte(space, '\n') + 1)
	}
	return analysis.TextEdit{Pos: pos, End: end}
}
