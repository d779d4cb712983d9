package rewrite

import (
	"go/ast"
	"go/token"
	"go/version"
	"strings"
	"unicode"
	"unicode/utf8"

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

// Since reports whether the file is compiled as Go of that version or later:
// "go1.23".
func Since(pass *analysis.Pass, file *ast.File, goVersion string) bool {
	v := pass.TypesInfo.FileVersions[file]
	return v != "" && version.Compare(v, goVersion) >= 0
}

// InTest reports whether a node is that of a test.
func InTest(fset *token.FileSet, n interface{ Pos() token.Pos }) bool {
	return strings.HasSuffix(fset.Position(n.Pos()).Filename, "_test.go")
}

// Lower is a name with its first letter in lower case.
func Lower(name string) string {
	first, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(first)) + name[n:]
}

// Title is a name with its first letter in upper case.
func Title(name string) string {
	first, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[n:]
}
