package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Type is the text of a type for use at a place of a file, and reports whether
// it can be written there. It can with the imports that the file has, and
// nothing that it names means something else there.
func Type(pkg *types.Package, file *ast.File, at token.Pos, t types.Type) (text string, ok bool) {
	scope := pkg.Scope().Innermost(at)
	if scope == nil {
		return "", false
	}
	ok = true
	means := func(name string, want func(types.Object) bool) {
		if _, o := scope.LookupParent(name, at); o == nil || !want(o) {
			ok = false
		}
	}
	var walk func(t types.Type)
	walk = func(t types.Type) {
		switch t := t.(type) {
		case *types.Basic:
			if t.Kind() == types.UnsafePointer || t.Info()&types.IsUntyped != 0 {
				ok = false
				return
			}
			means(t.Name(), func(o types.Object) bool { return o.Parent() == types.Universe })
		case *types.Named, *types.Alias:
			o := t.(interface{ Obj() *types.TypeName }).Obj()
			if args := t.(interface{ TypeArgs() *types.TypeList }).TypeArgs(); args != nil {
				for a := range args.Types() {
					walk(a)
				}
			}
			switch {
			case o.Pkg() == nil || o.Pkg() == pkg:
				means(o.Name(), func(x types.Object) bool { return x == o })
			case !o.Exported():
				ok = false
			}
		case *types.TypeParam:
			means(t.Obj().Name(), func(x types.Object) bool { return x == t.Obj() })
		case *types.Pointer:
			walk(t.Elem())
		case *types.Slice:
			walk(t.Elem())
		case *types.Array:
			walk(t.Elem())
		case *types.Map:
			walk(t.Key())
			walk(t.Elem())
		case *types.Chan:
			walk(t.Elem())
		case *types.Interface:
			ok = ok && t.Empty()
			means("any", func(o types.Object) bool { return o.Parent() == types.Universe })
		default: // a function or a struct without a name: long, and seldom what is meant
			ok = false
		}
	}
	walk(t)
	text = types.TypeString(t, func(p *types.Package) string {
		if p == pkg {
			return ""
		}
		name, edits := Import(pkg, file, p.Path(), at)
		if len(edits) > 0 {
			ok = false
		}
		return name
	})
	return strings.ReplaceAll(text, "interface{}", "any"), ok
}

// Since reports whether the file is compiled as Go of that version or later:
// "go1.23".
func Since(pass *analysis.Pass, file *ast.File, goVersion string) bool {
	v := pass.TypesInfo.FileVersions[file]
	if v == "" {
		v = pass.Pkg.GoVersion()
	}
	return v != "" && version.Compare(v, goVersion) >= 0
}
