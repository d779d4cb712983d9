package sharedacc

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// A swap is a loop that adds to a place by compare-and-swap:
//
//	for {
//		old := x.Load()
//		if x.CompareAndSwap(old, old+e) {
//			break
//		}
//	}
//
// or to a sum of floats, by math.Float64bits(math.Float64frombits(old)+e).
type swap struct {
	*check
	at        *ast.ForStmt
	old       *ast.Ident
	load, cas *ast.CallExpr
	from, to  *ast.CallExpr // Float64frombits(old), Float64bits(…); nil for integers
	op        token.Token
	e         ast.Expr // what is added
	typ       types.Type
}

// offer makes the edit that adds up what the loop adds, and swaps it in after the
// outermost loop after which that makes no difference, or says why there is none.
func (w *swap) offer(f *shape.Finding, s *spawn.Site, p *local.Place) {
	at, ok := w.Find(w.at)
	if !ok {
		return
	}
	var loops []inspector.Cursor
	for loop, ok := local.Innermost(at); ok; loop, ok = local.Innermost(loop) {
		loops = append(loops, loop)
	}
	why, pos := "it is swapped in no other loop", w.at.Pos()
	for _, loop := range slices.Backward(loops) {
		l := &local.Loop{Package: w.Package, Site: s, At: loop}
		q, ok := local.PlaceOf(w.Uses, p.Expr, loop)
		if !ok {
			why, pos = p.Text()+" is not the same in all iterations", p.Expr.Pos()
			continue
		}
		if why, pos = w.later(l, q); why != "" {
			continue
		}
		typ, ok := l.Spell(w.typ)
		if !ok {
			why, pos = "its type has no name here", w.e.Pos()
			continue
		}
		says := fmt.Sprintf("add up in a local variable and swap that into %s after the loop", p.Text()) + local.Caveat([]*local.Place{q})
		if w.from != nil {
			says += local.Rounds
		}
		f.Fixes = append(f.Fixes, shape.Fix{Name: "local", Says: says, Edits: w.edits(l, w.Name(l.Func(), loop.Node(), "sum"), typ)})
		return
	}
	f.Refused = append(f.Refused, shape.Refusal{Name: "local", Why: why, Pos: pos})
}

// later says why the additions of a loop cannot be made after it.
func (w *swap) later(l *local.Loop, p *local.Place) (why string, at token.Pos) {
	switch {
	case len(p.Uses) != 2:
		return "the loop uses " + p.Text() + " in other ways", p.Expr.Pos()
	case w.from != nil && !l.AtOnce():
		return "each addition to " + p.Text() + " rounds, and their order is certain", w.e.Pos()
	}
	if why, at = l.Leaves(); why != "" {
		return why, at
	}
	if why, at = l.Rescued(p); why != "" {
		return why, at
	}
	return l.Later(p)
}

// swap takes the loop.
func (c *check) swap(l *local.Loop, p *local.Place) (w *swap, ok bool) {
	w = &swap{check: c}
	w.at, ok = l.At.Node().(*ast.ForStmt)
	if !ok || w.at.Init != nil || w.at.Cond != nil || w.at.Post != nil || len(w.at.Body.List) != 2 || len(p.Uses) != 2 || p.Uses[0].Kind != local.Load || p.Uses[1].Kind != local.Swap {
		return w, false
	}
	get, ok1 := w.at.Body.List[0].(*ast.AssignStmt)
	test, ok2 := w.at.Body.List[1].(*ast.IfStmt)
	if !ok1 || !ok2 || get.Tok != token.DEFINE || len(get.Lhs) != 1 || test.Init != nil || test.Else != nil || len(test.Body.List) != 1 {
		return w, false
	}
	out, ok := test.Body.List[0].(*ast.BranchStmt)
	if !ok || out.Tok != token.BREAK || out.Label != nil {
		return w, false
	}
	w.old, _ = get.Lhs[0].(*ast.Ident)
	w.load, w.cas = p.Uses[0].Call.Node().(*ast.CallExpr), p.Uses[1].Call.Node().(*ast.CallExpr)
	fn := section.Callee(c.Pass.TypesInfo, w.cas)
	if w.old == nil || ast.Unparen(get.Rhs[0]) != ast.Expr(w.load) || ast.Unparen(test.Cond) != ast.Expr(w.cas) || fn == nil || !strings.HasPrefix(fn.Name(), "CompareAndSwap") {
		return w, false
	}
	n := len(w.cas.Args)
	return w, w.isOld(w.cas.Args[n-2]) && w.sum(w.cas.Args[n-1])
}

func (w *swap) isOld(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && w.Pass.TypesInfo.Uses[id] != nil && w.Pass.TypesInfo.Uses[id] == w.Pass.TypesInfo.Defs[w.old]
}

// sum takes what is swapped in: old+e, or that of floats.
func (w *swap) sum(e ast.Expr) bool {
	e = ast.Unparen(e)
	if call, ok := e.(*ast.CallExpr); ok {
		if name := w.math(call); name != "Float64bits" && name != "Float32bits" {
			return false
		}
		w.to, e = call, ast.Unparen(call.Args[0])
	}
	x, ok := e.(*ast.BinaryExpr)
	if !ok {
		return false
	}
	w.op = x.Op
	switch {
	case x.Op == token.SUB && w.before(x.X):
		w.e = x.Y
	case x.Op == token.ADD, w.to == nil && (x.Op == token.OR || x.Op == token.XOR):
		if w.e = x.Y; !w.before(x.X) {
			if w.e = x.X; !w.before(x.Y) {
				return false
			}
		}
	default:
		return false
	}
	w.typ = w.Pass.TypesInfo.TypeOf(x)
	return w.plain()
}

// before takes what was in the place.
func (w *swap) before(e ast.Expr) bool {
	if w.to == nil {
		return w.isOld(e)
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || strings.Replace(w.math(call), "frombits", "bits", 1) != w.math(w.to) || w.math(call) == w.math(w.to) || !w.isOld(call.Args[0]) {
		return false
	}
	w.from = call
	return true
}

// math is the function of package math that is called, or "".
func (w *swap) math(call *ast.CallExpr) string {
	fn := section.Callee(w.Pass.TypesInfo, call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "math" {
		return ""
	}
	return fn.Name()
}

// plain reports whether what is added is the same each time it is tried.
func (w *swap) plain() bool {
	ok := true
	ast.Inspect(w.e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			ok = false
		case *ast.Ident:
			ok = ok && !w.isOld(n)
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.CallExpr:
			tv := w.Pass.TypesInfo.Types[n.Fun]
			fn := section.Callee(w.Pass.TypesInfo, n)
			ok = ok && (tv.IsType() || tv.IsBuiltin() || fn != nil && flow.Of(w.Pass).Pure(n) == "" && !atomically(fn))
		}
		return ok
	})
	return ok
}

// edits add up in a variable and swap that in after the loop.
func (w *swap) edits(l *local.Loop, name, typ string) []analysis.TextEdit {
	text := func(n ast.Node) string { return rewrite.Text(w.Pass.Fset, n) }
	op, tok := w.op.String(), w.op.String()
	if w.op == token.SUB {
		op = "+"
	}
	next := fmt.Sprintf("%s %s %s", w.old.Name, op, name)
	if w.to != nil {
		next = fmt.Sprintf("%s(%s %s %s)", text(w.to.Fun), text(w.from), op, name)
	}
	var args []string
	for _, a := range w.cas.Args[:len(w.cas.Args)-1] {
		args = append(args, text(a))
	}
	return []analysis.TextEdit{
		rewrite.Insert(l.At.Node().Pos(), fmt.Sprintf("var %s %s\n", name, typ)),
		{Pos: w.at.Pos(), End: w.e.Pos(), NewText: []byte(name + " " + tok + "= ")},
		{Pos: w.e.End(), End: w.at.End()},
		rewrite.Insert(l.At.Node().End(), fmt.Sprintf("\nfor %s != 0 {\n%s := %s\nif %s(%s, %s) {\nbreak\n}\n}", name, w.old.Name, text(w.load), text(w.cas.Fun), strings.Join(args, ", "), next)),
	}
}
