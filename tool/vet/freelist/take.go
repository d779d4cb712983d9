package freelist

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A take is where a section takes an object from the list if there is one: in
// the body of the test, or behind a test that leaves where there is none.
type take struct {
	*check
	s     *section.Section
	test  inspector.Cursor // *ast.IfStmt
	early bool             // the test is for an empty list

	sizes map[*types.Var]int // variables that hold len(list) + n
	gone  []inspector.Cursor // statements that the pool does
	set   inspector.Cursor   // the statement that sets the object
}

// take finds where a section takes an object.
func (c *check) take(s *section.Section) *take {
	for _, stmt := range s.Stmts {
		for at := range stmt.Preorder((*ast.IfStmt)(nil)) {
			t := &take{check: c, s: s, test: at, sizes: map[*types.Var]int{}}
			if prev, ok := at.PrevSibling(); ok && list(at) {
				t.size(prev)
			}
			n := at.Node().(*ast.IfStmt)
			if n.Init != nil {
				init, _ := at.FindNode(n.Init)
				if !t.size(init) {
					continue
				}
				t.gone = t.gone[:len(t.gone)-1] // it goes with the condition
			}
			some, ok := t.tests(n.Cond)
			if !ok {
				continue
			}
			t.early = !some
			if t.pops() {
				return t
			}
		}
	}
	return nil
}

// size takes n := len(list), or len(list) - 1.
func (t *take) size(c inspector.Cursor) bool {
	a, ok := c.Node().(*ast.AssignStmt)
	if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return false
	}
	k, ok := t.length(a.Rhs[0])
	v := t.Uses.Var(a.Lhs[0])
	if !ok || v == nil {
		return false
	}
	t.sizes[v], t.gone = k, append(t.gone, c)
	return true
}

// length returns k of an expression that is len(list) + k.
func (t *take) length(e ast.Expr) (k int, ok bool) {
	switch x := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		return 0, t.builtin(x, "len") && t.is(x.Args[0])
	case *ast.Ident:
		k, ok = t.sizes[t.Uses.Var(x)]
		return k, ok
	case *ast.BinaryExpr:
		v, exact := constant.Int64Val(constant.ToInt(valueOf(t.info, x.Y)))
		k, ok = t.length(x.X)
		return k - int(v), ok && exact && x.Op == token.SUB
	}
	return 0, false
}

func valueOf(info *types.Info, e ast.Expr) constant.Value {
	if v := info.Types[e].Value; v != nil {
		return v
	}
	return constant.MakeUnknown()
}

// tests reports whether a condition asks if the list has something, or if it has
// nothing.
func (t *take) tests(e ast.Expr) (some, ok bool) {
	x, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok {
		return false, false
	}
	k, ok := t.length(x.X)
	n, exact := constant.Int64Val(constant.ToInt(valueOf(t.info, x.Y)))
	if !ok || !exact {
		return false, false
	}
	switch n -= int64(k); { // len(list) op n
	case x.Op == token.GTR && n == 0, x.Op == token.NEQ && n == 0, x.Op == token.GEQ && n == 1:
		return true, true
	case x.Op == token.EQL && n == 0, x.Op == token.LEQ && n == 0, x.Op == token.LSS && n == 1:
		return false, true
	}
	return false, false
}

// pops takes the statements that take the last object, or the first.
func (t *take) pops() bool {
	var c inspector.Cursor
	ok := false
	if n := t.test.Node().(*ast.IfStmt); t.early {
		c, ok = t.test.NextSibling()
	} else if len(n.Body.List) > 0 {
		c, ok = t.test.FindNode(n.Body.List[0])
	}
	for ; ok; c, ok = c.NextSibling() {
		if t.size(c) {
			continue
		}
		a, isAssign := c.Node().(*ast.AssignStmt)
		if !isAssign || len(a.Lhs) != 1 || len(a.Rhs) != 1 || a.Tok != token.ASSIGN && a.Tok != token.DEFINE {
			return false
		}
		switch {
		case t.element(a.Rhs[0]) && !t.found():
			id, isIdent := a.Lhs[0].(*ast.Ident)
			if !isIdent || id.Name == "_" {
				return false
			}
			t.set = c
		case t.found() && t.element(a.Lhs[0]) && t.info.Types[a.Rhs[0]].IsNil():
			t.gone = append(t.gone, c)
		case t.found() && t.is(a.Lhs[0]) && t.rest(a.Rhs[0]):
			t.gone = append(t.gone, c)
			return true
		default:
			return false
		}
	}
	return false
}

// found reports whether the statement that sets the object was found.
func (t *take) found() bool { return t.set.Inspector() != nil }

// element reports whether an expression is the last element, or the first.
func (t *take) element(e ast.Expr) bool {
	x, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok || !t.is(x.X) {
		return false
	}
	k, last := t.length(x.Index)
	return last && k == -1 || t.zero(x.Index)
}

// rest reports whether an expression is the list without the element: the last,
// or the first.
func (t *take) rest(e ast.Expr) bool {
	x, ok := ast.Unparen(e).(*ast.SliceExpr)
	if !ok || x.Slice3 || !t.is(x.X) {
		return false
	}
	i := ast.Unparen(t.set.Node().(*ast.AssignStmt).Rhs[0]).(*ast.IndexExpr).Index
	if t.zero(i) {
		one, ok := constant.Int64Val(constant.ToInt(valueOf(t.info, orNil(x.Low))))
		return ok && one == 1 && x.High == nil
	}
	if x.High == nil || x.Low != nil && !t.zero(x.Low) {
		return false
	}
	k, last := t.length(x.High)
	return last && k == -1
}

func orNil(e ast.Expr) ast.Expr {
	if e == nil {
		return &ast.BadExpr{}
	}
	return e
}

func (t *take) zero(e ast.Expr) bool {
	n, ok := constant.Int64Val(constant.ToInt(valueOf(t.info, e)))
	return ok && n == 0
}

// edits are those that get an object from a pool.
func (t *take) edits(known map[ast.Node]bool) (edits []analysis.TextEdit, why string, at token.Pos) {
	n := t.test.Node().(*ast.IfStmt)
	for _, c := range append(t.gone[:len(t.gone):len(t.gone)], t.set) {
		t.knows(c.Node(), known)
	}
	t.knows(n.Cond, known)
	if n.Init != nil {
		t.knows(n.Init, known)
	}
	for v := range t.sizes {
		for _, use := range t.Uses.Of(v) {
			if !t.within(use.Node().Pos()) {
				return nil, v.Name() + " is used for something else", use.Node().Pos()
			}
		}
	}
	if why, at := t.made(); why != "" {
		return nil, why, at
	}
	for f := range t.test.Enclosing((*ast.File)(nil)) {
		elem, ok := rewrite.Type(t.Pass.Pkg, f.Node().(*ast.File), n.Pos(), t.elem)
		if !ok {
			return nil, "the type of its objects has no name here", n.Pos()
		}
		fn, _ := uses.Func(t.test)
		set := t.set.Node().(*ast.AssignStmt)
		got, isOK := set.Lhs[0].(*ast.Ident).Name, rewrite.Fresh(t.Pass.Pkg, fn.Node(), "ok")
		if set.Tok == token.ASSIGN || t.mentions(got) {
			got = rewrite.Fresh(t.Pass.Pkg, fn.Node(), "free")
			edits = append(edits, rewrite.Replace(set.Rhs[0], got))
		} else {
			t.gone = append(t.gone, t.set)
		}
		get := fmt.Sprintf("%s, %s := %s.Get().(%s)", got, isOK, t.of(t.s), elem)
		cond := analysis.TextEdit{Pos: n.Cond.Pos(), End: n.Cond.End(), NewText: []byte(get + "; " + isOK)}
		if n.Init != nil {
			cond.Pos = n.Init.Pos()
		}
		if t.early {
			cond.NewText = []byte("!" + isOK)
			edits = append(edits, rewrite.Insert(n.Pos(), get+"\n"))
		}
		edits = append(edits, cond)
	}
	for _, c := range t.gone {
		edits = append(edits, rewrite.Drop(t.Pass.Fset, c))
	}
	return edits, "", 0
}

// mentions reports whether the test, or what it has for an empty list, has a
// name.
func (t *take) mentions(name string) (found bool) {
	n := t.test.Node().(*ast.IfStmt)
	var root ast.Node = n.Else
	if t.early {
		root = n
	}
	if n.Else == nil && !t.early {
		return false
	}
	ast.Inspect(root, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// knows enters the uses of the list in a node.
func (t *take) knows(n ast.Node, known map[ast.Node]bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && t.is(e) {
			known[n] = true
			return false
		}
		return true
	})
}

// within reports whether a position is in what the pool does.
func (t *take) within(pos token.Pos) bool {
	n := t.test.Node().(*ast.IfStmt)
	if n.Pos() <= pos && pos < n.Cond.End() {
		return true
	}
	for _, c := range append(t.gone[:len(t.gone):len(t.gone)], t.set) {
		if c.Node().Pos() <= pos && pos < c.Node().End() {
			return true
		}
	}
	return false
}

// made says why it does not show that an object is made where the list is empty.
func (t *take) made() (why string, at token.Pos) {
	n := t.test.Node().(*ast.IfStmt)
	const none = "an empty list does not have an object made"
	returns := func(b *ast.BlockStmt) bool {
		r, ok := b.List[len(b.List)-1].(*ast.ReturnStmt)
		return ok && len(b.List) == 1 && len(r.Results) == 1 && t.fresh(r.Results[0])
	}
	sets := func(b *ast.BlockStmt, v *types.Var) bool {
		a, ok := b.List[len(b.List)-1].(*ast.AssignStmt)
		return ok && len(a.Lhs) == 1 && len(a.Rhs) == 1 && a.Tok == token.ASSIGN && t.Uses.Var(a.Lhs[0]) == v && t.fresh(a.Rhs[0])
	}
	if t.early {
		if n.Else != nil || len(n.Body.List) == 0 {
			return none, n.Pos()
		}
		b := *n.Body
		b.List = t.without(b.List)
		if len(b.List) == 0 || !returns(&b) {
			return none, n.Pos()
		}
		return "", 0
	}
	v := t.Uses.Var(t.set.Node().(*ast.AssignStmt).Lhs[0])
	if n.Else != nil {
		if b, ok := n.Else.(*ast.BlockStmt); ok && len(b.List) > 0 && (sets(b, v) || returns(b)) {
			return "", 0
		}
		return none, n.Else.Pos()
	}
	if _, leaves := n.Body.List[len(n.Body.List)-1].(*ast.ReturnStmt); leaves {
		// What follows returns a new one.
		var rest []ast.Stmt
		for c, ok := t.test.NextSibling(); ok; c, ok = c.NextSibling() {
			rest = append(rest, c.Node().(ast.Stmt))
		}
		if rest = t.without(rest); len(rest) == 1 && returns(&ast.BlockStmt{List: rest}) && t.outermost() {
			return "", 0
		}
		return none, n.Pos()
	}
	for c, ok := t.test.NextSibling(); ok; c, ok = c.NextSibling() {
		if x, isIf := c.Node().(*ast.IfStmt); isIf && x.Init == nil && x.Else == nil && len(x.Body.List) > 0 {
			cond, isBinary := x.Cond.(*ast.BinaryExpr)
			if isBinary && cond.Op == token.EQL && t.Uses.Var(cond.X) == v && t.info.Types[cond.Y].IsNil() && sets(x.Body, v) {
				return "", 0
			}
		}
	}
	return none, n.Pos()
}

// outermost reports whether the test stands in the body of its function, so that
// what follows it is all that is done where the list is empty.
func (t *take) outermost() bool {
	return t.test.Parent().ParentEdgeKind() == edge.FuncDecl_Body || t.test.Parent().ParentEdgeKind() == edge.FuncLit_Body
}

// without leaves the statements out that give the lock back.
func (t *take) without(list []ast.Stmt) (rest []ast.Stmt) {
	for _, s := range list {
		unlocks := s == t.s.Leave.Node()
		for _, x := range t.s.Early {
			unlocks = unlocks || s == x.Node()
		}
		if !unlocks {
			rest = append(rest, s)
		}
	}
	return rest
}
