package selectspin

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/shape"
)

// Analyzer finds loops around a select that never waits.
var Analyzer = shape.Analyzer("selectspin", `find loops that look at channels and never wait

A loop around a select whose default case does nothing keeps a processor busy
until another goroutine is ready.`, find)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	for _, file := range pass.Files {
		for _, d := range file.Decls {
			decl, _ := d.(*ast.FuncDecl)
			ast.Inspect(d, func(n ast.Node) bool {
				loop, ok := n.(*ast.ForStmt)
				if !ok || len(loop.Body.List) != 1 {
					return true
				}
				sel, ok := loop.Body.List[0].(*ast.SelectStmt)
				if !ok {
					return true
				}
				idle := idleDefault(pass.TypesInfo, sel)
				if idle == nil || len(sel.Body.List) < 2 {
					return true
				}
				f := shape.Finding{
					Pos: idle.Pos(), End: idle.Colon + 1, Func: decl,
					Message: "the select never waits: a processor looks at the channels until another goroutine is ready, which may need that processor",
					Causes:  []string{"work", "select", "handoff", "oversubscription", "serial"}, Hot: []shape.Range{shape.Of(loop)},
				}
				if r := refuse(pass.TypesInfo, loop, sel); r.Why != "" {
					f.Refused = append(f.Refused, r)
				} else {
					f.Fixes = append(f.Fixes, shape.Fix{Name: "block", Says: "wait: take the default case away", Edits: []analysis.TextEdit{without(pass.Fset, sel, idle)}})
				}
				all = append(all, f)
				return true
			})
		}
	}
	return all, nil
}

// idleDefault is the default case of a select that does nothing, or nil.
func idleDefault(info *types.Info, sel *ast.SelectStmt) *ast.CommClause {
	for _, s := range sel.Body.List {
		c := s.(*ast.CommClause)
		if c.Comm != nil {
			continue
		}
		for _, s := range c.Body {
			switch s := s.(type) {
			case *ast.BranchStmt:
				if s.Tok != token.CONTINUE || s.Label != nil {
					return nil
				}
			case *ast.ExprStmt:
				call, ok := s.X.(*ast.CallExpr)
				if !ok || !calls(info, call, "runtime.Gosched") {
					return nil
				}
			default:
				return nil
			}
		}
		return c
	}
	return nil
}

// calls reports whether a call is of the function or method with the name.
func calls(info *types.Info, call *ast.CallExpr, name string) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	fn, ok := info.Uses[sel.Sel].(*types.Func)
	return ok && fn.FullName() == name
}

// refuse says why the loop cannot wait; Why is "" if it can.
func refuse(info *types.Info, loop *ast.ForStmt, sel *ast.SelectStmt) shape.Refusal {
	if at := loop.Cond; at != nil {
		return shape.Refusal{Name: "block", Why: "who waits does not look at the condition of the loop", Pos: at.Pos()}
	}
	if at := loop.Post; at != nil {
		return shape.Refusal{Name: "block", Why: "who waits does not take the step of the loop", Pos: at.Pos()}
	}
	r := shape.Refusal{Name: "block"}
	for _, s := range sel.Body.List {
		c := s.(*ast.CommClause)
		if c.Comm == nil {
			continue
		}
		ast.Inspect(c.Comm, func(n ast.Node) bool {
			// Done of a context is the same channel each time.
			if call, ok := n.(*ast.CallExpr); ok && !calls(info, call, "(context.Context).Done") && r.Why == "" {
				r.Why, r.Pos = "a case calls something anew each time", call.Pos()
			}
			return r.Why == ""
		})
	}
	return r
}

// without takes a case away, with its line.
func without(fset *token.FileSet, sel *ast.SelectStmt, c *ast.CommClause) analysis.TextEdit {
	file := fset.File(c.Pos())
	end := sel.Body.Rbrace
	for _, s := range sel.Body.List {
		if s.Pos() > c.Pos() && s.Pos() < end {
			end = s.Pos()
		}
	}
	line := func(p token.Pos) token.Pos { return file.LineStart(file.PositionFor(p, false).Line) }
	if line(end) == line(c.Pos()) { // all on one line
		return analysis.TextEdit{Pos: c.Pos(), End: end}
	}
	return analysis.TextEdit{Pos: line(c.Pos()), End: line(end)}
}
