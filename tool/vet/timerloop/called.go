package timerloop

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// called returns the finding of a call in a loop whose function makes a timer each
// time, itself or in what it calls. It is found where the timer is made if that is
// in a loop of its own; a benchmark's loop is none of the code's.
func called(pass *analysis.Pass, c inspector.Cursor, call *ast.CallExpr) (f shape.Finding, ok bool) {
	l, ok := loop.Around(pass.TypesInfo, c)
	if !ok || strings.HasSuffix(pass.Fset.File(call.Pos()).Name(), "_test.go") {
		return f, false
	}
	for _, e := range flow.Of(pass).Call(call) {
		if e.Kind != flow.Spawn || e.Often || e.Apart || e.Back {
			continue
		}
		switch e.Name {
		case "time.After", "time.Tick", "time.NewTimer":
			f = shape.Finding{
				Pos: call.Pos(), End: call.End(), Func: uses.Decl(c),
				Message: rewrite.Text(pass.Fset, call.Fun) + " calls " + e.Name + ", which makes a timer and a channel in each iteration",
				Causes:  []string{"timer", "alloc", "select"}, Hot: []shape.Range{shape.Of(l.Stmt)},
				Refused: []shape.Refusal{{Name: "reuse", Why: "the timer is made in a function that may be called elsewhere", Pos: e.From()}},
			}
			return f, true
		}
	}
	return f, false
}
