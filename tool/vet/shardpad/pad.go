package shardpad

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/room"
)

// pad returns the edits that give each shard of a table its cache line, or why
// there are none, and where the reason is.
func (c check) pad(t *table, tables []*table) (edits []analysis.TextEdit, why string, at token.Pos) {
	if _, ok := shard(t.elem); ok {
		return c.padStruct(t)
	}
	m, why, at := c.wrap(t)
	if why != "" {
		return nil, why, at
	}
	// Tables of one kind share the new type, so that their edits go together.
	for _, x := range tables {
		if types.Identical(x.elem, t.elem) {
			if _, why, _ := c.wrap(x); why == "" {
				return c.edits(t, m, x.at), "", 0
			}
		}
	}
	return c.edits(t, m, t.at), "", 0
}

// padStruct fills a struct type up at its end.
func (c check) padStruct(t *table) (edits []analysis.TextEdit, why string, at token.Pos) {
	st, ok := layout.Of(c.Index, t.elem)
	if !ok {
		return nil, "its type is declared elsewhere, or is generic", t.v.Pos()
	}
	if tooLarge(t) {
		return nil, room.Large, t.v.Pos()
	}
	return st.Fill(c.Index, c.Pkg, c.Fset, c.TypesSizes.Sizeof(t.elem))
}

// wrap finds what has to change for the elements of a table to get a type with
// room, or why they cannot.
func (c check) wrap(t *table) (m *room.Move, why string, at token.Pos) {
	switch elem := t.elem.(type) {
	case *types.Basic:
	case *types.Named:
		if p := elem.Obj().Pkg(); p == nil || p.Path() != "sync" && p.Path() != "sync/atomic" {
			return nil, "its elements are of a type of their own", t.v.Pos()
		}
	default:
		return nil, "its elements are of a type of their own", t.v.Pos()
	}
	m = room.Elements(c.Index, t.v)
	why, at = m.Find()
	return m, why, at
}

// edits declares the type before the declaration that home is in, and uses it.
func (c check) edits(t *table, m *room.Move, home inspector.Cursor) []analysis.TextEdit {
	of, edits := room.Declare(c.Pkg, home, t.elem, c.TypesSizes.Sizeof(t.elem))
	return append(edits, room.Edits(m.Changes(c.Fset, of))...)
}

// tooLarge reports whether the padded array is more than memory should bear.
func tooLarge(t *table) bool { return !t.pointer && room.TooLarge(t.v.Type()) }
