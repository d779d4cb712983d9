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
	all, seen := funcs(pass), map[*ast.FuncDecl]bool{}
	var reaches func(types.Object) bool
	reaches = func(o types.Object) bool {
		if is(o) {
			return true
		}
		fn, ok := o.(*types.Func)
		if !ok {
			return false
		}
		return slices.ContainsFunc(Callees(pass, fn), func(d *ast.FuncDecl) bool {
			if seen[d] {
				return false
			}
			seen[d] = true
			return slices.ContainsFunc(all.Used(pass.TypesInfo, d.Body), reaches)
		})
	}
	ast.Inspect(code, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && at == nil {
			if o := pass.TypesInfo.Uses[id]; o != nil && reaches(o) {
				at = id
			}
		}
		return at == nil
	})
	return at
}

// Called returns the functions of the package that code comes to.
func Called(pass *analysis.Pass, code ast.Node) (all []*ast.FuncDecl) {
	seen := map[*ast.FuncDecl]bool{}
	Reaches(pass, code, func(o types.Object) bool {
		if fn, ok := o.(*types.Func); ok {
			for _, d := range Callees(pass, fn) {
				if !seen[d] {
					seen[d] = true
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
