package chanperitem

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds functions in which each small item crosses a channel.
var Analyzer = shape.Analyzer("chanperitem", doc, find, uses.Analyzer, spawn.Analyzer)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	decls, weigher := spawn.Decls(pass), spawn.NewWeigher(pass)
	readers := map[*ast.FuncDecl]*reader{}
	var order []*reader
	for _, s := range pass.ResultOf[spawn.Analyzer].([]*spawn.Site) {
		if s.Func == nil {
			continue
		}
		r := readers[s.Func]
		if r == nil {
			r = &reader{pass: pass, x: pass.ResultOf[uses.Analyzer].(*uses.Index), info: pass.TypesInfo, decls: decls, decl: s.Func}
			readers[s.Func] = r
			order = append(order, r)
		}
		r.sites = append(r.sites, s)
	}
	for _, r := range order {
		r.streams()
	}
	for _, r := range order {
		all = append(all, r.findings(weigher, readers)...)
	}
	return all, nil
}

// findings returns one finding for all channels of a function that items cross,
// since they are cured together.
func (r *reader) findings(g *spawn.Weigher, readers map[*ast.FuncDecl]*reader) []shape.Finding {
	var hot []*stream
	f := shape.Finding{Func: r.decl, Causes: []string{"handoff", "select", "lock"}}
	var names []string
	for _, s := range r.all {
		first := r.perItem(s, g)
		if first == nil {
			continue
		}
		if hot == nil || first.Pos() < f.Pos {
			f.Pos, f.End = first.Pos(), first.End()
		}
		hot = append(hot, s)
		names = append(names, s.v.Name())
		for _, e := range s.ends() {
			f.Hot = append(f.Hot, shape.Of(e.stmt))
			if l := e.loop(); l != nil {
				f.Hot = append(f.Hot, shape.Of(l))
			}
		}
		for _, e := range s.handed {
			f.Hot = append(f.Hot, shape.Of(r.callee(e)))
		}
	}
	if hot == nil {
		return nil
	}
	f.Message = fmt.Sprintf("each item crosses %s by itself: a hand-over costs a lock and a copy, and a wake-up where the other side waits", strings.Join(names, " and "))
	r.direct(&f, hot, readers)
	r.batch(&f, hot)
	return []shape.Finding{f}
}

// perItem returns the first send of a stream that items cross one by one: it is
// in a loop, or in what a function is given to call, and neither side waits for
// the world in its loop.
func (r *reader) perItem(s *stream, w *spawn.Weigher) (first ast.Node) {
	if t, ok := r.info.TypeOf(s.elem).Underlying().(*types.Struct); ok && t.NumFields() == 0 || s.signals() {
		return nil // a signal, not an item
	}
	for _, e := range s.sends {
		l := e.repeated()
		if l == nil || r.batched(e) {
			continue
		}
		if inline.Blocks(r.pass, w, l) {
			return nil
		}
		if first == nil {
			first = e.node
		}
	}
	for _, e := range s.ranges {
		if inline.Blocks(r.pass, w, e.node.(*ast.RangeStmt).Body) {
			return nil
		}
	}
	for _, e := range s.handed {
		if d := r.callee(e); inline.Blocks(r.pass, w, d.Body) {
			return nil
		} else if first == nil && sends(d) {
			first = e.node
		}
	}
	return first
}

// signals reports whether nothing looks at the items of a stream, as at those of a
// semaphore.
func (s *stream) signals() bool {
	return len(s.handed)+len(s.other)+len(s.ranges) == 0 && !slices.ContainsFunc(s.receives, func(e end) bool {
		_, drops := e.stmt.(*ast.ExprStmt)
		return !drops
	})
}

// callee is the function of the package that a stream is handed to.
func (r *reader) callee(e end) *ast.FuncDecl {
	return r.decls[typeutil.StaticCallee(r.info, e.node.(*ast.CallExpr)).Origin()]
}

// batched reports whether what is sent is begun anew in the next statement: it
// holds several items.
func (r *reader) batched(e end) bool {
	send := e.node.(*ast.SendStmt)
	v := spawn.Object(r.info, send.Value)
	if v == nil || len(e.path) < 2 {
		return false
	}
	block, ok := e.path[len(e.path)-2].(*ast.BlockStmt)
	if !ok {
		return false
	}
	i := slices.Index(block.List, ast.Stmt(send))
	if i < 0 || i+1 == len(block.List) {
		return false
	}
	a, ok := block.List[i+1].(*ast.AssignStmt)
	return ok && a.Tok == token.ASSIGN && spawn.Object(r.info, a.Lhs[0]) == v
}

// sends reports whether a function sends in a loop.
func sends(d *ast.FuncDecl) bool {
	return uses.Any(d.Body, func(st ast.Stmt) bool {
		body := spawn.LoopBody(st)
		return body != nil && uses.Any(body, func(*ast.SendStmt) bool { return true })
	})
}

func refuse(f *shape.Finding, name string, no *shape.Refusal) {
	no.Name = name
	f.Refused = append(f.Refused, *no)
}

func (r *reader) text(n ast.Node) string { return rewrite.Text(r.pass.Fset, n) }

// escapes says why a stream may be used by others than the function sees.
func (s *stream) escapes() *shape.Refusal {
	switch {
	case len(s.other) > 0:
		return shape.No(s.other[0], s.v.Name()+" is used in another way than to send, receive and close")
	case len(s.handed) > 0:
		return shape.No(s.handed[0].node, s.v.Name()+" is handed to a function")
	}
	return nil
}
