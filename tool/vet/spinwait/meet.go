package spinwait

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A barrier is where goroutines meet after each round: all count, and wait until
// as many have counted as there are.
type barrier struct {
	*check
	spin   inspector.Cursor
	rounds *ast.RangeStmt // of each goroutine
	number ast.Expr       // how many goroutines there are, where they start
	again  ast.Expr       // the same in the loop's condition
	site   *spawn.Site    // of the goroutines, with their literal
	key    *ast.Ident     // declares the number of a goroutine
}

// meets returns the barrier at which a loop waits, nil if it is at none.
func (c *check) meets(w *word) *barrier {
	if len(w.spins) != 1 {
		return nil
	}
	b := &barrier{check: c, spin: w.spins[0].Cursor}
	cond, ok := ast.Unparen(b.spin.Node().(*ast.ForStmt).Cond).(*ast.BinaryExpr)
	if !ok || cond.Op != token.LSS {
		return nil
	}
	o, ok := c.op(c.plainly(cond.X))
	all, ok2 := c.plainly(cond.Y).(*ast.BinaryExpr)
	if !ok || !ok2 || o.v != w.v || o.name != "Load" || all.Op != token.MUL || b.spin.ParentEdgeKind() != edge.BlockStmt_List {
		return nil
	}
	b.rounds, ok = b.spin.Parent().Parent().Node().(*ast.RangeStmt)
	if !ok || b.rounds.Key == nil || b.rounds.Tok != token.DEFINE || b.spin.Parent().ParentEdgeKind() != edge.RangeStmt_Body {
		return nil
	}
	for _, e := range [][2]ast.Expr{{all.X, all.Y}, {all.Y, all.X}} {
		next, ok := c.plainly(e[0]).(*ast.BinaryExpr)
		if !ok || next.Op != token.ADD || c.uses.Var(c.plainly(next.X)) != c.uses.Var(b.rounds.Key) {
			continue
		}
		if v := c.info.Types[next.Y].Value; v != nil && v.ExactString() == "1" {
			b.again = c.plainly(e[1])
		}
	}
	fn, ok := uses.Func(b.spin)
	lit, is := fn.Node().(*ast.FuncLit)
	if b.again == nil || !ok || !is || len(lit.Body.List) != 1 || lit.Body.List[0] != ast.Stmt(b.rounds) || !b.start(fn, lit) {
		return nil
	}
	return b
}

// start finds where the goroutines of a literal start, and what numbers them.
func (b *barrier) start(fn inspector.Cursor, lit *ast.FuncLit) bool {
	for _, s := range b.sites {
		if s.Lit != lit {
			continue
		}
		l, ok := s.Loop.(*ast.RangeStmt)
		if !ok || l.Key == nil || l.Tok != token.DEFINE || len(l.Body.List) != 1 {
			return false
		}
		b.site, b.number = s, l.X
		b.key, _ = l.Key.(*ast.Ident)
		return b.key != nil && lit.Type.Params.NumFields() == 0
	}
	call, ok := fn.Parent().Node().(*ast.CallExpr)
	if !ok || fn.ParentEdgeKind() != edge.CallExpr_Args || len(call.Args) != 2 || lit.Type.Params.NumFields() != 1 || len(lit.Type.Params.List[0].Names) != 1 {
		return false
	}
	each := section.Callee(b.info, call)
	if each == nil {
		return false
	}
	d, ok := b.uses.Declaration(each)
	if !ok || !b.each(d.Node().(*ast.FuncDecl)) {
		return false
	}
	b.number, b.key = call.Args[0], lit.Type.Params.List[0].Names[0]
	b.site = &spawn.Site{Node: call, Call: call, File: rewrite.File(b.pass, call.Pos()), Func: uses.Decl(fn), Lit: lit, Type: lit.Type, Body: lit.Body}
	return b.site.Func != nil
}

// each reports whether a function calls what it is given in as many goroutines as
// it is told, with their numbers, and waits for them.
func (b *barrier) each(d *ast.FuncDecl) bool {
	var params []*types.Var
	for _, f := range d.Type.Params.List {
		for _, name := range f.Names {
			v, _ := b.info.Defs[name].(*types.Var)
			params = append(params, v)
		}
	}
	if len(params) != 2 {
		return false
	}
	for _, s := range b.sites {
		l, ok := s.Loop.(*ast.RangeStmt)
		if s.Func != d || !ok || s.Join == nil || s.Lit == nil || l.Key == nil || b.uses.Var(l.X) != params[0] {
			continue
		}
		for _, st := range s.Lit.Body.List {
			x, ok := st.(*ast.ExprStmt)
			if !ok {
				continue
			}
			c, ok := x.X.(*ast.CallExpr)
			if ok && len(c.Args) == 1 && b.uses.Var(c.Fun) == params[1] && b.uses.Var(c.Args[0]) != nil && b.uses.Var(c.Args[0]) == b.uses.Var(l.Key) {
				return len(b.uses.Of(params[0])) == 2 && len(b.uses.Of(params[1])) == 2
			}
		}
	}
	return false
}

// fewer has as many goroutines meet as there are processors, each of which does the
// rounds of several.
func (c *check) fewer(w *word, b *barrier) (edits []analysis.TextEdit, why string, at token.Pos) {
	const other = "the loop waits for more than one event"
	block := b.spin.Parent().Node().(*ast.BlockStmt)
	back := c.elsewhere(w)
	n := len(block.List)
	switch {
	case len(back) != 1 || back[0].v == nil || back[0].name != "Add" || n < 3 || block.List[n-1] != b.spin.Node() || block.List[n-2] != back[0].stmt.Node():
		return nil, other, b.spin.Node().Pos()
	case c.text(b.number) != c.text(b.again) || c.info.Types[b.number].Value == nil || !types.Identical(c.info.TypeOf(b.number), types.Typ[types.Int]):
		return nil, "it cannot be seen that as many meet as there are", b.spin.Node().Pos()
	}
	if v := c.info.Types[back[0].args[0]].Value; v == nil || v.ExactString() != "1" {
		return nil, other, b.spin.Node().Pos()
	}
	if _, ok := c.info.TypeOf(b.rounds.X).Underlying().(*types.Basic); !ok || c.has(b.rounds.X, c.uses.Var(b.key)) {
		return nil, "the goroutines differ in their rounds", b.rounds.Pos()
	}
	round := &ast.BlockStmt{Lbrace: block.Lbrace, List: block.List[:n-2], Rbrace: block.List[n-3].End()}
	for _, l := range rewrite.Leaves(c.info, round, false) {
		if l.How != "panic" {
			return nil, "a round may end early, by " + l.How, l.Pos
		}
	}
	rest := *b.site
	rest.Body = round
	rest.Lit = &ast.FuncLit{Type: b.site.Lit.Type, Body: round}
	if no := inline.Meets(c.pass, &rest, true); no != nil {
		return nil, no.Why, no.Pos
	}
	if at := spawn.Goexits(c.pass, round); at != nil {
		return nil, "a round may end its goroutine", at.Pos()
	}
	decl, stmt := b.site.Func, inspector.Cursor{}
	for up := b.spin; ; up = up.Parent() {
		if up.Node() == ast.Node(decl) {
			break
		}
		if _, ok := up.Node().(ast.Stmt); ok && uses.Listed(up) && spawn.Within(up.Node(), b.site.Node) {
			stmt = up
			if spawn.Within(up.Node(), b.number) {
				break
			}
		}
	}
	if stmt.Node() == nil {
		return nil, other, b.spin.Node().Pos()
	}
	runtime, edits := rewrite.Import(c.pass.Pkg, b.site.File, "runtime", stmt.Node().Pos())
	workers, me := rewrite.Fresh(c.pass.Pkg, decl, "workers"), rewrite.Fresh(c.pass.Pkg, decl, "w")
	again := workers
	if t, ok := c.info.TypeOf(b.again).(*types.Basic); ok && t.Kind() != types.Int {
		again = t.Name() + "(" + workers + ")"
	}
	g := b.key.Name
	if g == "_" {
		g = rewrite.Fresh(c.pass.Pkg, decl, "g")
	}
	return append(edits,
		rewrite.Insert(stmt.Node().Pos(), fmt.Sprintf("%s := min(%s.GOMAXPROCS(0), %s)\n", workers, runtime, c.text(b.number))),
		rewrite.Replace(b.number, workers),
		rewrite.Replace(b.again, again),
		rewrite.Replace(b.key, me),
		rewrite.Insert(round.List[0].Pos(), fmt.Sprintf("for %[1]s := %[2]s; %[1]s < %[3]s; %[1]s += %[4]s {\n", g, me, c.text(b.number), workers)),
		rewrite.Insert(round.Rbrace, "\n}")), "", 0
}
