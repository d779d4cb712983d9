package program

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"
)

// Joint returns a package together with those of its module that it imports, to be
// analyzed as one: with the files of all, and with the name and types of the first. Only
// imports that use package sync count, where they or the package start goroutines. So do
// those with an integer that a function mentions which starts some. Others share nothing,
// and each costs what it costs alone. It is nil where there is none whose source was loaded
// with it.
func Joint(p *packages.Package) *packages.Package {
	if p.Module == nil || p.TypesInfo == nil || p.ForTest != "" && p.PkgPath != p.ForTest {
		return nil
	}
	parts, starts := []*packages.Package{p}, false
	counts := map[*types.Package]bool{}
	for _, f := range p.Syntax {
		for _, d := range f.Decls {
			if !goes(d) {
				continue
			}
			starts = true
			for n := range ast.Preorder(d) {
				if id, ok := n.(*ast.Ident); ok && p.TypesInfo.Uses[id] != nil {
					o := p.TypesInfo.Uses[id]
					if b, ok := o.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
						counts[o.Pkg()] = true
					}
				}
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(p.Imports)) {
		q := p.Imports[path]
		if len(q.Syntax) == 0 || q.Module == nil || q.Module.Path != p.Module.Path {
			continue
		}
		if (q.Imports["sync"] != nil || q.Imports["sync/atomic"] != nil) && (starts || slices.ContainsFunc(q.Syntax, goes[*ast.File])) || counts[q.Types] {
			parts = append(parts, q)
		}
	}
	if len(parts) == 1 {
		return nil
	}
	all := *p
	all.Imports = map[string]*packages.Package{}
	all.Syntax, all.GoFiles, all.CompiledGoFiles, all.OtherFiles, all.IgnoredFiles = nil, nil, nil, nil, nil
	all.TypesInfo = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{},
	}
	for _, q := range parts {
		maps.Copy(all.Imports, q.Imports)
		all.Syntax = append(all.Syntax, q.Syntax...)
		all.GoFiles = append(all.GoFiles, q.GoFiles...)
		all.CompiledGoFiles = append(all.CompiledGoFiles, q.CompiledGoFiles...)
		all.OtherFiles = append(all.OtherFiles, q.OtherFiles...)
		all.IgnoredFiles = append(all.IgnoredFiles, q.IgnoredFiles...)
		to, from := all.TypesInfo, q.TypesInfo
		maps.Copy(to.Types, from.Types)
		maps.Copy(to.Instances, from.Instances)
		maps.Copy(to.Defs, from.Defs)
		maps.Copy(to.Uses, from.Uses)
		maps.Copy(to.Implicits, from.Implicits)
		maps.Copy(to.Selections, from.Selections)
		maps.Copy(to.Scopes, from.Scopes)
		maps.Copy(to.FileVersions, from.FileVersions)
		to.InitOrder = append(to.InitOrder, from.InitOrder...)
	}
	return &all
}

// goes reports whether code starts goroutines, by a statement or a method Go.
func goes[N ast.Node](code N) bool {
	for n := range ast.Preorder(code) {
		switch n := n.(type) {
		case *ast.GoStmt:
			return true
		case *ast.CallExpr:
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Go" {
				return true
			}
		}
	}
	return false
}

// Owner returns the package that a file is of: one of several if they are joint.
func (s *Package) Owner(f *File) *packages.Package {
	for _, q := range s.Imports {
		if slices.Contains(q.GoFiles, f.Name) {
			return q
		}
	}
	return s.Package
}
