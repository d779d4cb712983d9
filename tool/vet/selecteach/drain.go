package selecteach

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// more is how many values a case takes before the others get their turn.
const more = "256"

// drain finds a loop that receives through a select, and lets its cases go on
// receiving.
//
// To receive from a channel that is ready is what the select might have done
// next, so nothing can happen that could not before. For that the select must do
// nothing but look at its channels, and the loop nothing but the select.
func (c *check) drain(at inspector.Cursor, l loop.Loop) (f shape.Finding, ok bool) {
	f.Message = "each value comes through a select, which locks all of its channels"
	var all []*ast.CommClause // that take values
	for _, s := range clauses(at) {
		if s.Comm == nil {
			return f, false
		}
		if ch := received(s.Comm); ch != nil && !signals(c.info.TypeOf(ch)) && len(s.Body) > 0 && !ends(c.info, s.Body, label(l)) && !receives(s.Body, ch) {
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		return f, false
	}
	refuse := func(why string, pos token.Pos) (shape.Finding, bool) {
		f.Refused = []shape.Refusal{{Name: "drain", Why: why, Pos: pos}}
		return f, true
	}
	head, isFor := l.Stmt.(*ast.ForStmt)
	switch {
	case !isFor || head.Init != nil || head.Post != nil:
		return refuse("the loop counts its values", l.Stmt.Pos())
	case len(l.Body.List) > 1:
		return refuse("the loop does more than the select", l.Body.List[0].Pos())
	case head.Cond != nil && !plain(c.info, head.Cond):
		return refuse("the condition of the loop does more than look at variables", head.Cond.Pos())
	}
	for _, s := range clauses(at) {
		if e := effect(c.info, s.Comm); e != nil {
			return refuse("a case calls something anew each time", e.Pos())
		}
	}
	var edits []analysis.TextEdit
	n := c.Name(uses.Decl(at), l.Stmt, "n")
	for _, s := range all {
		own, why, pos := c.again(s, head, n)
		if why != "" {
			f, _ = refuse(why, pos)
		}
		edits = append(edits, own...)
	}
	if edits != nil {
		f.Refused = nil
		f.Fixes = []shape.Fix{{Name: "drain", Says: "take up to " + more + " more values that are there already; the other cases get their turn then", Edits: edits}}
	}
	return f, true
}

// signals reports whether values of a channel say no more than that they came.
func signals(ch types.Type) bool {
	t, ok := ch.Underlying().(*types.Chan)
	if !ok {
		return true // of a type parameter
	}
	st, ok := t.Elem().Underlying().(*types.Struct)
	return ok && (st.NumFields() == 0 || uses.Is(t.Elem(), "time", "Time"))
}

// receives reports whether statements receive from a channel.
func receives(list []ast.Stmt, ch ast.Expr) (found bool) {
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			u, ok := n.(*ast.UnaryExpr)
			found = found || ok && u.Op == token.ARROW && types.ExprString(u.X) == types.ExprString(ch)
			return !found
		})
	}
	return found
}

// effect returns what a case does beside to look at its operands, each time that
// the select begins.
func effect(info *types.Info, comm ast.Stmt) ast.Expr {
	var operands []ast.Expr
	if send, ok := comm.(*ast.SendStmt); ok {
		operands = []ast.Expr{send.Chan, send.Value}
	} else {
		operands = []ast.Expr{received(comm)}
	}
	for _, e := range operands {
		// Done of a context is the same channel each time, and a timer for one wait.
		if !isCall(info, e, "(context.Context).Done") && !isCall(info, e, "time.After") && !plain(info, e) {
			return e
		}
	}
	return nil
}

// again makes a case receive again, and count that in a variable named n.
func (c *check) again(s *ast.CommClause, head *ast.ForStmt, n string) (edits []analysis.TextEdit, why string, pos token.Pos) {
	text := func(n ast.Node) string { return rewrite.Text(c.Pass.Fset, n) }
	if ch := received(s.Comm); !plain(c.info, ch) {
		return nil, "the channel is that of a call", ch.Pos()
	}
	next := text(s.Comm)
	if a, ok := s.Comm.(*ast.AssignStmt); ok {
		var to []string
		for _, e := range a.Lhs {
			to = append(to, text(e))
			if !loop.Chain(e) {
				return nil, to[len(to)-1] + " is not the same each time", e.Pos()
			}
			if v := loop.Var(c.info, e); v != nil && a.Tok == token.DEFINE && c.kept(v, s) {
				return nil, "the case keeps " + v.Name(), e.Pos()
			}
		}
		next = strings.Join(to, ", ") + " = " + text(a.Rhs[0])
	}
	for _, x := range rewrite.Leaves(c.info, s, false) {
		if x.How == "continue" || x.How == "goto" {
			return nil, "the case goes on by " + x.How, x.Pos
		}
	}
	// What the receive and the condition name is the same where the case ends.
	named := []ast.Node{s.Comm}
	if head.Cond != nil {
		named = append(named, head.Cond)
	}
	for _, e := range named {
		ast.Inspect(e, func(x ast.Node) bool {
			if id, ok := x.(*ast.Ident); ok && c.info.Uses[id] != nil {
				if o := c.info.Scopes[s].Lookup(id.Name); o != nil && o != c.info.Uses[id] {
					why, pos = id.Name+" is something else in the case", o.Pos()
				}
			}
			return why == ""
		})
		if why != "" {
			return nil, why, pos
		}
	}
	stop := n + " == " + more
	if head.Cond != nil {
		stop += " || " + c.not(head.Cond)
	}
	return []analysis.TextEdit{
		rewrite.Insert(s.Colon+1, fmt.Sprintf("\nfor %s := 0; ; %s++ {", n, n)),
		rewrite.Insert(s.Body[len(s.Body)-1].End(), fmt.Sprintf("\nif %s {\nbreak\n}\nselect {\ncase %s:\ncontinue\ndefault:\n}\nbreak\n}", stop, next)),
	}, "", 0
}

// kept reports whether a variable of a case may be looked at after it.
func (c *check) kept(v *types.Var, s *ast.CommClause) bool {
	for _, use := range c.Uses.Of(v) {
		if fn, ok := uses.Func(use); ok && s.Pos() < fn.Node().Pos() {
			return true
		}
	}
	return slices.ContainsFunc(loop.Writes(c.info, s, v), func(w loop.Write) bool { return w.Address })
}

// not is the text of what a condition is not.
func (c *check) not(cond ast.Expr) string {
	opposite := map[token.Token]token.Token{token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR}
	text := func(n ast.Node) string { return rewrite.Text(c.Pass.Fset, n) }
	switch e := ast.Unparen(cond).(type) {
	case *ast.BinaryExpr:
		basic, _ := c.info.TypeOf(e.X).Underlying().(*types.Basic)
		if op := opposite[e.Op]; op != token.ILLEGAL && basic != nil && basic.Info()&types.IsInteger != 0 {
			return text(e.X) + " " + op.String() + " " + text(e.Y)
		}
	case *ast.Ident, *ast.SelectorExpr:
		return "!" + text(e)
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return text(e.X)
		}
	}
	return "!(" + text(cond) + ")"
}
