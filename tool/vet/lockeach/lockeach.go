package lockeach

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds loops that take one lock in each iteration.
var Analyzer = shape.Analyzer("lockeach",
	"find loops that take one lock anew in each iteration\n\nTwo atomic operations an iteration, and a cache line that goes to and fro.",
	find, section.Analyzer)

// A check looks at one loop whose body is what runs under a lock.
type check struct {
	*analysis.Pass
	in   *section.Index
	loop loop.Loop
	s    *section.Section // the body
	lock string           // as the loop names it
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	in := pass.ResultOf[section.Analyzer].(*section.Index)
	for c := range in.Uses.Root.Preorder((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		l := loop.New(pass.TypesInfo, c)
		list := l.Body.List
		for _, s := range in.Within(l.Body) {
			if len(list) > 2 && s.Enter.Node() == list[0] && !s.Deferred && s.Leave.Node() == list[len(list)-1] && len(s.Early) == 0 {
				x := &check{pass, in, l, s, rewrite.Text(pass.Fset, s.X)}
				all = append(all, x.finding())
			}
		}
	}
	return all, nil
}

func (x *check) finding() shape.Finding {
	f := shape.Finding{
		Pos: x.loop.Stmt.Pos(), End: x.loop.Body.Lbrace, Func: uses.Decl(x.loop.At),
		Message: fmt.Sprintf("%s is locked in each iteration: the loop could lock it once", x.lock),
		Causes:  []string{"lock", "rwmutex", "rmw", "work"}, Hot: []shape.Range{shape.Of(x.loop.Stmt)},
	}
	edits, holds, no := x.once()
	if no != nil {
		no.Name = "once"
		f.Refused = []shape.Refusal{*no}
		return f
	}
	f.Fixes = []shape.Fix{{
		Name: "once", Says: "lock " + x.lock + " once, around the loop",
		Dearer: "others wait for " + x.lock + " until the loop is done", Holds: holds, Edits: edits,
	}}
	return f
}

// waits is what must not be done while the lock is held for long. What looks at an
// atomic may wait for it.
const waits = flow.Lock | flow.Look | flow.Sync | flow.Send | flow.Receive | flow.Close | flow.Wait | flow.Spawn | flow.Exit

// once are the edits that lock around the loop, on what they hold if that is not proved,
// and why there are none.
func (x *check) once() (edits []analysis.TextEdit, holds string, why *shape.Refusal) {
	does := flow.Of(x.Pass).Within(x.loop.Stmt, x.s.Enter.Node(), x.s.Leave.Node())
	if !x.fixed(x.s.X) {
		return nil, "", shape.No(x.s.X, x.lock+" may be another in each iteration")
	}
	if !x.bounded() {
		return nil, "", shape.No(x.loop.Stmt, "nothing says how long the loop runs")
	}
	if all := rewrite.Leaves(x.TypesInfo, x.loop.Body, true); len(all) > 0 {
		return nil, "", &shape.Refusal{Why: "the loop may be left in between: " + all[0].How, Pos: all[0].Pos}
	}
	if !uses.Listed(x.loop.Whole()) {
		return nil, "", shape.No(x.loop.Stmt, "the loop is not a statement of a list")
	}
	before, no := x.loop.Before()
	if no != "" {
		return nil, "", shape.No(x.loop.Stmt, no)
	}
	if e := does.First(waits); e != nil {
		return nil, "", &shape.Refusal{Why: "in the loop it " + e.String(), Pos: e.Pos()}
	}
	if e := does.First(flow.Call | flow.Unknown); e != nil {
		holds = "what the loop calls neither waits nor takes " + x.lock
	}
	lock, unlock := x.lock+".Lock()", x.lock+".Unlock()"
	if x.s.Read {
		lock, unlock = x.lock+".RLock()", x.lock+".RUnlock()"
	}
	return []analysis.TextEdit{
		rewrite.Insert(before, lock+"\n"), rewrite.Insert(x.loop.Whole().Node().End(), "\n"+unlock),
		rewrite.Drop(x.Fset, x.s.Enter), rewrite.Drop(x.Fset, x.s.Leave),
	}, holds, nil
}

// fixed reports whether an expression is the same variable in all iterations.
func (x *check) fixed(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := x.TypesInfo.Uses[e].(*types.Var)
		if !ok {
			return false
		}
		_, pointer := v.Type().Underlying().(*types.Pointer)
		return x.loop.Constant(v) || v.Parent() == x.Pkg.Scope() && !pointer
	case *ast.SelectorExpr:
		s := x.TypesInfo.Selections[e]
		_, root := ast.Unparen(e.X).(*ast.Ident)
		if s == nil || s.Kind() != types.FieldVal || len(s.Index()) > 1 || !root && s.Indirect() {
			return false
		}
		if _, pointer := s.Type().Underlying().(*types.Pointer); pointer {
			return false // something may set it
		}
		return x.fixed(e.X)
	}
	return false
}

// bounded reports whether the statement of the loop says how long it runs at most.
func (x *check) bounded() bool {
	if r, ok := x.loop.Stmt.(*ast.RangeStmt); ok {
		switch x.TypesInfo.TypeOf(r.X).Underlying().(type) {
		case *types.Slice, *types.Array, *types.Pointer, *types.Map, *types.Basic:
			return true
		}
		return false
	}
	_, _, known := x.loop.Count(func(n ast.Node) string { return rewrite.Text(x.Fset, n) })
	return known
}
