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
