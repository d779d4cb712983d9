package hotalloc

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// argument looks at make(T) and T{} in a loop, as an argument of a function of the
// package that does not keep it.
func (s *search) argument(c inspector.Cursor) {
	info := s.pass.TypesInfo
	if c.ParentEdgeKind() != edge.CallExpr_Args {
		return
	}
	l, looped := loop.Around(info, c)
	st, ok := uses.Statement(c)
	if !looped || !ok {
		return
	}
	switch st.Node().(type) {
	case *ast.AssignStmt, *ast.ExprStmt, *ast.DeclStmt, *ast.ReturnStmt:
	default:
		return // it may be evaluated often, or later
	}
	call, e := c.Parent().Node().(*ast.CallExpr), c.Node().(ast.Expr)
	fn := typeutil.StaticCallee(info, call)
	if fn == nil {
		return
	}
	if _, here := s.index.Declaration(fn); !here {
		return
	}
	v := types.NewVar(e.Pos(), s.pass.Pkg, "scratch", info.TypeOf(e))
	b := buffer{search: s, declaration: declaration{at: st, v: v, init: e}, alone: e, made: e}
	if !b.known() || b.buf || len(b.args) == 0 && !uses.Under[*types.Map](v.Type()) || s.keeper.argument(v, c, c.Parent(), &b.how) != nil {
		return
	}
	why := b.again()
	fix := shape.Fix{Name: "hoist", Says: "make it once before the loop and empty it in each iteration"}
	if why == nil {
		fix.Edits, why = b.hoist(l)
	}
	f := s.finding(c, st.Node(), "what is made for each call of "+s.text(call.Fun)+" is garbage after it")
	f.Hot = append(f.Hot, shape.Of(l.Stmt))
	if uses.Under[*types.Map](v.Type()) {
		f.Causes = append(f.Causes, "mapgrow")
		decl, _ := s.index.Declaration(fn)
		f.Hot = append(f.Hot, shape.Of(decl.Node()))
	}
	s.add(f, fix, why)
}
