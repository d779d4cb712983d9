package deferloop

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds calls that are deferred in loops.
var Analyzer = shape.Analyzer("deferloop",
	"find calls that are deferred in each iteration of a loop\n\nThey pile up until the function returns.",
	find, uses.Analyzer)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	for c := range pass.ResultOf[uses.Analyzer].(*uses.Index).Root.Preorder((*ast.DeferStmt)(nil)) {
		l, ok := loop.Around(pass.TypesInfo, c)
		if !ok || leaves(c) {
			continue
		}
		d := c.Node().(*ast.DeferStmt)
		f := shape.Finding{
			Pos: d.Pos(), End: d.End(), Func: uses.Decl(c),
			Message: rewrite.Text(pass.Fset, d.Call.Fun) + " is deferred in each iteration: the calls pile up until the function returns",
			Causes:  []string{"work", "alloc", "lock"}, Hot: []shape.Range{shape.Of(l.Stmt)},
		}
		if edits, why := once(pass, c, l); why != nil {
			f.Refused = append(f.Refused, shape.Refusal{Name: "once", Why: why.Why, Pos: why.Pos})
		} else {
			f.Fixes = []shape.Fix{{Name: "once", Says: "defer once, and release there what the iterations took", Edits: edits}}
		}
		all = append(all, f)
	}
	return all, nil
}

// leaves reports whether the function is left when the defer has been reached: the
// list that it is in ends in a return, and nothing behind it goes on elsewhere.
func leaves(c inspector.Cursor) bool {
	if c.ParentEdgeKind() != edge.BlockStmt_List {
		return false
	}
	list := c.Parent().Node().(*ast.BlockStmt).List
	_, ok := list[len(list)-1].(*ast.ReturnStmt)
	for _, st := range list[c.ParentEdgeIndex()+1:] {
		ast.Inspect(st, func(n ast.Node) bool {
			b, is := n.(*ast.BranchStmt)
			ok = ok && (!is || b.Tok == token.BREAK)
			return ok
		})
	}
	return ok
}

// once are the edits by which the iterations note the locks that they take, and
// one deferred function releases them, the last one first, as the calls would have.
func once(pass *analysis.Pass, c inspector.Cursor, in loop.Loop) ([]analysis.TextEdit, *shape.Refusal) {
	info, d, file := pass.TypesInfo, c.Node().(*ast.DeferStmt), rewrite.File(pass, c.Node().Pos())
	lock := ""
	if fn := typeutil.StaticCallee(info, d.Call); fn != nil {
		switch fn.FullName() {
		case "(*sync.Mutex).Unlock":
			lock = "Mutex"
		case "(*sync.RWMutex).Unlock", "(*sync.RWMutex).RUnlock":
			lock = "RWMutex"
		}
	}
	sel, ok := ast.Unparen(d.Call.Fun).(*ast.SelectorExpr)
	if lock == "" || !ok {
		return nil, shape.No(d, "what is deferred is no method of a lock, and may panic while others wait for their turn")
	}
	if s := info.Selections[sel]; s == nil || len(s.Index()) > 1 || !uses.Is(uses.Deref(info.TypeOf(sel.X)), "sync", lock) {
		return nil, shape.No(sel, "the lock has no name of its own")
	}
	out := in
	for up, ok := in, true; ok; up, ok = loop.Around(info, up.At) {
		out = up
	}
	before, why := out.Before()
	if why != "" {
		return nil, shape.No(out.Stmt, why)
	}
	for other := range out.At.Preorder((*ast.DeferStmt)(nil)) {
		if other != c && loop.Func(other) == loop.Func(c) {
			return nil, shape.No(other.Node(), "another call is deferred in between")
		}
	}
	if rewrite.Comments(file, d) || !rewrite.Universal(pass.Pkg, d.Pos(), "append") || !rewrite.Universal(pass.Pkg, before, "len", "make") {
		return nil, shape.No(d, "a comment stands in it, or a predeclared name means something else")
	}
	pkg, edits := rewrite.Import(pass.Pkg, file, "sync", before)
	held, i := rewrite.Fresh(pass.Pkg, loop.Func(c), "held"), rewrite.Fresh(pass.Pkg, loop.Func(c), "i")
	text := func(n ast.Node) string { return rewrite.Text(pass.Fset, n) }
	decl := fmt.Sprintf("var %s []*%s.%s", held, pkg, lock)
	if count, _, known := in.Count(text); known && out.Stmt == in.Stmt && strings.HasPrefix(count, "len(") {
		decl = fmt.Sprintf("%s := make([]*%s.%s, 0, %s)", held, pkg, lock, count)
	}
	what := text(sel.X)
	if uses.Is(info.TypeOf(sel.X), "sync", lock) {
		what = "&" + what
	}
	return append(edits,
		rewrite.Insert(before, fmt.Sprintf("%s\ndefer func() {\nfor %s := len(%s) - 1; %s >= 0; %s-- {\n%s[%s].%s()\n}\n}()\n", decl, i, held, i, i, held, i, sel.Sel.Name)),
		rewrite.Replace(d, fmt.Sprintf("%s = append(%s, %s)", held, held, what))), nil
}
