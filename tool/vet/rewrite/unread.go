package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// unread are the edits that put _ in the place of the variables of := and of loops which
// edits leave without a use, in the functions of a file.
func unread(pass *analysis.Pass, file *ast.File, edits []analysis.TextEdit) (more []analysis.TextEdit) {
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if ok && fn.Body != nil && slices.ContainsFunc(edits, func(e analysis.TextEdit) bool { return e.Pos < e.End && fn.Body.Pos() < e.Pos && e.End < fn.Body.End() }) {
			more = append(more, blanks(pass, fn.Body, edits)...)
		}
	}
	return more
}

// blanks are those of one function.
func blanks(pass *analysis.Pass, body *ast.BlockStmt, edits []analysis.TextEdit) (more []analysis.TextEdit) {
	info := pass.TypesInfo
	gone := func(n ast.Node) bool {
		return slices.ContainsFunc(edits, func(e analysis.TextEdit) bool { return e.Pos <= n.Pos() && n.End() <= e.End })
	}
	said := map[string]bool{} // what the edits leave uses these: where one takes a parameter away, another variable
	for _, e := range edits {
		for _, name := range identifiers(e.NewText) {
			said[name] = true
		}
	}
	was := map[types.Object]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && info.Uses[id] != nil {
			if gone(id) {
				was[info.Uses[id]] = true
			} else {
				said[id.Name] = true
			}
		}
		return true
	})
	// left returns the text of what is assigned to, and reports whether a variable is
	// left without a use, and whether none is left that := declares.
	left := func(to ...ast.Expr) (text string, changed, none bool) {
		var names []string
		none = true
		for _, e := range to {
			name := "_"
			if id, ok := e.(*ast.Ident); ok {
				switch o := info.Defs[id]; {
				case o == nil: // of before, or _
					name = id.Name
				case was[o] && !said[id.Name] && !gone(id):
					changed = true
				default:
					name = id.Name
					none = none && name == "_"
				}
			}
			names = append(names, name)
		}
		return strings.Join(names, ", "), changed, none
	}
	put := func(pos, end token.Pos, text string) { // unless another edit puts something there
		if !slices.ContainsFunc(edits, func(e analysis.TextEdit) bool { return e.Pos < end && pos < e.End || pos < e.Pos && e.Pos < end }) {
			more = append(more, analysis.TextEdit{Pos: pos, End: end, NewText: []byte(text)})
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if n.Tok != token.DEFINE || gone(n) {
				break
			}
			to := []ast.Expr{n.Key}
			if n.Value != nil {
				to = append(to, n.Value)
			}
			switch text, changed, none := left(to...); {
			case changed && none:
				put(n.Key.Pos(), n.Range, "")
			case changed:
				put(n.Key.Pos(), n.TokPos, text+" ")
			}
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE || gone(n) {
				break
			}
			switch text, changed, none := left(n.Lhs...); {
			case changed && none:
				put(n.Pos(), n.TokPos+2, text+" =")
			case changed:
				put(n.Pos(), n.TokPos, text+" ")
			}
		}
		return n == nil || !gone(n)
	})
	return more
}
