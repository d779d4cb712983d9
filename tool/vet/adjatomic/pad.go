package adjatomic

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"

	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// padFields puts room before each of the words but the first.
func (c *check) padFields(s layout.Struct, words []word) (edits []analysis.TextEdit, why string, at token.Pos) {
	room := map[*types.Var]int64{}
	for i, w := range words[1:] {
		room[w.v] = layout.Line - (w.at - words[i].at)
	}
	prev := s.Node.Fields.Opening
	for _, f := range s.Node.Fields.List {
		var padded []int
		for i, id := range f.Names {
			if v, ok := c.Info.Defs[id].(*types.Var); ok && room[v] > 0 {
				padded = append(padded, i)
			}
		}
		if len(f.Names) == 0 { // embedded
			for v := range room {
				if v.Embedded() && f.Type.Pos() <= v.Pos() && v.Pos() < f.Type.End() {
					edits = append(edits, c.before(f, prev, room[v]))
				}
			}
		}
		for _, i := range padded {
			n := room[c.Info.Defs[f.Names[i]].(*types.Var)]
			if i == 0 {
				edits = append(edits, c.before(f, prev, n))
				continue
			}
			if f.Tag != nil {
				return nil, "they share a tag", f.Pos()
			}
			// Names that are declared together part.
			edits = append(edits, analysis.TextEdit{
				Pos: f.Names[i-1].End(), End: f.Names[i].Pos(),
				NewText: fmt.Appendf(nil, " %s; _ [%d]byte; ", rewrite.Text(c.Fset, f.Type), n),
			})
		}
		prev = f.End()
	}
	return edits, "", 0
}

// before puts room before a field.
func (c *check) before(f *ast.Field, prev token.Pos, n int64) analysis.TextEdit {
	pos := f.Pos()
	if f.Doc != nil {
		pos = f.Doc.Pos()
	}
	if c.Fset.Position(prev).Line == c.Fset.Position(pos).Line {
		return rewrite.Insert(pos, fmt.Sprintf("_ [%d]byte; ", n))
	}
	return rewrite.Insert(pos, fmt.Sprintf("_ [%d]byte // keeps what follows off the cache line\n", n))
}

// padVariables gives all variables but the first room on both sides, as nobody
// knows their order.
func (c *check) padVariables(words []word) (edits []analysis.TextEdit, why string, at token.Pos) {
	for _, w := range words[1:] {
		named, ok := types.Unalias(w.v.Type()).(*types.Named)
		if !ok || named.TypeArgs().Len() > 0 {
			return nil, w.v.Name() + " is no atomic or lock of its own", w.v.Pos()
		}
		if why := c.Unseen(w.v); why != "" {
			return nil, why, w.v.Pos()
		}
		for _, use := range c.Of(w.v) {
			if c.Declares(use) {
				spec, ok := use.Parent().Node().(*ast.ValueSpec)
				if !ok || spec.Type == nil || len(spec.Values) > 0 {
					return nil, w.v.Name() + " is declared with a value", w.v.Pos()
				}
				typ := fmt.Sprintf("struct {\n\t_ [%d]byte // keeps others off the cache line\n\t%s\n\t_ [%d]byte\n}", layout.Line, rewrite.Text(c.Fset, spec.Type), layout.Line)
				i := slices.Index(spec.Names, use.Node().(*ast.Ident))
				switch {
				case len(spec.Names) == 1:
					edits = append(edits, rewrite.Replace(spec.Type, typ))
				case i == len(spec.Names)-1 && i == 1:
					// The first keeps its type.
					old := rewrite.Text(c.Fset, spec.Type)
					edits = append(edits,
						analysis.TextEdit{Pos: spec.Names[0].End(), End: spec.Names[1].Pos(), NewText: []byte(" " + old + "\nvar ")},
						rewrite.Replace(spec.Type, typ))
					if use.Parent().Parent().Node().(*ast.GenDecl).Lparen.IsValid() {
						edits[len(edits)-2].NewText = []byte(" " + old + "\n")
					}
				default:
					return nil, w.v.Name() + " is declared together with others", w.v.Pos()
				}
				continue
			}
			e := uses.Whole(use)
			if e.ParentEdgeKind() == edge.SelectorExpr_X && e.Parent().ParentEdgeKind() == edge.CallExpr_Fun {
				continue
			}
			if e.ParentEdgeKind() == edge.UnaryExpr_X {
				edits = append(edits, rewrite.Insert(e.Node().End(), "."+named.Obj().Name()))
				continue
			}
			return nil, w.v.Name() + " is used as a whole", use.Node().Pos()
		}
	}
	return edits, "", 0
}
