package rwtiny

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/guard"
	"github.com/gopayoff/payoff/tool/vet/section"
)

// drop takes away a lock under which nothing is ever written: what it guards is
// written without it, before others read.
func (c *check) drop() (edits []analysis.TextEdit, why string, at token.Pos) {
	if len(c.Guarded) > 0 {
		return nil, guard.NotMeant, 0
	}
	why, at = c.Visible()
	public := why != "" && len(c.Others) == 0 && c.Uses.LeftOut(c.Var) == ""
	if why != "" && !public {
		return nil, why, at
	}
	for _, s := range c.Sections {
		e := c.Does[s]
		if len(e.Indirect)+len(e.Unknown)+len(e.Calls)+len(e.Waits) > 0 || c.Flow(s).First(guard.Waits) != nil || len(s.Stmts) == 0 {
			return nil, "what is done under the lock may need it, or others may wait for that", s.Enter.Node().Pos()
		}
		if x := c.Hidden(s); x != nil {
			return nil, "it writes through a pointer under the lock", x.Pos()
		}
		if v := c.reached(s); public && v != nil {
			return nil, "other packages may take " + c.Var.Name() + " and write " + v.Name(), v.Pos()
		}
		edits = append(edits, c.Unlocked(s)...)
	}
	if public {
		return edits, "", 0 // others take it for what is theirs
	}
	more, why := guard.Undeclare(c.Pass, c.Uses, c.Var)
	return append(edits, more...), why, c.Var.Pos()
}

// reached returns a field or variable read in a section that other packages may
// write, or nil.
func (c *check) reached(s *section.Section) *types.Var {
	for v := range c.Does[s].Reads {
		if s.Shares(v) && (v.Pkg() != c.Pass.Pkg || c.Uses.Unseen(v) != "") {
			return v
		}
	}
	return nil
}
