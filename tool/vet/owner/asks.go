package owner

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// An ask is a place that sends a request and waits for its answer.
type ask struct {
	*owner
	use    inspector.Cursor // of the channel
	send   inspector.Cursor // *ast.SendStmt
	choice inspector.Cursor // *ast.SelectStmt that it is a case of
	chosen bool             // whether it is
	next   inspector.Cursor // the statement that waits for the answer
	wait   inspector.Cursor // *ast.UnaryExpr
	inner  []analysis.TextEdit
}

// waits finds the statement after the one that sends, and reports whether it receives.
func (a *ask) waits() bool {
	if a.chosen = a.send.ParentEdgeKind() == edge.CommClause_Comm; a.chosen {
		a.choice = a.send.Parent().Parent().Parent()
	}
	next, ok := a.send.NextSibling()
	if !ok && a.chosen && a.returns() {
		next, ok = a.choice.NextSibling()
	}
	if !ok {
		return false
	}
	a.next = next
	for u := range next.Preorder((*ast.UnaryExpr)(nil)) {
		if u.Node().(*ast.UnaryExpr).Op == token.ARROW {
			a.wait = u
			return true
		}
	}
	return false
}

// returns reports whether all other cases of the select return, so that what comes after it
// is for the request alone.
func (a *ask) returns() bool {
	return !slices.ContainsFunc(a.choice.Node().(*ast.SelectStmt).Body.List, func(st ast.Stmt) bool {
		c := st.(*ast.CommClause)
		if c.Comm == a.send.Node() || len(c.Body) == 0 {
			return c.Comm != a.send.Node()
		}
		_, ok := c.Body[len(c.Body)-1].(*ast.ReturnStmt)
		return !ok
	})
}

// base is the variable that has what is asked.
func (a *ask) base() ast.Expr {
	return ast.Unparen(a.send.Node().(*ast.SendStmt).Chan).(*ast.SelectorExpr).X
}

// is reports whether an expression is a variable that points to the struct.
func (o *owner) is(e ast.Expr) bool {
	v := loop.Var(o.info, e)
	return v != nil && !v.IsField() && types.Identical(v.Type(), o.self.Type())
}

// read says why a request is more than a question.
func (a *ask) read() *shape.Refusal {
	send := a.send.Node().(*ast.SendStmt)
	switch {
	case !a.is(a.base()):
		return shape.No(send, "what is asked is no variable of type *"+a.typ.Name())
	case !a.waits():
		return shape.No(send, "a request is sent, and no answer waited for at once")
	case a.chosen && !a.orStopped():
		return shape.No(a.choice.Node(), "what asks may give up, for another reason than that the goroutine ends")
	case !a.chosen && !uses.Listed(a.send):
		return shape.No(send, "the request is part of another statement")
	}
	a.known[a.use.Node()] = true
	if no := a.alone(); no != nil {
		return no
	}
	v := ast.Unparen(send.Value)
	if q := loop.Var(a.info, v); q != nil {
		return a.variable(q)
	}
	if lit := literal(v); lit != nil {
		return a.element(lit, nil)
	}
	return shape.No(send, "the request is computed")
}

// orStopped reports whether the select of a request has one other case: that the
// goroutine stops.
func (a *ask) orStopped() bool {
	clauses := a.choice.Node().(*ast.SelectStmt).Body.List
	for _, c := range clauses {
		c := c.(*ast.CommClause)
		if st, ok := c.Comm.(*ast.ExprStmt); ok {
			sel, ok := inline.Received(st).(*ast.SelectorExpr)
			return ok && len(clauses) == 2 && a.stop != nil && a.uses.Var(sel) == a.stop &&
				loop.Var(a.info, sel.X) == loop.Var(a.info, a.base())
		}
	}
	return false
}

// alone says why the statement that waits may do something else before.
func (a *ask) alone() *shape.Refusal {
	no := shape.No(a.next.Node(), "what asks does more than to wait for the answer")
	first := a.next // what is done before the rest of it
	if st, ok := first.Node().(*ast.IfStmt); ok {
		k := edge.IfStmt_Cond
		if st.Init != nil {
			k = edge.IfStmt_Init
		}
		first = first.ChildAt(k, -1)
	}
	calls := map[ast.Node]bool{} // that get the answer
	for c := a.wait; c != first; c = c.Parent() {
		switch c.ParentEdgeKind() {
		case edge.CallExpr_Args:
			calls[c.Parent().Node()] = true
		case edge.AssignStmt_Rhs:
			if s := c.Parent().Node().(*ast.AssignStmt); len(s.Lhs) != len(s.Rhs) {
				return no
			}
		case edge.BinaryExpr_Y:
			if op := c.Parent().Node().(*ast.BinaryExpr).Op; op == token.LAND || op == token.LOR {
				return no
			}
		case edge.ParenExpr_X, edge.SelectorExpr_X, edge.StarExpr_X, edge.UnaryExpr_X, edge.BinaryExpr_X,
			edge.IndexExpr_X, edge.ReturnStmt_Results, edge.ExprStmt_X:
		default:
			return no
		}
	}
	for c := range first.Preorder((*ast.CallExpr)(nil), (*ast.UnaryExpr)(nil)) {
		switch n := c.Node().(type) {
		case *ast.CallExpr:
			if !calls[n] && inline.Calls(&ast.CallExpr{Fun: n.Fun}, a.info) {
				return no
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW && c != a.wait {
				return no
			}
		}
	}
	if _, ok := a.next.Node().(*ast.ExprStmt); a.gives == nil && (!ok || a.wait.Parent() != a.next) {
		return shape.No(a.next.Node(), "an answer that says nothing is looked at")
	}
	return nil
}

// literal is the composite literal that an expression is, or that it is the address of.
func literal(e ast.Expr) *ast.CompositeLit {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = ast.Unparen(u.X)
	}
	lit, _ := e.(*ast.CompositeLit)
	return lit
}

// variable takes the channel of the answer away from a request that a variable has.
func (a *ask) variable(q *types.Var) *shape.Refusal {
	wait := ast.Unparen(a.wait.Node().(*ast.UnaryExpr).X)
	sel, ok := wait.(*ast.SelectorExpr)
	made := false
	if ok && a.uses.Var(sel) == a.reply && loop.Var(a.info, sel.X) == q {
		a.known[sel.Sel] = true
	} else {
		sel = nil
	}
	for _, c := range a.uses.Of(q) {
		switch {
		case a.uses.Declares(c):
			var e ast.Expr
			switch d := c.Parent().Node().(type) {
			case *ast.AssignStmt:
				if len(d.Lhs) == len(d.Rhs) {
					e = d.Rhs[c.ParentEdgeIndex()]
				}
			case *ast.ValueSpec:
				if len(d.Names) == len(d.Values) {
					e = d.Values[c.ParentEdgeIndex()]
				}
			}
			if lit := literal(e); lit != nil && a.part(lit) != nil {
				made = true
				if no := a.element(lit, sel); no != nil {
					return no
				}
			}
		case c.ParentEdgeKind() == edge.SelectorExpr_X && sel != nil:
			x := c.Parent()
			set, ok := x.Parent().Node().(*ast.AssignStmt)
			if a.uses.Var(x.Node().(ast.Expr)) == a.reply && ok && x.ParentEdgeKind() == edge.AssignStmt_Lhs {
				if len(set.Lhs) != 1 || set.Tok != token.ASSIGN || !a.makes(set.Rhs[0]) || !uses.Listed(x.Parent()) {
					return shape.No(set, "the channel of the answer is not made for it alone")
				}
				made = true
				a.take(x.Node().(*ast.SelectorExpr).Sel, rewrite.Drop(a.pass.Fset, x.Parent()))
			}
		}
	}
	if !made {
		return shape.No(a.send.Node(), "the channel of the answer is made elsewhere")
	}
	return nil
}

// take makes an edit once, for the use of a name.
func (a *ask) take(id ast.Node, e analysis.TextEdit) {
	if !a.known[id] {
		a.known[id] = true
		a.edits = append(a.edits, e)
	}
}

// drop takes an element of a literal away, with its comma where a comment stays behind.
func (o *owner) drop(c inspector.Cursor) analysis.TextEdit {
	e := rewrite.Drop(o.pass.Fset, c)
	file := o.pass.Fset.File(e.Pos)
	if src, err := o.pass.ReadFile(file.Name()); err == nil && e.End == c.Node().End() {
		rest := src[file.Offset(e.End):]
		if after := bytes.TrimLeft(rest, " \t"); bytes.HasPrefix(after, []byte(",")) {
			e.End += token.Pos(len(rest) - len(after) + 1)
		}
	}
	return e
}

// makes reports whether an expression makes a channel.
func (o *owner) makes(e ast.Expr) bool {
	c, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && loop.Builtin(o.info, c) == "make" && (len(c.Args) == 1 || o.info.Types[c.Args[1]].Value != nil)
}

// part is the element of a literal of a request that is the channel of the answer, or nil.
func (a *ask) part(lit *ast.CompositeLit) ast.Expr {
	st, ok := a.info.TypeOf(lit).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for i, e := range lit.Elts {
		if kv, keyed := e.(*ast.KeyValueExpr); keyed && a.info.Uses[kv.Key.(*ast.Ident)] == a.reply || !keyed && st.Field(i) == a.reply {
			return e
		}
	}
	return nil
}

// element takes the channel of the answer from a literal. Wait is what the answer comes
// through where it is the field of a variable that has the literal.
func (a *ask) element(lit *ast.CompositeLit, wait *ast.SelectorExpr) *shape.Refusal {
	no := shape.No(lit, "the channel of the answer is not made for it alone")
	e := a.part(lit)
	var id ast.Node = lit
	v := e
	if kv, ok := e.(*ast.KeyValueExpr); ok {
		id, v = kv.Key, kv.Value
	}
	switch ch := loop.Var(a.info, v); {
	case wait != nil:
		if !a.makes(v) {
			return no
		}
	case ch == nil || loop.Var(a.info, a.wait.Node().(*ast.UnaryExpr).X) != ch:
		return no
	default:
		if why := a.local(ch, v); why != nil {
			return why
		}
	}
	at, _ := a.uses.Root.FindNode(e)
	drop := a.drop(at)
	if literal(a.send.Node().(*ast.SendStmt).Value) == lit {
		a.known[id] = true
		a.inner = append(a.inner, drop)
	} else {
		a.take(id, drop)
	}
	return nil
}

// local takes a variable away that has the channel of the answer. It goes with the
// requests of one function that wait for it at once.
func (a *ask) local(v *types.Var, in ast.Expr) *shape.Refusal {
	a.known[ast.Unparen(in)] = true
	a.known[ast.Unparen(a.wait.Node().(*ast.UnaryExpr).X)] = true
	fn, _ := uses.Func(a.send)
	for _, c := range a.uses.Of(v) {
		if own, ok := uses.Func(c); !ok || own != fn {
			return shape.No(c.Node(), v.Name()+" is used by several functions")
		}
		if a.uses.Declares(c) {
			d, ok := c.Parent().Node().(*ast.AssignStmt)
			if !ok || len(d.Lhs) != 1 || !a.makes(d.Rhs[0]) || !uses.Listed(c.Parent()) {
				return shape.No(c.Node(), v.Name()+" is not made for the answer alone")
			}
			a.take(c.Node(), rewrite.Drop(a.pass.Fset, c.Parent()))
		}
	}
	a.locals = append(a.locals, v)
	return nil
}
