package sharing

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/program"
)

// read watches e if it reads a variable, and nothing that runs in between
// could make the rewritten one read another:
//
//	if (*payoffTouched(7, &x.n)) > 3
func (t *toucher) read(e ast.Expr) {
	if !t.evaluated() || !t.reads(e) || !t.ordered(e) {
		return
	}
	x := Watched{Site: Site{Expr: types.ExprString(e), Read: true}}
	if site, ok := t.site(e, x, t.TypesInfo.TypeOf(e)); ok {
		from, to := t.Offsets(e)
		t.text.Around(from, to, fmt.Sprintf("(*payoffTouched(%d, &", site), "))")
	}
}

// elements watches what a range clause reads from a slice or array. The clause
// evaluates it once, so its address is kept beside it:
//
//	{ var payoffB7 uintptr; for payoffI7, x := range payoffSlice(&payoffB7, xs) { payoffElement(7, payoffB7, payoffI7, x); … } }
func (t *toucher) elements(r *ast.RangeStmt) {
	value, ok := r.Value.(*ast.Ident)
	if !ok || value.Name == "_" || r.Tok != token.DEFINE || !t.evaluated() || !t.inList(r) {
		return
	}
	if _, ok := t.parent().(*ast.LabeledStmt); ok {
		return // the label would name the block
	}
	before := "payoffSlice"
	typ := t.TypesInfo.TypeOf(r.X)
	switch typ.Underlying().(type) {
	case *types.Slice:
	case *types.Array:
		v := t.local(r.X)
		if !t.TypesInfo.Types[r.X].Addressable() || v != nil && (!t.shared[v] || t.copied[v]) {
			return
		}
		before = "*payoffArray"
	case *types.Pointer:
		if !toArray(typ) {
			return
		}
		before = "payoffArray"
	default:
		return
	}
	x := Watched{Site: Site{Expr: types.ExprString(r.X) + elementOf, Read: true}}
	site, ok := t.site(r.X, x, t.TypesInfo.TypeOf(value))
	if !ok {
		return
	}
	from, to := t.Offsets(r)
	t.text.Around(from, to, fmt.Sprintf("{ var payoffB%d uintptr; ", site), " }")
	key, ok := r.Key.(*ast.Ident)
	if !ok {
		return
	}
	index := key.Name
	if index == "_" {
		index = fmt.Sprintf("payoffI%d", site)
		from, to = t.Offsets(key)
		t.text.Replace(from, to, index)
	}
	before += fmt.Sprintf("(&payoffB%d, ", site)
	if typ := typ.Underlying(); !isPointer(typ) && before[0] == '*' {
		before += "&"
	}
	from, to = t.Offsets(r.X)
	t.text.Around(from, to, before, ")")
	at, _ := t.Offsets(r.Body)
	t.text.Insert(at+1, fmt.Sprintf(" payoffElement(%[1]d, payoffB%[1]d, %s, %s);", site, index, value.Name))
}

// elementOf ends the expression of a site that reads elements in turn.
const elementOf = "[…]"

// evaluated reports whether the node that is visited is evaluated in the body
// of a function: it is no part of a constant, such as len(x.array).
func (t *toucher) evaluated() bool {
	in := false
	for _, n := range t.stack {
		switch n := n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			in = true
		case ast.Expr:
			if t.TypesInfo.Types[n].Value != nil {
				return false
			}
		}
	}
	return in
}

// reads reports whether e, which is visited, reads a variable that other
// goroutines may reach.
func (t *toucher) reads(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		v, ok := t.TypesInfo.Uses[e].(*types.Var)
		if !ok || v.IsField() {
			return false // the name after a dot, or in a literal
		}
	case *ast.SelectorExpr:
		v, ok := t.TypesInfo.Uses[e.Sel].(*types.Var)
		if !ok || !v.IsField() && !t.ours(v.Pkg()) {
			return false
		}
	case *ast.IndexExpr:
	case *ast.StarExpr:
	default:
		return false
	}
	tv := t.TypesInfo.Types[e]
	if !tv.Addressable() || t.size(tv.Type) == 0 && !mentionsParam(tv.Type) || !t.reachable(e) {
		return false
	}
	if v := t.local(e); v != nil && t.copied[v] {
		return false
	}
	return t.usesValue(e)
}

// ours reports whether the module of the package has p, too. Nobody writes the
// variables of others.
func (t *toucher) ours(p *types.Package) bool {
	return p == t.Types || strings.HasPrefix(p.Path()+"/", t.Module.Path+"/")
}

// usesValue reports whether what stands around e, which is visited, uses its
// value: not its address, nor a part of it, nor the place to put another one.
func (t *toucher) usesValue(e ast.Expr) bool {
	var at ast.Node = e
	i := len(t.stack) - 1
	for ; i >= 0; i-- {
		if p, ok := t.stack[i].(*ast.ParenExpr); ok {
			at = p
			continue
		}
		break
	}
	if i < 0 {
		return false
	}
	typ := t.TypesInfo.TypeOf(e)
	_, isArray := typ.Underlying().(*types.Array)
	switch p := t.stack[i].(type) {
	case *ast.SelectorExpr:
		if p.X != at {
			return false // it is the name after the dot
		}
		if isPointer(typ) || types.IsInterface(typ) {
			return true
		}
		sn := t.TypesInfo.Selections[p]
		if sn == nil || sn.Kind() != types.MethodVal || len(sn.Index()) > 1 {
			return false
		}
		return !isPointer(sn.Obj().(*types.Func).Signature().Recv().Type())
	case *ast.IndexExpr:
		return p.X != at || !isArray
	case *ast.SliceExpr:
		return p.X != at || !isArray
	case *ast.RangeStmt:
		return p.X == at && !isArray
	case *ast.UnaryExpr:
		return p.Op != token.AND
	case *ast.IncDecStmt:
		return false
	case *ast.AssignStmt:
		for _, l := range p.Lhs {
			if l == at {
				return false
			}
		}
	case *ast.KeyValueExpr:
		if lit, ok := t.stack[i-1].(*ast.CompositeLit); ok && p.Key == at {
			_, isStruct := program.Deref(t.TypesInfo.TypeOf(lit)).Underlying().(*types.Struct)
			return !isStruct
		}
	case *ast.CallExpr:
		if p.Fun == at {
			return true
		}
		if t.TypesInfo.Types[p.Fun].IsBuiltin() {
			b, _ := t.Callee(p).(*types.Builtin)
			return b != nil && b.Pkg() == nil && !isArray && !toArray(typ) // len of an array is constant
		}
	}
	return true
}

// toArray reports whether typ is a pointer to an array.
func toArray(typ types.Type) bool {
	_, ok := program.Deref(typ).Underlying().(*types.Array)
	return ok && isPointer(typ)
}

// ordered reports whether e reads the same when its address is taken first. It
// does unless something is called between the two, beside e, that could change
// what e stands for. The language leaves the order open there; the program
// may rely on its compiler.
func (t *toucher) ordered(e ast.Expr) bool {
	if t.steady(e) {
		return true
	}
	var at ast.Node = e
	for i := len(t.stack) - 1; i >= 0; i-- {
		switch p := t.stack[i].(type) {
		case *ast.BinaryExpr:
			if p.Op == token.LAND || p.Op == token.LOR {
				return !t.runs(at, e)
			}
		case *ast.AssignStmt, *ast.ReturnStmt, *ast.SendStmt, *ast.ValueSpec, *ast.IncDecStmt:
			return !t.runs(p, e)
		case *ast.FuncLit, ast.Stmt, *ast.Field:
			return !t.runs(at, e)
		}
		at = t.stack[i]
	}
	return false
}

// runs reports whether n calls a function or receives other than with e as a
// part of what it hands over.
func (t *toucher) runs(n ast.Node, e ast.Expr) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		within := n != nil && n.Pos() <= e.Pos() && e.End() <= n.End()
		switch n := n.(type) {
		case *ast.FuncLit:
			return within
		case *ast.CallExpr:
			tv := t.TypesInfo.Types[n.Fun]
			sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
			if !within && !tv.IsType() && !tv.IsBuiltin() && !(ok && t.loads(sel)) {
				found = true
			}
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW && !within
		}
		return !found
	})
	return found
}

// steady reports whether nothing but its own statement can change what e
// stands for: it is a field or element by way of local variables that nobody
// else reaches.
func (t *toucher) steady(e ast.Expr) bool {
	own := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			return false
		}
		v, ok := t.TypesInfo.Uses[id].(*types.Var)
		return ok && t.local(id) == v && !t.shared[v]
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		sn := t.TypesInfo.Selections[e]
		return sn != nil && len(sn.Index()) == 1 && own(e.X)
	case *ast.IndexExpr:
		_, isLit := ast.Unparen(e.Index).(*ast.BasicLit)
		return own(e.X) && (isLit || own(e.Index))
	case *ast.StarExpr:
		return own(e.X)
	}
	return false
}

// waits marks where a goroutine waits until another lets it go on: at the
// operations of channels, and where it calls a method Wait. What it finds
// afterwards may have been handed to it.
func (t *toucher) waits(n ast.Node) {
	around := func(e ast.Expr, before, after string) {
		from, to := t.Offsets(e)
		t.text.Around(from, to, before, after)
	}
	switch n := n.(type) {
	case *ast.CommClause:
		if n.Comm != nil { // what it chose; a default has not waited
			at, _ := t.Offsets(n)
			at += int(n.Colon-n.Pos()) + 1
			t.text.Insert(at, " payoffWait();")
		}
	case *ast.SendStmt:
		if !t.inComm(n) {
			around(n.Chan, "payoffWaits(", ")")
		}
	case *ast.UnaryExpr:
		if n.Op == token.ARROW && !t.inComm(n) {
			around(n.X, "payoffWaits(", ")")
		}
	case *ast.RangeStmt:
		if _, ok := t.TypesInfo.TypeOf(n.X).Underlying().(*types.Chan); ok {
			at, _ := t.Offsets(n.Body)
			t.text.Insert(at+1, " payoffWait();")
		}
	case *ast.CallExpr:
		sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Wait" || len(n.Args) > 0 || !t.method(sel) {
			return
		}
		switch typ := t.TypesInfo.TypeOf(sel.X); {
		case isPointer(typ) || types.IsInterface(typ):
			around(sel.X, "payoffWaits(", ")")
		case t.TypesInfo.Types[sel.X].Addressable():
			around(sel.X, "(*payoffWaits(&", "))")
		}
	}
}

// inComm reports whether n, which is visited, is the communication of a select
// or in it.
func (t *toucher) inComm(n ast.Node) bool {
	for i := len(t.stack) - 1; i >= 0; i-- {
		if c, ok := t.stack[i].(*ast.CommClause); ok {
			return n == c.Comm
		}
		n = t.stack[i]
	}
	return false
}
