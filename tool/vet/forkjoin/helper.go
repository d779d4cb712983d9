package forkjoin

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A helper is a function that has goroutines call a function it is given, and
// returns when they have ended.
type helper struct {
	decl  *ast.FuncDecl
	task  *types.Var      // the parameter that they call
	index int             // of it
	calls []*ast.CallExpr // of task
	sites []*spawn.Site   // what starts in decl itself
	inner *ast.CallExpr   // of the helper by which it has them started, or nil
	up    *helper         // that helper

	edits   []analysis.TextEdit // run the tasks of sites in place
	refused *shape.Refusal
}

// helpers returns those of the package.
func helpers(pass *analysis.Pass) map[*types.Func]*helper {
	by := map[*ast.FuncDecl][]*spawn.Site{}
	for _, s := range pass.ResultOf[spawn.Analyzer].([]*spawn.Site) {
		if s.Func != nil {
			by[s.Func] = append(by[s.Func], s)
		}
	}
	out := map[*types.Func]*helper{}
	if len(by) == 0 {
		return out
	}
	decls := spawn.Decls(pass)
	for found := true; found; { // a helper may call another
		found = false
		for fn, decl := range decls {
			if out[fn] != nil {
				continue
			}
			if h := newHelper(pass, out, fn, decl, by[decl]); h != nil {
				out[fn], found = h, true
			}
		}
	}
	return out
}

func newHelper(pass *analysis.Pass, known map[*types.Func]*helper, fn *types.Func, decl *ast.FuncDecl, sites []*spawn.Site) *helper {
	h := &helper{decl: decl, sites: sites, index: -1}
	for i := range fn.Signature().Params().Len() {
		p := fn.Signature().Params().At(i)
		if _, ok := p.Type().Underlying().(*types.Signature); ok {
			if h.index >= 0 {
				return nil // two functions: one may be for the results
			}
			h.task, h.index = p, i
		}
	}
	if h.index < 0 || fn.Signature().Variadic() || !h.uses(pass, known) {
		return nil
	}
	for _, s := range sites {
		if s.In != decl || s.Kind == spawn.ErrGroup || s.Join == nil || !joined(pass.TypesInfo, decl, s) {
			return nil
		}
	}
	switch {
	case h.inner != nil && len(sites) > 0:
		return nil
	case h.inner != nil:
		return h
	case !slices.ContainsFunc(h.calls, h.concurrent):
		return nil
	}
	h.edits, h.refused = inline.Calling(pass, decl, sites, h.task)
	return h
}

// uses finds what the function does with its task, and reports whether it calls
// that or hands it to another helper, and nothing else.
func (h *helper) uses(pass *analysis.Pass, known map[*types.Func]*helper) bool {
	info := pass.TypesInfo
	called, handed := map[*ast.Ident]bool{}, map[*ast.Ident]bool{}
	all := 0
	ok := true
	ast.Inspect(h.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if info.Uses[n] == h.task {
				all++
			}
		case *ast.CallExpr:
			if id, is := ast.Unparen(n.Fun).(*ast.Ident); is && info.Uses[id] == h.task {
				called[id] = true
				h.calls = append(h.calls, n)
			}
			fn := typeutil.StaticCallee(info, n)
			if fn == nil || fn.Origin() == info.Defs[h.decl.Name] {
				ok = ok && fn == nil
				return true
			}
			if up := known[fn.Origin()]; up != nil && len(n.Args) > up.index && uses.Mentions(info, n.Args[up.index], h.task) {
				ok = ok && h.inner == nil
				h.inner, h.up = n, up
				if id, is := n.Args[up.index].(*ast.Ident); is {
					handed[id] = true
				}
			}
		}
		return true
	})
	if h.inner != nil && inLiteral(h.decl, h.inner) {
		return false
	}
	return ok && all > 0 && all == len(called)+len(handed)
}

func inLiteral(decl *ast.FuncDecl, x ast.Node) (found bool) {
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && within(lit, x) {
			found = true
		}
		return !found
	})
	return found
}

func within(outer, n ast.Node) bool { return outer.Pos() <= n.Pos() && n.End() <= outer.End() }

// joined reports whether nothing leaves the function between the start of a
// site's goroutine and their end, for which it waits at its top.
func joined(info *types.Info, decl *ast.FuncDecl, s *spawn.Site) bool {
	if slices.ContainsFunc(rewrite.Leaves(info, decl.Body, false), func(l rewrite.Leave) bool {
		return (l.How == "return" || l.How == "goto") && s.Node.Pos() < l.Pos && l.Pos < s.Join.Pos()
	}) {
		return false
	}
	return slices.ContainsFunc(decl.Body.List, func(st ast.Stmt) bool {
		switch st := st.(type) {
		case *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.GoStmt:
			return false
		case *ast.DeferStmt:
			return within(st, s.Join) && st.Pos() < s.Node.Pos()
		}
		return within(st, s.Join)
	})
}

// concurrent reports whether a call is made by a goroutine.
func (h *helper) concurrent(c *ast.CallExpr) bool {
	return slices.ContainsFunc(h.sites, func(s *spawn.Site) bool { return within(s.Node, c) })
}

// site is where the goroutines start.
func (h *helper) site() *spawn.Site {
	for h.up != nil {
		h = h.up
	}
	return h.sites[0]
}

// no says why the tasks cannot run one after the other in the helper.
func (h *helper) no() *shape.Refusal {
	for ; h != nil; h = h.up {
		if h.refused != nil {
			return h.refused
		}
	}
	return nil
}

// ranges are the functions that the goroutines start in.
func (h *helper) ranges() (out []shape.Range) {
	for ; h != nil; h = h.up {
		out = append(out, shape.Of(h.decl))
	}
	return out
}
