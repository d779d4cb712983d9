package adjatomic

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/room"
)

// padFields puts room before each of the words but the first.
func (c *check) padFields(s layout.Struct, words []word) (edits []analysis.TextEdit, why string, at token.Pos) {
	before := map[*types.Var]int64{}
	for i, w := range words[1:] {
		before[w.v] = layout.Line - (w.at - words[i].at)
	}
	return room.Between(c.Info, c.Fset, s.Node, before, true), "", token.NoPos
}

// padVariables gives all variables but the first room on both sides, and what is
// declared together with them, as nobody knows their order.
func (c *check) padVariables(words []word) (edits []analysis.TextEdit, why string, at token.Pos) {
	for i, w := range words[1:] {
		if slices.ContainsFunc(words[1:i+1], func(x word) bool { return types.Identical(w.v.Type(), x.v.Type()) }) {
			continue // with that one
		}
		m := &room.Move{Index: c.Index, Allow: func(v *types.Var) (string, token.Pos) { return c.Unseen(v), v.Pos() }}
		for _, x := range words[i+1:] {
			if types.Identical(x.v.Type(), w.v.Type()) {
				m.Join(x.v)
			}
		}
		if why, at := m.Find(); why != "" {
			return nil, why, at
		}
		inner := rewrite.Text(c.Fset, m.Type())
		field, embedded := "n", false
		switch e := m.Type().(type) {
		case *ast.SelectorExpr:
			field, embedded = e.Sel.Name, true
		case *ast.Ident:
			if _, basic := c.Info.TypeOf(e).(*types.Basic); !basic {
				field, embedded = e.Name, true
			}
		}
		if !embedded {
			inner = field + " " + inner
		}
		t := room.Type{Field: field, Embedded: embedded,
			Name: fmt.Sprintf("struct {\n\t_ [%d]byte // keeps others off the cache line\n\t%s\n\t_ [%d]byte\n}", layout.Line, inner, layout.Line)}
		edits = append(edits, room.Edits(m.Changes(c.Fset, t))...)
	}
	return edits, "", token.NoPos
}
