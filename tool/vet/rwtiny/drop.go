package rwtiny

import (
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/guard"
	"github.com/gopayoff/payoff/tool/vet/section"
)

// drop takes away a lock under which nothing is ever written: whoever writes
// what it guards does so without it, before others read.
func (c *check) drop(*section.Section) (edits []analysis.TextEdit, why string, at token.Pos) {
	if len(c.Guarded) > 0 {
		return nil, guard.NotMeant, 0
	}
	if why, at := c.Visible(); why != "" {
		return nil, why, at
	}
	for _, s := range c.Sections {
		e := c.Does[s]
		switch {
		case len(e.Indirect) > 0:
			return nil, "something is written through a pointer under the lock", e.Indirect[0].Pos()
		case len(e.Unknown) > 0:
			return nil, "nobody knows what is written under the lock by a call", e.Unknown[0].Pos()
		case len(e.Calls) > 0:
			return nil, "calls under the lock may need their order", e.Calls[0].Pos()
		case len(e.Waits) > 0:
			return nil, "a reader waits while it holds the lock", e.Waits[0].Pos()
		case len(s.Stmts) == 0:
			return nil, "somebody takes the lock only to wait for others", s.Enter.Node().Pos()
		}
	}
	for _, s := range c.Sections {
		edits = append(edits, c.Unlocked(s)...)
	}
	more, why := c.Undeclare()
	if why != "" {
		return nil, why, c.Var.Pos()
	}
	return append(edits, more...), "", 0
}
