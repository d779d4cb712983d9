package chanperitem

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// An offer is a select that sends an item unless a signal ends the goroutine:
//
//	select {
//	case values <- x:
//	case <-done:
//		return
//	}
type offer struct {
	sel  *ast.SelectStmt
	done *ast.UnaryExpr
}

// offer returns the select that an end is a case of.
func (r *reader) offer(e end) (o offer, ok bool) {
	if o.sel = e.sel(); o.sel == nil || len(o.sel.Body.List) != 2 {
		return o, false
	}
	for _, st := range o.sel.Body.List {
		c := st.(*ast.CommClause)
		if x, receive := c.Comm.(*ast.ExprStmt); receive && len(c.Body) == 1 {
			if _, ret := c.Body[0].(*ast.ReturnStmt); ret {
				o.done, _ = ast.Unparen(x.X).(*ast.UnaryExpr)
			}
		} else if ast.Node(c.Comm) != e.node || len(c.Body) > 0 {
			return o, false
		}
	}
	return o, o.done != nil
}

// offered says why items that are offered cannot be so in batches. Some are
// computed before they are asked for, and in vain, so that nothing else must come
// of computing them.
func (r *reader) offered(s *stream, e end) *shape.Refusal {
	name := s.v.Name()
	o, ok := r.offer(e)
	if !ok {
		return shape.No(e.node, name+" is a case of a select that does more than to send or return")
	}
	loop, _ := e.loop().(ast.Stmt)
	body := spawn.LoopBody(loop)
	if body == nil || around(e) != loop || e.site == nil || !slices.Contains(body.List, ast.Stmt(o.sel)) ||
		slices.ContainsFunc(rewrite.Leaves(r.info, body, false), func(l rewrite.Leave) bool { return l.Pos < o.sel.Pos() || o.sel.End() <= l.Pos }) {
		return shape.No(o.sel, "an item is not offered in each turn of a loop of a goroutine")
	}
	return r.vain(e, o.sel)
}

// vain says why items must not be computed in vain, as the loop of an
// end computes them. send is the statement that sends. What is computed must not
// fail, has to end, and depends on nothing that changes.
func (r *reader) vain(e end, send ast.Stmt) *shape.Refusal {
	code := around(e)
	no := func(at ast.Node) *shape.Refusal {
		return shape.No(at, "items would be computed in vain, which may fail or be seen")
	}
	const seen = flow.Changes | flow.Panic | flow.Ask | flow.Look
	value := e.node.(*ast.SendStmt).Value
	but := []ast.Node{send}
	if l, ok := code.(*ast.RangeStmt); ok && r.alias[spawn.Object(r.info, l.X)] != nil {
		but = append(but, head(l)) // a stage
	}
	for _, at := range []ast.Node{r.waits(code, seen, but...), r.waits(value, seen)} {
		if at != nil {
			return no(at)
		}
	}
	written := r.writes(r.decl)
	bodies := []ast.Node{code, value}
	for _, d := range spawn.Called(r.pass, code) {
		if bodies = append(bodies, d.Body); slices.Contains(spawn.Called(r.pass, d.Body), d) {
			return no(d.Name) // it calls itself
		}
	}
	var at ast.Node
	for _, body := range bodies {
		ast.Inspect(body, func(n ast.Node) bool {
			if n == ast.Node(send) {
				return false
			}
			bad := false
			switch n := n.(type) {
			case *ast.FuncLit, *ast.LabeledStmt, *ast.StarExpr, *ast.IndexExpr:
				bad = true
			case *ast.ForStmt:
				bad = ast.Node(n) != code // another may not end
			case *ast.Ident:
				if v, ok := r.info.Uses[n].(*types.Var); ok && !v.IsField() && (v.Pos() < e.fn.Pos() || e.fn.End() <= v.Pos()) {
					bad = v.Parent() == r.pass.Pkg.Scope() || written[v]
				}
			case *ast.SelectorExpr:
				s := r.info.Selections[n]
				bad = s != nil && (s.Kind() != types.FieldVal || s.Indirect())
			}
			if bad && at == nil {
				at = n
			}
			return at == nil
		})
	}
	if at == nil {
		return nil
	}
	return no(at)
}

// takes says why what receives from a stream, without a loop over it, cannot take
// the items of a batch one by one.
func (r *reader) takes(s *stream) *shape.Refusal {
	name := s.v.Name()
	first := s.receives[0]
	switch {
	case len(s.ranges) > 0 || !one(s.receives):
		return shape.No(first.node, name+" is received from in several places")
	case len(s.closes) > 0:
		return shape.No(first.node, name+" is received from without a loop over it, and closed")
	case !listed(r.decl.Body, s.decl):
		return shape.No(s.decl, name+" is not made by a statement of its own")
	}
	for _, e := range s.receives {
		a, ok := e.stmt.(*ast.AssignStmt)
		if ok {
			_, name := a.Lhs[0].(*ast.Ident)
			ok = name && len(a.Lhs) == 1 && r.first(a.Rhs[0], e.node)
		}
		if !ok || len(e.lits) > 0 || e.loop() == nil || !listed(e.loop(), a) {
			return shape.No(e.node, name+" is not received from by a statement of a loop")
		}
		var own []ast.Node
		for _, e := range s.receives {
			own = append(own, e.node)
		}
		at := r.waits(around(e), flow.Send|flow.Receive|flow.Wait, own...)
		if at != nil {
			return shape.No(at, "what receives from "+name+" waits for something else as well")
		}
	}
	return nil
}

// first reports whether of an expression a part is evaluated, and before anything
// that could tell.
func (r *reader) first(x ast.Expr, part ast.Node) bool {
	plain := func(e ast.Expr) bool {
		_, name := ast.Unparen(e).(*ast.Ident)
		return name || r.info.Types[e].Value != nil
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.UnaryExpr:
		return x == part || x.Op != token.ARROW && x.Op != token.AND && r.first(x.X, part)
	case *ast.CallExpr:
		if !plain(x.Fun) {
			return false
		}
		for _, a := range x.Args {
			if r.first(a, part) {
				return true
			}
			if !plain(a) {
				return false
			}
		}
	}
	return false
}

// listed reports whether a statement is one of a list.
func listed(root ast.Node, st ast.Stmt) bool {
	return uses.Any(root, func(n ast.Node) bool { return slices.Contains(list(n), st) })
}

// list are the statements of a block, or of a case.
func list(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// taken returns the edits that take the items of a batch one by one.
func (r *reader) taken(s *stream) (edits []analysis.TextEdit) {
	if len(s.receives) == 0 {
		return nil
	}
	left := rewrite.Fresh(r.pass.Pkg, r.decl, s.v.Name()+"Left")
	edits = append(edits, rewrite.Insert(s.decl.End(), fmt.Sprintf("\nvar %s []%s", left, r.text(s.elem))))
	for _, e := range s.receives {
		edits = append(edits,
			rewrite.Insert(e.stmt.Pos(), fmt.Sprintf("if len(%s) == 0 {\n%s = %s\n}\n", left, left, r.text(e.node))),
			rewrite.Replace(e.node, left+"[0]"),
			rewrite.Insert(e.stmt.End(), fmt.Sprintf("\n%[1]s = %[1]s[1:]", left)))
	}
	return edits
}

// endless reports whether a loop never comes to its end.
func (r *reader) endless(loop ast.Stmt) bool {
	l, ok := loop.(*ast.ForStmt)
	return ok && l.Cond == nil && !slices.ContainsFunc(rewrite.Leaves(r.info, l.Body, false), func(x rewrite.Leave) bool { return x.How == "break" })
}
