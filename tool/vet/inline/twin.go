package inline

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
)

// TwinName is a free name for decl with the suffix, as a function or method that
// is not exported.
func TwinName(pass *analysis.Pass, decl *ast.FuncDecl, suffix string) string {
	name := rewrite.Lower(decl.Name.Name) + suffix
	fn, _ := pass.TypesInfo.Defs[decl.Name].(*types.Func)
	free := func(name string) bool {
		if recv := fn.Signature().Recv(); recv != nil {
			if o, _, _ := types.LookupFieldOrMethod(recv.Type(), true, pass.Pkg, name); o != nil {
				return false
			}
		}
		return pass.Pkg.Scope().Lookup(name) == nil
	}
	try := rewrite.Fresh(pass.Pkg, decl, name)
	for i := 2; !free(try); i++ {
		try = rewrite.Fresh(pass.Pkg, decl, name+fmt.Sprint(i))
	}
	return try
}

// Twin is the text of decl once more, with the edits and another name, which it
// calls itself by as well.
func Twin(pass *analysis.Pass, decl *ast.FuncDecl, name string, edits []analysis.TextEdit) (string, error) {
	edits = append([]analysis.TextEdit{rewrite.Replace(decl.Name, name)}, edits...)
	self := pass.TypesInfo.Defs[decl.Name]
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if fn, ok := pass.TypesInfo.Uses[id].(*types.Func); ok && fn.Origin() == self {
				edits = append(edits, rewrite.Replace(id, name))
			}
		}
		return true
	})
	return Source(pass, decl.Pos(), decl.End(), edits)
}
