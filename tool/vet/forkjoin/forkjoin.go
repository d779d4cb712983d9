package forkjoin

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// Analyzer finds calls of functions that start goroutines and wait for them.
var Analyzer = shape.Analyzer("forkjoin", doc, find, spawn.Analyzer)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	known := helpers(pass)
	if len(known) == 0 {
		return nil, nil
	}
	weigher := spawn.NewWeigher(pass)
	decls := spawn.Decls(pass)
	for _, file := range pass.Files {
		for _, d := range file.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Body == nil {
				continue
			}
			ast.Inspect(decl.Body, func(x ast.Node) bool {
				call, ok := x.(*ast.CallExpr)
				if !ok {
					return true
				}
				fn := typeutil.StaticCallee(pass.TypesInfo, call)
				if fn == nil {
					return true
				}
				h := known[fn.Origin()]
				if own := known[pass.TypesInfo.Defs[decl.Name].(*types.Func)]; h == nil || own != nil && own.inner == call || len(call.Args) <= h.index {
					return true // the calls of that helper are what matters
				}
				w := &writer{pass: pass, info: pass.TypesInfo, known: known, file: file, decl: decl, call: call, h: h}
				if f := w.finding(decls, weigher); f != nil {
					all = append(all, *f)
				}
				return true
			})
		}
	}
	return all, nil
}

// A writer makes the edits of a call of a helper.
type writer struct {
	pass  *analysis.Pass
	info  *types.Info
	known map[*types.Func]*helper
	file  *ast.File
	decl  *ast.FuncDecl // that the call is in
	call  *ast.CallExpr
	h     *helper
}

// finding is nil where nothing is known of the task, or it waits for the world, or
// the helper does.
func (w *writer) finding(decls map[*types.Func]*ast.FuncDecl, weigher *spawn.Weigher) *shape.Finding {
	start := w.h.site()
	s := &spawn.Site{Kind: start.Kind, Node: w.call, Call: w.call, File: w.file, Func: w.decl, Loop: start.Loop}
	arg := ast.Unparen(w.call.Args[w.h.index])
	if lit, ok := arg.(*ast.FuncLit); ok {
		s.Lit, s.Type, s.Body = lit, lit.Type, lit.Body
	} else if fn := typeutil.StaticCallee(w.info, &ast.CallExpr{Fun: arg}); fn != nil && decls[fn.Origin()] != nil {
		s.Decl = decls[fn.Origin()]
		s.Type, s.Body = s.Decl.Type, s.Decl.Body
	} else {
		return nil
	}
	if w.passes(s.Body) || inline.Blocks(w.pass, weigher, s.Body) || inline.Blocks(w.pass, weigher, start.Func.Body) {
		return nil
	}
	name := w.h.decl.Name.Name
	f := &shape.Finding{
		Pos: w.call.Pos(), End: w.call.End(), Func: w.decl,
		Message: fmt.Sprintf("%s starts goroutines and waits for them at each call: that takes some hundred nanoseconds for each, and more than little work", name),
		Causes:  []string{"grain"},
		Hot:     []shape.Range{shape.Of(w.call)},
		Shared:  w.h.ranges(),
	}
	if s.Decl != nil {
		f.Hot = append(f.Hot, shape.Of(s.Decl))
	}
	if no := w.no(s); no != nil {
		f.Refused = append(f.Refused, shape.Refusal{Name: "serial", Why: no.Why, Pos: no.Pos})
		return f
	}
	w.serial(f)
	return f
}

// passes reports whether a task calls what its function was given: who gave it
// knows what is done.
func (w *writer) passes(body ast.Node) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			v, is := typeutil.Callee(w.info, c).(*types.Var)
			found = found || is && w.decl.Type.Params.Pos() <= v.Pos() && v.Pos() < w.decl.Type.Params.End()
		}
		return !found
	})
	return found
}

// no says why the tasks must not run one after the other.
func (w *writer) no(s *spawn.Site) *shape.Refusal {
	if no := w.h.no(); no != nil {
		return no
	}
	if no := inline.Meets(w.pass, s, true); no != nil {
		return no
	}
	if at := spawn.Goexits(w.pass, s.Body); at != nil {
		return shape.No(at, "the task may end its goroutine")
	}
	var no *shape.Refusal
	ast.Inspect(w.decl.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && w.info.Uses[id] == types.Universe.Lookup("recover") && !within(s.Body, id) {
			no = shape.No(id, "the function recovers, and would catch what a task panics with")
		}
		return no == nil
	})
	return no
}
