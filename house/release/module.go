package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// A mod is a module of the repository.
type mod struct {
	dir      string // "." is the root
	path     string
	file     []byte   // go.mod
	requires []string // directories of the others that it requires
	code     bool     // it has Go files
	packed   *packed  // nil where it is not tagged
}

// readModules reads the modules of a tree of which names are the files.
func readModules(tree fs.FS, names []string) ([]*mod, error) {
	var mods []*mod
	for _, name := range names {
		if path.Base(name) != "go.mod" || strings.Contains("/"+name, "/testdata/") {
			continue
		}
		data, err := fs.ReadFile(tree, name)
		if err != nil {
			return nil, err
		}
		mods = append(mods, &mod{dir: path.Dir(name), path: modfile.ModulePath(data), file: data})
	}
	slices.SortFunc(mods, func(a, b *mod) int { return cmp.Compare(a.dir, b.dir) })
	for _, m := range mods {
		f, err := modfile.Parse(path.Join(m.dir, "go.mod"), m.file, nil)
		if err != nil {
			return nil, err
		}
		for _, r := range f.Require {
			for _, other := range mods {
				if other.path == r.Mod.Path {
					m.requires = append(m.requires, other.dir)
				}
			}
		}
	}
	for _, name := range names {
		if path.Ext(name) == ".go" {
			moduleOf(mods, name).code = true
		}
	}
	return mods, nil
}

// moduleOf is the module that a file is in.
func moduleOf(mods []*mod, name string) *mod {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		for _, m := range mods {
			if m.dir == dir {
				return m
			}
		}
		if dir == "." {
			return &mod{}
		}
	}
}

// inOrder puts the modules that are to be tagged first, and each after those that it
// requires.
func inOrder(mods []*mod, tagged []string) ([]*mod, error) {
	var order []*mod
	var put func(m *mod, above []string) error
	put = func(m *mod, above []string) error {
		if slices.Contains(above, m.dir) {
			return fmt.Errorf("module %s requires itself: %s", m.path, strings.Join(append(above, m.dir), " requires "))
		}
		if slices.Contains(order, m) {
			return nil
		}
		for _, other := range mods {
			if !slices.Contains(m.requires, other.dir) {
				continue
			}
			if !slices.Contains(tagged, other.dir) {
				return fmt.Errorf("module %s requires %s, which is never tagged", m.path, other.path)
			}
			if err := put(other, append(above, m.dir)); err != nil {
				return err
			}
		}
		order = append(order, m)
		return nil
	}
	for _, dir := range tagged {
		i := slices.IndexFunc(mods, func(m *mod) bool { return m.dir == dir })
		if i < 0 {
			return nil, fmt.Errorf("there is no module in %s", dir)
		}
		mods[i].packed = new(packed)
		if err := put(mods[i], nil); err != nil {
			return nil, err
		}
	}
	for _, m := range mods {
		if err := put(m, nil); err != nil {
			return nil, err
		}
	}
	return order, nil
}

// tag is the tag of a version of the module.
func (m *mod) tag(version string) string { return path.Join(m.dir, version) }
