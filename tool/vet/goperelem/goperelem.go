package goperelem

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// Analyzer finds loops that start a goroutine for each element.
var Analyzer = shape.Analyzer("goperelem", doc, find, spawn.Analyzer)

const library = "github.com/gopayoff/payoff/par"

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	weigher := spawn.NewWeigher(pass)
	sites := pass.ResultOf[spawn.Analyzer].([]*spawn.Site)
	for _, s := range sites {
		if s.Func == nil || s.Loop == nil || s.Body == nil || s.Join == nil {
			continue
		}
		if waits(pass, weigher, s.Body) || !Input(pass, s) {
			continue
		}
		loop := inline.Outermost(s)
		f := shape.Finding{
			Pos: s.Node.Pos(), End: s.Node.End(),
			Message: "a goroutine starts for each element: its start and join cost some hundred nanoseconds, and more than a small element's work",
			Func:    s.Func,
			Causes:  []string{"grain"},
			Hot:     []shape.Range{shape.Of(loop), shape.Of(s.Body)},
		}
		w := &writer{pass, s, loop}
		if within(s.Loop, s.Join) {
			if waitsFor(s) {
				f.Message = "a goroutine is started and awaited at once in a loop: nothing runs beside it, and each costs a start and two hand-overs"
				f.Causes = append(f.Causes, "handoff")
				w.serial(&f)
				all = append(all, f)
			}
			continue
		}
		w.chunk(&f)
		w.serial(&f)
		w.par(&f)
		all = append(all, f)
	}
	return all, nil
}

// waits reports whether the body waits for the world: then as many goroutines
// may be wanted.
func waits(pass *analysis.Pass, w *spawn.Weigher, body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && !found {
			if fn := typeutil.StaticCallee(pass.TypesInfo, c); fn != nil && !spawn.IsMethod(fn, "sync", "", "Wait") {
				found = w.Weigh(&ast.CallExpr{Fun: c.Fun}).Blocking > 0
			}
		}
		return !found
	})
	return found
}

func within(outer, n ast.Node) bool { return outer.Pos() <= n.Pos() && n.End() <= outer.End() }

// waitsFor reports whether the loop waits for each goroutine before it does
// anything else: the join is in the next statement.
func waitsFor(s *spawn.Site) (next bool) {
	ast.Inspect(s.Loop, func(n ast.Node) bool {
		if b, ok := n.(*ast.BlockStmt); ok {
			for i, st := range b.List {
				if within(st, s.Node) && i+1 < len(b.List) && within(b.List[i+1], s.Join) && !within(st, s.Join) {
					_, loop := b.List[i+1].(*ast.ForStmt)
					_, each := b.List[i+1].(*ast.RangeStmt)
					next = !loop && !each
				}
			}
		}
		return !next
	})
	return next
}

// mostWorkers is the constant number of iterations up to which a loop is taken
// for the start of workers.
const mostWorkers = 64

// Input reports whether the loop that starts the site's goroutines goes over
// input, not over workers: those loop over their part of the input themselves,
// take items from a channel, or number as the processors do.
func Input(pass *analysis.Pass, s *spawn.Site) bool {
	info := pass.TypesInfo
	var bound ast.Expr
	counted := false
	switch l := s.Loop.(type) {
	case *ast.RangeStmt:
		bound = l.X
		switch t := info.TypeOf(l.X).Underlying().(type) {
		case *types.Chan:
			return true
		case *types.Array:
			if t.Len() <= mostWorkers {
				return false
			}
		case *types.Basic:
			counted = t.Info()&types.IsInteger != 0
		}
	case *ast.ForStmt:
		counted = true
		if c, ok := l.Cond.(*ast.BinaryExpr); ok {
			bound = c.Y
		}
	}
	if bound != nil {
		if v := info.Types[bound].Value; v != nil {
			if n, ok := constantInt(v); ok && n <= mostWorkers {
				return false
			}
		}
		if perProcessor(info, s.Func, bound, 0) {
			return false
		}
	}
	takes := false
	ast.Inspect(s.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			takes = takes || n.Cond == nil || s.DiffersExpr(n.Cond) || initDiffers(s, n.Init)
		case *ast.RangeStmt:
			_, channel := info.TypeOf(n.X).Underlying().(*types.Chan)
			takes = takes || channel || s.DiffersExpr(n.X) && (counted || !ofElement(info, s.Loop, n.X))
		}
		return !takes
	})
	return !takes
}

// ofElement reports whether an expression is part of the element that an
// iteration of the loop has: of row in for _, row := range rows, or of rows[i].
func ofElement(info *types.Info, loop ast.Stmt, e ast.Expr) bool {
	l, ok := loop.(*ast.RangeStmt)
	if !ok {
		return false
	}
	root := root(info, e)
	return root != nil && (root == rootOf(info, l.Value) || root == rootOf(info, l.X))
}

func rootOf(info *types.Info, e ast.Expr) types.Object {
	if e == nil {
		return nil
	}
	return root(info, e)
}

// root is the variable that an operand begins with: rows of rows[i].cells[1:].
func root(info *types.Info, e ast.Expr) types.Object {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return info.ObjectOf(x)
	case *ast.SelectorExpr:
		return root(info, x.X)
	case *ast.IndexExpr:
		return root(info, x.X)
	case *ast.SliceExpr:
		return root(info, x.X)
	case *ast.StarExpr:
		return root(info, x.X)
	}
	return nil
}

func initDiffers(s *spawn.Site, init ast.Stmt) bool {
	a, ok := init.(*ast.AssignStmt)
	return ok && slices.ContainsFunc(a.Rhs, s.DiffersExpr)
}

// perProcessor reports whether an expression is made of the number of
// processors.
func perProcessor(info *types.Info, in *ast.FuncDecl, e ast.Expr, depth int) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if fn := typeutil.StaticCallee(info, n); fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "runtime" {
				found = found || fn.Name() == "GOMAXPROCS" || fn.Name() == "NumCPU"
			}
		case *ast.Ident:
			v, ok := info.Uses[n].(*types.Var)
			if !ok || depth > 3 {
				return true
			}
			ast.Inspect(in.Body, func(m ast.Node) bool {
				if a, ok := m.(*ast.AssignStmt); ok && len(a.Lhs) == len(a.Rhs) {
					for i, l := range a.Lhs {
						if inline.Object(info, l) == v && perProcessor(info, in, a.Rhs[i], depth+1) {
							found = true
						}
					}
				}
				return !found
			})
		}
		return !found
	})
	return found
}

// A writer makes the edits of a finding.
type writer struct {
	pass *analysis.Pass
	s    *spawn.Site
	loop ast.Stmt
}

func (w *writer) refuse(f *shape.Finding, name string, at ast.Node, why string) {
	f.Refused = append(f.Refused, shape.Refusal{Name: name, Why: why, Pos: at.Pos()})
}

// numbered returns the loop if its parts can be handed out.
func (w *writer) numbered(f *shape.Finding, name string) *inline.Loop {
	start := inline.Statement(w.s.Func, w.s)
	if more := inline.Plain(w.pass.TypesInfo, w.loop, start); more != nil {
		w.refuse(f, name, more, "the loop does more than start goroutines")
		return nil
	}
	l, why := inline.Numbered(w.pass, w.s.File, w.loop)
	if l == nil {
		w.refuse(f, name, w.loop, why)
	}
	return l
}

func (w *writer) fresh(name string) string { return rewrite.Fresh(w.pass.Pkg, w.s.Func, name) }

// rest is what the body holds after the edits, from behind its brace to before
// the other.
func (w *writer) rest(l *inline.Loop, edits []analysis.TextEdit) (string, error) {
	return inline.Source(w.pass, l.Body.Lbrace+1, l.Body.Rbrace, edits)
}

// chunk starts one goroutine for each processor, with a part of the range.
func (w *writer) chunk(f *shape.Finding) {
	bodies, group, no := inline.Bodies(w.pass, w.s)
	if no != nil {
		no.Name = "chunk"
		f.Refused = append(f.Refused, *no)
		return
	}
	l := w.numbered(f, "chunk")
	if l == nil {
		return
	}
	if _, o := w.pass.Pkg.Scope().Innermost(w.loop.Pos()).LookupParent("min", token.NoPos); o == nil || o.Parent() != types.Universe {
		w.refuse(f, "chunk", w.loop, "min means something else here")
		return
	}
	rest, err := w.rest(l, bodies)
	if err != nil {
		w.refuse(f, "chunk", w.loop, err.Error())
		return
	}
	runtime, edits := rewrite.Import(w.pass.Pkg, w.s.File, "runtime", w.loop.Pos())
	workers, i := w.fresh("workers"), w.fresh("w")
	lo := fmt.Sprintf("%s*%s/%s", times(l.Count), i, workers)
	hi := fmt.Sprintf("%s*(%s+1)/%s", times(l.Count), i, workers)
	text := fmt.Sprintf("%s := min(%s.GOMAXPROCS(0), %s)\nfor %s := range %s {\n%s\n}",
		workers, runtime, l.Count, i, workers,
		inline.Start(w.pass.TypesInfo, w.s.File, group, l.Over(w.fresh, lo, hi, rest)))
	for _, e := range bodies {
		if !within(w.loop, span(e)) {
			edits = append(edits, e)
		}
	}
	f.Fixes = append(f.Fixes, shape.Fix{
		Name:  "chunk",
		Says:  "start one goroutine for each processor, with a part of the elements",
		Edits: append(edits, rewrite.Replace(w.loop, text)),
	})
}

// times is a count as a factor.
func times(count string) string {
	for _, c := range count {
		if c == ' ' {
			return "(" + count + ")"
		}
	}
	return count
}

// span is where an edit is.
func span(e analysis.TextEdit) ast.Node { return &ast.BadExpr{From: e.Pos, To: max(e.Pos, e.End)} }

func (w *writer) serial(f *shape.Finding) {
	edits, no := inline.Edits(w.pass, w.s.Func, []*spawn.Site{w.s})
	if no != nil {
		no.Name = "serial"
		f.Refused = append(f.Refused, *no)
		return
	}
	f.Fixes = append(f.Fixes, shape.Fix{
		Name: "serial", Serial: true,
		Says:  "do the elements one after the other in the loop",
		Edits: edits,
	})
}

// par hands the loop to par.For.
func (w *writer) par(f *shape.Finding) {
	serial, no := inline.Edits(w.pass, w.s.Func, []*spawn.Site{w.s})
	if no != nil {
		no.Name = "par"
		f.Refused = append(f.Refused, *no)
		return
	}
	l := w.numbered(f, "par")
	if l == nil {
		return
	}
	rest, err := w.rest(l, serial)
	if err != nil {
		w.refuse(f, "par", w.loop, err.Error())
		return
	}
	par, edits := rewrite.Import(w.pass.Pkg, w.s.File, library, w.loop.Pos())
	lo, hi := w.fresh("lo"), w.fresh("hi")
	text := fmt.Sprintf("%s.For(%s, func(%s, %s int) {\n%s\n})", par, l.Count, lo, hi, l.Over(w.fresh, lo, hi, rest))
	for _, e := range serial {
		if !within(w.loop, span(e)) {
			edits = append(edits, e)
		}
	}
	f.Fixes = append(f.Fixes, shape.Fix{
		Name: "par", Needs: library,
		Says:  "hand parts of the range to par.For, which starts nothing where it does not pay",
		Edits: append(edits, rewrite.Replace(w.loop, text)),
	})
}

func constantInt(v constant.Value) (int64, bool) {
	if v = constant.ToInt(v); v.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(v)
}
