package deferloop

import (
	"fmt"
	"go/ast"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// listed are the edits by which the iterations note the locks that they take, and
// one deferred function releases them, the last one first, as the calls would have.
func listed(pass *analysis.Pass, c inspector.Cursor, in loop.Loop) ([]analysis.TextEdit, *shape.Refusal) {
	info := pass.TypesInfo
	d := c.Node().(*ast.DeferStmt)
	fn := typeutil.StaticCallee(info, d.Call)
	lock := ""
	if fn != nil {
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
	if !uses.Listed(out.Whole()) {
		return nil, shape.No(out.Stmt, "the loop is not a statement of a list")
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
	file := rewrite.File(pass, d.Pos())
	if rewrite.Comments(file, d) {
		return nil, shape.No(d, "a comment stands in it")
	}
	for _, name := range []string{"len", "append", "make"} {
		if _, o := pass.Pkg.Scope().Innermost(d.Pos()).LookupParent(name, d.Pos()); o == nil || o.Pkg() != nil {
			return nil, shape.No(d, name+" means something else here")
		}
	}
	pkg, edits := rewrite.Import(pass.Pkg, file, "sync", before)
	node := loop.Func(c)
	held := rewrite.Fresh(pass.Pkg, node, "held")
	decl := fmt.Sprintf("var %s []*%s.%s", held, pkg, lock)
	text := func(n ast.Node) string { return rewrite.Text(pass.Fset, n) }
	if count, _, known := in.Count(text); known && out.Stmt == in.Stmt && strings.HasPrefix(count, "len(") && c.Parent().Node() == in.Body {
		decl = fmt.Sprintf("%s := make([]*%s.%s, 0, %s)", held, pkg, lock, count)
	}
	i := rewrite.Fresh(pass.Pkg, node, "i")
	what := text(sel.X)
	if uses.Is(info.TypeOf(sel.X), "sync", lock) {
		what = "&" + what
	}
	return append(edits,
		rewrite.Insert(before, fmt.Sprintf("%s\ndefer func() {\nfor %s := len(%s) - 1; %s >= 0; %s-- {\n%s[%s].%s()\n}\n}()\n", decl, i, held, i, i, held, i, sel.Sel.Name)),
		rewrite.Replace(d, fmt.Sprintf("%s = append(%s, %s)", held, held, what))), nil
}
