// Package room makes the edits that move variables apart. Fields get room between
// them, variables and the elements of slices and arrays a type with room.
//
// It sees one package. Whether code relies on what lies where in a struct is for
// package layout to say, and whether room pays for a trial. To find what has to
// change for a variable costs a look at each of its uses.
package room

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
)

// A Type is a type with room around a T, as the changed code has it.
type Type struct {
	Name     string
	Generic  bool   // it is Name[T]
	Field    string // has the T
	Embedded bool   // selectors of a T need not name Field
	Make     string // a generic function that makes one of a T; "": there is none
}

// A Change is a text for a stretch of the source.
type Change struct {
	From, To      token.Pos
	Before, After string // of it; a Selector has no Before
	Replace       bool   // Before stands in its place
	Selector      bool   // After binds closer than what is put around what ends there
}

// Changes returns what gives all that moves the type t.
func (m *Move) Changes(fset *token.FileSet, t Type) (all []Change) {
	for _, e := range m.types {
		all = append(all, t.at(e))
	}
	for _, at := range m.stand {
		if !t.Embedded || !selected(at) {
			all = append(all, Change{From: at.Node().End(), To: at.Node().End(), After: "." + t.Field, Selector: true})
		}
	}
	for _, e := range m.elements {
		all = append(all, Change{From: e.Pos(), To: e.End(), Before: "{" + t.Field + ": ", After: "}"})
	}
	for _, v := range m.values {
		of := ""
		if v.typ != nil {
			of = "[" + rewrite.Text(fset, v.typ) + "]"
		}
		all = append(all, Change{From: v.expr.Pos(), To: v.expr.End(), Before: t.Make + of + "(", After: ")"})
	}
	return all
}

// at puts the type where a T is written.
func (t Type) at(e ast.Expr) Change {
	if t.Generic {
		return Change{From: e.Pos(), To: e.End(), Before: t.Name + "[", After: "]"}
	}
	return Change{From: e.Pos(), To: e.End(), Before: t.Name, Replace: true}
}

// Edits are changes as checks have them.
func Edits(changes []Change) (edits []analysis.TextEdit) {
	for _, c := range changes { // selectors come before what closes at the same place: Changes orders them
		if c.Replace {
			edits = append(edits, analysis.TextEdit{Pos: c.From, End: c.To, NewText: []byte(c.Before)})
			continue
		}
		if c.Before != "" {
			edits = append(edits, rewrite.Insert(c.From, c.Before))
		}
		if c.After != "" {
			edits = append(edits, rewrite.Insert(c.To, c.After))
		}
	}
	return edits
}

// selected reports whether an expression is what a selector selects from.
func selected(at inspector.Cursor) bool {
	sel, ok := at.Parent().Node().(*ast.SelectorExpr)
	return ok && sel.X == at.Node()
}

// Between puts room before fields of a struct: as many bytes as before says. Where
// a field stands on a line of its own, so does the room, if lines may be added.
func Between(info *types.Info, fset *token.FileSet, st *ast.StructType, before map[*types.Var]int64, lines bool) (edits []analysis.TextEdit) {
	prev := st.Fields.Opening
	for _, f := range st.Fields.List {
		for i, id := range f.Names {
			v, _ := info.Defs[id].(*types.Var)
			switch n := before[v]; {
			case n == 0:
			case i == 0:
				edits = append(edits, ahead(fset, f, prev, n, lines))
			default: // names that are declared together part, each with the tag
				text := rewrite.Text(fset, f.Type)
				if f.Tag != nil {
					text += " " + f.Tag.Value
				}
				edits = append(edits, analysis.TextEdit{Pos: f.Names[i-1].End(), End: id.Pos(), NewText: fmt.Appendf(nil, " %s; _ [%d]byte; ", text, n)})
			}
		}
		if len(f.Names) == 0 { // embedded
			for v, n := range before {
				if n > 0 && v.Embedded() && f.Type.Pos() <= v.Pos() && v.Pos() < f.Type.End() {
					edits = append(edits, ahead(fset, f, prev, n, lines))
				}
			}
		}
		prev = f.End()
	}
	return edits
}

// ahead puts room before a field that follows prev.
func ahead(fset *token.FileSet, f *ast.Field, prev token.Pos, n int64, lines bool) analysis.TextEdit {
	pos := f.Pos()
	if f.Doc != nil {
		pos = f.Doc.Pos()
	}
	if !lines || fset.Position(prev).Line == fset.Position(pos).Line {
		return rewrite.Insert(f.Pos(), fmt.Sprintf("_ [%d]byte; ", n))
	}
	return rewrite.Insert(pos, fmt.Sprintf("_ [%d]byte // keeps what follows off the cache line\n", n))
}
