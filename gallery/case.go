package gallery

import (
	"embed"
	"errors"
	"fmt"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Files is the module without the files of its root directory that only its own tests
// need. It has go.mod, go.sum where there is one, articles.json and the cases.
//
//go:embed go.* articles.json */*
var Files embed.FS

// Module is the import path of the gallery; that of a case is beneath it.
const Module = "github.com/gopayoff/payoff/gallery"

// A Case is a case or an experiment of the gallery.
type Case struct {
	Name     string // of its directory
	Synopsis string // the first sentence of its package comment
	Want     Want
	Then     Then
	Requires []string // modules that its code is from, beside the library's
}

// Package is the import path of the case.
func (c Case) Package() string { return Module + "/" + c.Name }

// Cases returns all cases, by name.
func Cases() ([]Case, error) { return readCases(Files) }

// Find returns the case with this name.
func Find(name string) (Case, error) { return readCase(Files, name) }

// Of returns the case whose import path this is, and whether there is one.
func Of(pkg string) (Case, bool) {
	name, ok := strings.CutPrefix(pkg, Module+"/")
	if !ok {
		return Case{}, false
	}
	c, err := readCase(Files, name)
	return c, err == nil
}

func readCases(root fs.FS) (all []Case, err error) {
	names, err := caseDirs(root)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		c, err := readCase(root, name)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

func readCase(root fs.FS, name string) (c Case, err error) {
	c.Name = name
	if c.Want, err = readWant(root, path.Join(name, "want.json")); err != nil {
		return c, fmt.Errorf("%s/want.json: %w", name, err)
	}
	if err = readStrict(root, path.Join(name, "then.json"), &c.Then); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return c, fmt.Errorf("%s/then.json: %w", name, err)
	}
	if c.Synopsis, err = synopsis(root, path.Join(name, "doc.go")); err != nil {
		return c, err
	}
	c.Requires, err = requires(root, name)
	return c, err
}

// requires returns the modules of go.mod that a case imports packages of.
func requires(root fs.FS, name string) (modules []string, err error) {
	mod, err := fs.ReadFile(root, "go.mod")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	files, err := fs.Glob(root, path.Join(name, "*.go"))
	if err != nil {
		return nil, err
	}
	var imports []string
	for _, file := range files {
		src, err := fs.ReadFile(root, file)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.ImportsOnly)
		if err != nil {
			return nil, err
		}
		for _, spec := range f.Imports {
			imports = append(imports, strings.Trim(spec.Path.Value, `"`))
		}
	}
	for line := range strings.Lines(string(mod)) {
		f := strings.Fields(strings.TrimPrefix(line, "require "))
		if len(f) >= 2 && strings.HasPrefix(f[1], "v") && slices.ContainsFunc(imports, func(imp string) bool { return strings.HasPrefix(imp+"/", f[0]+"/") }) {
			modules = append(modules, f[0])
		}
	}
	return modules, nil
}

// synopsis returns the first sentence of a package comment, without the
// "Package NAME" that it begins with.
func synopsis(root fs.FS, file string) (string, error) {
	src, err := fs.ReadFile(root, file)
	if err != nil {
		return "", err
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		return "", err
	}
	s := new(doc.Package).Synopsis(f.Doc.Text())
	return strings.TrimPrefix(s, "Package "+f.Name.Name+" "), nil
}

// caseDirs returns the directories of root that must be cases.
func caseDirs(root fs.FS) ([]string, error) {
	entries, err := fs.ReadDir(root, ".")
	if err != nil {
		return nil, err
	}
	var dirs []string
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() && !slices.Contains([]string{"testdata", "internal"}, name) && !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "_") {
			dirs = append(dirs, name)
		}
	}
	return dirs, nil
}
