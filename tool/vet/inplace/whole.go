package inplace

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A whole is a loop over parts of a range, each of which a goroutine goes through: in one
// goroutine it is a loop over the range.
type whole struct {
	*analysis.Pass
	part types.Object              // counts the parts
	n    ast.Expr                  // how many there are
	is   map[types.Object]ast.Expr // what is declared for one part
	text func(ast.Node) string
}

// undivided are the edits of the group with its parts made one loop, or nil: the first and
// the last index of a part have to be known, and to be all that a part knows of itself.
func (g *group) undivided(edits []analysis.TextEdit) []analysis.TextEdit {
	s := g.sites[0]
	lit := inline.Literal(s)
	l, ok := loop.Numbered(g.TypesInfo, s.Loop)
	if len(g.sites) > 1 || lit == nil || !ok || l.Key == nil || l.Lo != nil || l.Hi == nil {
		return nil
	}
	w := &whole{Pass: g.Pass, part: g.TypesInfo.Defs[l.Key], n: l.Hi, is: map[types.Object]ast.Expr{}, text: func(n ast.Node) string { return rewrite.Text(g.Fset, n) }}
	var inner ast.Stmt
	for _, st := range slices.Concat(spawn.LoopBody(s.Loop).List, lit.Body.List) {
		gone := slices.ContainsFunc(edits, func(e analysis.TextEdit) bool { return e.Pos <= st.Pos() && st.End() <= e.End })
		switch {
		case gone, st == s.Stmt: // counts the goroutine, or is it
		case inner == nil && w.declares(st):
		case inner == nil && lit.Body.Pos() < st.Pos():
			inner = st
		default:
			return nil
		}
	}
	head, body := w.head(inner)
	if head == "" || rewrite.Stops(g.TypesInfo, body) != nil || uses.Any(body, func(id *ast.Ident) bool {
		o := g.TypesInfo.Uses[id]
		return o != nil && (o == w.part || w.is[o] != nil)
	}) {
		return nil
	}
	text, err := inline.Source(g.Pass, body.Pos(), body.End(), nil)
	if err != nil {
		return nil
	}
	edits = slices.DeleteFunc(slices.Clone(edits), func(e analysis.TextEdit) bool { return s.Loop.Pos() <= e.Pos && e.End <= s.Loop.End() })
	return append(edits, rewrite.Replace(s.Loop, head+text))
}

// declares notes what a statement declares, and reports whether it does no more.
func (w *whole) declares(st ast.Stmt) bool {
	def, ok := st.(*ast.AssignStmt)
	if !ok || def.Tok != token.DEFINE || len(def.Lhs) != len(def.Rhs) {
		return false
	}
	for i, e := range def.Lhs {
		if v := loop.Var(w.TypesInfo, e); v != nil {
			w.is[v] = def.Rhs[i]
		}
	}
	return true
}

// head is that of a loop over the whole range, in place of one over a part.
func (w *whole) head(inner ast.Stmt) (head string, body *ast.BlockStmt) {
	switch l := inner.(type) {
	case *ast.ForStmt:
		n, ok := loop.Numbered(w.TypesInfo, l)
		if !ok || n.Lo == nil || n.Hi == nil {
			return "", nil
		}
		of := w.of(n.Lo, n.Hi)
		if call, ok := ast.Unparen(of).(*ast.CallExpr); ok && loop.Builtin(w.TypesInfo, call) == "len" {
			of = call.Args[0]
		}
		if of == nil || uses.Under[*types.Map](w.TypesInfo.TypeOf(of)) || !rewrite.Since(w.Pass, rewrite.File(w.Pass, l.Pos()), "go1.22") ||
			len(loop.Writes(w.TypesInfo, l.Body, loop.Var(w.TypesInfo, n.Key))) > 0 {
			return "", nil
		}
		return "for " + n.Key.Name + " := range " + w.text(of) + " ", l.Body
	case *ast.RangeStmt:
		sl, ok := ast.Unparen(l.X).(*ast.SliceExpr)
		if id, isName := l.Key.(*ast.Ident); !ok || l.Tok != token.DEFINE || sl.Low == nil || sl.High == nil || sl.Max != nil || !isName || id.Name != "_" || l.Value == nil {
			return "", nil
		}
		of := w.of(sl.Low, sl.High)
		if of == nil || w.text(of) != "len("+w.text(sl.X)+")" {
			return "", nil
		}
		return "for _, " + w.text(l.Value) + " := range " + w.text(sl.X) + " ", l.Body
	}
	return "", nil
}

// of is the number of elements of which a part has those from lo on, below hi; nil where
// the parts may not be all.
func (w *whole) of(lo, hi ast.Expr) ast.Expr {
	lo, hi = w.value(lo), w.value(hi)
	if of := w.shared(lo, func(e ast.Expr) bool { return w.counts(e, false) }); of != nil {
		if other := w.shared(hi, func(e ast.Expr) bool { return w.counts(e, true) }); other != nil && w.text(of) == w.text(other) {
			return of
		}
	}
	return nil
}

// value is what an expression was declared as.
func (w *whole) value(e ast.Expr) ast.Expr {
	e = ast.Unparen(e)
	if v := loop.Var(w.TypesInfo, e); v != nil && w.is[v] != nil {
		return ast.Unparen(w.is[v])
	}
	return e
}

// shared is n of an expression n * k / parts, where k is as is says.
func (w *whole) shared(e ast.Expr, is func(ast.Expr) bool) ast.Expr {
	div, ok := e.(*ast.BinaryExpr)
	if !ok || div.Op != token.QUO || w.text(ast.Unparen(div.Y)) != w.text(w.n) {
		return nil
	}
	mul, ok := ast.Unparen(div.X).(*ast.BinaryExpr)
	if !ok || mul.Op != token.MUL {
		return nil
	}
	x, y := ast.Unparen(mul.X), ast.Unparen(mul.Y)
	if is(x) {
		x, y = y, x
	}
	if !is(y) || uses.Any(x, func(id *ast.Ident) bool { o := w.TypesInfo.Uses[id]; return o == w.part || w.is[o] != nil }) {
		return nil
	}
	return x
}

// counts reports whether an expression is the number of the part, or of the next one.
func (w *whole) counts(e ast.Expr, next bool) bool {
	if sum, ok := e.(*ast.BinaryExpr); next {
		return ok && sum.Op == token.ADD && w.counts(ast.Unparen(sum.X), false) && w.text(sum.Y) == "1"
	}
	return loop.Var(w.TypesInfo, e) == w.part
}
