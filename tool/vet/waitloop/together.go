package waitloop

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/atonce"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// together makes the calls that wait in goroutines of their own, and then goes
// through what they returned in the order of the loop.
func (w *wait) together(f *shape.Finding) {
	no := w.one()
	for _, says := range []func() *shape.Refusal{w.head, w.apart} {
		if no == nil {
			no = says()
		}
	}
	if no == nil {
		f.Fixes, no = w.write()
	}
	if no != nil {
		no.Name = "together"
		f.Refused = append(f.Refused, *no)
	}
}

// one says why the loop does not always go on with the one result of one
// call that waits.
func (w *wait) one() *shape.Refusal {
	if len(w.calls) > 1 {
		return shape.No(w.calls[1], "an iteration waits in several places")
	}
	call := w.calls[0]
	for _, l := range rewrite.Leaves(w.info, w.body, false) {
		if l.How != "panic" && (l.How != "continue" || l.Pos < call.Pos()) {
			return &shape.Refusal{Why: "the loop ends early, by " + l.How, Pos: l.Pos}
		}
	}
	c, ok := w.Find(call)
	for ; ok && c.Parent().Node() != ast.Node(w.body); c = c.Parent() {
		switch up := c.Parent().Node().(type) {
		case *ast.BinaryExpr:
			ok = up.Op != token.LAND && up.Op != token.LOR
		case *ast.IfStmt:
			ok = c.ParentEdgeKind() == edge.IfStmt_Init || c.ParentEdgeKind() == edge.IfStmt_Cond
		case ast.Expr, *ast.AssignStmt, *ast.ExprStmt, *ast.SendStmt, *ast.DeclStmt, *ast.GenDecl, *ast.ValueSpec:
		default:
			ok = false
		}
	}
	if !ok {
		return shape.No(call, "not every iteration makes the call")
	}
	return nil
}

// head says why the head of the loop, and what the call is given, is not known
// before the loop.
func (w *wait) head() *shape.Refusal {
	for _, e := range []ast.Expr{w.calls[0], w.Lo, w.Hi, w.Over} {
		if e == nil {
			continue
		}
		if v := w.depends(e); v != nil {
			return shape.No(e, "it depends on "+v.Name()+", which an iteration computes")
		}
		if e != w.calls[0] && (inline.Calls(e, w.info) || inline.Receives(e)) {
			return shape.No(e, "the range is the result of a call, or received")
		}
	}
	for _, id := range []*ast.Ident{w.Key, w.Value} {
		if id == nil {
			continue
		}
		if v := loop.Var(w.info, id); len(loop.Writes(w.info, w.body, v)) > 0 || w.again(id) {
			return shape.No(id, "the loop changes "+id.Name)
		}
	}
	if w.Lo != nil && w.again(w.Lo) { // the rest counts from it
		return shape.No(w.Lo, "the loop declares what it counts from anew")
	}
	if !uses.Listed(w.at) {
		return shape.No(w.loop, "the loop has a label")
	}
	return nil
}

// again reports whether the loop declares a name of an expression anew.
func (w *wait) again(e ast.Expr) (found bool) {
	names := map[string]bool{}
	ast.Inspect(w.body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && w.info.Defs[id] != nil {
			names[id.Name] = true
		}
		return true
	})
	return uses.Any(e, func(id *ast.Ident) bool { return names[id.Name] })
}

// apart says why the calls cannot be made before the rest of the loop, each in a
// goroutine of its own. What the calls look at by pointers is left to the condition of
// the edit.
func (w *wait) apart() *shape.Refusal {
	call := &atonce.Code{Own: w.calls[0]}
	w.r.Read(call, w.calls[0])
	for _, looks := range []map[*types.Var]bool{call.Here, call.Behind} {
		for v := range looks {
			if ws := loop.Writes(w.info, w.body, v); len(ws) > 0 {
				return shape.No(ws[0].Node, "the call looks at "+v.Name()+", which the loop changes")
			}
		}
	}
	rest := &atonce.Code{Own: w.loop, Skip: w.calls[0], Write: func(ast.Expr, ast.Node) bool { return true }}
	if b := w.r.Read(rest, w.body); b != nil {
		return shape.No(b.At, "the loop "+b.Why+" beside the call")
	}
	if at := spawn.Goexits(w.Pass, w.calls[0]); at != nil {
		return shape.No(at, "the call may end its goroutine")
	}
	for up := w.s; up != nil; up = up.Up {
		if up.Body == nil {
			continue
		}
		if at := spawn.Recovers(w.Pass, up.Body); at != nil {
			return shape.No(at, "the goroutine stops panics")
		}
	}
	return nil
}

// write makes the edits.
func (w *wait) write() (fixes []shape.Fix, no *shape.Refusal) {
	call, file := w.calls[0], rewrite.File(w.Pass, w.loop.Pos())
	elem, ok := rewrite.Type(w.Pass.Pkg, file, w.loop.Pos(), w.info.TypeOf(call))
	if !ok || !rewrite.Since(w.Pass, file, "go1.22") || !rewrite.Universal(w.Pass.Pkg, w.loop.Pos(), "max") {
		return nil, shape.No(call, "it cannot be written here: it returns several values or what has no name here, or the file's version of Go is before 1.22")
	}
	text := func(n ast.Node) string { return rewrite.Text(w.Pass.Fset, n) }
	decl := uses.Decl(w.at)
	answers, slots, group := w.Name(decl, w.loop, "answers"), w.Name(decl, w.loop, "slots"), w.Name(decl, w.loop, "calls")
	key := rewrite.Fresh(w.Pass.Pkg, w.loop, "i")
	if w.Key != nil {
		key = w.Key.Name
	}
	answer, count := fmt.Sprintf("%s[%s]", answers, key), ""
	switch {
	case w.Over != nil:
		count = "len(" + text(w.Over) + ")"
	case w.Lo != nil:
		lo := text(w.Lo)
		if loop.Var(w.info, w.Lo) == nil {
			lo = "(" + lo + ")"
		}
		answer = fmt.Sprintf("%s[%s-%s]", answers, key, lo)
		count = fmt.Sprintf("max(0, %s-%s)", text(w.Hi), lo)
	default:
		count = "max(0, " + text(w.Hi) + ")"
	}
	made, err := inline.Source(w.Pass, call.Pos(), call.End(), nil)
	rest, err2 := inline.Source(w.Pass, w.body.Lbrace, w.body.Rbrace+1, []analysis.TextEdit{rewrite.Replace(call, answer)})
	if err != nil || err2 != nil {
		return nil, shape.No(call, "the source cannot be read")
	}
	head := func(value bool) string {
		switch r, ok := w.loop.(*ast.RangeStmt); {
		case !ok:
			h, _ := inline.Source(w.Pass, w.loop.Pos(), w.body.Lbrace, nil)
			return h
		case value:
			return fmt.Sprintf("for %s, %s := range %s ", key, w.Value.Name, text(r.X))
		default:
			return fmt.Sprintf("for %s := range %s ", key, text(r.X))
		}
	}
	// used reports whether the call, or what is not the call, has the loop's value.
	used := func(inCall bool) bool {
		return w.Value != nil && slices.ContainsFunc(w.Uses.Of(loop.Var(w.info, w.Value)), func(use inspector.Cursor) bool {
			return !w.Uses.Declares(use) && spawn.Within(call, use.Node()) == inCall
		})
	}
	for _, n := range []int{16, 64} {
		sync, edits := rewrite.Import(w.Pass.Pkg, file, "sync", w.loop.Pos())
		start := inline.Start(w.info, file, group, fmt.Sprintf("%s = %s\n<-%s", answer, made, slots))
		text := fmt.Sprintf("%s := make([]%s, %s)\n%s := make(chan struct{}, %d) // as many calls at once\nvar %s %s.WaitGroup\n%s{\n%s <- struct{}{}\n%s\n}\n%s.Wait()\n%s%s",
			answers, elem, count, slots, n, group, sync, head(used(true)), slots, start, group, head(used(false)), rest)
		fixes = append(fixes, shape.Fix{
			Name: "together", Value: n,
			Says:  fmt.Sprintf("make up to %d of the calls at once, and go through the answers in their order", n),
			Holds: "no call looks at what the loop does with what others returned",
			Edits: append(edits, rewrite.Replace(w.loop, text)),
		})
	}
	return fixes, nil
}
