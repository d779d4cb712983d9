package inline

import (
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
	from, to := file.Offset(s.Pos()), file.Offset(s.End())
	for from > 0 && (src[from-1] == ' ' || src[from-1] == '\t') {
		from--
	}
	for to < len(src) && (src[to] == ' ' || src[to] == '\t' || src[to] == '\r') {
		to++
	}
	switch {
	case from > 0 && src[from-1] == '\n' && to < len(src) && src[to] == '\n':
		e.Pos, e.End = file.Pos(from), file.Pos(to+1)
	case to < len(src) && src[to] == ';': // several on a line
		e.End = file.Pos(to + 1)
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

// source is the content of the file that pos is in.
func source(pass *analysis.Pass, pos token.Pos) ([]byte, *token.File) {
	file := pass.Fset.File(pos)
	if file == nil {
		return nil, nil
	}
	src, err := pass.ReadFile(file.Name())
	if err != nil {
		return nil, nil
	}
	return src, file
}
