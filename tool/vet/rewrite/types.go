package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Type is the text of a type for use at a place of a file, and reports whether
// it can be written there. It can with the imports that the file has, and
// nothing that it names means something else there.
func Type(pkg *types.Package, file *ast.File, at token.Pos, t types.Type) (text string, ok bool) {
	pkg, scope := Around(pkg, at)
	if scope == nil {
		return "", false
	}
	ok = true
	means := func(name string, want types.Object) {
		if _, o := scope.LookupParent(name, at); o == nil || o != want {
			ok = false
		}
	}
	var walk func(t types.Type)
	walk = func(t types.Type) {
		switch t := t.(type) {
		case *types.Basic:
			ok = ok && t.Kind() != types.UnsafePointer && t.Info()&types.IsUntyped == 0
			means(t.Name(), types.Universe.Lookup(t.Name()))
		case *types.Named, *types.Alias:
			for a := range t.(interface{ TypeArgs() *types.TypeList }).TypeArgs().Types() {
				walk(a)
			}
			if o := t.(interface{ Obj() *types.TypeName }).Obj(); o.Pkg() == nil || o.Pkg() == pkg {
				means(o.Name(), o)
			} else {
				ok = ok && o.Exported()
			}
		case *types.TypeParam:
			means(t.Obj().Name(), t.Obj())
		case *types.Map:
			walk(t.Key())
			walk(t.Elem())
		case interface{ Elem() types.Type }: // a pointer, slice, array or channel
			walk(t.Elem())
		default: // a function, interface or struct without a name: long, and seldom what is meant
			ok = false
		}
	}
	walk(t)
	text = types.TypeString(t, func(p *types.Package) string {
		if p == pkg {
			return ""
		}
		name, edits := Import(pkg, file, p.Path(), at)
		ok = ok && len(edits) == 0
		return name
	})
	return text, ok
}
