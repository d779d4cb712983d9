package shapetest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// A lab type-checks what edits make of a package, in the folder of a module
// that [beside] made. It is as if the go command had loaded these, which would
// compile each for its export data: some tenths of a second.
type lab struct {
	of   *packages.Package
	here string
	deps map[string]*packages.Package // by import path
}

// newLab returns a lab for packages that were put into folders of here.
func newLab(t *testing.T, p *packages.Package, here string, names []string) *lab {
	t.Helper()
	l := &lab{of: p, here: here, deps: map[string]*packages.Package{}}
	var paths []string
	for _, name := range names {
		for _, f := range l.parse(t, token.NewFileSet(), name, parser.ImportsOnly) {
			for _, s := range f.Imports {
				if path, err := strconv.Unquote(s.Path.Value); err == nil && path != "unsafe" && !slices.Contains(paths, path) {
					paths = append(paths, path)
				}
			}
		}
	}
	if len(paths) == 0 {
		return l
	}
	// All at once, or a type of one would be another in the next.
	cfg := config(here, "")
	cfg.Tests = false
	cfg.Mode = packages.NeedName | packages.NeedImports | packages.NeedTypes | packages.NeedTypesSizes
	all, err := packages.Load(cfg, paths...)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		l.deps[d.PkgPath] = d
	}
	return l
}

// files are those of the package that its build takes.
func (l *lab) files(name string) (paths []string) {
	for _, f := range l.of.Syntax {
		paths = append(paths, filepath.Join(l.here, name, filepath.Base(l.of.Fset.PositionFor(f.FileStart, false).Filename)))
	}
	return paths
}

func (l *lab) parse(t *testing.T, fset *token.FileSet, name string, mode parser.Mode) (files []*ast.File) {
	t.Helper()
	for _, path := range l.files(name) {
		f, err := parser.ParseFile(fset, path, nil, mode)
		if f == nil {
			t.Fatal(err)
		}
		files = append(files, f) // type-checking says what is broken
	}
	return files
}

// Import implements [types.Importer].
func (l *lab) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	d := l.deps[path]
	if d == nil || d.Types == nil {
		return nil, os.ErrNotExist
	}
	if len(d.Errors) > 0 {
		return nil, d.Errors[0]
	}
	return d.Types, nil
}

// check returns the package in a folder, with its errors.
func (l *lab) check(t *testing.T, name string) *packages.Package {
	t.Helper()
	q := &packages.Package{
		ID: "tried/" + name, PkgPath: "tried/" + name, Name: l.of.Name, Fset: token.NewFileSet(),
		GoFiles: l.files(name), CompiledGoFiles: l.files(name), TypesSizes: l.of.TypesSizes,
		Module:  &packages.Module{Path: "tried", Dir: l.here, Main: true, GoVersion: l.of.Module.GoVersion},
		Imports: maps.Clone(l.deps),
		TypesInfo: &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
			Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
			Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{},
		},
	}
	if l.of.ForTest != "" {
		q.ForTest = q.PkgPath
	}
	for _, also := range []struct{ from, to *[]string }{{&l.of.IgnoredFiles, &q.IgnoredFiles}, {&l.of.OtherFiles, &q.OtherFiles}} {
		for _, f := range *also.from {
			*also.to = append(*also.to, filepath.Join(l.here, name, filepath.Base(f)))
		}
	}
	fail := func(pos, msg string) {
		q.Errors, q.IllTyped = append(q.Errors, packages.Error{Pos: pos, Msg: msg}), true
	}
	q.Syntax = l.parse(t, q.Fset, name, parser.ParseComments|parser.SkipObjectResolution)
	for _, path := range q.GoFiles {
		if _, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution); err != nil {
			fail(path, err.Error())
		}
	}
	config := types.Config{
		Importer: l, Sizes: q.TypesSizes, GoVersion: "go" + strings.TrimPrefix(q.Module.GoVersion, "go"),
		Error: func(err error) {
			e, _ := err.(types.Error)
			fail(q.Fset.Position(e.Pos).String(), err.Error())
		},
	}
	q.Types, _ = config.Check(q.PkgPath, q.Fset, q.Syntax, q.TypesInfo) // errors went to fail
	return q
}
