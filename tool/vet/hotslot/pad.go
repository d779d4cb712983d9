package hotslot

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/local"
)

// padded reports whether room can be put into slots of a type: it is a struct of the
// package.
func (c *check) padded(elem types.Type) bool {
	_, ok := layout.Of(c.Uses, elem)
	return ok && layout.Sized(elem)
}

// pads fills the structs that the slots of a loop are in up to a cache line, or says
// why not.
func (c *check) pads(l *local.Loop, slots []*local.Place) (edits []analysis.TextEdit, why string, at token.Pos) {
	seen := map[string]bool{}
	for _, p := range slots {
		elem := element(l.Site, p)
		if what := elem.String(); !seen[what] {
			seen[what] = true
			st, _ := layout.Of(c.Uses, elem)
			more, why, at := st.Fill(c.Uses, c.Pass.Pkg, c.Pass.Fset, c.Pass.TypesSizes.Sizeof(elem))
			if why != "" {
				return nil, why, at
			}
			edits = append(edits, more...)
		}
	}
	return edits, "", 0
}
