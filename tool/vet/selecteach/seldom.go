package selecteach

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/atonce"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// items is how many go by between two looks.
const items = "64"

// seldom finds a loop that asks for each item whether it is to stop, and lets it
// ask for some of them.
//
// Between two looks the loop must not learn that it is to stop, nor tell who stops
// it how far it is: then nobody can know that it did not stop there.
func (c *check) seldom(at inspector.Cursor, l loop.Loop) (f shape.Finding, ok bool) {
	f.Message = "for each item the loop goes through a select, which locks all of its channels, to see whether it is to stop"
	idle, watched := false, map[*types.Var]bool{}
	why, pos := "", at.Node().Pos()
	for _, s := range clauses(at) {
		if s.Comm == nil {
			idle = len(s.Body) == 0
			continue
		}
		ch := received(s.Comm)
		if ch == nil || !ends(c.info, s.Body, label(l)) {
			return f, false
		}
		if call, ok := ast.Unparen(ch).(*ast.CallExpr); ok && isCall(c.info, ch, "(context.Context).Done") {
			ch = call.Fun.(*ast.SelectorExpr).X
		}
		if !fixed(c.info, ch, l, watched) && why == "" {
			why, pos = types.ExprString(ch)+" is not the same channel each time", ch.Pos()
		}
	}
	if !idle || len(clauses(at)) < 3 || len(l.Body.List) < 2 {
		return f, false
	}
	before, jumps := l.Before()
	switch {
	case why != "":
	case jumps != "":
		why = jumps
	case !uses.Listed(l.Whole()):
		why = "there is no room before the loop"
	default:
		why, pos = c.tells(at, l, watched)
	}
	if why != "" {
		f.Refused = []shape.Refusal{{Name: "seldom", Why: why, Pos: pos}}
		return f, true
	}
	n := c.Name(uses.Decl(at), l.Stmt, "looked")
	f.Fixes = []shape.Fix{{Name: "seldom", Says: "look for every " + items + "th item; who stops the loop waits for so many", Edits: []analysis.TextEdit{
		rewrite.Insert(before, "var "+n+" uint\n"),
		rewrite.Insert(at.Node().Pos(), "if "+n+"++; "+n+"%"+items+" == 1 {\n"),
		rewrite.Insert(at.Node().End(), "\n}"),
	}}}
	return f, true
}

// fixed reports whether an expression names the same channel as long as the
// variables that it begins with, which are added to roots, are not set.
func fixed(info *types.Info, e ast.Expr, l loop.Loop, roots map[*types.Var]bool) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := info.Uses[e].(*types.Var)
		if !ok || v.Pos() >= l.Stmt.Pos() && v.Pos() < l.Stmt.End() {
			return false
		}
		roots[v] = true
		return true
	case *ast.SelectorExpr:
		return fixed(info, e.X, l, roots)
	case *ast.IndexExpr:
		_, isMap := info.TypeOf(e.X).Underlying().(*types.Map)
		return !isMap && info.Types[e.Index].Value != nil && fixed(info, e.X, l, roots)
	}
	return false
}

// tells says how a loop, but for its select, may tell who stops it how far it
// is, or be told.
func (c *check) tells(at inspector.Cursor, l loop.Loop, watched map[*types.Var]bool) (why string, pos token.Pos) {
	code := &atonce.Code{Own: l.Stmt, Skip: at.Node(), Write: func(x ast.Expr, _ ast.Node) bool {
		// What leads elsewhere may be a channel of the select, or lead to it.
		v := loop.Var(c.info, ast.Unparen(x))
		return !uses.Refers(c.info.TypeOf(x)) || v != nil && !watched[v]
	}}
	if bar := c.reader.Read(code, l.Stmt); bar != nil {
		return "the loop " + bar.Why, bar.At.Pos()
	}
	own := []ast.Node{}
	if head, ok := l.Stmt.(*ast.ForStmt); ok && head.Cond != nil {
		own = append(own, head.Cond)
	}
	for _, s := range l.Body.List {
		if s != at.Node() {
			own = append(own, s)
		}
	}
	for _, n := range own {
		if w := c.weigher.Weigh(n); w.Blocking > 0 {
			return "the loop waits", n.Pos()
		}
		if n := spawn.Reaches(c.Pass, n, func(o types.Object) bool { return o.Pkg() != nil && o.Pkg().Path() == "sync/atomic" }); n != nil {
			return "the loop looks at what others may set", n.Pos()
		}
	}
	return "", 0
}
