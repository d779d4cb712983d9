package sharing

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/program"
)

// A toucher rewrites one declaration so that its accesses are recorded, and
// where it waits. All it inserts stays on the line, so positions remain true.
// Writes have three forms:
//
//	*payoffTouched(7, &x.n) += v           where nothing is called on the right
//	x.n = f(); payoffTouch(7, &x.n)        where f could change what x.n is
//	if payoffTouched(7, &x.n).Add(1) > 3   for a receiver or an address
//
// The first evaluates the operands of x.n before the right side, as Go does
// when it calls no function; with calls it would not be the same program.
// Reads are in read.go.
type toucher struct {
	*program.Package
	text   *edit.File
	hot    bool
	w      *Watcher
	over   int                 // sites beyond the maximum
	shared map[*types.Var]bool // local variables that other goroutines may reach
	copied map[*types.Var]bool // of those, the ones that literals have copies of
	stack  []ast.Node
}

func (t *toucher) decl(d ast.Decl) {
	if f, ok := d.(*ast.FuncDecl); ok && f.Doc != nil {
		// A call could overflow the stack that the linker has counted.
		if slices.ContainsFunc(f.Doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:nosplit") }) {
			t.refuse(f.Name, f.Name.Name, "its function may not grow the stack (go:nosplit)")
			return
		}
	}
	t.shared, t.copied = t.escaping(d)
	ast.Inspect(d, func(n ast.Node) bool {
		if n == nil {
			t.stack = t.stack[:len(t.stack)-1]
			return true
		}
		t.node(n)
		t.stack = append(t.stack, n)
		return true
	})
}

func (t *toucher) node(n ast.Node) {
	t.waits(n)
	if e, ok := n.(ast.Expr); ok && t.hot {
		t.read(e)
	}
	switch n := n.(type) {
	case *ast.IncDecStmt:
		t.assign(n, []ast.Expr{n.X}, nil, token.INC)
	case *ast.AssignStmt:
		t.assign(n, n.Lhs, n.Rhs, n.Tok)
	case *ast.RangeStmt:
		if t.hot {
			t.elements(n)
		}
		if n.Tok == token.ASSIGN {
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if e != nil && t.reachable(e) {
					t.refuse(e, types.ExprString(e), "it is written by a range clause")
				}
			}
		}
	case *ast.CallExpr:
		t.call(n)
	case *ast.SelectorExpr:
		if call, ok := t.parent().(*ast.CallExpr); (!ok || call.Fun != n) && (t.writes(n) || t.loads(n)) && t.method(n) {
			t.refuse(n, types.ExprString(n), "its method is taken as a value, whose calls are not seen")
		}
	}
}

// parent returns the node above the one that is visited, parentheses aside.
func (t *toucher) parent() ast.Node {
	for i := len(t.stack) - 1; i >= 0; i-- {
		if _, ok := t.stack[i].(*ast.ParenExpr); !ok {
			return t.stack[i]
		}
	}
	return nil
}

// assign watches what a statement writes.
func (t *toucher) assign(stmt ast.Stmt, lhs, rhs []ast.Expr, tok token.Token) {
	inList := t.inList(stmt)
	for i, e := range lhs {
		id, isIdent := ast.Unparen(e).(*ast.Ident)
		if isIdent && (id.Name == "_" || t.TypesInfo.Defs[id] != nil) || !t.reachable(e) {
			continue
		}
		text := types.ExprString(ast.Unparen(e))
		switch {
		case tok != token.DEFINE && !slices.ContainsFunc(rhs, t.calls):
			if site, ok := t.site(e, Watched{Site: Site{Expr: text}}, t.TypesInfo.TypeOf(e)); ok {
				from, to := t.Offsets(e)
				t.text.Around(from, to, fmt.Sprintf("*payoffTouched(%d, &", site), ")")
			}
		case !inList:
			t.refuse(e, text, "it is written by a clause that has no room for a second statement")
		case !t.repeatable(e):
			t.refuse(e, text, "to evaluate it twice could change what the program does")
		case moves(lhs, i) || t.aliases(e):
			t.refuse(e, text, "its statement writes what it goes by")
		default:
			if site, ok := t.site(e, Watched{Site: Site{Expr: text}}, t.TypesInfo.TypeOf(e)); ok {
				from, to := t.Offsets(stmt)
				t.text.After(from, to, fmt.Sprintf("; payoffTouch(%d, &%s)", site, text))
			}
		}
	}
}

// inList reports whether another statement may follow stmt, which is visited.
func (t *toucher) inList(stmt ast.Stmt) bool {
	for i := len(t.stack) - 1; i >= 0; i-- {
		switch p := t.stack[i].(type) {
		case *ast.LabeledStmt:
			continue
		case *ast.BlockStmt, *ast.CaseClause:
			return true
		case *ast.CommClause:
			return p.Comm != stmt
		default:
			return false
		}
	}
	return false
}

// moves reports whether the statement writes a part of lhs[i]: a variable it
// starts at or goes through.
func moves(lhs []ast.Expr, i int) bool {
	for j, e := range lhs {
		if j == i {
			continue
		}
		other := types.ExprString(ast.Unparen(e))
		moved := false
		ast.Inspect(lhs[i], func(n ast.Node) bool {
			if part, ok := n.(ast.Expr); ok && part != lhs[i] && types.ExprString(part) == other {
				moved = true
			}
			return !moved
		})
		if moved {
			return true
		}
	}
	return false
}

// aliases reports whether e may be a part of itself, as in p[p[0]] and
// e.next.next: once it is written, it may stand for something else.
func (t *toucher) aliases(e ast.Expr) bool {
	e = ast.Unparen(e)
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		part, ok := n.(ast.Expr)
		if !ok || part == e {
			return ok
		}
		switch p := part.(type) {
		case *ast.SelectorExpr:
			sel, ok := e.(*ast.SelectorExpr)
			found = found || ok && t.TypesInfo.Uses[sel.Sel] == t.TypesInfo.Uses[p.Sel]
		case *ast.IndexExpr, *ast.StarExpr:
			found = found || types.Identical(t.TypesInfo.TypeOf(p), t.TypesInfo.TypeOf(e))
		}
		return !found
	})
	return found
}

// calls reports whether e calls a function or receives: code that runs in
// between and may change what the left side stands for.
func (t *toucher) calls(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if tv := t.TypesInfo.Types[n.Fun]; !tv.IsType() && !tv.IsBuiltin() {
				found = true
			}
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// repeatable reports whether e may be evaluated once more.
func (t *toucher) repeatable(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.Ident, *ast.BasicLit, *ast.SelectorExpr, *ast.StarExpr, *ast.ParenExpr, *ast.BinaryExpr:
		case *ast.IndexExpr:
			ok = ok && !t.isMap(n.X) // the entry may be gone
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.CallExpr:
			id, isIdent := ast.Unparen(n.Fun).(*ast.Ident)
			tv := t.TypesInfo.Types[n.Fun]
			ok = ok && (tv.IsType() || tv.IsBuiltin() && isIdent && (id.Name == "len" || id.Name == "cap"))
		default:
			e, isExpr := n.(ast.Expr)
			ok = ok && isExpr && t.TypesInfo.Types[e].IsType()
		}
		return ok
	})
	return ok
}

// call watches the functions and methods that read or write at an address.
func (t *toucher) call(call *ast.CallExpr) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	x := Watched{Atomic: true}
	switch {
	case t.loads(sel):
		x.Read = true
	case !t.writes(sel):
		return
	}
	x.Lock = t.locks(sel)
	if g, ok := t.parent().(*ast.GoStmt); ok && g.Call == call {
		t.refuse(sel, types.ExprString(sel), "another goroutine does it")
		return
	}
	if !t.method(sel) { // atomic.AddInt64(&x, 1)
		addr := call.Args[0]
		if !isPointer(t.TypesInfo.TypeOf(addr)) {
			return
		}
		x.Expr, x.Address = types.ExprString(addr), true
		if u, ok := ast.Unparen(addr).(*ast.UnaryExpr); ok && u.Op == token.AND {
			if x.Expr, x.Address = types.ExprString(u.X), false; !t.reachable(u.X) {
				return
			}
		}
		if site, ok := t.site(addr, x, program.Deref(t.TypesInfo.TypeOf(addr))); ok {
			from, to := t.Offsets(addr)
			t.text.Around(from, to, fmt.Sprintf("payoffTouched(%d, ", site), ")")
		}
		return
	}
	path, typ, ok := t.promoted(sel)
	if !ok {
		t.refuse(sel, types.ExprString(sel), "it is embedded where this package cannot name it")
		return
	}
	pointer := isPointer(typ)
	if !pointer && path == "" && !t.reachable(sel.X) {
		return
	}
	x.Expr, x.Address = types.ExprString(sel.X)+path, pointer
	if site, ok := t.site(sel.X, x, program.Deref(typ)); ok {
		and := "&"
		if pointer {
			and = ""
		}
		from, to := t.Offsets(sel.X)
		t.text.Around(from, to, fmt.Sprintf("payoffTouched(%d, %s", site, and), path+")")
	}
}

// site enters x, an access to a value of typ, which e stands for, and returns
// its number.
func (t *toucher) site(e ast.Expr, x Watched, typ types.Type) (int, bool) {
	if x.Read && t.w.reads >= maxReads || !x.Read && len(t.w.Sites)-t.w.reads >= maxWrites {
		t.over++
		return 0, false
	}
	if x.Read {
		t.w.reads++
	}
	at := t.Position(e.Pos())
	x.File, x.Line, x.Column = at.Filename, at.Line, at.Column
	x.Type = types.TypeString(typ, types.RelativeTo(t.Types))
	x.Size = t.size(typ)
	x.Hot = t.hot
	t.w.Sites = append(t.w.Sites, x)
	return len(t.w.Sites) - 1, true
}

func (t *toucher) size(typ types.Type) (n int64) {
	if mentionsParam(typ) {
		return 0
	}
	return t.TypesSizes.Sizeof(typ)
}

func (t *toucher) refuse(n ast.Node, what, why string) {
	at := t.Position(n.Pos())
	t.w.refuse(fmt.Sprintf("%s at %s:%d:%d", what, at.Filename, at.Line, at.Column), why)
}
