package spawn

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// Goexits returns where code ends its goroutine, itself or in a function of the
// package that it names. It may end by runtime.Goexit, or as a test does that
// fails or is skipped. It is nil if that is nowhere.
func Goexits(pass *analysis.Pass, code ast.Node) ast.Node {
	return Reaches(pass, code, func(o types.Object) bool {
		if o.Pkg() == nil {
			return false
		}
		switch o.Pkg().Path() + "." + o.Name() {
		case "runtime.Goexit", "testing.FailNow", "testing.Fatal", "testing.Fatalf", "testing.Skip", "testing.Skipf", "testing.SkipNow":
			return true
		}
		return false
	})
}

// Recovers returns where code stops a panic, as Goexits does.
func Recovers(pass *analysis.Pass, code ast.Node) ast.Node {
	return Reaches(pass, code, func(o types.Object) bool {
		b, ok := o.(*types.Builtin)
		return ok && b.Name() == "recover"
	})
}

// Reaches returns the identifier in code that is for what is asked, or names a
// function of the package that comes to it. A method of an interface may be any
// of the package's methods of its name.
func Reaches(pass *analysis.Pass, code ast.Node, is func(types.Object) bool) (at ast.Node) {
	seen := map[*ast.FuncDecl]bool{}
	var look func(ast.Node) ast.Node
	look = func(code ast.Node) (at ast.Node) {
		ast.Inspect(code, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if at != nil || !ok || pass.TypesInfo.Uses[id] == nil {
				return at == nil
			}
			o := pass.TypesInfo.Uses[id]
			if is(o) {
				at = id
			} else if fn, ok := o.(*types.Func); ok {
				for _, d := range Callees(pass, fn) {
					if at == nil && !seen[d] {
						seen[d] = true
						if look(d.Body) != nil {
							at = id
						}
					}
				}
			}
			return at == nil
		})
		return at
	}
	return look(code)
}

// Called returns the functions of the package that code comes to.
func Called(pass *analysis.Pass, code ast.Node) (all []*ast.FuncDecl) {
	Reaches(pass, code, func(o types.Object) bool {
		if fn, ok := o.(*types.Func); ok {
			for _, d := range Callees(pass, fn) {
				if !slices.Contains(all, d) {
					all = append(all, d)
				}
			}
		}
		return false
	})
	return all
}

// Callees returns the functions of the package that a call of fn may be one of. That
// is the function itself, or for a method of an interface all of its name. They must
// not be changed.
func Callees(pass *analysis.Pass, fn *types.Func) []*ast.FuncDecl {
	all := funcs(pass)
	if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		return all.Methods[fn.Name()]
	}
	if d := all.Decls[fn.Origin()]; d != nil {
		return []*ast.FuncDecl{d}
	}
	return nil
}
