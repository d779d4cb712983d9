package rwtiny

import (
	"go/token"
	"go/types"

	"github.com/gopayoff/payoff/tool/vet/guard"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// drop takes away a lock under which nothing is ever written: what it guards is
// written without it, before others read.
func (c *check) drop() (fix shape.Fix, why string, at token.Pos) {
	fix = shape.Fix{Name: "drop", Says: "read without the lock: nothing is written under it"}
	if len(c.Guarded) > 0 {
		return fix, guard.NotMeant, 0
	}
	why, at = c.Visible()
	public := why != "" && len(c.Others) == 0 && c.Uses.LeftOut(c.Var) == ""
	if why != "" && !public {
		return fix, why, at
	}
	for _, s := range c.Sections {
		e := c.Does[s]
		if len(e.Indirect)+len(e.Unknown)+len(e.Calls)+len(e.Waits) > 0 || c.Flow(s).First(guard.Waits) != nil || len(s.Stmts) == 0 {
			return fix, "what is done under the lock may need it, or others may wait for that", s.Enter.Node().Pos()
		}
		if x := c.Hidden(s); x != nil {
			return fix, "it writes through a pointer under the lock", x.Pos()
		}
		if v := c.reached(s); public && v != nil {
			return fix, "other packages may take " + c.Var.Name() + " and write " + v.Name(), v.Pos()
		}
		fix.Edits = append(fix.Edits, c.Unlocked(s)...)
	}
	if public {
		return fix, "", 0 // others take it for what is theirs
	}
	more, why := guard.Undeclare(c.Pass, c.Uses, c.Var)
	fix.Edits = append(fix.Edits, more...)
	return fix, why, c.Var.Pos()
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
