package flow

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Again returns the index of the same package after an edit: what is known of
// others stays as it is.
func (x *Index) Again(fset *token.FileSet, pkg *types.Package, files []*ast.File, info *types.Info) *Index {
	y := newIndex(pkg, x.solver.left, func(fn *types.Func) *Summary {
		x.mu.Lock()
		defer x.mu.Unlock()
		return x.solver.fact(fn)
	})
	y.build = func() { y.solver.build(fset, files, info) }
	return y
}
