package uses

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// Calls returns all calls of a function of this package. Where others may call it, it says
// why, and where that is.
func (x *Index) Calls(fn *types.Func) (calls []inspector.Cursor, why string, at ast.Node) {
	_, ok := x.Declaration(fn)
	if !ok || fn.Exported() && (fn.Pkg().Name() != "main" || fn.Signature().Recv() != nil) || x.Left.Calls(fn) != "" {
		return nil, fn.Name() + " may be called by others", nil
	}
	asks := func(t *ast.InterfaceType) bool { // it may be called by that
		for _, m := range t.Methods.List {
			if len(m.Names) == 1 && m.Names[0].Name == fn.Name() {
				return true
			}
		}
		return false
	}
	for c := range x.Root.Preorder((*ast.Ident)(nil), (*ast.InterfaceType)(nil)) {
		if t, ok := c.Node().(*ast.InterfaceType); ok {
			if fn.Signature().Recv() != nil && asks(t) {
				return nil, fn.Name() + " may be called by others", t
			}
			continue
		}
		if f, ok := x.Info.Uses[c.Node().(*ast.Ident)].(*types.Func); !ok || f.Origin() != fn {
			continue
		}
		c = Whole(c)
		call, ok := c.Parent().Node().(*ast.CallExpr)
		if sel, _ := c.Node().(*ast.SelectorExpr); !ok || c.ParentEdgeKind() != edge.CallExpr_Fun || len(call.Args) != fn.Signature().Params().Len() || sel != nil && x.Info.Selections[sel] != nil && x.Info.Selections[sel].Kind() != types.MethodVal {
			return nil, fn.Name() + " is used as a value", c.Node()
		}
		calls = append(calls, c.Parent())
	}
	return calls, "", nil
}
