package staticsplit

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds ranges that are split among workers once and for all.
var Analyzer = shape.Analyzer("staticsplit", doc, find, spawn.Analyzer, uses.Analyzer)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	for _, s := range pass.ResultOf[spawn.Analyzer].([]*spawn.Site) {
		if s.Func == nil || s.Loop == nil || s.In != s.Func || inline.Literal(s) == nil || s.Join == nil {
			continue
		}
		p := newSplit(pass, s)
		if p == nil {
			continue
		}
		pos, end := p.head()
		f := shape.Finding{
			Pos: pos, End: end,
			Message: "the range is split into one part for each worker: where elements differ in cost, the others wait for the worker with the dearest",
			Func:    s.Func,
			Causes:  []string{"imbalance"},
			Hot:     []shape.Range{shape.Of(p.stmt), shape.Of(s.Loop)},
			Shared:  shape.All(spawn.Called(pass, p.stmt)),
		}
		p.dynamic(&f)
		all = append(all, f)
	}
	return all, nil
}

// A split is what a worker does with its part of a range, from n*w/workers up to
// n*(w+1)/workers: a loop over it, or over a slice between the two, or a call that is
// handed both.
type split struct {
	pass    *analysis.Pass
	info    *types.Info
	uses    *uses.Index
	s       *spawn.Site
	w       *types.Var // number of the worker
	workers ast.Expr   // how many there are
	stmt    ast.Stmt   // a loop over the part, or a call
	over    ast.Expr   // the slice, nil for numbers
	ends    int        // which argument of the call is the begin of the part; the next is its end
	n       string     // the end of the whole range
}

// newSplit returns nil where the site's workers do not split a range so.
func newSplit(pass *analysis.Pass, s *spawn.Site) *split {
	p := &split{pass: pass, info: pass.TypesInfo, s: s, uses: pass.ResultOf[uses.Analyzer].(*uses.Index)}
	workers, ok := loop.Numbered(p.info, s.Loop)
	if !ok || workers.Key == nil || workers.Lo != nil || !slices.Contains(spawn.LoopBody(s.Loop).List, inline.Statement(s.Func, s)) {
		return nil
	}
	p.w, p.workers = p.uses.Var(workers.Key), workers.Hi
	if workers.Over != nil {
		p.workers = &ast.CallExpr{Fun: ast.NewIdent("len"), Args: []ast.Expr{workers.Over}}
	}
	for _, st := range inline.Literal(s).Body.List {
		p.stmt = st
		if x, ok := st.(*ast.ExprStmt); ok {
			if call, ok := x.X.(*ast.CallExpr); ok && p.calls(call) {
				return p
			}
			continue
		}
		part, ok := loop.Numbered(p.info, st)
		if !ok {
			continue
		}
		lo, hi := part.Lo, part.Hi
		if part.Over != nil {
			x, ok := p.resolve(part.Over).(*ast.SliceExpr)
			if !ok {
				continue
			}
			if _, ok := p.info.TypeOf(x.X).Underlying().(*types.Slice); !ok {
				continue
			}
			lo, hi, p.over = x.Low, x.High, x.X
		}
		if p.bounds(lo, hi) {
			return p
		}
	}
	return nil
}

// head is what says which part it is: the head of the loop, or arguments of the call.
func (p *split) head() (pos, end token.Pos) {
	if b := spawn.LoopBody(p.stmt); b != nil {
		return p.stmt.Pos(), b.Lbrace
	}
	args := p.stmt.(*ast.ExprStmt).X.(*ast.CallExpr).Args
	return args[p.ends].Pos(), args[p.ends+1].End()
}

// calls reports whether a call is handed the ends of the part, and nothing else of the
// worker's own: it might keep there something of all that the worker does. So it might
// where an argument is made anew for each call.
func (p *split) calls(call *ast.CallExpr) bool {
	if call.Ellipsis.IsValid() {
		return false
	}
	for i := 1; i < len(call.Args); i++ {
		from, to := call.Args[i-1], call.Args[i]
		if !types.Identical(p.info.TypeOf(to), types.Typ[types.Int]) || !p.bounds(from, to) {
			continue
		}
		p.ends = i - 1
		return !slices.ContainsFunc(append([]ast.Expr{call.Fun}, call.Args...), func(e ast.Expr) bool {
			return e != from && e != to && (p.s.DiffersExpr(e) || inline.Calls(e, p.info) || inline.Receives(e))
		})
	}
	return false
}

// resolve returns what a variable is declared with in the loop over workers or
// in their body; else the expression itself.
func (p *split) resolve(e ast.Expr) ast.Expr {
	for range 3 {
		v := loop.Var(p.info, e)
		if v == nil || v == p.w {
			break
		}
		def := p.s.Args[v]
		for _, use := range p.uses.Of(v) {
			a, ok := use.Parent().Node().(*ast.AssignStmt)
			switch {
			case ok && p.uses.Declares(use) && len(a.Lhs) == len(a.Rhs) && spawn.Within(p.s.Loop, a):
				def = a.Rhs[slices.Index(a.Lhs, ast.Expr(use.Node().(*ast.Ident)))]
			case uses.Written(use):
				return ast.Unparen(e)
			}
		}
		if def == nil {
			break
		}
		e = def
	}
	return ast.Unparen(e)
}

// bounds reports whether lo and hi are the ends of the parts into which workers
// split 0 to n: lo is a product with the worker's number, hi the same with the
// next. It sets n.
func (p *split) bounds(lo, hi ast.Expr) bool {
	if lo == nil || hi == nil {
		return false
	}
	lo, hi = p.resolve(lo), p.resolve(hi)
	next := &ast.ParenExpr{X: &ast.BinaryExpr{X: ast.NewIdent(p.w.Name()), Op: token.ADD, Y: &ast.BasicLit{Kind: token.INT, Value: "1"}}}
	if !p.factor(lo) || types.ExprString(p.with(lo, next)) != types.ExprString(hi) {
		return false
	}
	n := p.with(lo, p.workers)
	if q, ok := lo.(*ast.BinaryExpr); ok && q.Op == token.QUO && p.text(q.Y) == p.text(p.workers) {
		if m, ok := ast.Unparen(q.X).(*ast.BinaryExpr); ok && m.Op == token.MUL {
			switch p.w {
			case loop.Var(p.info, m.X):
				n = ast.Unparen(m.Y)
			case loop.Var(p.info, m.Y):
				n = ast.Unparen(m.X)
			}
		}
	}
	p.n = types.ExprString(n)
	return !p.s.DiffersExpr(n) && !inline.Calls(lo, p.info)
}

// factor reports whether an expression is a product, or part of one, with the
// worker's number: 0 for the first.
func (p *split) factor(e ast.Expr) bool {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok {
		return loop.Var(p.info, e) == p.w
	}
	return (b.Op == token.MUL || b.Op == token.QUO) && p.factor(b.X) || b.Op == token.MUL && p.factor(b.Y)
}

// with is an expression with something else in the place of the worker's number.
func (p *split) with(e, other ast.Expr) ast.Expr {
	switch x := e.(type) {
	case *ast.Ident:
		if loop.Var(p.info, x) == p.w {
			return other
		}
	case *ast.ParenExpr:
		return &ast.ParenExpr{X: p.with(x.X, other)}
	case *ast.BinaryExpr:
		return &ast.BinaryExpr{X: p.with(x.X, other), Op: x.Op, Y: p.with(x.Y, other)}
	}
	return e
}

func (p *split) text(n ast.Node) string { return rewrite.Text(p.pass.Fset, n) }

// kept says why other workers cannot have elements of this one's part.
func (p *split) kept() *shape.Refusal {
	if b := spawn.LoopBody(p.stmt); b != nil {
		for _, l := range rewrite.Leaves(p.info, b, false) {
			if l.How != "continue" && l.How != "panic" {
				return &shape.Refusal{Why: "the loop ends early, by " + l.How, Pos: l.Pos}
			}
		}
	}
	if r, ok := p.stmt.(*ast.RangeStmt); ok && r.Key != nil && p.text(r.Key) != "_" {
		return shape.No(r, "the loop counts within its part")
	}
	if !rewrite.Universal(p.pass.Pkg, p.stmt.Pos(), "min") {
		return shape.No(p.stmt, "min means something else here")
	}
	return nil
}

// dynamic has the workers take small chunks of the range until nothing is left.
func (p *split) dynamic(f *shape.Finding) {
	if no := p.kept(); no != nil {
		no.Name = "dynamic"
		f.Refused = append(f.Refused, *no)
		return
	}
	fresh := func(name string) string { return rewrite.Fresh(p.pass.Pkg, p.s.Func, name) }
	next, from := fresh("next"), fresh("from")
	for _, k := range []int{1, 16, 256} {
		body, err := p.part(from, fmt.Sprintf("min(%s+%d, %s)", from, k, p.n))
		if err != nil {
			f.Refused = []shape.Refusal{{Name: "dynamic", Why: err.Error(), Pos: p.stmt.Pos()}}
			return
		}
		atomic, edits := rewrite.Import(p.pass.Pkg, p.s.File, "sync/atomic", p.s.Loop.Pos())
		f.Fixes = append(f.Fixes, shape.Fix{
			Name: "dynamic", Value: k,
			Says:  fmt.Sprintf("let each worker take the next elements, %d at a time, until none is left", k),
			Holds: "it makes no difference which worker does which elements, and in which order",
			Edits: append(edits,
				rewrite.Insert(p.s.Loop.Pos(), fmt.Sprintf("var %s %s.Int64 // the first element that no worker has taken\n", next, atomic)),
				rewrite.Replace(p.stmt, fmt.Sprintf("for {\n%[1]s := int(%[2]s.Add(%[3]d)) - %[3]d\nif %[1]s >= %[4]s {\nbreak\n}\n%[5]s\n}", from, next, k, p.n, body))),
		})
	}
}

// part is what the worker does with the elements between two ends.
func (p *split) part(from, to string) (string, error) {
	head := ""
	switch l := p.stmt.(type) {
	case *ast.ExprStmt:
		call := l.X.(*ast.CallExpr)
		args := slices.Clone(call.Args)
		args[p.ends], args[p.ends+1] = ast.NewIdent(from), ast.NewIdent(to)
		return p.text(&ast.CallExpr{Fun: call.Fun, Args: args}), nil
	case *ast.RangeStmt:
		head = fmt.Sprintf("for range %s[%s:%s]", p.text(p.over), from, to)
		if l.Value != nil {
			head = fmt.Sprintf("for _, %s := range %s[%s:%s]", p.text(l.Value), p.text(p.over), from, to)
		}
	case *ast.ForStmt:
		head = fmt.Sprintf("for %[1]s := %[2]s; %[1]s < %[3]s; %[1]s++", p.text(l.Init.(*ast.AssignStmt).Lhs[0]), from, to)
	}
	b := spawn.LoopBody(p.stmt)
	rest, err := inline.Source(p.pass, b.Lbrace+1, b.Rbrace, nil)
	return head + " {" + rest + "}", err
}
