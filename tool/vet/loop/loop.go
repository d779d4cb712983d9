// Package loop answers what the checks of package vet ask about a loop. They
// ask what it runs over, what stays the same in it, and where a statement can
// stand that runs once before it.
//
// It looks at syntax and types alone and takes the word for nothing: a variable
// whose address is taken may change at any time. A question costs a walk over
// the declaration.
package loop

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A Loop is a for or range statement.
type Loop struct {
	At   inspector.Cursor // of the statement
	Stmt ast.Stmt
	Body *ast.BlockStmt
	info *types.Info
}

// Around returns the innermost loop whose body holds the node at c, within the
// innermost function.
func Around(info *types.Info, c inspector.Cursor) (Loop, bool) {
	for up := c; ; up = up.Parent() {
		switch up.Parent().Node().(type) {
		case nil, *ast.FuncDecl, *ast.FuncLit, *ast.File:
			return Loop{}, false
		}
		switch up.ParentEdgeKind() {
		case edge.ForStmt_Body, edge.RangeStmt_Body:
			return New(info, up.Parent()), true
		}
	}
}

// New returns the loop of the statement at c.
func New(info *types.Info, c inspector.Cursor) Loop {
	l := Loop{At: c, info: info}
	switch s := c.Node().(type) {
	case *ast.ForStmt:
		l.Stmt, l.Body = s, s.Body
	case *ast.RangeStmt:
		l.Stmt, l.Body = s, s.Body
	}
	return l
}

// Before is where a statement can stand that runs once before the loop, and
// why there is no such place, if there is none. A goto of the function might
// jump over a declaration there.
func (l Loop) Before() (pos token.Pos, why string) {
	if uses.Any(Func(l.At), func(b *ast.BranchStmt) bool { return b.Tok == token.GOTO }) {
		return token.NoPos, "the function has a goto"
	}
	return l.Whole().Node().Pos(), ""
}

// Whole is the loop with its labels.
func (l Loop) Whole() inspector.Cursor {
	c := l.At
	for {
		if _, ok := c.Parent().Node().(*ast.LabeledStmt); !ok {
			return c
		}
		c = c.Parent()
	}
}

// Func is the innermost function that holds the node at c: a FuncDecl or a
// FuncLit, nil if there is none.
func Func(c inspector.Cursor) ast.Node {
	fn, ok := uses.Func(c)
	if !ok {
		return nil
	}
	return fn.Node()
}

// Chain reports whether e is x or x.f.g.
func Chain(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return Chain(e.X)
	}
	return false
}

// Count is an expression for how often the body runs at most, without its loop
// being left early: "len(xs)", "n". It may be negative where neg says so. It is not
// known where the statement does not say it.
func (l Loop) Count(text func(ast.Node) string) (count string, neg, known bool) {
	var n ast.Expr // what it counts to
	switch s := l.Stmt.(type) {
	case *ast.RangeStmt:
		if !l.Invariant(s.X) {
			break
		}
		switch u := l.info.TypeOf(s.X).Underlying().(type) {
		case *types.Slice, *types.Map, *types.Array:
			return "len(" + text(s.X) + ")", false, true
		case *types.Basic:
			if u.Info()&types.IsString != 0 {
				return "len(" + text(s.X) + ")", false, true
			}
			if l.info.Types[s.X].Value != nil || u.Kind() == types.Int {
				n = s.X
			}
		}
	case *ast.ForStmt:
		// Beginning later than at 0, it runs less often.
		num, ok := Numbered(l.info, s)
		if ok && (num.Lo == nil || notNegative(l.info, num.Lo)) && l.Invariant(num.Hi) && len(Writes(l.info, s.Body, Var(l.info, num.Key))) == 0 {
			n = num.Hi
		}
	}
	if n == nil {
		return "", false, false
	}
	return text(n), l.info.Types[n].Value == nil && !isLen(l.info, n), true
}

func notNegative(info *types.Info, e ast.Expr) bool {
	v := info.Types[e].Value
	return v != nil && v.Kind() == constant.Int && constant.Sign(v) >= 0
}

func isLen(info *types.Info, e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && Builtin(info, call) == "len"
}

// Numbers are those of the iterations of a loop.
type Numbers struct {
	Key, Value *ast.Ident // of the head, nil without
	Lo, Hi     ast.Expr   // what it counts from and to; Lo is nil for 0
	Over       ast.Expr   // the slice or array that it goes over, in place of Hi
}

// Numbered reports whether a loop counts one by one, in int, and how. The body may
// change what it counts with.
func Numbered(info *types.Info, stmt ast.Stmt) (n Numbers, ok bool) {
	name := func(e ast.Expr) *ast.Ident {
		if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
			return id
		}
		return nil
	}
	switch l := stmt.(type) {
	case *ast.RangeStmt:
		n.Key, n.Value = name(l.Key), name(l.Value)
		switch t := info.TypeOf(l.X).Underlying().(type) {
		case *types.Slice, *types.Array:
			n.Over = l.X
		case *types.Basic:
			if !types.Identical(t, types.Typ[types.Int]) && t.Kind() != types.UntypedInt {
				return n, false
			}
			n.Hi = l.X
		default:
			return n, false
		}
		return n, l.Tok != token.ASSIGN
	case *ast.ForStmt:
		init, ok := l.Init.(*ast.AssignStmt)
		cond, ok2 := l.Cond.(*ast.BinaryExpr)
		post, ok3 := l.Post.(*ast.IncDecStmt)
		if !ok || !ok2 || !ok3 || init.Tok != token.DEFINE || len(init.Lhs) != 1 || cond.Op != token.LSS || post.Tok != token.INC {
			return n, false
		}
		k := Var(info, init.Lhs[0])
		n.Key, n.Lo, n.Hi = name(init.Lhs[0]), init.Rhs[0], cond.Y
		if v := info.Types[n.Lo].Value; v != nil && v.ExactString() == "0" {
			n.Lo = nil
		}
		return n, n.Key != nil && Var(info, cond.X) == k && Var(info, post.X) == k && types.Identical(k.Type(), types.Typ[types.Int])
	}
	return n, false
}

// Invariant reports whether e has the same value before the loop and in all of
// it, and can be evaluated before it. That holds for constants, and for local
// variables that nothing in the loop assigns to and no code takes the address
// of. It holds for lengths, sums and conversions of such, too.
func (l Loop) Invariant(e ast.Expr) bool {
	if l.info.Types[e].Value != nil {
		return true
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.Invariant(e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.ADD, token.SUB, token.MUL:
			return l.Invariant(e.X) && l.Invariant(e.Y)
		}
	case *ast.CallExpr:
		if len(e.Args) != 1 {
			return false
		}
		if l.info.Types[e.Fun].IsType() {
			return uses.Under[*types.Basic](l.info.TypeOf(e)) && uses.Under[*types.Basic](l.info.TypeOf(e.Args[0])) && l.Invariant(e.Args[0])
		}
		if b := Builtin(l.info, e); b == "len" || b == "cap" {
			return l.Invariant(e.Args[0])
		}
	case *ast.Ident:
		v, ok := l.info.Uses[e].(*types.Var)
		return ok && l.Constant(v)
	case *ast.SelectorExpr:
		// A field of a local struct. Behind a pointer anybody may change it.
		v, ok := l.info.Uses[e.Sel].(*types.Var)
		if !ok || !v.IsField() {
			return false
		}
		if _, ok := l.info.TypeOf(e.X).Underlying().(*types.Struct); !ok || l.info.Selections[e] == nil || l.info.Selections[e].Indirect() {
			return false
		}
		return l.Invariant(e.X)
	}
	return false
}

// Constant reports whether the local variable v, declared before the loop, keeps
// its value in it.
func (l Loop) Constant(v *types.Var) bool {
	decl := uses.Decl(l.At)
	if decl == nil || !Local(v, decl) || v.Pos() >= l.Stmt.Pos() && v.Pos() < l.Stmt.End() {
		return false
	}
	for _, w := range Writes(l.info, decl, v) {
		if w.Address || w.Captured || l.Stmt.Pos() <= w.Node.Pos() && w.Node.Pos() < l.Stmt.End() {
			return false
		}
	}
	return true
}

// Local reports whether v is a variable of the declared function.
func Local(v *types.Var, decl *ast.FuncDecl) bool {
	return !v.IsField() && decl.Pos() <= v.Pos() && v.Pos() < decl.End()
}

// A Write is a place that changes a variable, or lets others change it.
type Write struct {
	Node     ast.Node
	Address  bool // its address is taken
	Captured bool // in a function literal that does not declare it
}

// Writes returns what writes to v, or to a part of it that is not behind a
// pointer, within node. That v is declared is no write.
func Writes(info *types.Info, node ast.Node, v *types.Var) (out []Write) {
	if v == nil {
		return nil
	}
	ast.PreorderStack(node, nil, func(n ast.Node, stack []ast.Node) bool {
		is := func(e ast.Expr) bool { return root(info, e) == v }
		writes, address := false, false
		switch n := n.(type) {
		case *ast.AssignStmt:
			writes = slices.ContainsFunc(n.Lhs, is)
		case *ast.IncDecStmt:
			writes = is(n.X)
		case *ast.RangeStmt:
			writes = n.Tok == token.ASSIGN && (is(n.Key) || is(n.Value))
		case *ast.UnaryExpr:
			address = n.Op == token.AND && is(n.X)
		case *ast.SliceExpr:
			address = uses.Under[*types.Array](info.TypeOf(n.X)) && is(n.X)
		case *ast.SelectorExpr:
			address = ImplicitAddress(info, n) && is(n.X)
		}
		if writes || address {
			captured := slices.ContainsFunc(stack, func(s ast.Node) bool {
				lit, ok := s.(*ast.FuncLit)
				return ok && !(lit.Pos() <= v.Pos() && v.Pos() < lit.End())
			})
			out = append(out, Write{n, address, captured})
		}
		return true
	})
	return out
}

// ImplicitAddress reports whether sel is a method value or call that takes the
// address of what it is selected from.
func ImplicitAddress(info *types.Info, sel *ast.SelectorExpr) bool {
	s := info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal {
		return false
	}
	return uses.Under[*types.Pointer](s.Obj().(*types.Func).Signature().Recv().Type()) && !uses.Under[*types.Pointer](info.TypeOf(sel.X))
}

// root is the variable that e is, or is a part of: x in x.f and x[i] of an array.
func root(info *types.Info, e ast.Expr) *types.Var {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return root(info, e.X)
	case *ast.Ident:
		v, _ := info.Uses[e].(*types.Var)
		return v
	case *ast.SelectorExpr:
		if s := info.Selections[e]; s != nil && !s.Indirect() {
			return root(info, e.X)
		}
	case *ast.IndexExpr:
		if t := info.TypeOf(e.X); t != nil {
			if _, ok := t.Underlying().(*types.Array); ok {
				return root(info, e.X)
			}
		}
	}
	return nil
}

// Var is the variable that an identifier names, nil if e is none.
func Var(info *types.Info, e ast.Expr) *types.Var {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := info.ObjectOf(id).(*types.Var)
	return v
}

// Builtin names the builtin that is called, "" if it is none.
func Builtin(info *types.Info, call *ast.CallExpr) string {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return ""
	}
	if b, ok := info.Uses[id].(*types.Builtin); ok {
		return b.Name()
	}
	return ""
}

// Makes reports whether an expression makes memory: a literal, its address, make or new.
func Makes(info *types.Info, e ast.Expr) bool {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = ast.Unparen(u.X)
	}
	switch e := e.(type) {
	case *ast.CallExpr:
		b := Builtin(info, e)
		return b == "make" || b == "new"
	case *ast.CompositeLit:
		return true
	}
	return false
}
