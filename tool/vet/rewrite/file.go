package rewrite

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"
)

// File is the file of a package that a position is in, nil if it is in none.
func File(pass *analysis.Pass, pos token.Pos) *ast.File {
	for _, f := range pass.Files {
		if f.FileStart <= pos && pos < f.FileEnd {
			return f
		}
	}
	return nil
}

// Comments reports whether a comment lies within a node of the file: an edit
// that writes the node anew would lose it.
func Comments(f *ast.File, n ast.Node) bool {
	for _, g := range f.Comments {
		if n.Pos() <= g.Pos() && g.End() <= n.End() {
			return true
		}
	}
	return false
}

// Begin is where a declaration begins, with its comment.
func Begin(decl ast.Node) token.Pos {
	switch d := decl.(type) {
	case *ast.GenDecl:
		if d.Doc != nil {
			return d.Doc.Pos()
		}
	case *ast.FuncDecl:
		if d.Doc != nil {
			return d.Doc.Pos()
		}
	}
	return decl.Pos()
}
