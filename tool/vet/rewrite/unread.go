package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

// unread are the edits that put _ in the place of the variables of := and of loops which
// edits leave without a use, in the functions of a file. What only computes them goes.
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
	dropped := false
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
			case changed && none && !slices.ContainsFunc(n.Rhs, func(e ast.Expr) bool { return !computed(info, body, e) }):
				before := len(more)
				e := Gone(pass, n)
				for _, g := range File(pass, n.Pos()).Comments { // behind it
					if n.End() <= g.Pos() && pass.Fset.Position(g.Pos()).Line == pass.Fset.Position(n.End()).Line {
						e.End = max(e.End, g.End())
					}
				}
				put(e.Pos, e.End, "")
				dropped = dropped || len(more) > before
			case changed && none:
				put(n.Pos(), n.TokPos+2, text+" =")
			case changed:
				put(n.Pos(), n.TokPos, text+" ")
			}
		}
		return n == nil || !gone(n)
	})
	if dropped { // others may have no use but that
		return append(more, blanks(pass, body, slices.Concat(edits, more))...)
	}
	return more
}

// computed reports whether an expression only computes, and cannot panic: it adds lengths and
// numbers, and divides by constants and by how many processors there are.
func computed(info *types.Info, body ast.Node, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit, *ast.Ident:
		return true
	case *ast.BinaryExpr:
		switch e.Op { // shifts and comparisons may panic
		case token.ADD, token.SUB, token.MUL:
		case token.QUO, token.REM:
			if info.Types[e.Y].Value == nil && !processors(info, body, e.Y) {
				return false
			}
		default:
			return false
		}
		return computed(info, body, e.X) && computed(info, body, e.Y)
	case *ast.CallExpr:
		b, _ := typeutil.Callee(info, e).(*types.Builtin)
		return processors(info, body, e) || b != nil && b.Name() == "len" && computed(info, body, e.Args[0])
	}
	return false
}

// processors reports whether an expression is how many processors there are, or a variable
// that is declared as that.
func processors(info *types.Info, body ast.Node, e ast.Expr) (is bool) {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		fn := typeutil.StaticCallee(info, call)
		return fn != nil && (fn.FullName() == "runtime.NumCPU" || fn.FullName() == "runtime.GOMAXPROCS" && info.Types[call.Args[0]].Value != nil && constant.Sign(info.Types[call.Args[0]].Value) == 0)
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	for n := range ast.Preorder(body) {
		set, isSet := n.(*ast.AssignStmt)
		if !isSet {
			continue
		}
		for i, x := range set.Lhs {
			if to, isIdent := x.(*ast.Ident); ok && isIdent && info.ObjectOf(to) == info.ObjectOf(id) {
				if info.Defs[to] == nil || len(set.Lhs) != len(set.Rhs) || !processors(info, body, set.Rhs[i]) {
					return false
				}
				is = true
			}
		}
	}
	return is
}
