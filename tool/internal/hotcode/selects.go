package hotcode

import (
	"go/ast"
	"go/token"

	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// selects counts the cases of the selects on hot lines.
func (f *Files) selects(set *evidence.Set) (out []evidence.Select) {
	for _, l := range set.CPU.Lines {
		if l.By[stack.Select] < 0.01 {
			continue
		}
		found, best := f.of(l.File).selects, -1
		for i, s := range found { // the innermost
			if s.from <= l.Line && l.Line <= s.to && (best < 0 || s.to-s.from < found[best].to-found[best].from) {
				best = i
			}
		}
		if best >= 0 {
			out = append(out, evidence.Select{Place: source.Place{File: l.File, Line: l.Line}, Cases: found[best].cases})
		}
	}
	return out
}

// selecting is a select from one line to another.
type selecting struct{ from, to, cases int }

// selectsOf are those of a file.
func selectsOf(fset *token.FileSet, file *ast.File) (out []selecting) {
	add := func(n ast.Node, cases int) {
		out = append(out, selecting{fset.Position(n.Pos()).Line, fset.Position(n.End()).Line, cases})
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectStmt:
			cases := 0
			for _, c := range n.Body.List {
				if c.(*ast.CommClause).Comm != nil { // not the default
					cases++
				}
			}
			add(n, cases)
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Select" {
				if x, ok := f.X.(*ast.Ident); ok && x.Name == "reflect" {
					add(n, 0)
				}
			}
		}
		return true
	})
	return out
}
