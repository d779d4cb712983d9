package owner

import (
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

// returns makes a function of the code that answers a request. It returns the answer where
// nothing comes after it, and keeps it for later otherwise.
func (o *port) returns() *shape.Refusal {
	more, back := "", "return"
	if o.looks {
		more, back = ", true", "return true"
	}
	code, _ := uses.Find(o.uses.Root, o.code)
	own, _ := uses.Func(code)
	o.answer = rewrite.Fresh(o.pass.Pkg, uses.Decl(code), "answer")
	var replies, goesOn []inspector.Cursor
	for c := range code.Preorder() {
		st, ok := c.Node().(ast.Stmt)
		if !ok || o.reply == nil || o.answers(st) != o.reply {
			continue
		}
		if in, _ := uses.Func(c); in != own || !uses.Listed(c) {
			return shape.No(st, "the goroutine answers in another function or statement")
		}
		if send, ok := st.(*ast.SendStmt); ok {
			elem := o.reply.Type().Underlying().(*types.Chan).Elem()
			if s, ok := elem.Underlying().(*types.Struct); !ok || s.NumFields() > 0 {
				o.gives = elem
			} else if inline.Calls(send.Value, o.info) || inline.Receives(send.Value) {
				return shape.No(st, "an answer that says nothing is computed")
			}
		}
		replies = append(replies, c)
	}
	for _, l := range rewrite.Leaves(o.info, o.code, false) {
		at, _ := o.uses.Root.FindByPos(l.Pos, l.Pos+1)
		b, ok := at.Node().(*ast.BranchStmt)
		if on := ok && l.How == "continue" && b.Label == nil; !on && l.How != "panic" {
			return &shape.Refusal{Why: "the goroutine goes elsewhere, by " + l.How, Pos: l.Pos}
		} else if on {
			goesOn = append(goesOn, at)
		}
	}
	if o.gives != nil {
		back = "return " + o.answer + more
	}
	answered, ends := false, o.ends(o.list)
	for i, c := range replies {
		st := c.Node().(ast.Stmt)
		next, _ := c.NextSibling()
		on := slices.Index(goesOn, next)
		if on < 0 && i < len(replies)-1 && !o.last(c) { // the first one counted
			o.hold("each request gets one answer")
		}
		answered = answered || slices.Contains(o.list, st)
		o.through(o.channel(st))
		send, sends := st.(*ast.SendStmt)
		if !sends || o.gives == nil { // there is nothing to say
			o.but = append(o.but, st)
			o.inner = append(o.inner, rewrite.Drop(o.pass.Fset, c))
			continue
		}
		o.but = append(o.but, &ast.BadExpr{From: send.Arrow, To: send.Arrow + 1})
		text, then, end := "return ", more, send.End()
		if on >= 0 {
			end, goesOn = next.Node().End(), slices.Delete(goesOn, on, on+1)
		} else if !o.last(c) {
			text, then, o.named = o.answer+" = ", "", true
		}
		o.inner = append(o.inner, analysis.TextEdit{Pos: send.Pos(), End: send.Value.Pos(), NewText: []byte(text)}, analysis.TextEdit{Pos: send.Value.End(), End: end, NewText: []byte(then)})
	}
	for _, c := range goesOn {
		if before, ok := c.PrevSibling(); o.reply != nil && !(ok && slices.Contains(replies, before)) {
			o.hold("each request gets one answer")
		}
		o.named = true
		o.inner = append(o.inner, rewrite.Replace(c.Node(), back))
	}
	if !ends && !answered && o.reply != nil {
		o.hold("each request gets one answer")
	}
	if !ends && back != "return" {
		o.named, o.tail = true, "\n"+back
	}
	return o.whole()
}

// whole says why the request may be another than the one that comes.
func (o *port) whole() *shape.Refusal {
	if o.ranges && !rewrite.Since(o.pass, rewrite.File(o.pass, o.req.Pos()), "go1.22") {
		return shape.No(o.req, "the request is one variable for all")
	}
	for _, c := range o.uses.Of(o.asked()) {
		if u, ok := c.Parent().Node().(*ast.UnaryExpr); ok && u.Op == token.AND {
			return shape.No(u, "the address of the request is taken")
		}
		if c.ParentEdgeKind() == edge.AssignStmt_Lhs && !o.uses.Declares(c) {
			return shape.No(c.Node(), "the request becomes another")
		}
	}
	return nil
}

// last reports whether nothing comes after a statement before the next request.
func (o *port) last(c inspector.Cursor) bool {
	for ; c.Node() != o.code; c = c.Parent() {
		switch c.ParentEdgeKind() {
		case edge.BlockStmt_List, edge.CaseClause_Body, edge.CommClause_Body:
			_, clause := c.Node().(*ast.CaseClause)
			if _, more := c.NextSibling(); more && !clause {
				return false
			}
		case edge.IfStmt_Body, edge.IfStmt_Else, edge.SwitchStmt_Body, edge.TypeSwitchStmt_Body:
		default:
			return false
		}
	}
	return true
}

// ends reports whether all ways through statements end with an answer that is returned.
func (o *port) ends(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch st := list[len(list)-1].(type) {
	case *ast.SendStmt:
		return o.gives != nil && o.answers(st) == o.reply
	case *ast.BranchStmt:
		return st.Tok == token.CONTINUE || st.Tok == token.FALLTHROUGH
	case *ast.ExprStmt:
		c, ok := st.X.(*ast.CallExpr)
		return ok && loop.Builtin(o.info, c) == "panic"
	case *ast.BlockStmt:
		return o.ends(st.List)
	case *ast.IfStmt:
		return st.Else != nil && o.ends(st.Body.List) && o.ends([]ast.Stmt{st.Else})
	case *ast.SwitchStmt:
		return o.clauses(st.Body)
	case *ast.TypeSwitchStmt:
		return o.clauses(st.Body)
	}
	return false
}

// clauses is the same of a switch.
func (o *port) clauses(body *ast.BlockStmt) bool {
	rest := false
	for _, st := range body.List {
		c := st.(*ast.CaseClause)
		if rest = rest || c.List == nil; !o.ends(c.Body) || slices.ContainsFunc(rewrite.Leaves(o.info, c, false), func(l rewrite.Leave) bool { return l.How == "break" }) {
			return false
		}
	}
	return rest
}
