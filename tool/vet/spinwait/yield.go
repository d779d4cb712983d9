package spinwait

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
)

// yield has each loop that asks a word let others run after each time: on a processor of
// its own it asks less often, and on one that others need they come to set the word. It
// returns none where a loop lets them run, or sleeps.
func (c *check) yield(w *word) (edits []analysis.TextEdit) {
	for _, s := range w.spins {
		loop := s.Node().(*ast.ForStmt)
		if c.pauses(loop) || goesOn(loop) {
			return nil
		}
		if n := len(loop.Body.List); n > 0 {
			switch loop.Body.List[n-1].(type) {
			case *ast.BranchStmt, *ast.ReturnStmt:
				return nil // nothing comes after it
			}
		}
		runtime, imports := rewrite.Import(c.pass.Pkg, rewrite.File(c.pass, loop.Pos()), "runtime", loop.Body.Rbrace)
		text := runtime + ".Gosched()\n"
		if line := c.pass.Fset.File(loop.Pos()).Line; line(loop.Body.Lbrace) == line(loop.Body.Rbrace) {
			text = "\n" + text
		}
		edits = append(append(edits, imports...), rewrite.Insert(loop.Body.Rbrace, text))
	}
	return edits
}

// pauses reports whether a loop calls anything but operations of atomic words.
func (c *check) pauses(loop *ast.ForStmt) (found bool) {
	ast.Inspect(loop, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !c.info.Types[call.Fun].IsType() {
			_, atomic := c.op(call)
			found = found || !atomic
		}
		return !found
	})
	return found
}

// goesOn reports whether the body of a loop has a continue, behind which nothing follows.
func goesOn(loop *ast.ForStmt) (found bool) {
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			found = found || n.Tok == token.CONTINUE
		}
		return !found
	})
	return found
}
