package benchvet

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A bench is a function that has a *testing.B: a benchmark, a part of one given
// to b.Run, or a helper of some.
type bench struct {
	pass  *analysis.Pass
	file  *ast.File
	decl  *ast.FuncDecl // the declaration it is in
	node  ast.Node      // the FuncDecl or FuncLit
	b     *types.Var
	body  *ast.BlockStmt
	loops []timed
	index *uses.Index
}

// A timed loop repeats its body b.N times, or until b.Loop says that it is enough.
type timed struct {
	stmt  ast.Stmt // *ast.ForStmt or *ast.RangeStmt
	body  *ast.BlockStmt
	index *types.Var // its variable; nil if it has none
	byN   bool       // over b.N, and so not b.Loop
	plain bool       // it counts from 0, by one
}

// benches returns the functions of a package that measure.
func benches(pass *analysis.Pass) (all []*bench) {
	index := pass.ResultOf[uses.Analyzer].(*uses.Index)
	for c := range index.Root.Preorder((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		x := &bench{pass: pass, file: rewrite.File(pass, c.Node().Pos()), decl: uses.Decl(c), node: c.Node(), index: index}
		var typ *ast.FuncType
		switch n := x.node.(type) {
		case *ast.FuncDecl:
			typ, x.body = n.Type, n.Body
		case *ast.FuncLit:
			typ, x.body = n.Type, n.Body
		}
		if x.b = param(pass, typ, "B"); x.b == nil || x.body == nil || x.decl == nil {
			continue
		}
		ast.Inspect(x.body, func(n ast.Node) bool {
			if lit, ok := n.(*ast.FuncLit); ok && param(pass, lit.Type, "B") != nil {
				return false // it is timed by its own
			}
			if l, ok := x.loop(n); ok {
				x.loops = append(x.loops, l)
			}
			return true
		})
		all = append(all, x)
	}
	return all
}

// param returns the parameter of type *testing.name.
func param(pass *analysis.Pass, typ *ast.FuncType, name string) *types.Var {
	for _, f := range typ.Params.List {
		for _, id := range f.Names {
			v, ok := pass.TypesInfo.Defs[id].(*types.Var)
			if ok && uses.Is(uses.Deref(v.Type()), "testing", name) {
				return v
			}
		}
	}
	return nil
}

// loop is n as a loop that the benchmark's result is divided by.
func (x *bench) loop(n ast.Node) (l timed, ok bool) {
	switch n := n.(type) {
	case *ast.ForStmt:
		l = timed{stmt: n, body: n.Body}
		switch cond := n.Cond.(type) {
		case *ast.CallExpr:
			return l, x.method(cond) == "Loop"
		case *ast.BinaryExpr:
			l.byN = cond.Op == token.LSS && x.isN(cond.Y)
		}
	case *ast.RangeStmt:
		l = timed{stmt: n, body: n.Body, byN: x.isN(n.X)}
	}
	if l.byN {
		count, ok := loop.Numbered(x.pass.TypesInfo, l.stmt)
		l.index, _ = x.pass.TypesInfo.Defs[count.Key].(*types.Var)
		l.plain = ok && count.Lo == nil
	}
	return l, l.byN
}

// isN reports whether e is b.N. The b of a function within is another.
func (x *bench) isN(e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "N" && x.isB(sel.X)
}

func (x *bench) isB(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && x.pass.TypesInfo.Uses[id] == x.b
}

// method is the name of the method of b that is called, "" for other calls.
func (x *bench) method(call *ast.CallExpr) string {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && x.isB(sel.X) {
		return sel.Sel.Name
	}
	return ""
}

// calls returns a call of one of b's methods within root, nil if there is none.
func (x *bench) calls(root ast.Node, names ...string) (found *ast.CallExpr) {
	ast.Inspect(root, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && slices.Contains(names, x.method(call)) {
			found = call
		}
		return found == nil
	})
	return found
}

// offer adds an edit to a finding, or its refusal if there is a reason.
func offer(f *shape.Finding, name, says, why string, edits ...analysis.TextEdit) {
	if why != "" {
		f.Refused = append(f.Refused, shape.Refusal{Name: name, Why: why, Pos: f.Pos})
	} else {
		f.Fixes = append(f.Fixes, shape.Fix{Name: name, Says: says, Edits: edits})
	}
}

// offerLoop offers b.Loop in place of a loop over b.N. Its index stays where it is used.
func (x *bench) offerLoop(f *shape.Finding, l timed) {
	info, head, why, ns := x.pass.TypesInfo, x.b.Name()+".Loop()", "", 0
	if l.index != nil && uses.Mentions(info, l.body, l.index) {
		head = fmt.Sprintf("%s := 0; %s; %[1]s++", l.index.Name(), head)
	}
	ast.Inspect(x.body, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && x.isN(e) {
			ns++
		}
		return true
	})
	switch {
	case !rewrite.Since(x.pass, x.file, "go1.26"):
		why = "until Go 1.26 b.Loop keeps the calls in its body from being inlined"
	case len(x.loops) != 1:
		why = "there is another loop: b.Loop can be used for one"
	case x.calls(x.body, "StopTimer", "StartTimer") != nil:
		why = "the timer is stopped or started, which b.Loop does by itself"
	case ns != 1:
		why = "b.N is used beside the loop, and b.Loop counts for itself"
	case !l.plain:
		why = "the loop counts in another way"
	case len(loop.Writes(info, l.body, l.index)) > 0:
		why = "the loop changes its index"
	}
	for _, leave := range rewrite.Leaves(info, l.body, false) {
		switch leave.How {
		case "continue", "defer", "panic", "recover", "testing.Fatal", "testing.Fatalf", "testing.FailNow":
		default:
			why = cmp.Or(why, "the loop is left by "+leave.How+" before b.Loop says so")
		}
	}
	offer(f, "loop", "loop with "+x.b.Name()+".Loop, which keeps results and leaves out what is before it", why, analysis.TextEdit{Pos: l.stmt.Pos(), End: l.body.Lbrace, NewText: []byte("for " + head + " ")})
}
