package goperelem

import (
	"fmt"
	"go/ast"
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

// futures finds loops that keep a channel for each element, over which comes what a
// goroutine makes of it.
func futures(pass *analysis.Pass, weigher *spawn.Weigher, sites []*spawn.Site) (all []shape.Finding) {
	makers := map[*types.Func]*ast.FuncDecl{}
	for _, s := range sites {
		if s.Func != nil && makes(pass.TypesInfo, s) {
			makers[pass.TypesInfo.Defs[s.Func.Name].(*types.Func)] = s.Func
		}
	}
	if len(makers) == 0 {
		return nil
	}
	for _, file := range pass.Files {
		for _, d := range file.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Body == nil {
				continue
			}
			ast.Inspect(decl.Body, func(n ast.Node) bool {
				set, ok := n.(*ast.AssignStmt)
				if !ok || len(set.Rhs) != 1 || set.Tok != token.ASSIGN {
					return true
				}
				call, ok := ast.Unparen(set.Rhs[0]).(*ast.CallExpr)
				if !ok || len(call.Args) != 1 {
					return true
				}
				fn := typeutil.StaticCallee(pass.TypesInfo, call)
				if fn == nil || makers[fn.Origin()] == nil {
					return true
				}
				lit, ok := ast.Unparen(call.Args[0]).(*ast.FuncLit)
				if !ok {
					return true
				}
				w := &awaited{pass: pass, info: pass.TypesInfo, file: file, decl: decl, set: set, lit: lit}
				if !w.kept() || inline.Blocks(pass, weigher, lit.Body) {
					return true
				}
				f := shape.Finding{
					Pos: call.Pos(), End: call.End(), Message: message, Func: decl,
					Causes: []string{"grain", "handoff", "alloc"},
					Hot:    []shape.Range{shape.Of(w.loop)},
					Shared: []shape.Range{shape.Of(makers[fn.Origin()])},
				}
				w.fixes(&f)
				all = append(all, f)
				return true
			})
		}
	}
	return all
}

// makes reports whether a function returns a channel, over which a goroutine sends
// what the function it is given returns, and does nothing else.
func makes(info *types.Info, s *spawn.Site) bool {
	list := s.Func.Body.List
	if len(list) != 3 || s.Func.Type.Params.NumFields() != 1 || s.Lit == nil || ast.Node(list[1]) != s.Node || s.Kind != spawn.Go {
		return false
	}
	made, ok := list[0].(*ast.AssignStmt)
	ret, ok2 := list[2].(*ast.ReturnStmt)
	if !ok || !ok2 || made.Tok != token.DEFINE || len(made.Lhs) != 1 || len(ret.Results) != 1 || len(s.Body.List) != 1 {
		return false
	}
	c := inline.Object(info, made.Lhs[0])
	m, ok := made.Rhs[0].(*ast.CallExpr)
	if b, is := inline.Object(info, fun(m)).(*types.Builtin); !ok || !is || b.Name() != "make" || inline.Object(info, ret.Results[0]) != c {
		return false
	}
	send, ok := s.Body.List[0].(*ast.SendStmt)
	if !ok || inline.Object(info, send.Chan) != c {
		return false
	}
	v, ok := send.Value.(*ast.CallExpr)
	if !ok || len(v.Args) > 0 {
		return false
	}
	p, ok := inline.Object(info, v.Fun).(*types.Var)
	return ok && s.Func.Type.Params.Pos() <= p.Pos() && p.Pos() < s.Func.Type.Params.End()
}

func fun(c *ast.CallExpr) ast.Expr {
	if c == nil {
		return ast.NewIdent("_")
	}
	return c.Fun
}

// An awaited is a loop that keeps channels in a slice.
type awaited struct {
	pass *analysis.Pass
	info *types.Info
	file *ast.File
	decl *ast.FuncDecl
	set  *ast.AssignStmt // keeps one
	lit  *ast.FuncLit    // what is computed
	loop ast.Stmt

	slice *types.Var
	elem  *ast.ChanType // of its make
	takes []*ast.UnaryExpr
}

// kept reports whether the loop does nothing but keep the channel of each element
// under its number, in a slice that the function makes and that is there for
// receiving from its channels alone.
func (w *awaited) kept() bool {
	var stack []ast.Node
	ast.Inspect(w.decl.Body, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if n == ast.Node(w.set) && len(stack) > 1 {
			w.loop, _ = stack[len(stack)-2].(ast.Stmt)
		}
		stack = append(stack, n)
		return true
	})
	x, ok := w.set.Lhs[0].(*ast.IndexExpr)
	body := loopBody(w.loop)
	if !ok || body == nil || len(body.List) != 1 || body.List[0] != ast.Stmt(w.set) {
		return false
	}
	if input, _ := inline.Elements(w.info, w.decl, w.loop); !input {
		return false
	}
	w.slice, _ = inline.Object(w.info, x.X).(*types.Var)
	key := w.key()
	if w.slice == nil || key == nil || inline.Object(w.info, x.Index) != key || w.slice.Pos() < w.decl.Body.Pos() || w.decl.Body.End() <= w.slice.Pos() {
		return false
	}
	return w.received()
}

func loopBody(st ast.Stmt) *ast.BlockStmt {
	if st == nil {
		return nil
	}
	return spawn.LoopBody(st)
}

// key is the variable that numbers the loop's iterations.
func (w *awaited) key() types.Object {
	switch l := w.loop.(type) {
	case *ast.RangeStmt:
		if l.Key != nil {
			return inline.Object(w.info, l.Key)
		}
	case *ast.ForStmt:
		if a, ok := l.Init.(*ast.AssignStmt); ok && len(a.Lhs) == 1 {
			return inline.Object(w.info, a.Lhs[0])
		}
	}
	return nil
}

// received finds where the slice is made and what receives from its channels, and
// reports whether there is nothing else.
func (w *awaited) received() bool {
	ok := true
	w.each(w.slice, func(id *ast.Ident, around []ast.Node) {
		above := func(i int) ast.Node { return around[max(0, len(around)-i)] }
		known := false
		switch n := above(1).(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE || len(n.Lhs) != 1 || w.info.Defs[id] == nil {
				break
			}
			c, is := n.Rhs[0].(*ast.CallExpr)
			b, builtin := inline.Object(w.info, fun(c)).(*types.Builtin)
			if !is || !builtin || b.Name() != "make" || len(c.Args) != 2 {
				break
			}
			if t, slice := c.Args[0].(*ast.ArrayType); slice && t.Len == nil {
				w.elem, known = t.Elt.(*ast.ChanType)
			}
		case *ast.CallExpr:
			b, builtin := inline.Object(w.info, n.Fun).(*types.Builtin)
			known = builtin && b.Name() == "len"
		case *ast.IndexExpr:
			known = above(2) == ast.Node(w.set) || w.take(n, around[:len(around)-1])
		case *ast.RangeStmt:
			if known = n.X == ast.Expr(id) && n.Tok != token.ASSIGN && n.Pos() > w.loop.End(); n.Value == nil || !known {
				break
			}
			if v := w.info.Defs[n.Value.(*ast.Ident)]; v != nil {
				w.each(v, func(id *ast.Ident, around []ast.Node) {
					known = known && (w.info.Defs[id] != nil || w.take(id, around))
				})
			}
		}
		ok = ok && known
	})
	return ok && w.elem != nil && len(w.takes) > 0
}

// take enters a receive from a channel, after the loop. around is what is around
// the channel.
func (w *awaited) take(c ast.Expr, around []ast.Node) bool {
	u, ok := around[len(around)-1].(*ast.UnaryExpr)
	if !ok || u.Op != token.ARROW || u.Pos() < w.loop.End() {
		return false
	}
	switch up := around[len(around)-2].(type) {
	case *ast.ExprStmt, *ast.CommClause:
		return false
	case *ast.AssignStmt:
		ok = len(up.Lhs) == len(up.Rhs)
	case *ast.ValueSpec:
		ok = len(up.Names) == len(up.Values)
	}
	for _, n := range around {
		if _, in := n.(*ast.CommClause); in {
			return false
		}
	}
	if ok {
		w.takes = append(w.takes, u)
	}
	return ok
}

// each calls f with each mention of a variable in the function and what is around
// it.
func (w *awaited) each(v types.Object, f func(id *ast.Ident, around []ast.Node)) {
	var stack []ast.Node
	ast.Inspect(w.decl, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if id, ok := n.(*ast.Ident); ok && w.info.ObjectOf(id) == v {
			f(id, slices.Clone(stack))
		}
		stack = append(stack, n)
		return true
	})
}

// fixes has one goroutine for each processor, or the caller, compute what the
// channels would bring.
func (w *awaited) fixes(f *shape.Finding) {
	refuse := func(at token.Pos, why string) {
		for _, name := range []string{"chunk", "serial"} {
			f.Refused = append(f.Refused, shape.Refusal{Name: name, Why: why, Pos: at})
		}
	}
	s := &spawn.Site{Node: w.set.Rhs[0], Call: w.set.Rhs[0].(*ast.CallExpr), File: w.file, Func: w.decl, Loop: w.loop, Lit: w.lit, Type: w.lit.Type, Body: w.lit.Body}
	if no := inline.Meets(w.pass, s, true); no != nil {
		refuse(no.Pos, no.Why)
		return
	}
	if at := spawn.Goexits(w.pass, w.lit.Body); at != nil {
		refuse(at.Pos(), "the task may end its goroutine")
		return
	}
	if at := spawn.Recovers(w.pass, w.decl.Body); at != nil {
		refuse(at.Pos(), "the function recovers, and would catch what a task panics with")
		return
	}
	l, why := inline.Numbered(w.pass, w.file, w.loop)
	if l == nil {
		refuse(w.loop.Pos(), why)
		return
	}
	if at, why := l.Late(w.pass, s); at != nil {
		refuse(at.Pos(), why)
		return
	}
	if _, o := w.pass.Pkg.Scope().Innermost(w.loop.Pos()).LookupParent("min", token.NoPos); o == nil || o.Parent() != types.Universe {
		refuse(w.loop.Pos(), "min means something else here")
		return
	}
	value, err := inline.Source(w.pass, w.lit.Pos(), w.lit.End(), nil)
	value += "()"
	if r, ok := w.lit.Body.List[0].(*ast.ReturnStmt); ok && err == nil && len(w.lit.Body.List) == 1 && len(r.Results) == 1 {
		value, err = inline.Source(w.pass, r.Results[0].Pos(), r.Results[0].End(), nil)
	}
	if err != nil {
		refuse(w.loop.Pos(), err.Error())
		return
	}
	call := rewrite.Replace(w.set.Rhs[0], value)
	rest, err := inline.Source(w.pass, l.Body.Lbrace+1, l.Body.Rbrace, []analysis.TextEdit{call})
	if err != nil {
		refuse(w.loop.Pos(), err.Error())
		return
	}
	results := []analysis.TextEdit{{Pos: w.elem.Pos(), End: w.elem.Value.Pos()}}
	for _, u := range w.takes {
		results = append(results, analysis.TextEdit{Pos: u.Pos(), End: u.X.Pos()})
	}
	fresh := func(name string) string { return rewrite.Fresh(w.pass.Pkg, w.decl, name) }
	runtime, edits := rewrite.Import(w.pass.Pkg, w.file, "runtime", w.loop.Pos())
	sync, more := rewrite.Import(w.pass.Pkg, w.file, "sync", w.loop.Pos())
	workers, i, group := fresh("workers"), fresh("w"), fresh("wg")
	lo := fmt.Sprintf("%s*%s/%s", times(l.Count), i, workers)
	hi := fmt.Sprintf("%s*(%s+1)/%s", times(l.Count), i, workers)
	text := fmt.Sprintf("%s := min(%s.GOMAXPROCS(0), %s)\nvar %s %s.WaitGroup\nfor %s := range %s {\n%s\n}\n%s.Wait()",
		workers, runtime, l.Count, group, sync, i, workers, inline.Start(w.info, w.file, group, l.Part(fresh, lo, hi, rest)), group)
	f.Fixes = append(f.Fixes,
		shape.Fix{
			Name: "chunk", Says: "start one goroutine for each processor, with a part of the elements",
			Edits: slices.Concat(edits, more, results, []analysis.TextEdit{rewrite.Replace(w.loop, text)}),
		},
		shape.Fix{
			Name: "serial", Serial: true, Says: "do the elements one after the other in the loop",
			Edits: append(slices.Clone(results), call),
		})
}
