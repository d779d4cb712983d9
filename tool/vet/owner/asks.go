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

	"github.com/gopayoff/payoff/tool/vet/guard"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// An ask is a place that sends a request and waits for its answer.
type ask struct {
	*port
	use    inspector.Cursor // of the channel
	send   inspector.Cursor // *ast.SendStmt
	choice inspector.Cursor // *ast.SelectStmt that it is a case of
	chosen bool             // whether it is
	next   inspector.Cursor // the statement that waits for the answer
	wait   inspector.Cursor // *ast.UnaryExpr
}

// waits reports whether a statement after the one that sends receives.
func (a *ask) waits() bool {
	if a.chosen = a.send.ParentEdgeKind() == edge.CommClause_Comm; a.chosen {
		a.choice = a.send.Parent().Parent().Parent()
	}
	return a.receives(a.send) || a.chosen && a.returns() && a.receives(a.choice)
}

// receives finds the first receive of the statements after one.
func (a *ask) receives(st inspector.Cursor) bool {
	for next, ok := st.NextSibling(); ok; next, ok = next.NextSibling() {
		for u := range next.Preorder((*ast.UnaryExpr)(nil)) {
			if u.Node().(*ast.UnaryExpr).Op == token.ARROW {
				a.next, a.wait = next, u
				return true
			}
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
	return v != nil && types.Identical(v.Type(), o.self.Type())
}

// within reports whether what is asked is a field of a variable, which cannot become
// another until the answer is there.
func (a *ask) within(send *ast.SendStmt) bool {
	sel, ok := a.base().(*ast.SelectorExpr)
	return ok && types.Identical(a.info.TypeOf(sel), a.self.Type()) && !a.chosen && !inline.Calls(send.Value, a.info) && !inline.Receives(send.Value)
}

// read says why a request is more than a question.
func (a *ask) read() *shape.Refusal {
	send := a.send.Node().(*ast.SendStmt)
	switch {
	case !a.is(a.base()) && !a.within(send):
		return shape.No(send, "what is asked is no variable of type *"+a.typ.Name())
	case a.reply != nil && !a.waits():
		return shape.No(send, "a request is sent, and no answer waited for at once")
	case a.chosen && (!a.orStopped() || !uses.Listed(a.choice)):
		return shape.No(a.choice.Node(), "what asks may give up, for another reason than that the goroutine ends")
	case !a.chosen && !uses.Listed(a.send):
		return shape.No(send, "the request is part of another statement")
	case a.chosen && a.reply == nil:
		return shape.No(send, "a request without an answer may be given up")
	}
	a.known[a.use.Node()] = true
	if a.stop != nil && !a.chosen {
		a.hold("nothing is asked of a " + a.typ.Name() + " that has been told to stop")
	}
	if a.reply == nil {
		return nil
	}
	if no := a.once(); no != nil {
		return no
	}
	return a.linked()
}

// linked says why what is waited for may not be the answer to what is sent.
func (a *ask) linked() *shape.Refusal {
	v := ast.Unparen(a.send.Node().(*ast.SendStmt).Value)
	wait := ast.Unparen(a.wait.Node().(*ast.UnaryExpr).X)
	q := loop.Var(a.info, v)
	in := []ast.Node{v} // what has the channel of the answer
	if q != nil {
		for _, c := range a.uses.Of(q) {
			if c.ParentEdgeKind() != edge.AssignStmt_Lhs {
				continue
			}
			if !a.uses.Declares(c) {
				return shape.No(c.Node(), "the request becomes another")
			}
			if set := c.Parent().Node().(*ast.AssignStmt); len(set.Lhs) == len(set.Rhs) {
				in = append(in, set.Rhs[c.ParentEdgeIndex()])
			}
		}
	}
	if !a.has(q, in) {
		a.hold("each request has a channel for its answer")
	}
	of, field := a.part(wait)
	if field == a.reply && q != nil && of == q {
		a.through(wait)
		return nil
	}
	ch := a.uses.Var(wait)
	for _, c := range a.uses.Of(ch) {
		x, _ := a.part(uses.Whole(c).Node().(ast.Expr))
		same := field == nil || of != nil && x == of
		if ch != a.reply && same && slices.ContainsFunc(in, func(n ast.Node) bool { return spawn.Within(n, c.Node()) }) {
			a.through(wait)
			if a.bare() {
				a.through(v)
			}
			if !slices.Contains(a.kept, ch) {
				a.kept = append(a.kept, ch)
			}
			return nil
		}
	}
	return shape.No(a.send.Node(), "the channel of the answer is made elsewhere")
}

// has reports whether a request has a channel for its answer where it is sent: it comes from
// a literal with one, or gets one right before. Without one it would never be answered.
func (a *ask) has(q *types.Var, in []ast.Node) bool {
	if a.bare() {
		return q != nil
	}
	st := a.send
	if a.chosen {
		st = a.choice
	}
	for _, c := range a.uses.Of(a.reply) {
		set := uses.Whole(c)
		of, _ := a.part(set.Node().(ast.Expr))
		if at := set.Parent(); q != nil && of == q && at.Parent() == st.Parent() && at.Node().Pos() < st.Node().Pos() {
			return true
		}
	}
	return slices.ContainsFunc(in, func(n ast.Node) bool {
		if u, ok := n.(*ast.UnaryExpr); ok {
			n = u.X
		}
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return false
		}
		_, made := a.elem(lit)
		return made != nil && (a.makes(made) || loop.Var(a.info, made) != nil)
	})
}

// orStopped reports whether the select of a request has one other case: that the
// goroutine stops.
func (a *ask) orStopped() bool {
	clauses := a.choice.Node().(*ast.SelectStmt).Body.List
	for _, c := range clauses {
		c := c.(*ast.CommClause)
		if st, ok := c.Comm.(*ast.ExprStmt); ok {
			from := inline.Received(st)
			a.through(from)
			of, v := a.part(from) // where it has ended, it was told to stop before
			return len(clauses) == 2 && a.stop != nil && of == loop.Var(a.info, a.base()) && (v == a.stop || v == a.gone)
		}
	}
	return false
}

// once says why the answer may be waited for in another way than by a receive.
func (a *ask) once() *shape.Refusal {
	no := shape.No(a.next.Node(), "what asks does more than to wait for the answer")
	for c := a.wait; ; c = c.Parent() {
		switch c.ParentEdgeKind() {
		case edge.CommClause_Comm, edge.ForStmt_Body, edge.ForStmt_Cond, edge.ForStmt_Post, edge.RangeStmt_Body, edge.FuncLit_Body, edge.SelectStmt_Body, edge.RangeStmt_X,
			edge.IfStmt_Body, edge.IfStmt_Else, edge.CaseClause_Body: // perhaps, or more than once
			return no
		case edge.BinaryExpr_Y:
			if op := c.Parent().Node().(*ast.BinaryExpr).Op; op == token.LAND || op == token.LOR {
				return no
			}
		case edge.AssignStmt_Rhs, edge.ValueSpec_Values:
			if _, two := a.info.TypeOf(a.wait.Node().(ast.Expr)).(*types.Tuple); two {
				return no
			}
		}
		if c == a.next {
			break
		}
	}
	for st, ok := a.send.NextSibling(); ok && st != a.next; st, ok = st.NextSibling() {
		for range st.Preorder((*ast.ReturnStmt)(nil), (*ast.BranchStmt)(nil)) {
			return no
		}
	}
	if a.known[a.wait.Node()] || a.silent() && !uses.Listed(a.wait.Parent()) {
		return no
	}
	a.known[a.wait.Node()] = true
	if a.gives == nil && !a.silent() {
		return shape.No(a.next.Node(), "an answer that says nothing is looked at")
	}
	return nil
}

// silent reports whether nothing is done with the answer.
func (a *ask) silent() bool { return a.wait.ParentEdgeKind() == edge.ExprStmt_X }

// direct reports whether the call can be where the answer is waited for: nothing is
// computed between the request and the answer.
func (a *ask) direct() bool {
	after, _ := a.send.NextSibling()
	st := a.wait.Parent()
	set, alone := st.Node().(*ast.AssignStmt)
	if alone {
		_, alone = set.Lhs[0].(*ast.Ident)
		alone = alone && len(set.Lhs) == 1
	} else {
		alone = a.wait.ParentEdgeKind() == edge.ReturnStmt_Results && a.wait.ParentEdgeIndex() == 0
	}
	if st.ParentEdgeKind() == edge.IfStmt_Init {
		st = st.Parent()
	}
	return alone && st == after
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

// alone reports whether an expression is a channel for answers alone, so far.
func (o *owner) alone(e ast.Expr) bool {
	v := o.uses.Var(e)
	if v == nil || !slices.Contains(o.kept, v) {
		return o.makes(e)
	}
	o.through(e)
	return true
}

// through marks the use of the channel of an answer.
func (o *owner) through(e ast.Expr) {
	e = ast.Unparen(e)
	if sel, ok := e.(*ast.SelectorExpr); ok {
		e = sel.Sel
	}
	o.known[e] = true
}

// channels takes the channels of answers away, and the field that requests have for them.
func (o *port) channels() *shape.Refusal {
	if o.reply == nil || slices.ContainsFunc(o.ports[:slices.Index(o.ports, o)], func(p *port) bool { return p.reply == o.reply }) {
		return nil
	}
	for _, c := range o.uses.Of(o.reply) {
		st := uses.Whole(c).Parent()
		if o.known[c.Node()] || o.uses.Declares(c) || c.ParentEdgeKind() == edge.KeyValueExpr_Key {
			continue
		}
		n, ok := st.Node().(*ast.AssignStmt)
		if !ok || len(n.Lhs) != 1 || n.Lhs[0] != uses.Whole(c).Node() || n.Tok != token.ASSIGN || !uses.Listed(st) {
			return shape.No(c.Node(), o.reply.Name()+" is used in another way than to answer")
		}
		if !o.alone(n.Rhs[0]) {
			return shape.No(n.Rhs[0], "the channel of the answer is not made for it alone")
		}
		o.edits = append(o.edits, rewrite.Drop(o.pass.Fset, st))
	}
	if o.bare() {
		return nil
	}
	for _, c := range o.uses.Literals(o.request) {
		if e, made := o.elem(c.Node().(*ast.CompositeLit)); e != nil {
			if !o.alone(made) {
				return shape.No(made, "the channel of the answer is not made for it alone")
			}
			at, _ := o.uses.Root.FindNode(e)
			o.edits = append(o.edits, o.drop(at))
		}
	}
	if at := o.compared(); at != nil {
		return shape.No(at, "requests are compared, with the channels of their answers")
	}
	return o.undeclare(o.reply)
}

// elem is the element of a literal of a request that has the channel of the answer, and
// that channel, or nil.
func (o *port) elem(lit *ast.CompositeLit) (elem, made ast.Expr) {
	st := uses.Deref(o.info.TypeOf(lit)).Underlying().(*types.Struct)
	for i, e := range lit.Elts {
		if kv, keyed := e.(*ast.KeyValueExpr); keyed && o.info.Uses[kv.Key.(*ast.Ident)] == o.reply {
			return e, kv.Value
		} else if !keyed && st.Field(i) == o.reply {
			return e, e
		}
	}
	return nil, nil
}

// undeclare takes a field away that nothing uses.
func (o *owner) undeclare(v *types.Var) *shape.Refusal {
	gone, _ := guard.Undeclare(o.pass, o.uses, v)
	for _, c := range o.uses.Of(v) {
		if f, ok := c.Parent().Node().(*ast.Field); ok && gone == nil && len(f.Names) == 1 && slices.ContainsFunc(o.ports, func(p *port) bool { return p.reply == v }) {
			gone = append(gone, rewrite.Drop(o.pass.Fset, c.Parent()))
		}
	}
	if gone == nil {
		return &shape.Refusal{Why: v.Name() + " cannot be taken away", Pos: v.Pos()}
	}
	o.edits = append(o.edits, gone...)
	return o.hidden(v)
}

// unkept takes the variables and fields away that have channels of answers. One that
// several have for theirs could give each that of another.
func (o *owner) unkept() *shape.Refusal {
	for _, v := range o.kept {
		for _, c := range o.uses.Of(v) {
			if o.known[c.Node()] || v.IsField() && (o.uses.Declares(c) || o.madeAt(c)) {
				continue
			}
			d, ok := c.Parent().Node().(*ast.AssignStmt)
			if !o.uses.Declares(c) || !ok || len(d.Lhs) != 1 || !o.makes(d.Rhs[0]) || !uses.Listed(c.Parent()) {
				return shape.No(c.Node(), v.Name()+" is used for more than answers")
			}
			o.edits = append(o.edits, rewrite.Drop(o.pass.Fset, c.Parent()))
		}
		if v.IsField() {
			if no := o.undeclare(v); no != nil {
				return no
			}
		}
	}
	return nil
}
