package staticsplit

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

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
	for _, s := range pass.ResultOf[spawn.Analyzer].([]*spawn.Site) {
		if s.Func == nil || s.Loop == nil || s.Body == nil || s.Join == nil || seen[s.Loop] {
			continue
		}
		p := &split{pass: pass, info: pass.TypesInfo, s: s}
		if !p.number() {
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
		p.parts(&f)
		all = append(all, f)
	}
	return all, nil
}

// A split is a range of which each iteration of a loop starts a goroutine with a part.
type split struct {
	pass *analysis.Pass
	info *types.Info
	s    *spawn.Site
	n    ast.Expr // how many parts there are
}

// list are the statements of the function that has the loop.
func (p *split) list() []ast.Stmt {
	if lit, ok := p.s.In.(*ast.FuncLit); ok {
		return lit.Body.List
	}
	return p.s.Func.Body.List
}

// number finds how many parts there are. The loop counts up to that, and something is
// divided by it; or the loop steps by what is divided by it and rounded up.
func (p *split) number() bool {
	if l, ok := loop.Numbered(p.info, p.s.Loop); ok {
		if l.Lo != nil || l.Hi == nil || !p.named(l.Hi) {
			return false
		}
		p.n = ast.Unparen(l.Hi)
		return slices.ContainsFunc(p.list(), p.divides) && !slices.ContainsFunc(p.list(), p.multiplies)
	}
	l, ok := p.s.Loop.(*ast.ForStmt)
	if !ok {
		return false
	}
	post, ok := l.Post.(*ast.AssignStmt)
	if !ok || post.Tok != token.ADD_ASSIGN {
		return false
	}
	step := loop.Var(p.info, post.Rhs[0])
	for _, st := range p.list() {
		def, ok := st.(*ast.AssignStmt)
		if !ok || step == nil || len(def.Lhs) != 1 || loop.Var(p.info, def.Lhs[0]) != step {
			continue
		}
		if b, ok := ast.Unparen(def.Rhs[0]).(*ast.BinaryExpr); ok && b.Op == token.QUO && p.named(b.Y) {
			p.n = ast.Unparen(b.Y)
			// A step that is rounded down may be none.
			return len(p.mentions(b.X)) > 0 && !slices.ContainsFunc(p.list(), p.multiplies)
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

// is reports whether an expression is the number of parts. What is called the same
// within the function is taken for it, so the name must not be declared again.
func (p *split) is(e ast.Node) bool {
	x, ok := e.(ast.Expr)
	if !ok || p.text(x) != p.text(p.n) {
		return false
	}
	id, ok := p.n.(*ast.Ident)
	return !ok || p.info.ObjectOf(x.(*ast.Ident)) == p.info.ObjectOf(id)
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

// divides reports whether a statement divides something by the number of parts, as
// what finds the ends of a part does.
func (p *split) divides(st ast.Stmt) (found bool) {
	ast.Inspect(st, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && b.Op == token.QUO {
			found = found || p.is(ast.Unparen(b.Y))
		}
		return !found
	})
	return found
}

// writes reports whether a statement, or one within, sets the number of parts.
func (p *split) writes(st ast.Stmt) (found bool) {
	ast.Inspect(st, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			found = found || slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return p.is(e) })
		case *ast.IncDecStmt:
			found = found || p.is(n.X)
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && p.is(ast.Unparen(n.X))
		case *ast.ValueSpec:
			found = found || slices.ContainsFunc(n.Names, func(id *ast.Ident) bool { return p.is(id) })
		}
		return !found
	})
	return found
}

// multiplies reports whether a statement sets the number of parts to a product: there
// are many of them already.
func (p *split) multiplies(st ast.Stmt) (found bool) {
	product := func(e ast.Expr) bool {
		b, ok := ast.Unparen(e).(*ast.BinaryExpr)
		if call, is := ast.Unparen(e).(*ast.CallExpr); is && loop.Builtin(p.info, call) == "min" {
			b, ok = ast.Unparen(call.Args[0]).(*ast.BinaryExpr)
		}
		return ok && b.Op == token.MUL
	}
	ast.Inspect(st, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			found = found || len(n.Lhs) == 1 && p.is(n.Lhs[0]) && product(n.Rhs[0])
		case *ast.ValueSpec:
			found = found || len(n.Names) == 1 && len(n.Values) == 1 && p.is(n.Names[0]) && product(n.Values[0])
		}
		return !found
	})
	return found
}

// most are expressions that the number of parts is not to exceed, where st sees to it:
// if n > max { n = max }, n = min(n, max).
func (p *split) most(st ast.Stmt) (all []string) {
	switch st := st.(type) {
	case *ast.IfStmt:
		c, ok := st.Cond.(*ast.BinaryExpr)
		if ok && len(st.Body.List) == 1 && p.writes(st.Body) {
			switch {
			case (c.Op == token.GTR || c.Op == token.GEQ) && p.is(c.X):
				all = append(all, p.text(c.Y))
			case (c.Op == token.LSS || c.Op == token.LEQ) && p.is(c.Y):
				all = append(all, p.text(c.X))
			}
		}
	case *ast.AssignStmt:
		if len(st.Lhs) == 1 && len(st.Rhs) == 1 && p.is(st.Lhs[0]) {
			if call, ok := ast.Unparen(st.Rhs[0]).(*ast.CallExpr); ok && loop.Builtin(p.info, call) == "min" {
				for _, e := range call.Args {
					if !p.is(e) && p.text(e) != allowed && p.text(e) != present {
						all = append(all, p.text(e))
					}
				}
			}
		}
	}
	return all
}

// parts makes more parts than there were: the scheduler hands them out to the
// processors, one after the other.
func (p *split) parts(f *shape.Finding) {
	var most []string
	list, first := p.list(), -1
	for i, st := range list {
		_, asks := st.(*ast.IfStmt)
		switch {
		case p.writes(st):
			if first >= 0 {
				f.Refused = []shape.Refusal{*shape.No(st, "the number of parts changes")}
				f.Refused[0].Name = "parts"
				return
			}
			most = append(most, p.most(st)...)
		case first < 0 && len(p.mentions(st)) > 0 && (!asks || p.divides(st)):
			first = i
		}
	}
	if first < 0 || len(most) > 0 && !rewrite.Universal(p.pass.Pkg, list[first].Pos(), "min") {
		f.Refused = []shape.Refusal{*shape.No(p.n, "the number of parts is set in an inner block, or min means something else here")}
		f.Refused[0].Name = "parts"
		return
	}
	parts := rewrite.Fresh(p.pass.Pkg, p.s.Func, "parts")
	var edits []analysis.TextEdit
	for _, st := range list[first:] {
		for _, e := range p.mentions(st) {
			edits = append(edits, rewrite.Replace(e, parts))
		}
	}
	for _, k := range []int{4, 16, 64} {
		def := fmt.Sprintf("%s := %d * %s", parts, k, p.text(p.n))
		switch {
		case p.info.Types[p.n].Value != nil:
			def = fmt.Sprintf("const %s = %d * %s", parts, k, p.text(p.n))
		case len(most) > 0:
			def = fmt.Sprintf("%s := min(%d*%s", parts, k, p.text(p.n))
			for _, e := range most {
				def += ", " + e
			}
			def += ")"
		}
		f.Fixes = append(f.Fixes, shape.Fix{
			Name: "parts", Value: k,
			Says:  fmt.Sprintf("split the range into %d times as many parts", k),
			Holds: "how many parts there are makes no difference to what comes of them together",
			Edits: append([]analysis.TextEdit{rewrite.Insert(list[first].Pos(), def+" // small ones, since they may differ in cost\n")}, edits...),
		})
	}
}
