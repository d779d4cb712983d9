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
)

// Analyzer finds functions in which each small item crosses a channel.
var Analyzer = shape.Analyzer("chanperitem", doc, find, spawn.Analyzer)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	by := map[*ast.FuncDecl][]*spawn.Site{}
	var order []*ast.FuncDecl
	for _, s := range pass.ResultOf[spawn.Analyzer].([]*spawn.Site) {
		if s.Func == nil {
			continue
		}
		if by[s.Func] == nil {
			order = append(order, s.Func)
		}
		by[s.Func] = append(by[s.Func], s)
	}
	decls := spawn.Decls(pass)
	weigher := spawn.NewWeigher(pass)
	w := waysOf(pass, decls, by)
	for _, decl := range order {
		r := &reader{pass: pass, info: pass.TypesInfo, decls: decls, decl: decl, sites: by[decl], ways: w}
		all = append(all, r.findings(weigher, w)...)
	}
	return all, nil
}

// findings returns one finding for all channels of a function that items cross,
// since they are cured together.
func (r *reader) findings(g *spawn.Weigher, w *ways) []shape.Finding {
	all := r.streams()
	var hot []*stream
	f := shape.Finding{Func: r.decl, Causes: []string{"handoff", "select", "lock"}}
	var names []string
	for _, s := range all {
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
			f.Hot = append(f.Hot, shape.Of(r.decls[typeutil.StaticCallee(r.info, e.node.(*ast.CallExpr)).Origin()]))
		}
	}
	if hot == nil {
		return nil
	}
	f.Message = fmt.Sprintf("each item crosses %s by itself: a hand-over costs a lock and a copy, and a wake-up where the other side waits", strings.Join(names, " and "))
	r.direct(&f, hot, all, w)
	r.buffer(&f, hot)
	r.batch(&f, hot)
	r.ring(&f, hot)
	return []shape.Finding{f}
}

// perItem returns the first send of a stream that items cross one by one: it is
// in a loop, or in what a function is given to call, and neither side waits for
// the world in its loop.
func (r *reader) perItem(s *stream, w *spawn.Weigher) ast.Node {
	if t, ok := r.info.TypeOf(s.elem).Underlying().(*types.Struct); ok && t.NumFields() == 0 {
		return nil // a signal, not an item
	}
	var first ast.Node
	for _, e := range s.sends {
		l := e.repeated()
		if l == nil || r.batched(e) {
			continue
		}
		if inline.Blocks(r.pass, w, l) {
			return nil
		}
		if first == nil {
			if first = e.node; e.in != nil {
				first = e.in.calls[0].node
			}
		}
	}
	for _, e := range s.ranges {
		if inline.Blocks(r.pass, w, e.node.(*ast.RangeStmt).Body) {
			return nil
		}
	}
	for _, e := range s.handed {
		if d := r.decls[typeutil.StaticCallee(r.info, e.node.(*ast.CallExpr)).Origin()]; inline.Blocks(r.pass, w, d.Body) {
			return nil
		} else if at := sends(d); at != nil && first == nil {
			first = e.node
		}
	}
	return first
}

// batched reports whether what is sent is begun anew in the next statement: it
// holds several items.
func (r *reader) batched(e end) bool {
	send := e.node.(*ast.SendStmt)
	v := inline.Object(r.info, send.Value)
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
	return ok && a.Tok == token.ASSIGN && inline.Object(r.info, a.Lhs[0]) == v
}

// sends returns a send in a loop of a function, nil if there is none.
func sends(d *ast.FuncDecl) (at ast.Node) {
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			ast.Inspect(n, func(m ast.Node) bool {
				if s, ok := m.(*ast.SendStmt); ok && at == nil {
					at = s
				}
				return at == nil
			})
		}
		return at == nil
	})
	return at
}

func (r *reader) refuse(f *shape.Finding, name string, at ast.Node, format string, args ...any) {
	why := fmt.Sprintf(format, args...)
	for _, x := range f.Refused {
		if x.Name == name && x.Why == why {
			return
		}
	}
	f.Refused = append(f.Refused, shape.Refusal{Name: name, Why: why, Pos: at.Pos()})
}

func (r *reader) text(n ast.Node) string { return rewrite.Text(r.pass.Fset, n) }

// littleRoom is a capacity below which the sides wait for each other often.
const littleRoom = 64

// buffer gives the channels more room.
func (r *reader) buffer(f *shape.Finding, hot []*stream) {
	for _, room := range []int{littleRoom, 1024} {
		var edits []analysis.TextEdit
		for _, s := range hot {
			if at := r.measured(s); at != nil {
				if room == littleRoom {
					r.refuse(f, "buffer", at, "the capacity or length of %s is asked for", s.v.Name())
				}
				continue
			}
			if s.room < 0 || s.room >= littleRoom {
				continue
			}
			if at := r.leaves(s); at != nil {
				if room == littleRoom {
					r.refuse(f, "buffer", at, "%s goes to other packages, which would see how far ahead it is filled", s.v.Name())
				}
				continue
			}
			w := r.ahead(s)
			if w.why == "" {
				w = r.onward(s)
			}
			if w.why != "" {
				if room == littleRoom {
					r.refuse(f, "buffer", w.at, "%s", w.why)
				}
				continue
			}
			edits = append(edits, rewrite.Replace(s.make, fmt.Sprintf("make(%s, %d)", r.text(s.make.Args[0]), room)))
		}
		if edits != nil {
			f.Fixes = append(f.Fixes, shape.Fix{
				Name: "buffer", Value: room,
				Says:  fmt.Sprintf("give the channel room for %d items", room),
				Edits: edits,
			})
		}
	}
}

// leaves returns where the function returns a stream, if that comes to other packages.
func (r *reader) leaves(s *stream) (at ast.Node) {
	returns := func(d *ast.FuncDecl, is func(ast.Expr) bool) (at ast.Node) {
		if d.Body == nil {
			return nil
		}
		ast.Inspect(d.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ReturnStmt:
				if slices.ContainsFunc(n.Results, is) {
					at = n
				}
			}
			return at == nil
		})
		return at
	}
	seen := map[*ast.FuncDecl]bool{}
	var out func(d *ast.FuncDecl) bool
	out = func(d *ast.FuncDecl) bool {
		if d.Name.IsExported() {
			return true
		}
		seen[d] = true
		fn := r.info.Defs[d.Name]
		for _, caller := range r.decls {
			if !seen[caller] && returns(caller, func(e ast.Expr) bool {
				call, ok := ast.Unparen(e).(*ast.CallExpr)
				callee := (*types.Func)(nil)
				if ok {
					callee = typeutil.StaticCallee(r.info, call)
				}
				return callee != nil && callee.Origin() == fn
			}) != nil && out(caller) {
				return true
			}
		}
		return false
	}
	at = returns(r.decl, func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && r.alias[r.info.Uses[id]] == s
	})
	if at != nil && !out(r.decl) {
		return nil
	}
	return at
}

// measured returns a use of a stream by len or cap.
func (r *reader) measured(s *stream) (at ast.Node) {
	look := func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || len(c.Args) != 1 {
			return true
		}
		id, ok := ast.Unparen(c.Args[0]).(*ast.Ident)
		if !ok || r.alias[r.info.Uses[id]] != s {
			return true
		}
		if fun, ok := c.Fun.(*ast.Ident); ok && (fun.Name == "len" || fun.Name == "cap") {
			at = c
		}
		return at == nil
	}
	ast.Inspect(r.decl.Body, look)
	for _, c := range s.callees {
		ast.Inspect(c.decl.Body, look)
	}
	return at
}
