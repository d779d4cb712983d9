package benchvet

import (
	"go/ast"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// unjoined finds goroutines that a loop starts and nothing waits for.
func (x *bench) unjoined() (all []shape.Finding) {
	for _, l := range x.loops {
		for _, s := range l.body.List {
			g, ok := s.(*ast.GoStmt)
			// Nothing can wait for what tells nothing of its end.
			if !ok || flow.Of(x.pass).Call(g.Call).First(flow.Changes&^(flow.Write|flow.Spawn)) != nil {
				continue
			}
			f := shape.Finding{
				Pos: g.Pos(), End: g.End(),
				Message: "nothing waits for this goroutine: the clock stops before its work is done, and later operations run beside it",
				Causes:  own, Hot: []shape.Range{shape.Of(l.stmt)}, Sure: true,
			}
			offer(&f, "join", "", "what has to wait for them, and where, is for the author to say")
			all = append(all, f)
		}
	}
	return all
}

// early finds goroutines that do the work of a benchmark, and that begin before its clock
// does. Those that wait for a signal to begin are none.
func (x *bench) early() (all []shape.Finding) {
	start := x.calls(x.body, "StartTimer", "ResetTimer")
	if start == nil || len(x.loops) > 0 {
		return nil
	}
	shares := false // a part of b.N
	for n := range ast.Preorder(x.body) {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			shares = shares || x.isN(n)
		case *ast.GoStmt:
			if !shares || n.Pos() > start.Pos() || flow.Of(x.pass).Call(n.Call).First(flow.Receive|flow.Wait) != nil {
				continue
			}
			f := shape.Finding{
				Pos: n.Pos(), End: n.End(),
				Message: "this goroutine begins before the clock does: what it has done by then is measured as if it took no time",
				Causes:  own, Hot: []shape.Range{shape.Of(x.body)}, Sure: true,
			}
			offer(&f, "late", "", "move b."+x.method(start)+" above it")
			all = append(all, f)
		}
	}
	return all
}
