package spinwait

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds loops that look again and again at what others set.
var Analyzer = shape.Analyzer("spinwait", `find loops that look again and again at what others set

What spins, yields or sleeps until something changes takes a processor, or comes late.`, find, section.Analyzer)

// A check looks at one package.
type check struct {
	*section.Index
	pass  *analysis.Pass
	info  *types.Info
	taken rewrite.Names
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	c := &check{pass.ResultOf[section.Analyzer].(*section.Index), pass, pass.TypesInfo, rewrite.Names{}}
	homes := map[types.Object]*home{} // of what the loops look at
	var order []*home
	for at := range c.Uses.Root.Preorder((*ast.ForStmt)(nil)) {
		w := c.wait(at)
		if w == nil {
			continue
		}
		vars, no := c.looksAt(w)
		if len(vars) == 0 {
			continue
		}
		h := &home{check: c, key: vars[0], vars: map[*types.Var]bool{}, no: no}
		if no == nil {
			h.no = h.find(w)
		}
		if was := homes[h.key]; was != nil && h.no == nil {
			h = was
		} else if order = append(order, h); h.no == nil {
			homes[h.key] = h
		}
		h.waits = append(h.waits, w)
		for _, v := range vars {
			h.vars[v] = true
		}
	}
	for _, h := range order {
		all = append(all, h.finding())
	}
	return all, nil
}

func (h *home) finding() shape.Finding {
	w := h.waits[0]
	f := shape.Finding{
		Pos: w.loop.Pos(), End: w.loop.Body.Lbrace, Func: uses.Decl(w.at),
		Message: "the loop looks at " + h.names() + " again and again: what waits so takes a processor from others, or comes late",
		Causes:  []string{"waiting", "oversubscription", "lock", "work"},
	}
	for _, w := range h.waits {
		f.Hot = append(f.Hot, shape.Of(w.loop))
		f.Shared = append(f.Shared, shape.All(spawn.Called(h.pass, w.loop))...) // where it sleeps
	}
	var edits []analysis.TextEdit
	if h.no == nil {
		edits, h.no = h.edits()
	}
	if h.no != nil {
		h.no.Name = "signal"
		f.Refused = []shape.Refusal{*h.no}
	} else {
		f.Fixes = []shape.Fix{{
			Name: "signal", Says: "wait for a signal that is sent where " + h.names() + " changes", Edits: edits,
		}}
	}
	return f
}

// A wait is a loop that looks, passes time and looks again.
type wait struct {
	at    inspector.Cursor
	loop  *ast.ForStmt
	rests []inspector.Cursor // statements that pass time, the outermost ones
	looks []inspector.Cursor // all else
	does  *section.Effects   // what the looks do
	base  string             // the struct that it looks at; "" for variables
	first bool               // it waits before it looks for the first time
}

// wait returns the loop if it passes time between looks, or nil. The literals of the
// variables of a package are no functions that it looks into.
func (c *check) wait(at inspector.Cursor) *wait {
	if uses.Decl(at) == nil {
		return nil
	}
	w := &wait{at: at, loop: at.Node().(*ast.ForStmt)}
	at.Inspect(nil, func(st inspector.Cursor) bool {
		switch st.Node().(type) {
		case *ast.FuncLit:
			return false
		case *ast.BlockStmt:
			return true
		case ast.Stmt:
			if st != at && c.passes(st) {
				w.rests = append(w.rests, st)
				return false
			}
		}
		_, over := st.Node().(*ast.RangeStmt)
		_, loop := st.Node().(*ast.ForStmt)
		return st == at || !over && !loop // what passes time in there is part of another loop
	})
	for n := -1; n != len(w.rests); { // what is left out may have been why others were not
		n = len(w.rests)
		w.rests = slices.DeleteFunc(w.rests, func(st inspector.Cursor) bool {
			return slices.ContainsFunc(c.clocks(st), func(v *types.Var) bool { return !c.clock(w, v) })
		})
	}
	if !slices.ContainsFunc(w.rests, c.pauses) && (len(w.loop.Body.List) > 0 || w.loop.Cond == nil) {
		return nil
	}
	w.look(at)
	w.does = c.Effects(w.looks...)
	return w
}

// rest reports whether a node is part of what passes time.
func (w *wait) rest(n ast.Node) bool {
	return slices.ContainsFunc(w.rests, func(st inspector.Cursor) bool { return spawn.Within(st.Node(), n) })
}

// look collects what passes no time.
func (w *wait) look(at inspector.Cursor) {
	switch {
	case w.rest(at.Node()):
	case at != w.at && !slices.ContainsFunc(w.rests, func(st inspector.Cursor) bool { return spawn.Within(at.Node(), st.Node()) }):
		w.looks = append(w.looks, at)
	default:
		for part := range at.Children() {
			w.look(part)
		}
	}
}

// passes reports whether a statement does nothing but pass time, or compute how long.
func (c *check) passes(at inspector.Cursor) bool {
	ok := true
	ast.Inspect(at.Node(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			ok = ok && (c.pause(n) || c.info.Types[n.Fun].IsType() || slices.Contains([]string{"len", "max", "min"}, loop.Builtin(c.info, n)))
		case *ast.UnaryExpr:
			ok = ok && n.Op == token.NOT
		case *ast.SelectorExpr, *ast.BinaryExpr, *ast.BasicLit, *ast.Ident, *ast.ParenExpr:
		case *ast.AssignStmt, *ast.IncDecStmt:
			for _, e := range rewrite.Assigned(n) {
				ok = ok && loop.Var(c.info, e) != nil
			}
		case *ast.BlockStmt, *ast.IfStmt, *ast.ForStmt, *ast.ExprStmt, *ast.EmptyStmt, nil:
		default:
			ok = false
		}
		return ok
	})
	return ok
}

// pauses reports whether code sleeps or yields.
func (c *check) pauses(at inspector.Cursor) bool { return uses.Any(at.Node(), c.pause) }

// sleeps reports whether an object is a function that sleeps or yields.
func sleeps(o types.Object) bool {
	fn, ok := o.(*types.Func)
	return ok && (fn.FullName() == "time.Sleep" || fn.FullName() == "runtime.Gosched")
}

// pause reports whether a call sleeps or yields, and does nothing else. So does a
// function of the package, or each method that a call of an interface may be one of.
func (c *check) pause(call *ast.CallExpr) bool {
	fn := section.Callee(c.info, call)
	if fn == nil || sleeps(fn) {
		return fn != nil
	}
	may := spawn.Callees(c.pass, fn)
	return len(may) > 0 && !slices.ContainsFunc(may, func(d *ast.FuncDecl) bool {
		is, _ := c.info.Defs[d.Name].(*types.Func)
		s := c.Flow.Func(is)
		return s == nil || s.Effects.First((flow.Changes|flow.Ask)&^flow.Wait) != nil ||
			spawn.Reaches(c.pass, d.Body, sleeps) == nil
	})
}

// clocks are the variables that a statement assigns to, or that its conditions ask.
func (c *check) clocks(at inspector.Cursor) (all []*types.Var) {
	asked := func(cond ast.Expr) {
		for n := range ast.Preorder(cond) {
			if id, ok := n.(*ast.Ident); ok && c.Uses.Var(id) != nil {
				all = append(all, c.Uses.Var(id))
			}
		}
	}
	for n := range ast.Preorder(at.Node()) {
		switch n := n.(type) {
		case *ast.AssignStmt, *ast.IncDecStmt:
			for _, e := range rewrite.Assigned(n) {
				all = append(all, loop.Var(c.info, e))
			}
		case *ast.IfStmt:
			asked(n.Cond)
		case *ast.ForStmt:
			if n.Cond != nil {
				asked(n.Cond)
			}
		}
	}
	return all
}

// clock reports whether a variable only says how long a loop has waited, or keeps its
// value.
func (c *check) clock(w *wait, v *types.Var) bool {
	return c.only(w, v) || !w.declares(v) && len(c.sites(v)) == 0
}

// only reports whether nothing but what passes time in a loop uses a variable.
func (c *check) only(w *wait, v *types.Var) bool {
	return loop.Local(v, uses.Decl(w.at)) && !slices.ContainsFunc(c.Uses.Of(v), func(use inspector.Cursor) bool {
		return !w.rest(use.Node()) && !c.Uses.Declares(use)
	})
}

// declares reports whether a loop declares a variable.
func (w *wait) declares(v *types.Var) bool { return w.loop.Pos() <= v.Pos() && v.Pos() < w.loop.End() }
