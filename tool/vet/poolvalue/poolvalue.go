package poolvalue

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds pools of values that are no pointers.
var Analyzer = shape.Analyzer("poolvalue",
	"find values that are no pointers in a pool\n\nPut allocates for each: an interface holds a pointer.",
	find, uses.Analyzer)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	index := pass.ResultOf[uses.Analyzer].(*uses.Index)
	done := map[*types.Var]bool{}
	for c := range index.Root.Preorder((*ast.CallExpr)(nil)) {
		call := c.Node().(*ast.CallExpr)
		if method(pass.TypesInfo, call) != "(*sync.Pool).Put" || len(call.Args) != 1 || !boxed(pass.TypesInfo.TypeOf(call.Args[0])) {
			continue
		}
		v := index.Var(call.Fun.(*ast.SelectorExpr).X)
		if v != nil && done[v] {
			continue
		}
		done[v] = true
		f := shape.Finding{
			Pos: call.Pos(), End: call.End(), Func: uses.Decl(c),
			Message: rewrite.Text(pass.Fset, call.Fun) + " gets a value and not a pointer: each Put allocates",
			Causes:  []string{"alloc", "pool", "gc"}, Hot: []shape.Range{shape.Of(uses.Around(c))},
		}
		if v != nil {
			for _, use := range index.Of(v) {
				f.Hot = append(f.Hot, shape.Of(uses.Around(use)))
			}
		}
		all = append(all, f)
	}
	return all, nil
}

// method names the method that is called, "" if it is none.
func method(info *types.Info, call *ast.CallExpr) string {
	fn := typeutil.StaticCallee(info, call)
	if _, ok := call.Fun.(*ast.SelectorExpr); !ok || fn == nil {
		return ""
	}
	return fn.FullName()
}

// boxed reports whether an interface that holds a value of the type has to
// point to a copy of it.
func boxed(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Struct, *types.Array:
		return true
	case *types.Basic:
		return u.Info()&types.IsUntyped == 0 && u.Kind() != types.UnsafePointer
	}
	return false
}
