package selecteach

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// more is how many values a case takes before the others get their turn.
const more = "256"

// drain lets the cases of a select that take values go on receiving.
//
// To receive from a channel that is ready is what the select might have done
// next, so nothing can happen that could not before. For that the select must do
// nothing but look at its channels, and the loop nothing but the select.
func (c *check) drain(f *shape.Finding, s *ast.SelectStmt, l loop.Loop, takes []*ast.CommClause) {
	var edits []analysis.TextEdit
	no := c.whole(s, l)
	if no == nil {
		n := c.Name(f.Func, l.Stmt, "n")
		for _, t := range takes {
			if why := c.kept(t, l.Stmt.(*ast.ForStmt).Cond); why != nil {
				no = why
				continue
			}
			edits = append(edits, c.more(t, l.Stmt.(*ast.ForStmt).Cond, n)...)
		}
	}
	if edits == nil {
		no.Name = "drain"
		f.Refused = []shape.Refusal{*no}
		return
	}
	f.Fixes = []shape.Fix{{Name: "drain", Says: "take up to " + more + " more values that are there already; the other cases get their turn then", Edits: edits}}
}

// whole says why a loop does more than to go through a select, and that more than to
// look at its channels.
func (c *check) whole(s *ast.SelectStmt, l loop.Loop) *shape.Refusal {
	head, ok := l.Stmt.(*ast.ForStmt)
	if !ok || head.Init != nil || head.Post != nil || len(l.Body.List) > 1 || head.Cond != nil && !plain(c.info, head.Cond) {
		return shape.No(l.Stmt, "the loop does more than the select")
	}
	for _, st := range s.Body.List {
		comm := st.(*ast.CommClause).Comm
		operands := []ast.Expr{inline.Received(comm)}
		if send, ok := comm.(*ast.SendStmt); ok {
			operands = []ast.Expr{send.Chan, send.Value}
		}
		for _, e := range operands {
			if !again(c.info, e) && !plain(c.info, e) {
				return shape.No(e, "a case calls something anew each time")
			}
		}
	}
	return nil
}

// kept says why a case cannot receive again after its statements.
func (c *check) kept(s *ast.CommClause, cond ast.Expr) (no *shape.Refusal) {
	if ch := inline.Received(s.Comm); !plain(c.info, ch) {
		return shape.No(ch, "the channel is that of a call")
	}
	if a, ok := s.Comm.(*ast.AssignStmt); ok {
		for _, e := range a.Lhs {
			if !loop.Chain(e) {
				return shape.No(e, types.ExprString(e)+" is not the same each time")
			}
			if v := loop.Var(c.info, e); v != nil && a.Tok == token.DEFINE && c.outlives(v, s) {
				return shape.No(e, "the case keeps "+v.Name())
			}
		}
	}
	for _, x := range rewrite.Leaves(c.info, s, false) {
		if x.How == "continue" || x.How == "goto" {
			return &shape.Refusal{Why: "the case goes on by " + x.How, Pos: x.Pos}
		}
	}
	// What the receive and the condition name is the same where the case ends.
	named := []ast.Node{s.Comm}
	if cond != nil {
		named = append(named, cond)
	}
	for _, e := range named {
		ast.Inspect(e, func(x ast.Node) bool {
			if id, ok := x.(*ast.Ident); ok && c.info.Uses[id] != nil {
				if o := c.info.Scopes[s].Lookup(id.Name); o != nil && o != c.info.Uses[id] {
					no = &shape.Refusal{Why: id.Name + " is something else in the case", Pos: o.Pos()}
				}
			}
			return no == nil
		})
	}
	return no
}

// more makes a case receive again, and count that in a variable named n.
func (c *check) more(s *ast.CommClause, cond ast.Expr, n string) []analysis.TextEdit {
	text := func(n ast.Node) string { return rewrite.Text(c.Pass.Fset, n) }
	next := text(s.Comm)
	if a, ok := s.Comm.(*ast.AssignStmt); ok {
		var to []string
		for _, e := range a.Lhs {
			to = append(to, text(e))
		}
		next = strings.Join(to, ", ") + " = " + text(a.Rhs[0])
	}
	stop := n + " == " + more
	if cond != nil {
		stop += " || !(" + text(cond) + ")"
	}
	return []analysis.TextEdit{
		rewrite.Insert(s.Colon+1, fmt.Sprintf("\nfor %s := 0; ; %s++ {", n, n)),
		rewrite.Insert(s.Body[len(s.Body)-1].End(), fmt.Sprintf("\nif %s {\nbreak\n}\nselect {\ncase %s:\ncontinue\ndefault:\n}\nbreak\n}", stop, next)),
	}
}

// outlives reports whether a variable of a case may be looked at after it.
func (c *check) outlives(v *types.Var, s *ast.CommClause) bool {
	for _, use := range c.Uses.Of(v) {
		if fn, ok := uses.Func(use); ok && s.Pos() < fn.Node().Pos() {
			return true
		}
	}
	return slices.ContainsFunc(loop.Writes(c.info, s, v), func(w loop.Write) bool { return w.Address })
}
