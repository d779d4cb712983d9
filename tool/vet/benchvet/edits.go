package benchvet

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// header is the head of the loop with another condition. Its index stays where
// it is used. why it cannot be is "" if it can.
func (x *bench) header(l loop, cond string) (edit analysis.TextEdit, why string) {
	text := "for " + cond + " "
	if l.index != nil {
		v := x.pass.TypesInfo.Defs[l.index]
		used, written := uses(x.pass.TypesInfo, l.body, v)
		if written {
			return edit, "the loop changes its index"
		}
		if used {
			text = "for " + l.index.Name + " := 0; " + cond + "; " + l.index.Name + "++ "
		}
	}
	switch s := l.stmt.(type) {
	case *ast.ForStmt:
		plain := s.Init == nil && s.Post == nil
		if inc, ok := s.Post.(*ast.IncDecStmt); ok && inc.Tok == token.INC && l.index != nil {
			id, ok := inc.X.(*ast.Ident)
			init, isAssign := s.Init.(*ast.AssignStmt)
			plain = ok && id.Name == l.index.Name && isAssign && rewrite.Text(x.pass.Fset, init.Rhs[0]) == "0" && counts(s.Cond, l.index)
		}
		if !plain || s.Init == nil {
			return edit, "the loop counts in another way"
		}
	case *ast.RangeStmt:
		if s.Tok == token.ASSIGN {
			return edit, "the index is from outside of the loop"
		}
	}
	return analysis.TextEdit{Pos: l.stmt.Pos(), End: l.body.Lbrace, NewText: []byte(text)}, ""
}

// counts reports whether a condition compares the index itself.
func counts(cond ast.Expr, index *ast.Ident) bool {
	c, ok := cond.(*ast.BinaryExpr)
	if !ok {
		return false
	}
	id, ok := ast.Unparen(c.X).(*ast.Ident)
	return ok && id.Name == index.Name
}

// offerLoop offers b.Loop in place of a loop over b.N, or says why not.
func (x *bench) offerLoop(f *shape.Finding, l loop) {
	refuse := func(why string, pos token.Pos) {
		f.Refused = append(f.Refused, shape.Refusal{Name: "loop", Why: why, Pos: pos})
	}
	if !x.since("go1.26") {
		refuse("until Go 1.26 b.Loop keeps the calls in its body from being inlined", l.stmt.Pos())
		return
	}
	if len(x.loops) != 1 {
		refuse("there is another loop: b.Loop can be used for one", l.stmt.Pos())
		return
	}
	if stop := x.calls(x.body, "StopTimer", "StartTimer"); stop != nil {
		refuse("the timer is stopped or started, which b.Loop does by itself", stop.Pos())
		return
	}
	for _, leave := range rewrite.Leaves(x.pass.TypesInfo, l.body, false) {
		switch leave.How {
		case "continue", "defer", "panic", "recover", "testing.Fatal", "testing.Fatalf", "testing.FailNow":
			continue
		}
		refuse("the loop is left by "+leave.How+" before b.Loop says so", leave.Pos)
		return
	}
	var other *ast.SelectorExpr
	x.walk(x.body, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && x.isN(sel) && (sel.Pos() < l.stmt.Pos() || l.body.Lbrace <= sel.Pos()) {
			other = sel
		}
		return true
	})
	if other != nil {
		refuse("b.N is used beside the loop, and b.Loop counts for itself", other.Pos())
		return
	}
	header, why := x.header(l, x.b.Name()+".Loop()")
	if why != "" {
		refuse(why, l.stmt.Pos())
		return
	}
	f.Fixes = append(f.Fixes, shape.Fix{Name: "loop", Says: "loop with " + x.b.Name() + ".Loop, which keeps results and leaves out what is before it", Edits: edits(header)})
}
