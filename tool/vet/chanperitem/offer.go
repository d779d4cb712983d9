package chanperitem

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/spawn"
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
	for _, n := range e.path {
		if s, is := n.(*ast.SelectStmt); is {
			o.sel = s
		}
	}
	if o.sel == nil || len(o.sel.Body.List) != 2 {
		return o, false
	}
	for _, st := range o.sel.Body.List {
		c := st.(*ast.CommClause)
		switch comm := c.Comm.(type) {
		case *ast.SendStmt:
			if comm != e.node || len(c.Body) > 0 {
				return o, false
			}
		case *ast.ExprStmt:
			ret := false
			if len(c.Body) == 1 {
				_, ret = c.Body[0].(*ast.ReturnStmt)
			}
			if !ret {
				return o, false
			}
			o.done, _ = ast.Unparen(comm.X).(*ast.UnaryExpr)
		}
	}
	return o, o.done != nil
}

// offered says why items that are offered cannot be so in batches. Some are
// computed before they are asked for, and in vain, so that nothing else must come
// of computing them.
func (r *reader) offered(s *stream, e end) reason {
	name := s.v.Name()
	o, ok := r.offer(e)
	if !ok {
		return reason{name + " is a case of a select that does more than to send or return", e.node}
	}
	loop, _ := e.loop().(ast.Stmt)
	body := spawn.LoopBody(loop)
	if e.in != nil && e.in.decl.Type.Results != nil {
		return reason{"what sends on " + name + " has results", o.sel}
	}
	if body == nil || around(e) != e.loop() || e.site == nil || !slices.Contains(body.List, ast.Stmt(o.sel)) {
		return reason{"an item is not offered in each turn of a loop of a goroutine", o.sel}
	}
	for _, l := range rewrite.Leaves(r.info, body, false) {
		if l.Pos < o.sel.Pos() || o.sel.End() <= l.Pos {
			return reason{"an item is not offered in each turn of a loop of a goroutine", &ast.BadExpr{From: l.Pos, To: l.Pos}}
		}
	}
	return r.vain(e, o.sel)
}

// vain says why items must not be computed that nobody asks for, as the loop of an
// end computes them. send is the statement that sends.
func (r *reader) vain(e end, send ast.Stmt) reason {
	own := e.fn
	if e.in != nil {
		own = e.in.decl
	}
	p := &pure{reader: r, own: own}
	if p.walk(around(e), send); p.at == nil {
		p.walk(e.node.(*ast.SendStmt).Value, nil)
	}
	if p.at != nil {
		return reason{"items would be computed that nobody asks for, which may fail or be seen", p.at}
	}
	return reason{}
}

// pure finds what in code may fail, not end, or be seen by others.
type pure struct {
	*reader
	own  ast.Node // the function whose variables it may set
	seen []*ast.FuncDecl
	at   ast.Node
}

// walk looks at code but for one statement of it.
func (p *pure) walk(code ast.Node, but ast.Stmt) {
	ast.Inspect(code, func(n ast.Node) bool {
		if n == nil || p.at != nil || but != nil && n == ast.Node(but) {
			return false
		}
		ok := true
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt, *ast.SendStmt, *ast.SelectStmt, *ast.BranchStmt, *ast.LabeledStmt,
			*ast.IndexExpr, *ast.IndexListExpr, *ast.SliceExpr, *ast.StarExpr, *ast.TypeAssertExpr:
			ok = false
		case *ast.ForStmt:
			ok = n == code // another may not end
		case *ast.RangeStmt:
			switch p.info.TypeOf(n.X).Underlying().(type) {
			case *types.Basic, *types.Slice, *types.Array:
				ok = n.Tok != token.ASSIGN
			default:
				ok = n == code && p.alias[inline.Object(p.info, n.X)] != nil // a stage
			}
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				ok = ok && p.mine(l)
			}
			ok = ok && (n.Tok != token.QUO_ASSIGN && n.Tok != token.REM_ASSIGN && n.Tok != token.SHL_ASSIGN && n.Tok != token.SHR_ASSIGN || p.constant(n.Rhs[0]))
		case *ast.IncDecStmt:
			ok = p.mine(n.X)
		case *ast.UnaryExpr:
			ok = n.Op != token.ARROW && n.Op != token.AND
		case *ast.BinaryExpr:
			switch n.Op {
			case token.QUO, token.REM, token.SHL, token.SHR:
				ok = p.constant(n.Y)
			case token.EQL, token.NEQ:
				ok = !types.IsInterface(p.info.TypeOf(n.X)) && !types.IsInterface(p.info.TypeOf(n.Y))
			}
		case *ast.SelectorExpr:
			if s := p.info.Selections[n]; s != nil {
				ok = s.Kind() == types.FieldVal && !s.Indirect()
			}
		case *ast.Ident:
			v, is := p.info.Uses[n].(*types.Var)
			ok = !is || v.IsField() || p.settled(v)
		case *ast.CallExpr:
			ok = p.call(n)
		}
		if !ok && p.at == nil {
			p.at = n
		}
		return p.at == nil
	})
}

// mine reports whether an expression is a variable of the function.
func (p *pure) mine(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	o := p.info.ObjectOf(id)
	return o == nil || spawn.Within(p.own, &ast.BadExpr{From: o.Pos(), To: o.Pos()}) // nil: the blank
}

// settled reports whether a variable has one value while the function runs, or is
// its own.
func (p *pure) settled(v *types.Var) bool {
	if v.Pkg() == nil || v.Parent() == v.Pkg().Scope() {
		return false
	}
	if spawn.Within(p.own, &ast.BadExpr{From: v.Pos(), To: v.Pos()}) {
		return true
	}
	written, parts := map[types.Object]ast.Node{}, map[types.Object]ast.Node{}
	p.writes(p.decl, written, parts)
	return written[v] == nil && parts[v] == nil
}

// constant reports whether an operand is a constant other than 0.
func (p *pure) constant(e ast.Expr) bool {
	v := p.info.Types[e].Value
	return v != nil && v.String() != "0"
}

// call reports whether a call is of a conversion, of a builtin that cannot fail, or
// of a function of the package that does nothing else either.
func (p *pure) call(c *ast.CallExpr) bool {
	if tv := p.info.Types[c.Fun]; tv.IsType() {
		_, basic := tv.Type.Underlying().(*types.Basic)
		return basic
	}
	switch b, _ := inline.Object(p.info, c.Fun).(*types.Builtin); {
	case b == nil:
	case b.Name() == "len", b.Name() == "cap", b.Name() == "min", b.Name() == "max":
		return true
	default:
		return false
	}
	fn := typeutil.StaticCallee(p.info, c)
	if fn == nil {
		return false
	}
	d := p.decls[fn.Origin()]
	if d == nil || d.Recv != nil || slices.Contains(p.seen, d) {
		return false
	}
	q := &pure{reader: p.reader, own: d, seen: append(slices.Clip(p.seen), d)}
	q.walk(d.Body, nil)
	return q.at == nil
}

// takes says why what receives from a stream, without a loop over it, cannot take
// the items of a batch one by one.
func (r *reader) takes(s *stream) reason {
	name := s.v.Name()
	switch {
	case len(s.ranges) > 0 || !one(s.receives):
		return reason{name + " is received from in several places", s.receives[0].node}
	case len(s.closes) > 0:
		return reason{name + " is received from without a loop over it, and closed", s.closes[0].node}
	case !listed(r.decl.Body, s.decl):
		return reason{name + " is not made by a statement of its own", s.decl}
	}
	for _, e := range s.receives {
		st := r.taker(e)
		if e.in != nil {
			return reason{name + " is received from by a function without a loop over it", e.node}
		}
		if st == nil || len(e.lits) > 0 || e.loop() == nil || !slices.Contains(listOf(e), st) {
			return reason{name + " is not received from by a statement of a loop", e.node}
		}
		var at ast.Node
		ast.Inspect(around(e), func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SendStmt, *ast.SelectStmt:
				at = n
			case *ast.UnaryExpr:
				if n.Op == token.ARROW && r.alias[inline.Object(r.info, n.X)] != s {
					at = n
				}
			case *ast.RangeStmt:
				if _, ok := r.info.TypeOf(n.X).Underlying().(*types.Chan); ok {
					at = n
				}
			}
			return at == nil
		})
		if at == nil {
			at = r.waits(around(e))
		}
		if at != nil {
			return reason{"who receives from " + name + " waits for something else as well", at}
		}
	}
	return reason{}
}

// taker returns the statement that receives an item before it does anything else:
// the receive alone, or an assignment to a variable.
func (r *reader) taker(e end) ast.Stmt {
	a, ok := e.stmt.(*ast.AssignStmt)
	if !ok {
		return r.received(e)
	}
	if _, name := a.Lhs[0].(*ast.Ident); name && len(a.Lhs) == 1 && len(a.Rhs) == 1 && r.first(a.Rhs[0], e.node) {
		return a
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
	case *ast.BinaryExpr:
		if x.Op == token.LAND || x.Op == token.LOR {
			return false
		}
		return r.first(x.X, part) || plain(x.X) && r.first(x.Y, part)
	case *ast.CallExpr:
		if sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr); !plain(x.Fun) && (!ok || !plain(sel.X)) {
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

// listed reports whether a statement is one of a block.
func listed(root *ast.BlockStmt, st ast.Stmt) (found bool) {
	ast.Inspect(root, func(n ast.Node) bool {
		b, ok := n.(*ast.BlockStmt)
		found = found || ok && slices.Contains(b.List, st)
		return !found
	})
	return found
}

// taken returns the edits that take the items of a batch one by one.
func (r *reader) taken(s *stream) (edits []analysis.TextEdit) {
	left := rewrite.Fresh(r.pass.Pkg, r.decl, s.v.Name()+"Left")
	if len(s.receives) > 0 {
		edits = append(edits, rewrite.Insert(s.decl.End(), fmt.Sprintf("\nvar %s []%s", left, r.text(s.elem))))
	}
	for _, e := range s.receives {
		st := r.taker(e)
		edits = append(edits, rewrite.Insert(st.Pos(), fmt.Sprintf("if len(%s) == 0 {\n%s = %s\n}\n", left, left, r.text(e.node))))
		next := left + " = " + left + "[1:]"
		if _, ok := st.(*ast.ExprStmt); ok {
			edits = append(edits, rewrite.Replace(st, next))
			continue
		}
		edits = append(edits, rewrite.Replace(e.node, left+"[0]"), rewrite.Insert(st.End(), "\n"+next))
	}
	return edits
}

// endless reports whether a loop never comes to its end.
func (r *reader) endless(loop ast.Stmt) bool {
	l, ok := loop.(*ast.ForStmt)
	return ok && l.Cond == nil && !slices.ContainsFunc(rewrite.Leaves(r.info, l.Body, false), func(x rewrite.Leave) bool { return x.How == "break" })
}
