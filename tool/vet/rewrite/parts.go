package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A Part is a package whose files are analyzed, alone or together with what it imports.
type Part struct {
	*types.Package
	Files []*ast.File
}

// Parts returns a package with its files. After it come those of its imports that files
// are of: an analysis may read several packages as one.
func Parts(pkg *types.Package, files []*ast.File, info *types.Info) []Part {
	all := []Part{{Package: pkg}}
	for _, f := range files {
		own := pkg
		if s := info.Scopes[f]; s != nil && s.Parent() != pkg.Scope() {
			for _, q := range pkg.Imports() {
				if q.Scope() == s.Parent() {
					own = q
				}
			}
		}
		i := slices.IndexFunc(all, func(p Part) bool { return p.Package == own })
		if i < 0 {
			i, all = len(all), append(all, Part{Package: own})
		}
		all[i].Files = append(all[i].Files, f)
	}
	return all
}

// Around returns the innermost scope around a position, and the package that it is in.
// That is the one given, or one of its imports that was read from source.
func Around(pkg *types.Package, pos token.Pos) (*types.Package, *types.Scope) {
	if s := pkg.Scope().Innermost(pos); s != nil {
		return pkg, s
	}
	for _, q := range pkg.Imports() {
		if s := q.Scope().Innermost(pos); s != nil {
			return q, s
		}
	}
	return pkg, nil
}
