package inplace

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/goperelem"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/recgo"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// Analyzer finds goroutines that could be calls.
var Analyzer = shape.Analyzer("inplace", doc, find, spawn.Analyzer, goperelem.Analyzer, recgo.Analyzer)

// A group is what one function starts and waits for together.
type group struct {
	*analysis.Pass
	does  *flow.Index
	fn    *ast.FuncDecl
	in    ast.Node // the innermost function
	join  ast.Node // nil where another function waits
	sites []*spawn.Site
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	var groups []*group
	for _, s := range pass.ResultOf[spawn.Analyzer].([]*spawn.Site) {
		if _, known := result(s.Lit).(*ast.Ident); known && s.Kind == spawn.ErrGroup {
			continue // an error that is there already
		}
		if s.Func == nil || s.Body == nil || strings.HasSuffix(pass.Fset.Position(s.Node.Pos()).Filename, "_test.go") || served(pass, s) {
			continue
		}
		i := slices.IndexFunc(groups, func(g *group) bool { return g.in == s.In && g.join == s.Join && s.Join != nil })
		if i < 0 {
			i = len(groups)
			groups = append(groups, &group{Pass: pass, does: flow.Of(pass), fn: s.Func, in: s.In, join: s.Join})
		}
		groups[i].sites = append(groups[i].sites, s)
	}
	for _, g := range groups {
		if f, ok := g.finding(); ok {
			all = append(all, f)
		}
	}
	return all, nil
}

// served reports whether another check has an edit that makes a call of a goroutine.
func served(pass *analysis.Pass, s *spawn.Site) bool {
	for _, of := range []*analysis.Analyzer{goperelem.Analyzer, recgo.Analyzer} {
		for _, f := range pass.ResultOf[of].([]shape.Finding) {
			if f.Pos <= s.Node.Pos() && s.Node.End() <= f.End && slices.ContainsFunc(f.Fixes, func(x shape.Fix) bool { return x.Serial }) {
				return true
			}
		}
	}
	return false
}

func (g *group) finding() (f shape.Finding, ok bool) {
	first := g.sites[0]
	f = shape.Finding{
		Pos: first.Node.Pos(), End: first.Node.End(), Func: g.fn,
		Message: "a goroutine is started and awaited here: where its work is small, a call costs less",
		Common:  true,
		Causes:  []string{"falseshare", "grain", "handoff", "imbalance", "lock", "oversubscription", "rmw", "rwmutex", "syncmap", "trueshare"},
	}
	for _, s := range g.sites {
		f.Hot = append(f.Hot, shape.Of(s.Node), shape.Of(s.Body))
		f.Shared = append(f.Shared, shape.All(spawn.Called(g.Pass, s.Body))...)
		if !g.tells(s) || endless(s.Body) {
			return f, false
		}
	}
	f.Shared = append(f.Shared, shape.Of(g.fn))
	no := g.no()
	if no == nil {
		var fix shape.Fix
		if fix, no = g.serial(); no == nil {
			f.Fixes = append(f.Fixes, fix)
			return f, true
		}
	}
	no.Name = "serial"
	f.Refused = append(f.Refused, *no)
	return f, true
}

// tells reports whether something learns of a goroutine's end.
func (g *group) tells(s *spawn.Site) bool {
	if s.Kind != spawn.Go || s.Join != nil || g.does.Within(s.Body).First(flow.Send|flow.Close) != nil {
		return true
	}
	return spawn.Reaches(g.Pass, s.Body, func(o types.Object) bool {
		fn, ok := o.(*types.Func)
		return ok && (spawn.IsMethod(fn, "sync", "WaitGroup", "Done") || spawn.IsMethod(fn, "sync", "Cond", "Signal") || spawn.IsMethod(fn, "sync", "Cond", "Broadcast"))
	}) != nil
}

// endless reports whether a body ends in a loop that does not.
func endless(body *ast.BlockStmt) bool {
	if len(body.List) == 0 {
		return false
	}
	loop, ok := body.List[len(body.List)-1].(*ast.ForStmt)
	if !ok || loop.Cond != nil {
		return false
	}
	ends := false
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			ends = true
		case *ast.BranchStmt:
			ends = ends || n.Tok == token.BREAK || n.Tok == token.GOTO
		}
		return !ends
	})
	return !ends
}

// no says why a goroutine must not be a call.
func (g *group) no() *shape.Refusal {
	for _, s := range g.sites {
		if e := g.does.Within(s.Body, g.given(s)...).First(flow.Receive | flow.Wait | flow.Exit); e != nil {
			return &shape.Refusal{Why: "the goroutine " + strings.TrimPrefix(e.String(), "it ") + ", which may come after it", Pos: e.Pos()}
		}
		if at := spawn.Goexits(g.Pass, s.Body); at != nil {
			return shape.No(at, "the goroutine may end itself")
		}
	}
	var no *shape.Refusal
	ast.Inspect(g.in, func(n ast.Node) bool {
		if n, ok := n.(*ast.SelectStmt); ok && n.Pos() > g.sites[0].Node.Pos() && len(n.Body.List) > 1 {
			no = shape.No(n, "the function may give up before the goroutine has ended")
		}
		return no == nil
	})
	return no
}

// stuck is a send on a channel that the function makes without a buffer, nil where there
// is none.
func (g *group) stuck(s *spawn.Site) (at ast.Node) {
	made := map[types.Object]bool{}
	ast.Inspect(g.fn.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == len(a.Rhs) {
			for i, to := range a.Lhs {
				if c, ok := a.Rhs[i].(*ast.CallExpr); ok && len(c.Args) == 1 && loop.Builtin(g.TypesInfo, c) == "make" {
					made[spawn.Object(g.TypesInfo, to)] = true
				}
			}
		}
		return true
	})
	ast.Inspect(s.Body, func(n ast.Node) bool {
		if n, ok := n.(*ast.SendStmt); ok && made[spawn.Object(g.TypesInfo, n.Chan)] {
			at = n
		}
		return at == nil
	})
	return at
}

// given are the receives of a goroutine of what its starter has sent: the place that a
// semaphore has for it.
func (g *group) given(s *spawn.Site) (all []ast.Node) {
	sent := map[string]bool{}
	ast.Inspect(g.in, func(n ast.Node) bool {
		if n, ok := n.(*ast.SendStmt); ok && n.Pos() < s.Node.Pos() {
			sent[types.ExprString(n.Chan)] = true
		}
		return true
	})
	ast.Inspect(s.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.ARROW && sent[types.ExprString(n.X)] {
				all = append(all, n)
			}
		case *ast.DeferStmt: // it does what its literal does
			lit, ok := n.Call.Fun.(*ast.FuncLit)
			if ok && !slices.ContainsFunc(lit.Body.List, func(st ast.Stmt) bool { return !gives(st, sent) && !counts(g.TypesInfo, st) }) {
				all = append(all, n)
			}
		}
		return true
	})
	return all
}

// gives reports whether a statement receives from a channel of sent, and no more.
func gives(st ast.Stmt, sent map[string]bool) bool {
	e, ok := st.(*ast.ExprStmt)
	if !ok {
		return false
	}
	u, ok := e.X.(*ast.UnaryExpr)
	return ok && u.Op == token.ARROW && sent[types.ExprString(u.X)]
}

// counts reports whether a statement is a call of Done of a wait group.
func counts(info *types.Info, st ast.Stmt) bool {
	e, ok := st.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := e.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := typeutil.StaticCallee(info, call)
	return fn != nil && spawn.IsMethod(fn, "sync", "WaitGroup", "Done")
}

func (g *group) serial() (shape.Fix, *shape.Refusal) {
	fix := shape.Fix{Name: "serial", Serial: true, Says: "call what the goroutine runs", Slower: []*ast.FuncDecl{g.fn}}
	if g.join != nil {
		if edits, no := inline.Edits(g.Pass, g.fn, g.sites); no == nil {
			fix.Edits = edits
			return fix, nil
		}
	}
	fix.Holds = "what the goroutine does may be done before what comes after its start"
	gone, uncounted := inline.Uncount(g.Pass, g.fn, g.sites)
	if uncounted != nil {
		gone = nil
	}
	for _, st := range gone {
		fix.Edits = append(fix.Edits, inline.Line(g.Pass, st))
	}
	for _, s := range g.sites {
		if at := g.stuck(s); at != nil {
			return fix, shape.No(at, "the goroutine sends on a channel without a buffer, and the function receives later")
		}
		st := inline.Statement(g.fn, s)
		if st == nil {
			return fix, shape.No(s.Node, "the goroutine is not started by a statement of its own")
		}
		text, no := g.call(s, st, gone)
		if no != nil {
			return fix, no
		}
		fix.Edits = append(fix.Edits, text...)
	}
	slices.SortFunc(fix.Edits, func(a, b analysis.TextEdit) int { return cmp.Compare(a.Pos, b.Pos) })
	return fix, nil
}

// call are the edits by which the statement that starts a goroutine is a call. The
// statements of gone go.
func (g *group) call(s *spawn.Site, st ast.Stmt, gone []ast.Stmt) ([]analysis.TextEdit, *shape.Refusal) {
	cut := func(pos, end token.Pos, text string) analysis.TextEdit {
		return analysis.TextEdit{Pos: pos, End: end, NewText: []byte(text)}
	}
	fun, args := s.Call.Fun, ""
	if s.Kind != spawn.Go {
		fun, args = s.Call.Args[0], "()"
	}
	lit, _ := ast.Unparen(fun).(*ast.FuncLit)
	switch {
	case s.Kind == spawn.ErrGroup:
		if sel, ok := s.Call.Fun.(*ast.SelectorExpr); !ok || sel.Sel.Name != "Go" {
			return nil, shape.No(s.Node, "the group may take no more")
		}
		err := rewrite.Fresh(g.Pkg, g.fn, "err")
		from, to := fun.Pos(), fun.End()
		if r := result(lit); r != nil {
			from, to, args = r.Pos(), r.End(), ""
		}
		return []analysis.TextEdit{
			cut(st.Pos(), from, fmt.Sprintf("if %s := ", err)),
			cut(to, st.End(), fmt.Sprintf("%s; %s != nil {\n%s(func() error { return %[2]s })\n}", args, err, rewrite.Text(g.Fset, s.Call.Fun))),
		}, nil
	case lit != nil && (s.Kind == spawn.WaitGroup || len(s.Call.Args) == 0) && plain(g.TypesInfo, lit.Body, gone):
		return []analysis.TextEdit{cut(st.Pos(), lit.Body.Pos(), ""), cut(lit.Body.End(), st.End(), "")}, nil
	case s.Kind == spawn.Go:
		return []analysis.TextEdit{cut(st.Pos(), s.Call.Pos(), "")}, nil
	}
	return []analysis.TextEdit{cut(st.Pos(), fun.Pos(), ""), cut(fun.End(), st.End(), args)}, nil
}

// result is all that a literal comes to, nil where it does more than return that.
func result(lit *ast.FuncLit) ast.Expr {
	if lit == nil || len(lit.Body.List) != 1 {
		return nil
	}
	if r, ok := lit.Body.List[0].(*ast.ReturnStmt); ok && len(r.Results) == 1 {
		return r.Results[0]
	}
	return nil
}

// plain reports whether a body may be a block, without the statements of gone.
func plain(info *types.Info, body *ast.BlockStmt, gone []ast.Stmt) bool {
	ok := true
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			ok = ok && slices.Contains(gone, ast.Stmt(n))
		case *ast.ReturnStmt, *ast.LabeledStmt:
			ok = false
		case *ast.Ident:
			ok = ok && info.Uses[n] != types.Universe.Lookup("recover")
		}
		return ok
	})
	return ok
}
