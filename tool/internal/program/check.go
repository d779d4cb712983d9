package program

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"

	"github.com/gopayoff/payoff/tool/internal/overlay"
)

// Check type-checks the package with its files as o has them, in milliseconds:
// what it imports is taken as it was loaded. It reports false where that does not
// tell, since o adds a file or imports what was not loaded: then [Program.Check]
// does.
func (s *Package) Check(o overlay.Overlay) (known bool, err error) {
	for name := range o {
		if _, err := os.Stat(name); filepath.Ext(name) == ".go" && err != nil {
			return false, nil
		}
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range s.CompiledGoFiles {
		src, changed := o[name]
		if !changed {
			if src, err = s.src(name); err != nil {
				return false, nil
			}
		} else if src == nil {
			continue // it is gone
		}
		f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
		if err != nil {
			return changed, err
		}
		files = append(files, f)
	}
	imports := importer{loaded: map[string]*types.Package{}}
	for _, q := range s.Types.Imports() {
		imports.loaded[q.Path()] = q
	}
	conf := types.Config{Importer: &imports, Sizes: s.TypesSizes}
	if s.Module != nil && s.Module.GoVersion != "" {
		conf.GoVersion = "go" + s.Module.GoVersion
	}
	_, err = conf.Check(s.PkgPath, fset, files, nil)
	return !imports.lacks, err
}

// src is what a file of the package was when it was loaded.
func (s *Package) src(name string) ([]byte, error) {
	for _, f := range s.Files {
		if f.Name == name {
			return f.Src, nil
		}
	}
	return os.ReadFile(name)
}

// An importer has what a package imported when it was loaded.
type importer struct {
	loaded map[string]*types.Package
	lacks  bool // it was asked for something else
}

func (i *importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if q := i.loaded[path]; q != nil {
		return q, nil
	}
	i.lacks = true
	return nil, errors.New("not loaded")
}
