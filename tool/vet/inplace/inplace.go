package inplace

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/goperelem"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/recgo"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds goroutines that could be calls.
var Analyzer = shape.Analyzer("inplace", doc, find, spawn.Analyzer, section.Analyzer, goperelem.Analyzer, recgo.Analyzer)

// A group is what one function starts and waits for together.
type group struct {
	*analysis.Pass
	does  *flow.Index
	fn    *ast.FuncDecl
	in    ast.Node // the innermost function
	join  ast.Node
	sites []*spawn.Site
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	var groups []*group
	weigher := spawn.NewWeigher(pass)
	for _, s := range pass.ResultOf[spawn.Analyzer].([]*spawn.Site) {
		if _, known := result(s.Lit).(*ast.Ident); known && s.Kind == spawn.ErrGroup {
			continue // nil, or an error that is there already
		}
		if s.Func == nil || s.Body == nil || s.Join == nil || rewrite.InTest(pass.Fset, s.Node) || served(pass, s) {
			continue
		}
		if v := pass.TypesInfo.FileVersions[s.File]; v != "" && version.Compare(v, "go1.22") < 0 || inline.Blocks(pass, weigher, s.Body) {
			continue // iterations share a variable, or goroutines wait for the world together
		}
		i := slices.IndexFunc(groups, func(g *group) bool { return g.in == s.In && g.join == s.Join })
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
		Message: "a goroutine is started here, and something waits for it: where its work is small, a call costs less",
		Common:  true,
		Causes:  []string{"falseshare", "grain", "handoff", "imbalance", "lock", "oversubscription", "rmw", "rwmutex", "syncmap", "trueshare"},
	}
	for _, s := range g.sites {
		f.Hot = append(f.Hot, shape.Of(s.Node), shape.Of(s.Body))
		f.Shared = append(f.Shared, shape.All(spawn.Called(g.Pass, s.Body))...)
		if endless(g.TypesInfo, s.Body) {
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

// endless reports whether a body ends in a loop that does not.
func endless(info *types.Info, body *ast.BlockStmt) bool {
	if len(body.List) == 0 {
		return false
	}
	loop, ok := body.List[len(body.List)-1].(*ast.ForStmt)
	if !ok || loop.Cond != nil {
		return false
	}
	return !slices.ContainsFunc(rewrite.Leaves(info, loop.Body, false), func(l rewrite.Leave) bool {
		return l.How == "return" || l.How == "goto" || strings.HasSuffix(l.How, "break")
	})
}

// no says why a goroutine must not be a call.
func (g *group) no() *shape.Refusal {
	for _, s := range g.sites {
		if e := g.does.Within(s.Body, g.given(s)...).First(flow.Receive | flow.Wait | flow.Exit); e != nil {
			return &shape.Refusal{Why: "the goroutine " + strings.TrimPrefix(e.String(), "it ") + ", which may come after it", Pos: e.Pos()}
		}
		if at := g.held(s); at != nil {
			return shape.No(at, "the goroutine takes a lock, and one is held where it starts")
		}
		if at := spawn.Reaches(g.Pass, s.Body, inline.Binds); at != nil {
			return shape.No(at, "what it sets is the goroutine's own")
		}
		if at := spawn.Reaches(g.Pass, s.Body, limits); at != nil {
			return shape.No(at, "the goroutine has a limit of time, which what comes before it would use up")
		}
	}
	if at := g.pair(); at != nil {
		return shape.No(at, "a function that the caller gives may wait for another one")
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

// limits reports whether a function ends what is done after some time.
func limits(o types.Object) bool {
	return o.Pkg() != nil && o.Pkg().Path() == "context" && (strings.HasPrefix(o.Name(), "WithTimeout") || strings.HasPrefix(o.Name(), "WithDeadline"))
}

// pair is the second function without parameters that the caller gives and the group runs:
// what runs functions side by side has callers that rely on it.
func (g *group) pair() (second ast.Node) {
	given := map[types.Object]bool{}
	for _, f := range g.fn.Type.Params.List {
		if sig, ok := g.TypesInfo.TypeOf(f.Type).Underlying().(*types.Signature); ok && sig.Params().Len() == 0 {
			for _, id := range f.Names {
				given[g.TypesInfo.Defs[id]] = true
			}
		}
	}
	runs := map[types.Object]bool{}
	ast.Inspect(g.in, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && given[g.TypesInfo.Uses[id]] && g.sites[0].Node.Pos() < id.Pos() && id.Pos() < g.join.End() {
			if runs[g.TypesInfo.Uses[id]] = true; len(runs) == 2 && second == nil {
				second = id
			}
		}
		return second == nil
	})
	return second
}

// held is what takes a lock that the function has where it starts a goroutine that takes
// one; nil where there is none.
func (g *group) held(s *spawn.Site) ast.Node {
	if g.does.Within(s.Body).First(flow.Lock) == nil {
		return nil
	}
	for _, x := range g.ResultOf[section.Analyzer].(*section.Index).Within(g.fn.Body) {
		if slices.ContainsFunc(x.Stmts, func(c inspector.Cursor) bool { return spawn.Within(c.Node(), s.Node) }) {
			return x.Enter.Node()
		}
	}
	return nil
}

// given are the receives of a goroutine from channels that its starter sends to before: it
// gives a place of a semaphore back. A deferred literal that does no more is among them.
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
			if ok && !slices.ContainsFunc(lit.Body.List, func(st ast.Stmt) bool { return !g.gives(st, sent) }) {
				all = append(all, n)
			}
		}
		return true
	})
	return all
}

// gives reports whether a statement receives from a channel of sent, or calls Done of a wait
// group, and no more.
func (g *group) gives(st ast.Stmt, sent map[string]bool) bool {
	e, ok := st.(*ast.ExprStmt)
	if !ok {
		return false
	}
	if call, ok := e.X.(*ast.CallExpr); ok {
		fn := typeutil.StaticCallee(g.TypesInfo, call)
		return fn != nil && spawn.IsMethod(fn, "sync", "WaitGroup", "Done")
	}
	u, ok := e.X.(*ast.UnaryExpr)
	return ok && u.Op == token.ARROW && sent[types.ExprString(u.X)]
}

func (g *group) serial() (shape.Fix, *shape.Refusal) {
	fix := shape.Fix{
		Name: "serial", Serial: true, Says: "call what the goroutine runs", Slower: []*ast.FuncDecl{g.fn},
		Holds: "what the goroutine does may be done before what comes after its start",
	}
	edits, no := inline.Edits(g.Pass, g.fn, g.sites)
	if no == nil || no.Holds != "" {
		if fix.Edits = edits; no != nil {
			fix.Holds += ", and " + no.Holds
		}
		return g.plain(fix), nil
	}
	var counted []*spawn.Site
	for _, s := range g.sites {
		if e := g.does.Within(s.Body).First(flow.Send); e != nil {
			return fix, &shape.Refusal{Why: "the goroutine sends on a channel that may have no room for that", Pos: e.Pos()}
		}
		if s.Kind != spawn.ErrGroup {
			counted = append(counted, s)
			continue
		}
		edits, no := g.first(s)
		if no != nil {
			return fix, no
		}
		fix.Edits = append(fix.Edits, edits...)
	}
	if len(counted) > 0 {
		edits, no := inline.Called(g.Pass, g.fn, counted)
		if no != nil {
			return fix, no
		}
		fix.Edits = append(fix.Edits, edits...)
	}
	slices.SortFunc(fix.Edits, func(a, b analysis.TextEdit) int { return cmp.Compare(a.Pos, b.Pos) })
	return g.plain(fix), nil
}

// plain is a fix without parts that nothing needs any more.
func (g *group) plain(fix shape.Fix) shape.Fix {
	if edits := g.undivided(fix.Edits); edits != nil {
		fix.Edits = edits
		fix.Holds += ", and there are parts to go through"
	}
	return fix
}

// first are the edits by which a group gets the error of a call.
func (g *group) first(s *spawn.Site) ([]analysis.TextEdit, *shape.Refusal) {
	st, fun := s.Stmt, s.Call.Args[0]
	lit, _ := ast.Unparen(fun).(*ast.FuncLit)
	if st == nil {
		return nil, shape.No(s.Node, "the goroutine is not started by a statement of its own")
	}
	if sel, ok := s.Call.Fun.(*ast.SelectorExpr); !ok || sel.Sel.Name != "Go" {
		return nil, shape.No(s.Node, "the group may take no more")
	}
	if at := spawn.Reaches(g.Pass, g.fn.Body, inline.Cancels); at != nil {
		return nil, shape.No(at, "an error ends what others do, and would come late")
	}
	if lit == nil && composite(fun) {
		return nil, shape.No(fun, "a literal cannot stand there")
	}
	call, args := fun, "()"
	if r, ok := result(lit).(*ast.CallExpr); ok && types.Identical(g.TypesInfo.TypeOf(r), types.Universe.Lookup("error").Type()) && !composite(r) {
		call, args = r, ""
	}
	err := rewrite.Fresh(g.Pkg, s.Node, "err")
	cut := func(pos, end token.Pos, text string) analysis.TextEdit {
		return analysis.TextEdit{Pos: pos, End: end, NewText: []byte(text)}
	}
	return []analysis.TextEdit{
		cut(st.Pos(), call.Pos(), fmt.Sprintf("if %s := ", err)),
		cut(call.End(), st.End(), fmt.Sprintf("%s; %s != nil {\n%s(func() error { return %[2]s })\n}", args, err, rewrite.Text(g.Fset, s.Call.Fun))),
	}, nil
}

// composite reports whether an expression has a literal that cannot stand after if.
func composite(e ast.Expr) bool {
	return uses.Any(e, func(*ast.CompositeLit) bool { return true })
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
