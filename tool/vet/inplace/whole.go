package inplace

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

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
	part types.Object              // counts the parts, or is the first index of one
	n    ast.Expr                  // how many parts there are, nil where part is an index
	end  ast.Expr                  // what an index is below
	step ast.Expr                  // from one index to the next
	is   map[types.Object]ast.Expr // what is declared for one part
}

func (w *whole) text(n ast.Node) string { return rewrite.Text(w.Fset, n) }

// undivided are the edits of the group with its parts made one loop, or nil: the first and
// the last index of a part have to be known, and to be all that a part knows of itself.
func (g *group) undivided(edits []analysis.TextEdit) []analysis.TextEdit {
	s := g.sites[0]
	lit := inline.Literal(s)
	w := &whole{Pass: g.Pass, is: map[types.Object]ast.Expr{}}
	if len(g.sites) > 1 || lit == nil || !w.divides(s.Loop) {
		return nil
	}
	at := 0
	for _, f := range lit.Type.Params.List {
		for _, id := range f.Names {
			w.is[g.TypesInfo.Defs[id]] = s.Call.Args[at]
			at++
		}
	}
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
	text := w.once(inner)
	if text == "" {
		return nil
	}
	edits = slices.DeleteFunc(slices.Clone(edits), func(e analysis.TextEdit) bool { return s.Loop.Pos() <= e.Pos && e.End <= s.Loop.End() })
	return append(edits, rewrite.Replace(s.Loop, text))
}

// divides reports whether a loop counts parts, or goes from one part to the next.
func (w *whole) divides(st ast.Stmt) bool {
	if l, ok := loop.Numbered(w.TypesInfo, st); ok {
		if l.Key == nil || l.Lo != nil || l.Hi == nil {
			return false
		}
		w.part, w.n = w.TypesInfo.Defs[l.Key], l.Hi
		return true
	}
	l, ok := st.(*ast.ForStmt)
	if !ok {
		return false
	}
	init, ok1 := l.Init.(*ast.AssignStmt)
	cond, ok2 := l.Cond.(*ast.BinaryExpr)
	post, ok3 := l.Post.(*ast.AssignStmt)
	if !ok1 || !ok2 || !ok3 || len(init.Lhs) != 1 || init.Tok != token.DEFINE || w.text(init.Rhs[0]) != "0" || cond.Op != token.LSS || post.Tok != token.ADD_ASSIGN {
		return false
	}
	w.part, w.end, w.step = loop.Var(w.TypesInfo, init.Lhs[0]), cond.Y, post.Rhs[0]
	return w.itself(cond.X) && w.itself(post.Lhs[0])
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

// differs reports whether code has what is another for each part.
func (w *whole) differs(code ast.Node) bool {
	return uses.Any(code, func(id *ast.Ident) bool {
		o := w.TypesInfo.Uses[id]
		return o != nil && (o == w.part || w.is[o] != nil)
	})
}

// once is what does for the whole range what a statement does for a part, "" for nothing.
func (w *whole) once(st ast.Stmt) string {
	var head string
	var body *ast.BlockStmt
	switch l := st.(type) {
	case *ast.ForStmt:
		n, ok := loop.Numbered(w.TypesInfo, l)
		if !ok || n.Lo == nil || n.Hi == nil {
			return ""
		}
		of := w.of(n.Lo, n.Hi)
		if call, ok := ast.Unparen(of).(*ast.CallExpr); ok && loop.Builtin(w.TypesInfo, call) == "len" {
			of = call.Args[0]
		}
		if of == nil || uses.Under[*types.Map](w.TypesInfo.TypeOf(of)) || !rewrite.Since(w.Pass, rewrite.File(w.Pass, l.Pos()), "go1.22") ||
			len(loop.Writes(w.TypesInfo, l.Body, loop.Var(w.TypesInfo, n.Key))) > 0 {
			return ""
		}
		head, body = "for "+n.Key.Name+" := range "+w.text(of)+" ", l.Body
	case *ast.RangeStmt:
		of := w.elements(l.X)
		if of == nil || !byValue(l) {
			return ""
		}
		head, body = "for _, "+w.text(l.Value)+" := range "+w.text(of)+" ", l.Body
	case *ast.ExprStmt:
		return w.call(l)
	default:
		return ""
	}
	if rewrite.Stops(w.TypesInfo, body) != nil || w.differs(body) {
		return ""
	}
	text, _ := inline.Source(w.Pass, body.Pos(), body.End(), nil)
	return head + text
}

// byValue reports whether a loop knows elements alone, and not which they are.
func byValue(l *ast.RangeStmt) bool {
	id, ok := l.Key.(*ast.Ident)
	return ok && id.Name == "_" && l.Tok == token.DEFINE && l.Value != nil
}

// call is a call with all elements in place of one with those of a part. What it calls has
// to be a loop over them and no more.
func (w *whole) call(st *ast.ExprStmt) string {
	call, ok := st.X.(*ast.CallExpr)
	if !ok || w.differs(call.Fun) {
		return ""
	}
	fn := typeutil.StaticCallee(w.TypesInfo, call)
	if fn == nil || fn.Signature().Variadic() {
		return ""
	}
	decls := spawn.Callees(w.Pass, fn)
	var edits []analysis.TextEdit
	for i, arg := range call.Args {
		of := w.elements(arg)
		if of == nil {
			if w.differs(arg) || uses.Any(arg, func(*ast.CallExpr) bool { return true }) {
				return ""
			}
			continue
		}
		edits = append(edits, rewrite.Replace(arg, w.text(of)))
		if len(decls) != 1 || len(edits) > 1 || !goesThrough(w.TypesInfo, decls[0], fn.Origin().Signature().Params().At(i)) {
			return ""
		}
	}
	if edits == nil {
		return ""
	}
	text, _ := inline.Source(w.Pass, call.Pos(), call.End(), edits)
	return text
}

// goesThrough reports whether a function is a loop over the elements of a parameter, which
// it does not use for more.
func goesThrough(info *types.Info, decl *ast.FuncDecl, param *types.Var) bool {
	if len(decl.Body.List) != 1 {
		return false
	}
	l, ok := decl.Body.List[0].(*ast.RangeStmt)
	return ok && loop.Var(info, l.X) == param && byValue(l) && rewrite.Stops(info, l.Body) == nil && !uses.Mentions(info, l.Body, param)
}

// elements is the slice that an expression has a part of, nil where the parts may not be
// all of it.
func (w *whole) elements(e ast.Expr) ast.Expr {
	sl, ok := w.value(e).(*ast.SliceExpr)
	if !ok || sl.Low == nil || sl.High == nil || sl.Max != nil || !uses.Under[*types.Slice](w.TypesInfo.TypeOf(sl.X)) {
		return nil
	}
	if of := w.of(sl.Low, sl.High); of == nil || w.text(of) != "len("+w.text(sl.X)+")" {
		return nil
	}
	return sl.X
}

// of is the number of elements of which a part has those from lo on, below hi; nil where
// the parts may not be all.
func (w *whole) of(lo, hi ast.Expr) ast.Expr {
	lo, hi = w.value(lo), w.value(hi)
	if w.n == nil {
		next, ok := hi.(*ast.CallExpr)
		if !w.itself(lo) || !ok || loop.Builtin(w.TypesInfo, next) != "min" || len(next.Args) != 2 || w.differs(w.step) {
			return nil
		}
		x, y := ast.Unparen(next.Args[0]), ast.Unparen(next.Args[1])
		if _, ok := x.(*ast.BinaryExpr); !ok {
			x, y = y, x
		}
		sum, ok := x.(*ast.BinaryExpr)
		if !ok || sum.Op != token.ADD || !w.itself(sum.X) || w.text(sum.Y) != w.text(w.step) || w.text(y) != w.text(w.end) {
			return nil
		}
		return w.end
	}
	if of := w.shared(lo, w.itself); of != nil {
		if other := w.shared(hi, w.next); other != nil && w.text(of) == w.text(other) {
			return of
		}
	}
	return nil
}

// value is what an expression was declared as.
func (w *whole) value(e ast.Expr) ast.Expr {
	e = ast.Unparen(e)
	if v := loop.Var(w.TypesInfo, e); v != nil && w.is[v] != nil {
		return w.value(w.is[v])
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
	if !is(y) || w.differs(x) {
		return nil
	}
	return x
}

// itself reports whether an expression is what differs from part to part.
func (w *whole) itself(e ast.Expr) bool { return loop.Var(w.TypesInfo, w.value(e)) == w.part }

// next reports whether an expression is that of the part after it.
func (w *whole) next(e ast.Expr) bool {
	sum, ok := e.(*ast.BinaryExpr)
	return ok && sum.Op == token.ADD && w.itself(sum.X) && w.text(sum.Y) == "1"
}
