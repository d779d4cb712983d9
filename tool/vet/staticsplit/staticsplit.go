package staticsplit

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds ranges that are split into one part for each worker.
var Analyzer = shape.Analyzer("staticsplit", doc, find, spawn.Analyzer, uses.Analyzer)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	seen := map[ast.Stmt]bool{}
	sites := pass.ResultOf[spawn.Analyzer].([]*spawn.Site)
	for _, s := range sites {
		if s.Func == nil || s.Loop == nil || s.Body == nil || s.Join == nil || seen[s.Loop] {
			continue
		}
		p := &split{pass: pass, info: pass.TypesInfo, x: pass.ResultOf[uses.Analyzer].(*uses.Index), sites: sites, loop: s.Loop, in: s.In, fn: s.Func}
		if !p.number() && !p.elsewhere() {
			continue
		}
		seen[s.Loop] = true
		f := shape.Finding{
			Pos: s.Loop.Pos(), End: spawn.LoopBody(s.Loop).Lbrace,
			Message: "the range is split into one part for each worker: where elements differ in cost, the others wait for the worker with the dearest",
			Func:    s.Func,
			Causes:  []string{"imbalance"},
			Hot:     []shape.Range{shape.Of(s.Loop), shape.Of(s.Body)},
			Shared:  shape.All(spawn.Called(pass, s.Body)),
		}
		if no := p.parts(&f); no != nil {
			no.Name = "parts"
			f.Refused = []shape.Refusal{*no}
		}
		all = append(all, f)
	}
	return all, nil
}

// A split is a range of which each iteration of a loop starts a goroutine with a part.
type split struct {
	pass  *analysis.Pass
	info  *types.Info
	x     *uses.Index
	sites []*spawn.Site
	loop  ast.Stmt // that goes through the parts
	in    ast.Node // the function that has it: an *ast.FuncDecl or *ast.FuncLit
	fn    *ast.FuncDecl
	n     ast.Expr // how many parts there are
	early bool     // the loop may start fewer
}

// list are the statements of the function that has the loop, or of the block within that
// declares the number of parts.
func (p *split) list() (list []ast.Stmt) {
	for n := range ast.Preorder(p.in) {
		b, ok := n.(*ast.BlockStmt)
		if o := inline.Root(p.info, p.n); ok && (list == nil || o != nil && spawn.Within(b, p.loop) && uses.Holds(b, o.Pos())) {
			list = b.List
		}
	}
	return list
}

// elsewhere looks for the split in the function that makes the slice of parts which the
// loop goes through.
func (p *split) elsewhere() bool {
	r, ok := p.loop.(*ast.RangeStmt)
	if !ok {
		return false
	}
	call, ok := p.source(r.X).(*ast.CallExpr)
	if !ok {
		return false
	}
	f, _ := spawn.Object(p.info, call.Fun).(*types.Func)
	if f == nil {
		return false
	}
	decl, ok := p.x.Declaration(f)
	if !ok || f.Exported() && p.pass.Pkg.Name() != "main" || slices.ContainsFunc(p.sites, func(s *spawn.Site) bool { return spawn.Within(decl.Node(), s.Node) }) {
		return false
	}
	p.fn = decl.Node().(*ast.FuncDecl)
	p.in = p.fn
	for _, st := range p.fn.Body.List {
		switch st.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if p.loop = st; p.number() {
				return p.info.Types[p.n].Value == nil && !p.told(f) // of a constant the result may say it as well
			}
		}
	}
	return false
}

// source is what a variable is declared as, and other expressions as they are.
func (p *split) source(e ast.Expr) ast.Expr {
	e = ast.Unparen(e)
	if v := loop.Var(p.info, e); v != nil {
		for _, use := range p.x.Of(v) {
			if def, ok := use.Parent().Node().(*ast.AssignStmt); ok && p.x.Declares(use) && len(def.Lhs) == 1 {
				e = ast.Unparen(def.Rhs[0])
			}
		}
	}
	return e
}

// told reports whether what calls a function for its parts knows otherwise how many it
// asks for.
func (p *split) told(f *types.Func) bool {
	at := slices.IndexFunc(slices.Collect(f.Signature().Params().Variables()), func(v *types.Var) bool { return v == loop.Var(p.info, p.n) })
	for c := range p.x.Root.Preorder((*ast.CallExpr)(nil)) {
		call := c.Node().(*ast.CallExpr)
		decl := uses.Decl(c)
		if at < 0 || spawn.Object(p.info, call.Fun) != f || decl == nil || at >= len(call.Args) {
			continue
		}
		text := p.text(call.Args[at])
		if uses.Any(decl.Body, func(e ast.Expr) bool {
			c, _ := uses.Find(p.x.Root, e)
			return e != call.Args[at] && p.info.Types[e].Value == nil && p.text(e) == text && !uses.Written(c)
		}) {
			return true
		}
	}
	return false
}

// differs reports whether an expression mentions a variable of the loop.
func (p *split) differs(e ast.Expr) bool {
	return uses.Any(e, func(id *ast.Ident) bool { v := p.info.ObjectOf(id); return v != nil && uses.Holds(p.loop, v.Pos()) })
}

// number finds how many parts there are. The loop counts up to that, and something is
// divided by it; or the loop steps by what is divided by it and rounded up.
func (p *split) number() bool {
	if l, ok := loop.Numbered(p.info, p.loop); ok {
		if l.Lo != nil || l.Hi == nil || !p.named(l.Hi) {
			return false
		}
		p.n = ast.Unparen(l.Hi)
		p.early = len(rewrite.Leaves(p.info, spawn.LoopBody(p.loop), false)) > 0
		return len(p.divisions()) > 0 && !slices.ContainsFunc(p.list(), p.multiplies)
	}
	l, ok := p.loop.(*ast.ForStmt)
	if !ok {
		return false
	}
	post, ok := l.Post.(*ast.AssignStmt)
	if !ok || post.Tok != token.ADD_ASSIGN {
		return false
	}
	step := p.source(post.Rhs[0])
	for n := range ast.Preorder(step) {
		if b, ok := n.(*ast.BinaryExpr); ok && b.Op == token.QUO && p.named(b.Y) {
			p.n, p.early = ast.Unparen(b.Y), true
			d := p.division(b) // one that is rounded down may be none
			return d.up && !slices.ContainsFunc(p.list(), p.multiplies)
		}
	}
	return false
}

// named reports whether a number is said by what stands for it alone: a variable, a
// constant, a field, or a call of package runtime.
func (p *split) named(e ast.Expr) bool {
	text := p.text(ast.Unparen(e))
	return text == allowed || text == present || loop.Chain(e)
}

const allowed, present = "runtime.GOMAXPROCS(0)", "runtime.NumCPU()"

func (p *split) text(n ast.Node) string { return rewrite.Text(p.pass.Fset, n) }

// A share is a division of elements by the number of parts.
type share struct {
	of    ast.Expr // the elements, nil where some are left over
	whole ast.Expr // the division, with what is added to round it up
	up    bool     // to a length; else to an end of a part, n * w / parts
	rest  bool     // the last part has what the others leave over
}

func (p *split) division(b *ast.BinaryExpr) share {
	if x, ok := ast.Unparen(b.X).(*ast.BinaryExpr); ok {
		l, r := ast.Unparen(x.X), ast.Unparen(x.Y)
		sum, _ := l.(*ast.BinaryExpr)
		switch {
		case x.Op == token.MUL && p.differs(l) && !p.differs(r):
			return share{of: r, whole: b}
		case x.Op == token.MUL && p.differs(r) && !p.differs(l):
			return share{of: l, whole: b}
		case x.Op == token.SUB && sum != nil && sum.Op == token.ADD && p.is(ast.Unparen(sum.Y)) && p.text(r) == "1": // n + parts - 1
			return share{of: sum.X, whole: b, up: true}
		}
	}
	c, _ := uses.Find(p.x.Root, b)
	switch n := uses.Whole(c).Parent().Node().(type) {
	case *ast.BinaryExpr: // n / parts + 1
		if n.Op == token.ADD && ast.Unparen(n.X) == b && p.text(n.Y) == "1" {
			return share{of: b.X, whole: n, up: true}
		}
	case *ast.AssignStmt:
		length := loop.Var(p.info, n.Lhs[0])
		elsewhere := func(use inspector.Cursor) bool { return !p.x.Declares(use) && !spawn.Within(p.loop, use.Node()) }
		if length != nil && !slices.ContainsFunc(p.x.Of(length), elsewhere) && p.last(b.X) {
			return share{of: b.X, whole: b, up: true, rest: true}
		}
	}
	return share{}
}

// last reports whether the last part ends where the n elements do, however long it is.
func (p *split) last(n ast.Expr) bool {
	return uses.Any(p.loop, func(st *ast.IfStmt) bool {
		at := binary(st.Cond, token.EQL, func(x, y ast.Expr) bool {
			b, ok := y.(*ast.BinaryExpr)
			return ok && p.differs(x) && loop.Var(p.info, x) != nil && b.Op == token.SUB && p.is(ast.Unparen(b.X)) && p.text(b.Y) == "1"
		})
		end, ok := st.Body.List[0].(*ast.AssignStmt)
		return ok && len(at) == 1 && at[0] == st.Cond && st.Else == nil && len(st.Body.List) == 1 && p.text(end.Rhs[0]) == p.text(n)
	})
}

// is reports whether an expression is the number of parts.
func (p *split) is(e ast.Node) bool {
	x, ok := e.(ast.Expr)
	return ok && p.text(x) == p.text(p.n) && inline.Root(p.info, x) == inline.Root(p.info, p.n)
}

// mentions are the places in n that say the number of parts.
func (p *split) mentions(n ast.Node) (all []ast.Expr) {
	ast.Inspect(n, func(n ast.Node) bool {
		if p.is(n) {
			all = append(all, n.(ast.Expr))
			return false
		}
		return true
	})
	return all
}

// binary are the operations of a kind in code that f is true for.
func binary(code ast.Node, op token.Token, f func(x, y ast.Expr) bool) (all []*ast.BinaryExpr) {
	uses.Any(code, func(b *ast.BinaryExpr) bool {
		if b.Op == op && f(ast.Unparen(b.X), ast.Unparen(b.Y)) {
			all = append(all, b)
		}
		return false
	})
	return all
}

// divisions are those by the number of parts, as what finds the ends of a part does.
func (p *split) divisions() []*ast.BinaryExpr {
	return binary(p.in, token.QUO, func(_, y ast.Expr) bool { return p.is(y) })
}

// sets returns where code sets an operand that is is true for, or takes its address; nil
// for nowhere.
func sets(code ast.Node, is func(ast.Expr) bool) ast.Node {
	for n := range ast.Preorder(code) {
		to := rewrite.Assigned(n)
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				to = []ast.Expr{n.X}
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				to = append(to, id)
			}
		}
		if slices.ContainsFunc(to, is) {
			return n
		}
	}
	return nil
}

// writes reports whether a statement, or one within, sets the number of parts.
func (p *split) writes(st ast.Stmt) bool {
	return sets(st, func(e ast.Expr) bool { return p.is(ast.Unparen(e)) }) != nil
}

// multiplies reports whether a statement sets the number of parts to a product: there
// are many of them already.
func (p *split) multiplies(st ast.Stmt) bool {
	return p.writes(st) && len(binary(st, token.MUL, func(x, y ast.Expr) bool { return true })) > 0 && !spawn.Within(st, p.loop)
}

// plain reports whether e means the same at pos, and does nothing but ask.
func (p *split) plain(e ast.Expr, pos token.Pos) (ok bool) {
	ok = true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			ok = ok && (loop.Builtin(p.info, n) == "len" || p.named(n) || flow.Of(p.pass).Pure(n) == "")
		case *ast.Ident:
			if o := p.info.ObjectOf(n); o.Parent() != nil && (o.Pkg() == nil || o.Pkg() == p.pass.Pkg) {
				_, at := p.pass.Pkg.Scope().Innermost(pos).LookupParent(n.Name, pos)
				ok = ok && o == at
			}
		}
		return ok
	})
	return ok
}

// place reports whether another number can be said in the place of a mention.
func (p *split) place(c inspector.Cursor) bool {
	for c.ParentEdgeKind() == edge.ParenExpr_X {
		c = c.Parent()
	}
	up := c.Parent()
	bound := func(l ast.Node) bool {
		return l == p.loop || !p.early && !slices.ContainsFunc(p.sites, func(s *spawn.Site) bool { return spawn.Within(l, s.Node) })
	}
	switch n := up.Node().(type) {
	case *ast.RangeStmt:
		return bound(n)
	case *ast.BinaryExpr:
		if up.ParentEdgeKind() == edge.ForStmt_Cond {
			return bound(up.Parent().Node())
		}
		return n.Pos() < p.loop.End() && !p.compares(up)
	case *ast.CallExpr:
		fn, _ := spawn.Object(p.info, n.Fun).(*types.Func)
		return loop.Builtin(p.info, n) == "make" || !p.early && spawn.IsMethod(fn, "sync", "WaitGroup", "Add")
	case *ast.ArrayType:
		spec, ok := up.Parent().Node().(*ast.ValueSpec)
		return ok && !slices.ContainsFunc(spec.Names, func(id *ast.Ident) bool {
			return slices.ContainsFunc(p.x.Of(loop.Var(p.info, id)), func(use inspector.Cursor) bool {
				switch use.ParentEdgeKind() {
				case edge.ValueSpec_Names, edge.IndexExpr_X, edge.SliceExpr_X, edge.RangeStmt_X:
					return false
				}
				return true
			})
		})
	}
	return false
}

// compares reports whether an operation is part of a comparison of the number of parts
// with what is the same for all of them: more parts may go another way.
func (p *split) compares(c inspector.Cursor) bool {
	for ; ; c = c.Parent() {
		switch n := c.Node().(type) {
		case *ast.ParenExpr:
			continue
		case *ast.BinaryExpr:
			switch n.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
				return !p.differs(n) && p.info.Types[n.X].Value == nil && p.info.Types[n.Y].Value == nil
			}
			continue
		}
		return false
	}
}

// room is a channel that is made with room for some, however many parts there are.
func (p *split) room(st ast.Stmt) (at ast.Node) {
	ast.Inspect(st, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok && loop.Builtin(p.info, call) == "make" && len(call.Args) == 2 && len(p.mentions(call)) == 0 {
			if v := p.info.Types[call.Args[1]].Value; uses.Under[*types.Chan](p.info.TypeOf(call)) && (v == nil || constant.Compare(v, token.GTR, constant.MakeInt64(1))) {
				at = call
			}
		}
		return at == nil
	})
	return at
}

// changes returns the statement, of some before the loop, that changes the number of
// elements; nil for none.
func (p *split) changes(n ast.Expr, list []ast.Stmt) ast.Node {
	is := func(o types.Object) bool {
		return o != nil && uses.Any(n, func(id *ast.Ident) bool { return p.info.Uses[id] == o })
	}
	for _, st := range list {
		if st.End() > p.loop.Pos() {
			break
		}
		if sets(st, func(e ast.Expr) bool { return is(spawn.Object(p.info, e)) }) != nil || slices.ContainsFunc(flow.Of(p.pass).Within(st), func(e flow.Effect) bool {
			v := e.Var()
			return e.Kind&(flow.Call|flow.Unknown) != 0 || e.Kind&flow.Write != 0 && v != nil && is(v)
		}) {
			return st
		}
	}
	return nil
}

// bound has no more goroutines at work at once than there were, where the program says how
// many there are, and not the machine. It is nil where it says so, or what starts them may
// have to go on for one of them to end.
func (p *split) bound() (edits []analysis.TextEdit) {
	if text := p.text(p.source(p.n)); text == allowed || text == present || p.info.Types[p.n].Value != nil {
		return nil
	}
	does, sem := flow.Of(p.pass), rewrite.Fresh(p.pass.Pkg, p.fn, "sem")
	at, _ := uses.Find(p.x.Root, p.loop)
	for _, s := range p.sites {
		if s.Loop != p.loop {
			continue
		}
		if s.Lit == nil || s.Stmt == nil || edits != nil || does.Within(s.Body).First(flow.Send|flow.Receive|flow.Wait) != nil ||
			does.Within(s.Body).First(flow.Lock) != nil && does.Within(p.in, s.Node).First(flow.Lock) != nil {
			return nil
		}
		give := "\ndefer func() { <-" + sem + " }()"
		if line := p.pass.Fset.Position; line(s.Lit.Body.Lbrace).Line == line(s.Lit.Body.Rbrace).Line {
			give += "\n"
		}
		edits = append(edits,
			rewrite.Insert(rewrite.Above(p.pass.Fset, at), fmt.Sprintf("%s := make(chan struct{}, max(1, %s)) // as many at once as before\n", sem, p.text(p.n))),
			rewrite.Insert(s.Stmt.Pos(), sem+" <- struct{}{}\n"), rewrite.Insert(s.Lit.Body.Lbrace+1, give))
	}
	return edits
}

// ends reports whether the loop starts nothing for a part behind the end.
func (p *split) ends(n ast.Expr) bool {
	if _, ok := loop.Numbered(p.info, p.loop); !ok {
		return true // it goes on to where the next part begins
	}
	return slices.ContainsFunc(spawn.LoopBody(p.loop).List, func(st ast.Stmt) bool {
		ask, ok := st.(*ast.IfStmt)
		if !ok || len(ask.Body.List) != 1 {
			return false
		}
		behind := binary(ask.Cond, token.GEQ, func(lo, end ast.Expr) bool {
			times, ok := p.source(lo).(*ast.BinaryExpr)
			return ok && times.Op == token.MUL && (p.text(end) == p.text(n) || p.differs(end))
		})
		leave, leaves := ask.Body.List[0].(*ast.BranchStmt)
		return len(behind) == 1 && behind[0] == ask.Cond && leaves && leave.Label == nil && leave.Tok != token.GOTO
	})
}

// parts makes more parts than there were, but no more than elements: the scheduler hands
// them out to the processors, one after the other.
func (p *split) parts(f *shape.Finding) *shape.Refusal {
	list, first := p.list(), -1
	for i, st := range list {
		_, asks := st.(*ast.IfStmt)
		switch {
		case p.writes(st) && first >= 0:
			return shape.No(st, "the number of parts changes")
		case first < 0 && !p.writes(st) && len(p.mentions(st)) > 0 && (!asks || spawn.Within(st, p.loop)):
			first = i
		}
	}
	var n ast.Expr
	var shares []share
	var up, rest bool
	for _, b := range p.divisions() {
		d := p.division(b)
		switch {
		case d.of == nil:
			return shape.No(b, "what the division leaves over is in no part")
		case n != nil && p.text(n) != p.text(d.of):
			return shape.No(b, "two ranges are split")
		}
		n, shares, up, rest = d.of, append(shares, d), up || d.up, rest || d.rest
	}
	if first >= 0 && !p.plain(n, list[first].Pos()) {
		n = p.source(n)
	}
	if first < 0 || !p.plain(p.n, list[first].Pos()) || !p.plain(n, list[first].Pos()) {
		return shape.No(p.n, "the number of parts, or of elements, is not known before")
	}
	if at := p.changes(n, list[first:]); up && at != nil {
		return shape.No(at, "the number of elements may change")
	}
	fixed := p.info.Types[p.n].Value != nil && !up // no part can lie behind the end
	if !types.Identical(types.Default(p.info.TypeOf(p.n)), types.Typ[types.Int]) ||
		!rewrite.Universal(p.pass.Pkg, list[first].Pos(), "min", "max") || !rewrite.Since(p.pass, rewrite.File(p.pass, p.loop.Pos()), "go1.21") {
		return shape.No(p.n, "it cannot be written here: a number is no int, or min and max are not those of Go 1.21")
	}
	body := &ast.BlockStmt{List: list}
	if slices.ContainsFunc(rewrite.Leaves(p.info, body, true), func(l rewrite.Leave) bool { return l.How == "goto" }) {
		return shape.No(p.n, "a goto may jump over the number of parts")
	}
	for _, fn := range spawn.Called(p.pass, p.loop) {
		if o := spawn.Object(p.info, p.n); o != nil && uses.Mentions(p.info, fn, o) {
			return shape.No(fn.Name, "a function that is called knows the number of parts as well")
		}
	}
	for _, st := range list {
		if at := p.room(st); at != nil && st.Pos() < p.loop.Pos() {
			return shape.No(at, "a channel may have room for what the parts send now")
		}
	}
	parts, is := rewrite.Fresh(p.pass.Pkg, p.fn, "parts"), ":="
	id, _ := p.n.(*ast.Ident)
	if id != nil && id.Name == "parts" && !fixed && p.info.ObjectOf(id).Parent() != p.pass.Pkg.Scope() {
		parts, is = id.Name, "="
	}
	var edits []analysis.TextEdit
	for _, d := range shares {
		if d.up {
			edits = append(edits, rewrite.Replace(d.whole, fmt.Sprintf("(%s + %s - 1) / %[2]s", p.text(d.of), parts)))
		}
	}
	for _, st := range list[first:] {
		for _, e := range p.mentions(st) {
			if slices.ContainsFunc(shares, func(d share) bool { return d.up && spawn.Within(d.whole, e) }) {
				continue
			}
			if c, ok := uses.Find(p.x.Root, e); !ok || !p.place(c) {
				return shape.No(e, "the number of parts says something else as well")
			}
			edits = append(edits, rewrite.Replace(e, parts))
		}
	}
	at, _ := uses.Find(p.x.Root, list[first])
	holds := "how many parts there are, and are at work at once, makes no difference to what comes of them together"
	if bound := p.bound(); bound != nil {
		edits = append(edits, bound...)
		holds = "how many parts there are makes no difference to what comes of them together"
	}
	w, least, of := p.text(p.n), p.text(p.n), p.text(n)
	if strings.Contains(of, " ") {
		of = "(" + of + ")"
	}
	if rest { // a length of 0 would put a part behind the end
		least = "min(1, " + w + ")"
	}
	for _, k := range []int{4, 16, 64} {
		most := of
		if up { // rounded up by a length of n / most + 1, so that no part lies behind the end
			most = fmt.Sprintf("(%s-1)/(%[1]s/max(1, %d*%s)+1)+1", of, k, w)
		}
		def := fmt.Sprintf("%s %s max(%s, min(%d*%s, %s))", parts, is, least, k, w, most)
		switch {
		case fixed: // it may be the length of an array
			def = fmt.Sprintf("const %s = %d * %s", parts, k, p.text(p.n))
		case up && p.ends(n):
			def = fmt.Sprintf("%s %s %d * %s", parts, is, k, w)
		}
		f.Fixes = append(f.Fixes, shape.Fix{
			Name: "parts", Value: k,
			Says:  fmt.Sprintf("split the range into %d times as many parts", k),
			Holds: holds,
			Edits: append([]analysis.TextEdit{rewrite.Insert(rewrite.Above(p.pass.Fset, at), def+" // small ones, since they may differ in cost\n")}, edits...),
		})
	}
	return nil
}
