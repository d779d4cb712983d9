package inline

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Line is the edit that deletes a statement, with its line where nothing else
// is on that.
func Line(pass *analysis.Pass, s ast.Stmt) analysis.TextEdit {
	e := analysis.TextEdit{Pos: s.Pos(), End: s.End()}
	src, file := source(pass, s.Pos())
	if src == nil {
		return e
	}
	before := bytes.TrimRight(src[:file.Offset(s.Pos())], " \t")
	after := bytes.TrimLeft(src[file.Offset(s.End()):], " \t\r")
	to := file.Pos(len(src) - len(after))
	switch {
	case bytes.HasSuffix(before, []byte("\n")) && bytes.HasPrefix(after, []byte("\n")):
		e.Pos, e.End = file.Pos(len(before)), to+1
	case bytes.HasPrefix(after, []byte(";")): // several on a line
		e.End = to + 1
	}
	return e
}

// Source returns the text from pos to end as it stands, comments and all, with
// the edits that lie in it.
func Source(pass *analysis.Pass, pos, end token.Pos, edits []analysis.TextEdit) (string, error) {
	src, file := source(pass, pos)
	if src == nil {
		return "", fmt.Errorf("no source for %v", pass.Fset.Position(pos))
	}
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b analysis.TextEdit) int { return cmp.Compare(a.Pos, b.Pos) })
	var out strings.Builder
	last := pos
	for _, e := range edits {
		to := max(e.End, e.Pos)
		if e.Pos < pos || to > end {
			continue
		}
		if e.Pos < last {
			return "", fmt.Errorf("two edits at %v", pass.Fset.Position(e.Pos))
		}
		out.Write(src[file.Offset(last):file.Offset(e.Pos)])
		out.Write(e.NewText)
		last = to
	}
	out.Write(src[file.Offset(last):file.Offset(end)])
	return strings.ReplaceAll(out.String(), "\r\n", "\n"), nil
}

// source is the content of the file that pos is in, nil if it cannot be read.
func source(pass *analysis.Pass, pos token.Pos) ([]byte, *token.File) {
	file := pass.Fset.File(pos)
	src, _ := pass.ReadFile(file.Name())
	return src, file
}
