package rwtiny

import (
	"go/token"
	"go/types"

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
	why, at = c.Visible()
	public := why != "" && len(c.Others) == 0 && c.Uses.LeftOut(c.Var) == ""
	if why != "" && !public {
		return nil, why, at
	}
	if public {
		// Who else takes the lock cannot reach what is read under it here.
		if v := c.reached(); v != nil {
			return nil, "other packages may take " + c.Var.Name() + " and write " + v.Name(), v.Pos()
		}
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
	if public {
		return edits, "", 0
	}
	more, why := c.Undeclare()
	if why != "" {
		return nil, why, c.Var.Pos()
	}
	return append(edits, more...), "", 0
}

// reached returns a field or variable read under the lock that others than the
// package may write, or nil.
func (c *check) reached() *types.Var {
	for _, s := range c.Sections {
		for v := range c.Does[s].Reads {
			if s.Shares(v) && (v.Pkg() != c.Pass.Pkg || c.Uses.Unseen(v) != "") {
				return v
			}
		}
	}
	return nil
}
