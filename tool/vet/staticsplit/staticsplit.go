package staticsplit

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// Analyzer finds ranges that are split among workers once and for all.
var Analyzer = shape.Analyzer("staticsplit", doc, find, spawn.Analyzer, spawn.Reached)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	sites := pass.ResultOf[spawn.Analyzer].([]*spawn.Site)
	for _, s := range sites {
		if s.Func == nil || s.Loop == nil || s.In != s.Func || inline.Literal(s) == nil {
			continue
		}
		if s.Join == nil {
			continue
		}
		p := newSplit(pass, s)
		if p == nil {
			continue
		}
		at := p.head()
		f := shape.Finding{
			Pos: at.Pos(), End: at.End(),
			Message: "the range is split into one part for each worker: where elements differ in cost, the others wait for the worker with the dearest",
			Func:    s.Func,
			Causes:  []string{"imbalance"},
			Hot:     []shape.Range{shape.Of(p.stmt), shape.Of(s.Loop)},
			Shared:  shape.All(spawn.Called(pass, p.stmt)),
		}
		p.dynamic(&f)
		all = append(all, f)
	}
	return append(all, helped(pass)...), nil
}

// A split is what a worker does with its part of a range, from n*w/workers up to
// n*(w+1)/workers: a loop over it, or over a slice between the two, or a call that is
// handed both.
type split struct {
	pass    *analysis.Pass
	info    *types.Info
	s       *spawn.Site
	w       *types.Var // number of the worker
	workers string     // how many there are
	stmt    ast.Stmt   // a loop over the part, or a call
	over    string     // the slice, "" for numbers
	n       string     // the end of the whole range
	ends    [2]int     // which arguments of the call are those of the part
}

// newSplit returns nil where the site's workers do not split a range so.
func newSplit(pass *analysis.Pass, s *spawn.Site) *split {
	p := &split{pass: pass, info: pass.TypesInfo, s: s}
	switch l := s.Loop.(type) {
	case *ast.RangeStmt:
		if l.Key == nil || l.Tok != token.DEFINE {
			return nil
		}
		p.w, _ = inline.Object(p.info, l.Key).(*types.Var)
		switch p.info.TypeOf(l.X).Underlying().(type) {
		case *types.Basic:
			p.workers = p.text(l.X)
		case *types.Slice, *types.Array:
			p.workers = "len(" + p.text(l.X) + ")"
		}
	case *ast.ForStmt:
		c, ok := l.Cond.(*ast.BinaryExpr)
		init, ok2 := l.Init.(*ast.AssignStmt)
		_, ok3 := l.Post.(*ast.IncDecStmt)
		if !ok || !ok2 || !ok3 || c.Op != token.LSS || len(init.Rhs) != 1 || p.text(init.Rhs[0]) != "0" {
			return nil
		}
		p.w, _ = inline.Object(p.info, c.X).(*types.Var)
		p.workers = p.text(c.Y)
	}
	if p.w == nil || p.workers == "" || !slices.Contains(spawn.LoopBody(s.Loop).List, inline.Statement(s.Func, s)) {
		return nil
	}
	for _, st := range inline.Literal(s).Body.List {
		switch l := st.(type) {
		case *ast.RangeStmt:
			x := p.resolve(l.X)
			sl, ok := x.(*ast.SliceExpr)
			if !ok || sl.Low == nil || sl.High == nil || l.Tok == token.ASSIGN {
				continue
			}
			if _, ok := p.info.TypeOf(sl.X).Underlying().(*types.Slice); ok && p.bounds(sl.Low, sl.High) {
				p.stmt, p.over = l, p.text(sl.X)
				return p
			}
		case *ast.ForStmt:
			init, ok := l.Init.(*ast.AssignStmt)
			c, ok2 := l.Cond.(*ast.BinaryExpr)
			post, ok3 := l.Post.(*ast.IncDecStmt)
			if !ok || !ok2 || !ok3 || init.Tok != token.DEFINE || len(init.Lhs) != 1 || c.Op != token.LSS || post.Tok != token.INC {
				continue
			}
			i := inline.Object(p.info, init.Lhs[0])
			if inline.Object(p.info, c.X) == i && inline.Object(p.info, post.X) == i &&
				types.Identical(i.Type(), types.Typ[types.Int]) && p.bounds(init.Rhs[0], c.Y) {
				p.stmt = l
				return p
			}
		case *ast.ExprStmt:
			call, ok := l.X.(*ast.CallExpr)
			if !ok || call.Ellipsis.IsValid() {
				continue
			}
			for i := 1; i < len(call.Args); i++ {
				if types.Identical(p.info.TypeOf(call.Args[i]), types.Typ[types.Int]) && p.bounds(call.Args[i-1], call.Args[i]) && !p.counted(call, i) {
					p.stmt, p.ends = l, [2]int{i - 1, i}
					return p
				}
			}
		}
	}
	return nil
}

// counted reports whether a call is handed what is the worker's own beside its part, whose
// end is the i-th argument: it may keep something of all that the worker does. So it may
// where an argument is made anew for each call.
func (p *split) counted(call *ast.CallExpr, i int) (found bool) {
	for k, a := range append([]ast.Expr{call.Fun}, call.Args...) {
		if k != i && k != i+1 {
			found = found || p.s.DiffersExpr(a) || inline.Calls(a, p.info) || inline.Receives(a)
		}
	}
	return found
}

func (p *split) body() *ast.BlockStmt {
	switch l := p.stmt.(type) {
	case *ast.RangeStmt:
		return l.Body
	case *ast.ForStmt:
		return l.Body
	}
	return nil
}

// head is what says which part it is: the head of the loop, or arguments of the call.
func (p *split) head() ast.Node {
	if b := p.body(); b != nil {
		return &ast.BadStmt{From: p.stmt.Pos(), To: b.Lbrace}
	}
	args := p.stmt.(*ast.ExprStmt).X.(*ast.CallExpr).Args
	return &ast.BadStmt{From: args[p.ends[0]].Pos(), To: args[p.ends[1]].End()}
}

func (p *split) text(n ast.Node) string { return rewrite.Text(p.pass.Fset, n) }

// resolve returns what a variable is declared with in the loop over workers or
// in their body; else the expression itself.
func (p *split) resolve(e ast.Expr) ast.Expr {
	for range 3 {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			break
		}
		v, ok := p.info.Uses[id].(*types.Var)
		if !ok || v == p.w {
			break
		}
		if arg := p.s.Args[v]; arg != nil {
			e = arg
			continue
		}
		var def ast.Expr
		sets := 0
		ast.Inspect(p.s.Loop, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, l := range n.Lhs {
					if inline.Object(p.info, l) == v {
						sets++
						if n.Tok == token.DEFINE && len(n.Lhs) == len(n.Rhs) {
							def = n.Rhs[i]
						}
					}
				}
			case *ast.IncDecStmt:
				if inline.Object(p.info, n.X) == v {
					sets++
				}
			}
			return true
		})
		if sets != 1 || def == nil {
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
	p.n = ""
	lo, hi = p.resolve(lo), p.resolve(hi)
	if !p.factor(lo) {
		return false
	}
	next := &ast.ParenExpr{X: &ast.BinaryExpr{X: ast.NewIdent(p.w.Name()), Op: token.ADD, Y: &ast.BasicLit{Kind: token.INT, Value: "1"}}}
	if types.ExprString(p.with(lo, next)) != types.ExprString(hi) {
		return false
	}
	if q, ok := lo.(*ast.BinaryExpr); ok && q.Op == token.QUO && p.text(q.Y) == p.workers {
		if m, ok := ast.Unparen(q.X).(*ast.BinaryExpr); ok && m.Op == token.MUL {
			switch {
			case p.isW(m.X):
				p.n = p.text(ast.Unparen(m.Y))
			case p.isW(m.Y):
				p.n = p.text(ast.Unparen(m.X))
			}
		}
	}
	if p.n == "" {
		count, err := parser.ParseExpr(p.workers)
		if err != nil {
			return false
		}
		p.n = types.ExprString(p.with(lo, count))
	}
	return !strings.Contains(p.n, "(") || onlyLen(lo)
}

func (p *split) isW(e ast.Expr) bool { return inline.Object(p.info, ast.Unparen(e)) == p.w }

// factor reports whether an expression is a product, or part of one, with the
// worker's number: 0 for the first.
func (p *split) factor(e ast.Expr) bool {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok {
		return false
	}
	switch b.Op {
	case token.MUL:
		return p.isW(b.X) || p.isW(b.Y) || p.factor(b.X) || p.factor(b.Y)
	case token.QUO:
		return p.isW(b.X) || p.factor(b.X)
	}
	return false
}

// with is an expression with something else in the place of the worker's number.
func (p *split) with(e, other ast.Expr) ast.Expr {
	switch x := e.(type) {
	case *ast.Ident:
		if p.isW(x) {
			return other
		}
	case *ast.ParenExpr:
		return &ast.ParenExpr{X: p.with(x.X, other)}
	case *ast.BinaryExpr:
		return &ast.BinaryExpr{X: p.with(x.X, other), Op: x.Op, Y: p.with(x.Y, other)}
	}
	return e
}

// onlyLen reports whether an expression calls nothing but len.
func onlyLen(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		if c, is := n.(*ast.CallExpr); is {
			id, name := c.Fun.(*ast.Ident)
			ok = ok && name && id.Name == "len"
		}
		return ok
	})
	return ok
}

// kept says why other workers cannot have elements of this one's part.
func (p *split) kept() (at ast.Node, why string) {
	if b := p.body(); b != nil {
		for _, l := range rewrite.Leaves(p.info, b, false) {
			if l.How != "continue" && l.How != "panic" {
				return &ast.BadStmt{From: l.Pos, To: l.Pos}, "the loop ends early, by " + l.How
			}
		}
	}
	if r, ok := p.stmt.(*ast.RangeStmt); ok && r.Key != nil && p.text(r.Key) != "_" {
		return r, "the loop counts within its part"
	}
	if !rewrite.Universal(p.pass.Pkg, p.stmt.Pos(), "min") {
		return p.stmt, "min means something else here"
	}
	return nil, ""
}

// lengths are those of chunks.
var lengths = []int{1, 16, 256}

// shares is the condition of all edits.
const shares = "it makes no difference which worker does which elements, and in which order"

// chunks is a loop in which a worker takes the next k elements of n and does what body
// says with them.
func chunks(next, from, n string, k int, body string) string {
	return fmt.Sprintf("for {\n%[1]s := int(%[2]s.Add(%[3]d)) - %[3]d\nif %[1]s >= %[4]s {\nbreak\n}\n%[5]s\n}", from, next, k, n, body)
}

// dynamic has the workers take small chunks of the range until nothing is left.
func (p *split) dynamic(f *shape.Finding) {
	if at, why := p.kept(); why != "" {
		f.Refused = append(f.Refused, shape.Refusal{Name: "dynamic", Why: why, Pos: at.Pos()})
		return
	}
	atomic, imports := rewrite.Import(p.pass.Pkg, p.s.File, "sync/atomic", p.s.Loop.Pos())
	fresh := func(name string) string { return rewrite.Fresh(p.pass.Pkg, p.s.Func, name) }
	next, from := fresh("next"), fresh("from")
	for _, k := range lengths {
		body, err := p.part(from, fmt.Sprintf("min(%s+%d, %s)", from, k, p.n))
		if err != nil {
			f.Refused = append(f.Refused, shape.Refusal{Name: "dynamic", Why: err.Error(), Pos: p.stmt.Pos()})
			return
		}
		edits := append(slices.Clone(imports),
			rewrite.Insert(p.s.Loop.Pos(), fmt.Sprintf("var %s %s.Int64 // the first element that no worker has taken\n", next, atomic)),
			rewrite.Replace(p.stmt, chunks(next, from, p.n, k, body)),
		)
		f.Fixes = append(f.Fixes, shape.Fix{
			Name: "dynamic", Value: k,
			Says:  fmt.Sprintf("let each worker take the next elements, %d at a time, until none is left", k),
			Holds: shares,
			Edits: append(edits, p.unused()...),
		})
	}
}

// part is what the worker does with the elements between two ends.
func (p *split) part(from, to string) (string, error) {
	b := p.body()
	if b == nil {
		call := p.stmt.(*ast.ExprStmt).X.(*ast.CallExpr)
		args := slices.Clone(call.Args)
		args[p.ends[0]], args[p.ends[1]] = ast.NewIdent(from), ast.NewIdent(to)
		return p.text(&ast.CallExpr{Fun: call.Fun, Args: args}), nil
	}
	rest, err := inline.Source(p.pass, b.Lbrace+1, b.Rbrace, nil)
	head := ""
	switch l := p.stmt.(type) {
	case *ast.RangeStmt:
		head = fmt.Sprintf("for range %s[%s:%s]", p.over, from, to)
		if l.Value != nil {
			head = fmt.Sprintf("for _, %s := range %s[%s:%s]", p.text(l.Value), p.over, from, to)
		}
	case *ast.ForStmt:
		head = fmt.Sprintf("for %[1]s := %[2]s; %[1]s < %[3]s; %[1]s++", p.text(l.Init.(*ast.AssignStmt).Lhs[0]), from, to)
	}
	return head + " {" + rest + "}", err
}

// unused deletes the names of the part's ends that nothing uses any more.
func (p *split) unused() (edits []analysis.TextEdit) {
	head := p.head()
	drop := map[ast.Stmt]bool{}
	ast.Inspect(p.s.Loop, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE || p.stmt.Pos() <= a.Pos() && a.End() <= p.stmt.End() {
			return true
		}
		for _, l := range a.Lhs {
			if p.usedElsewhere(inline.Object(p.info, l)) {
				return true
			}
		}
		drop[a] = true
		return true
	})
	for st := range drop {
		edits = append(edits, inline.Line(p.pass, st))
	}
	used := false
	ast.Inspect(p.s.Loop, func(n ast.Node) bool {
		if st, ok := n.(ast.Stmt); ok && drop[st] {
			return false
		}
		id, ok := n.(*ast.Ident)
		used = used || ok && p.info.Uses[id] == p.w && !spawn.Within(head, id)
		return !used
	})
	if r, ok := p.s.Loop.(*ast.RangeStmt); ok && !used && r.Value == nil {
		edits = append(edits, analysis.TextEdit{Pos: r.Key.Pos(), End: r.X.Pos(), NewText: []byte("range ")})
	}
	return edits
}

// usedElsewhere reports whether a variable is used but in the head of the loop.
func (p *split) usedElsewhere(o types.Object) (found bool) {
	head := p.head()
	ast.Inspect(p.s.Func.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if ok && p.info.Uses[id] == o && !spawn.Within(head, id) {
			found = true
		}
		return !found
	})
	return found
}
