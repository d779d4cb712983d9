package staticsplit

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// helped finds calls of functions of the package that split a range for a literal
// they are given, as in halves(n, func(w, lo, hi int) { sums[w] = count(lo, hi) }).
func helped(pass *analysis.Pass) (all []shape.Finding) {
	for _, s := range pass.ResultOf[spawn.Reached].([]*spawn.Site) {
		if s.Up == nil || s.Lit == nil || s.Func == nil || len(s.Body.List) != 1 {
			continue
		}
		h := &helper{pass: pass, info: pass.TypesInfo, s: s}
		if !h.splits() {
			continue
		}
		st, ok := s.Body.List[0].(*ast.AssignStmt)
		if !ok || !h.keeps(st) {
			continue
		}
		all = append(all, h.finding(st))
	}
	return all
}

// A helper is a call of a function that splits the range 0 to n.
type helper struct {
	pass *analysis.Pass
	info *types.Info
	s    *spawn.Site
	stmt ast.Stmt   // the call
	key  *types.Var // numbers the workers where they start
	n    ast.Expr   // where the range ends, as the caller says it

	starts []shape.Range // functions between the call and where the goroutines start

	w    *types.Var    // number of the worker
	ends [2]*types.Var // of its part
	part part          // what the workers do
}

// A part is a statement that keeps what a function of the package makes of a part
// of the range.
type part struct {
	set      *ast.AssignStmt
	count    *ast.CallExpr
	from, to int // its arguments that are the ends
}

// finding is what there is to say of parts, at a node.
func (h *helper) finding(at ast.Node) shape.Finding {
	f := shape.Finding{
		Pos: at.Pos(), End: at.End(),
		Message: "the range is split into one part for each worker: where elements differ in cost, the others wait for the worker with the dearest",
		Func:    h.s.Func,
		Causes:  []string{"imbalance"},
		Hot:     []shape.Range{shape.Of(h.stmt)},
		Shared:  append(h.starts, shape.All(spawn.Called(h.pass, h.part.count))...),
	}
	h.dynamic(&f)
	return f
}

// runs returns the number of workers, for each of which the literal that is handed
// on runs once; nil where it may not.
func (h *helper) runs() (workers ast.Expr) {
	ast.Inspect(h.s.Func.Body, func(n ast.Node) bool {
		if st, ok := n.(*ast.ExprStmt); ok && st.X == h.s.Node {
			h.stmt = st
		}
		return true
	})
	root := h.s.Up
	for at := h.s.Up; at != nil; at = at.Up {
		// What is given is called once, whatever comes before.
		if at.Func == nil || at.Body == nil || !alone(at.Body) || at.Join == nil || !once(h.info, at) {
			return nil
		}
		root = at
		h.starts = append(h.starts, shape.Of(at.Func))
	}
	loop, ok := root.Loop.(*ast.RangeStmt)
	if !ok || h.stmt == nil || loop.Key == nil || loop.Tok != token.DEFINE || !slices.ContainsFunc(loop.Body.List, func(st ast.Stmt) bool {
		x, call := st.(*ast.ExprStmt)
		return ast.Node(st) == root.Node || call && x.X == root.Node
	}) {
		return nil
	}
	if h.key, _ = h.info.Defs[loop.Key.(*ast.Ident)].(*types.Var); h.key == nil {
		return nil
	}
	return h.expand(loop.X)
}

// splits reports whether the literal runs once for each part of the range.
func (h *helper) splits() bool {
	workers := h.runs()
	if workers == nil {
		return false
	}
	var lo, hi *types.Var
	var ends [2]ast.Expr
	for _, f := range h.s.Type.Params.List {
		for _, name := range f.Names {
			v, _ := h.info.Defs[name].(*types.Var)
			if v == nil || h.s.Args[v] == nil {
				continue
			}
			e := h.expand(h.s.Args[v])
			switch which, n := h.end(e, workers); {
			case e == nil:
			case types.ExprString(e) == number:
				h.w = v
			case which == 1:
				lo, ends[0] = v, n
			case which == 2:
				hi, ends[1] = v, n
			}
		}
	}
	if h.w == nil || lo == nil || hi == nil || types.ExprString(ends[0]) != types.ExprString(ends[1]) {
		return false
	}
	h.n, h.ends = ends[0], [2]*types.Var{lo, hi}
	return true
}

// alone reports whether a body does nothing but one call, and what it defers.
func alone(body *ast.BlockStmt) bool {
	calls := 0
	for _, st := range body.List {
		switch st := st.(type) {
		case *ast.DeferStmt:
		case *ast.ExprStmt:
			if _, ok := st.X.(*ast.CallExpr); !ok {
				return false
			}
			calls++
		default:
			return false
		}
	}
	return calls == 1
}

// once reports whether the function of a site comes to it once: it returns
// nowhere, and names what it is given to call once.
func once(info *types.Info, s *spawn.Site) bool {
	top, names := false, 0
	at := ast.Node(s.Node)
	if s.Up == nil {
		at = s.Loop
	}
	for _, st := range s.Func.Body.List {
		x, call := st.(*ast.ExprStmt)
		top = top || st == at || call && x.X == at
	}
	ast.Inspect(s.Func, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt, *ast.BranchStmt:
			top = false
		case *ast.Ident:
			if v, ok := info.Uses[n].(*types.Var); ok {
				if _, f := v.Type().Underlying().(*types.Signature); f && !v.IsField() {
					names++
				}
			}
		}
		return true
	})
	return top && names == 1
}

// number stands for the number of the worker in what expand returns.
const number = "worker"

// expand returns an expression in the words of the caller, nil if it has none.
func (h *helper) expand(e ast.Expr) ast.Expr {
	switch x := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return x
	case *ast.Ident:
		v, ok := h.info.Uses[x].(*types.Var)
		switch {
		case ok && v == h.key:
			return ast.NewIdent(number)
		case ok && h.s.Args[v] != nil:
			return h.expand(h.s.Args[v])
		case ok && h.s.Func.Pos() <= v.Pos() && v.Pos() < h.stmt.Pos(), h.info.Types[x].Value != nil && h.info.Uses[x].Parent() == h.pass.Pkg.Scope():
			return x
		}
	case *ast.CallExpr:
		if id, ok := x.Fun.(*ast.Ident); ok && len(x.Args) == 1 {
			if b, ok := h.info.Uses[id].(*types.Builtin); ok && b.Name() == "len" {
				if of := h.expand(x.Args[0]); of != nil {
					return &ast.CallExpr{Fun: x.Fun, Args: []ast.Expr{of}}
				}
			}
		}
	case *ast.BinaryExpr:
		a, b := h.expand(x.X), h.expand(x.Y)
		if a != nil && b != nil {
			return &ast.BinaryExpr{X: &ast.ParenExpr{X: a}, Op: x.Op, Y: &ast.ParenExpr{X: b}}
		}
	}
	return nil
}

// end says whether an expression is the begin, 1, or the end, 2, of a part: the
// number of the worker, or the next, times n by the number of workers.
func (h *helper) end(e, workers ast.Expr) (which int, n ast.Expr) {
	q, ok := e.(*ast.BinaryExpr)
	if !ok || q.Op != token.QUO || types.ExprString(ast.Unparen(q.Y)) != types.ExprString(workers) {
		return 0, nil
	}
	m, ok := ast.Unparen(q.X).(*ast.BinaryExpr)
	if !ok || m.Op != token.MUL {
		return 0, nil
	}
	for _, f := range [][2]ast.Expr{{m.X, m.Y}, {m.Y, m.X}} {
		switch types.ExprString(ast.Unparen(f[0])) {
		case number:
			return 1, ast.Unparen(f[1])
		case "(" + number + ") + (1)":
			return 2, ast.Unparen(f[1])
		}
	}
	return 0, nil
}

// keeps reports whether a statement keeps in a slot of the worker what a function
// of the package makes of the part.
func (h *helper) keeps(st *ast.AssignStmt) bool {
	if len(st.Lhs) != 1 || len(st.Rhs) != 1 || st.Tok != token.ASSIGN && st.Tok != token.ADD_ASSIGN {
		return false
	}
	call, ok := ast.Unparen(st.Rhs[0]).(*ast.CallExpr)
	x, ok2 := st.Lhs[0].(*ast.IndexExpr)
	if !ok || !ok2 || inline.Object(h.info, x.Index) != types.Object(h.w) {
		return false
	}
	p := part{st, call, -1, -1}
	for i, a := range call.Args {
		switch inline.Object(h.info, a) {
		case h.ends[0]:
			p.from = i
		case h.ends[1]:
			p.to = i
		}
	}
	h.part = p
	return p.from >= 0 && p.to >= 0
}

// dynamic has the workers take small chunks of the range until nothing is left, and add up
// what is made of each.
func (h *helper) dynamic(f *shape.Finding) {
	refuse := func(at token.Pos, why string) {
		f.Refused = append(f.Refused, shape.Refusal{Name: "dynamic", Why: why, Pos: at})
	}
	set := h.part.set
	if b, ok := h.info.TypeOf(set.Lhs[0]).Underlying().(*types.Basic); !ok || b.Info()&types.IsNumeric == 0 {
		refuse(set.Pos(), "what it makes of a range is no number")
		return
	}
	if h.part.count.Ellipsis.IsValid() || !rewrite.Universal(h.pass.Pkg, set.Pos(), "min") {
		refuse(set.Pos(), "it cannot be written for a part")
		return
	}
	fresh := func(name string) string { return rewrite.Fresh(h.pass.Pkg, h.s.Func, name) }
	next, from := fresh("next"), fresh("from")
	n := types.ExprString(h.n)
	text := func(n ast.Node) string { return rewrite.Text(h.pass.Fset, n) }
	slot := text(set.Lhs[0])
	first := ""
	if set.Tok != token.ADD_ASSIGN {
		first = fmt.Sprintf("%s %s 0\n", slot, set.Tok)
	}
	for _, k := range lengths {
		atomic, edits := rewrite.Import(h.pass.Pkg, h.s.File, "sync/atomic", h.stmt.Pos())
		args := slices.Clone(h.part.count.Args)
		args[h.part.from] = ast.NewIdent(from)
		args[h.part.to] = ast.NewIdent(fmt.Sprintf("min(%s+%d, %s)", from, k, n))
		sum := fmt.Sprintf("%s += %s", slot, text(&ast.CallExpr{Fun: h.part.count.Fun, Args: args}))
		edits = append(edits,
			rewrite.Insert(h.stmt.Pos(), fmt.Sprintf("var %s %s.Int64 // the first element that no worker has taken\n", next, atomic)),
			rewrite.Replace(set, first+chunks(next, from, n, k, sum)))
		f.Fixes = append(f.Fixes, shape.Fix{
			Name: "dynamic", Value: k,
			Says:  fmt.Sprintf("let each worker take the next elements, %d at a time, until none is left", k),
			Holds: "what is made of a range is the sum of what is made of its parts",
			Edits: edits,
		})
	}
}
