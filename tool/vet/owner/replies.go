package owner

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// returns makes the code that answers a request return the answer: to reply has to be
// the last that is done with each.
func (o *owner) returns() *shape.Refusal {
	elem := o.reply.Type().Underlying().(*types.Chan).Elem()
	if st, ok := elem.Underlying().(*types.Struct); (!ok || st.NumFields() > 0) && !o.closed() {
		o.gives = elem
	}
	ends, no := o.ends(o.list, true)
	if no == nil && !ends {
		no = shape.No(o.code, "not every request gets an answer")
	}
	if no != nil {
		return no
	}
	for _, l := range rewrite.Leaves(o.info, o.code, false) {
		if !o.on[l.Pos] {
			return &shape.Refusal{Why: "the goroutine goes elsewhere, by " + l.How, Pos: l.Pos}
		}
	}
	each := rewrite.Since(o.pass, rewrite.File(o.pass, o.req.Pos()), "go1.22") || !o.ranges
	for _, c := range o.uses.Of(o.info.Defs[o.req].(*types.Var)) {
		if fn, ok := uses.Func(c); !each && ok && spawn.Within(o.code, fn.Node()) {
			return shape.No(c.Node(), "a function literal has the request, which is a variable for all")
		}
		if u, ok := c.Parent().Node().(*ast.UnaryExpr); ok && u.Op == token.AND {
			return shape.No(u, "the address of the request is taken")
		}
		if a, ok := c.Parent().Node().(*ast.AssignStmt); ok && !o.uses.Declares(c) {
			for _, l := range a.Lhs {
				if l == c.Node() {
					return shape.No(a, "the request becomes another")
				}
			}
		}
	}
	return nil
}

// ends reports whether all ways through statements end with an answer. Last says that
// after them the goroutine receives again.
func (o *owner) ends(list []ast.Stmt, last bool) (ends bool, no *shape.Refusal) {
	for i, st := range list {
		end := i+1 == len(list)
		if o.answers(st) == o.reply {
			var on ast.Stmt
			if i+2 == len(list) {
				if b, ok := list[i+1].(*ast.BranchStmt); ok && b.Tok == token.CONTINUE && b.Label == nil {
					on = b
				}
			}
			send, sends := st.(*ast.SendStmt)
			if rest := list[i+1:]; last && sends && o.gives != nil && len(rest) > 0 && !slices.ContainsFunc(rest, busy) {
				o.answerAfter(send, rest[len(rest)-1])
				return true, nil
			}
			if on == nil && !(end && last) {
				return false, shape.No(st, "the goroutine does more after the answer")
			}
			return true, o.answer(st, on)
		}
		if ends, no = o.branches(st, end && last); ends || no != nil {
			return ends, no
		}
	}
	return false, nil
}

// busy reports whether a statement does more than to set variables.
func busy(st ast.Stmt) bool {
	switch st.(type) {
	case *ast.AssignStmt, *ast.IncDecStmt:
		return false
	}
	return true
}

// answerAfter makes the function return the answer after what else the goroutine does,
// which ends with a statement: nothing can tell that it is done before.
func (o *owner) answerAfter(send *ast.SendStmt, end ast.Stmt) {
	o.known[send.Chan.(*ast.SelectorExpr).Sel] = true
	o.but = append(o.but, &ast.BadExpr{From: send.Arrow, To: send.Arrow + 1})
	c, _ := uses.Find(o.uses.Root, send)
	answer := rewrite.Fresh(o.pass.Pkg, uses.Decl(c), "answer")
	o.inner = append(o.inner,
		analysis.TextEdit{Pos: send.Pos(), End: send.Value.Pos(), NewText: []byte(answer + " := ")},
		rewrite.Insert(end.End(), "\nreturn "+answer))
}

// branches is the same of the parts of one statement.
func (o *owner) branches(st ast.Stmt, last bool) (ends bool, no *shape.Refusal) {
	var lists [][]ast.Stmt
	whole := false // one of the lists is gone through
	switch st := st.(type) {
	case *ast.BlockStmt:
		lists, whole = [][]ast.Stmt{st.List}, true
	case *ast.IfStmt:
		lists = [][]ast.Stmt{st.Body.List}
		if st.Else != nil {
			lists, whole = append(lists, []ast.Stmt{st.Else}), true
		}
	case *ast.SwitchStmt:
		lists, whole = o.clauses(st.Body)
	case *ast.TypeSwitchStmt:
		lists, whole = o.clauses(st.Body)
	}
	ends = whole
	for _, l := range lists {
		e, no := o.ends(l, last)
		if no != nil {
			return false, no
		}
		ends = ends && e
	}
	return ends, nil
}

// clauses are the lists of a switch, and whether one of them is gone through to its end.
func (o *owner) clauses(body *ast.BlockStmt) (lists [][]ast.Stmt, whole bool) {
	breaks := false
	for _, c := range body.List {
		c := c.(*ast.CaseClause)
		lists, whole = append(lists, c.Body), whole || c.List == nil
		breaks = breaks || slices.ContainsFunc(rewrite.Leaves(o.info, c, false), func(l rewrite.Leave) bool { return l.How == "break" })
	}
	return lists, whole && !breaks
}

// closed reports whether to close the channel of the answer is the answer.
func (o *owner) closed() bool {
	for n := range ast.Preorder(o.code) {
		if st, ok := n.(ast.Stmt); ok && o.answers(st) == o.reply {
			_, send := st.(*ast.SendStmt)
			return !send
		}
	}
	return false
}

// answer makes the function return where the goroutine replies, and goes on by the
// statement that there is for that.
func (o *owner) answer(st, on ast.Stmt) *shape.Refusal {
	end := st.End()
	if on != nil {
		end = on.End()
		o.on[on.Pos()] = true
	}
	of, text := ast.Expr(nil), "return"
	switch st := st.(type) {
	case *ast.SendStmt:
		of = st.Chan
		o.but = append(o.but, &ast.BadExpr{From: st.Arrow, To: st.Arrow + 1})
		if o.gives != nil {
			o.inner = append(o.inner,
				analysis.TextEdit{Pos: st.Pos(), End: st.Value.Pos(), NewText: []byte("return ")},
				analysis.TextEdit{Pos: st.Value.End(), End: end})
		} else if inline.Calls(st.Value, o.info) || inline.Receives(st.Value) {
			return shape.No(st, "an answer that says nothing is computed")
		}
	case *ast.ExprStmt:
		of = st.X.(*ast.CallExpr).Args[0]
		o.but = append(o.but, st)
		if o.gives != nil {
			return shape.No(st, "some answers are values, and one is that the channel is closed")
		}
	}
	o.known[of.(*ast.SelectorExpr).Sel] = true
	if o.gives == nil {
		if st == o.list[len(o.list)-1] {
			text = "" // the function ends there
		}
		o.inner = append(o.inner, analysis.TextEdit{Pos: st.Pos(), End: end, NewText: []byte(text)})
	}
	return nil
}
