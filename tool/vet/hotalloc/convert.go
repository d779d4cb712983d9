package hotalloc

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// convert looks at w.Write([]byte(s)) and append(b, []byte(s)...).
func (s *search) convert(c inspector.Cursor, conv *ast.CallExpr) {
	info := s.pass.TypesInfo
	bytes := types.NewSlice(types.Typ[types.Byte])
	if c.ParentEdgeKind() != edge.CallExpr_Args || len(conv.Args) != 1 || !info.Types[conv.Fun].IsType() ||
		!types.Identical(info.TypeOf(conv), bytes) || !types.Identical(info.TypeOf(conv.Args[0]), types.Typ[types.String]) {
		return
	}
	call, x := c.Parent().Node().(*ast.CallExpr), conv.Args[0]
	bare := []analysis.TextEdit{{Pos: conv.Pos(), End: x.Pos()}, {Pos: x.End(), End: conv.End()}}
	fix := shape.Fix{Name: "direct", Says: "pass the string itself", Edits: bare}
	if loop.Builtin(info, call) != "append" || !call.Ellipsis.IsValid() || c.ParentEdgeIndex() != 1 || !types.Identical(info.TypeOf(call), bytes) {
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return
		}
		fn, ok := info.Uses[sel.Sel].(*types.Func)
		if !ok || fn.Name() != "Write" || !contract(fn) {
			return
		}
		l, looped := loop.Around(info, c)
		switch t := uses.Deref(info.TypeOf(sel.X)); {
		case uses.Is(t, "bytes", "Buffer"), uses.Is(t, "strings", "Builder"), uses.Is(t, "bufio", "Writer"), uses.Is(t, "os", "File"):
			fix.Edits = append(bare, rewrite.Replace(sel.Sel, "WriteString"))
		case looped && l.Invariant(x):
			before, why := ahead(l)
			if why != nil {
				return
			}
			name := s.fresh(loop.Func(l.At), "data")
			fix = shape.Fix{Name: "hoist", Says: "convert it once before the loop", Edits: []analysis.TextEdit{
				rewrite.Insert(before, name+" := "+s.text(conv)+"\n"), rewrite.Replace(conv, name),
			}}
		default:
			return
		}
	}
	if !s.comments(c, call) {
		s.add(s.finding(c, uses.Around(c), s.text(conv)+" copies what is only read"), fix, nil)
	}
}
