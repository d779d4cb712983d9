package rewrite

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// unread returns the edits with those that take away the variables of := and of loops
// which they leave without a use, in the functions of a file. A variable goes with its
// statement, and with a loop of which nothing else is left. Where the rest of the
// statement stays, _ takes its place.
func unread(pass *analysis.Pass, file *ast.File, src []byte, edits []analysis.TextEdit) []analysis.TextEdit {
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || !slices.ContainsFunc(edits, func(e analysis.TextEdit) bool { return e.Pos < e.End && fn.Body.Pos() < e.Pos && e.End < fn.Body.End() }) {
			continue
		}
		for again := true; again; { // what goes may have had the last use of another
			edits, again = without(pass, fn.Body, src, edits)
		}
	}
	return edits
}

// without takes away one statement, or one variable.
func without(pass *analysis.Pass, body *ast.BlockStmt, src []byte, edits []analysis.TextEdit) (out []analysis.TextEdit, found bool) {
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
	free := func(e ast.Expr) bool { // of a use
		id, ok := e.(*ast.Ident)
		if !ok || id.Name == "_" {
			return ok
		}
		o := info.Defs[id]
		return o != nil && was[o] && !said[id.Name] && !gone(id)
	}
	blank := func(e ast.Expr) bool { id, ok := e.(*ast.Ident); return ok && id.Name == "_" }
	cut := func(pos, end token.Pos, text string) { // unless another edit puts something there
		met := func(e analysis.TextEdit) bool { return e.Pos < end && pos < e.End || pos < e.Pos && e.Pos < end }
		if slices.ContainsFunc(edits, func(e analysis.TextEdit) bool { return met(e) && (len(e.NewText) > 0 || e.Pos < pos || e.End > end) }) {
			return
		}
		out = slices.DeleteFunc(slices.Clone(edits), met)
		out, found = append(out, analysis.TextEdit{Pos: pos, End: end, NewText: []byte(text)}), true
	}
	drop := func(n ast.Node) {
		tf := pass.Fset.File(n.Pos())
		from, to := tf.Offset(n.Pos()), tf.Offset(n.End())
		head := strings.TrimRight(string(src[:from]), " \t")
		tail := strings.TrimLeft(string(src[to:]), " \t\r")
		if strings.HasSuffix(head, "\n") && strings.HasPrefix(tail, "\n") {
			from, to = len(head), len(src)-len(tail)+1
		}
		cut(tf.Pos(from), tf.Pos(to), "")
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if found || n == nil || gone(n) {
			return false
		}
		switch n := n.(type) {
		case *ast.RangeStmt:
			key, value := n.Key, n.Value
			if n.Tok != token.DEFINE || !(free(key) && !blank(key)) && !(value != nil && free(value) && !blank(value)) {
				return true
			}
			switch {
			case free(key) && (value == nil || free(value)) && harmless(info, n.X) && len(n.Body.List) > 0 &&
				!slices.ContainsFunc(n.Body.List, func(s ast.Stmt) bool { return !gone(s) }) &&
				!slices.ContainsFunc(edits, func(e analysis.TextEdit) bool {
					return n.Body.Pos() < e.Pos && e.Pos < n.Body.End() && len(e.NewText) > 0
				}):
				drop(n)
			case free(key) && (value == nil || free(value)):
				cut(key.Pos(), n.Range, "")
			case free(key):
				cut(key.Pos(), key.End(), "_")
			default:
				cut(key.End(), value.End(), "")
			}
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				return true
			}
			i := slices.IndexFunc(n.Lhs, func(e ast.Expr) bool { return free(e) && !blank(e) })
			if i < 0 {
				return true
			}
			others := slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool {
				id, ok := e.(*ast.Ident)
				return ok && !free(e) && info.Defs[id] != nil
			})
			switch {
			case others:
				cut(n.Lhs[i].Pos(), n.Lhs[i].End(), "_")
			case len(n.Lhs) == 1 && harmless(info, n.Rhs[0]) && listed(body, n):
				drop(n)
			default:
				var names []string
				for _, e := range n.Lhs {
					name := "_"
					if !free(e) {
						name = Text(pass.Fset, e)
					}
					names = append(names, name)
				}
				cut(n.Pos(), n.TokPos+2, strings.Join(names, ", ")+" =")
			}
		}
		return !found
	})
	if !found {
		return edits, false
	}
	return out, true
}

// listed reports whether a statement is one of a list.
func listed(body ast.Node, st ast.Stmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			found = found || slices.Contains(n.List, st)
		case *ast.CaseClause:
			found = found || slices.Contains(n.Body, st)
		case *ast.CommClause:
			found = found || slices.Contains(n.Body, st)
		}
		return !found
	})
	return found
}

// harmless reports whether to compute an expression, or to go through it, does nothing
// else, and cannot panic but by a nil pointer.
func harmless(info *types.Info, e ast.Expr) bool {
	if t := info.TypeOf(e); t != nil {
		switch t.Underlying().(type) {
		case *types.Chan, *types.Signature: // to go through it receives, or calls
			return false
		}
	}
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			id, _ := n.Fun.(*ast.Ident)
			b, _ := info.Uses[id].(*types.Builtin)
			ok = ok && b != nil && (b.Name() == "len" || b.Name() == "cap")
		case *ast.IndexExpr, *ast.SliceExpr, *ast.TypeAssertExpr:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.BinaryExpr:
			ok = ok && n.Op != token.QUO && n.Op != token.REM && n.Op != token.SHL && n.Op != token.SHR
		}
		return ok
	})
	return ok
}

// identifiers are the names in a text.
func identifiers(text []byte) (all []string) {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(text)), text, nil, 0)
	for {
		switch _, tok, lit := s.Scan(); tok {
		case token.IDENT:
			all = append(all, lit)
		case token.EOF:
			return all
		}
	}
}
