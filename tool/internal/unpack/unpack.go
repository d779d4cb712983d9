// Package unpack lays out the gallery and the library, which travel inside
// payoff, as a workspace that the go command can build in.
//
// A workspace lies in a folder that is named by its content. It is made beside
// its place and moved there whole, so that runs at once do not see halves. One
// that nobody used for a month is taken away when another is made.
package unpack

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/modfile"

	"github.com/gopayoff/payoff"
	"github.com/gopayoff/payoff/gallery"
)

// Gallery returns the folder of the workspace beneath parent, which it makes
// where it is missing or not whole.
func Gallery(parent string) (dir string, err error) {
	files, err := workspace(payoff.Files, gallery.Files)
	if err != nil {
		return "", err
	}
	return folder(parent, galleryPrefix, files, time.Now())
}

// Library returns the folder of the library's module beneath parent, likewise.
// The module has what its packages are built of.
func Library(parent string) (dir string, err error) {
	files := tree{}
	if err := files.add("", payoff.Files, false); err != nil {
		return "", err
	}
	return folder(parent, libraryPrefix, files, time.Now())
}

// A tree is what a folder holds: the content of its files by their names, which
// are separated by slashes.
type tree map[string][]byte

// workspace is the tree of a workspace of the two modules. Of the library it has
// what packages are built of, of the gallery all.
func workspace(library, gallery fs.FS) (tree, error) {
	t := tree{}
	for _, module := range []struct {
		name  string
		files fs.FS
		tests bool
	}{{"payoff", library, false}, {"gallery", gallery, true}} {
		if err := t.add(module.name+"/", module.files, module.tests); err != nil {
			return nil, err
		}
	}
	var err error
	t["go.work"], err = goWork(t["payoff/go.mod"], t["gallery/go.mod"])
	return t, err
}

// add adds the files of a module, without tests those alone that packages are
// built of.
func (t tree) add(at string, files fs.FS, tests bool) error {
	return fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata" && !tests:
			return fs.SkipDir
		case d.IsDir() || !tests && (strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".md")):
			return nil
		}
		t[at+name], err = fs.ReadFile(files, name)
		return err
	})
}

// goWork is the go.work of the two modules. The version of the library that the
// gallery requires is the one that lies beside it: without the replacement the
// go command would ask the network for its go.mod.
func goWork(library, gallery []byte) ([]byte, error) {
	f, err := modfile.Parse("gallery/go.mod", gallery, nil)
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	if f.Go == nil {
		return nil, errors.New("unpack: the gallery's go.mod does not say which Go it wants")
	}
	work := "go " + f.Go.Version + "\n\nuse (\n\t./gallery\n\t./payoff\n)\n"
	for _, r := range f.Require {
		if r.Mod.Path == modfile.ModulePath(library) {
			work += fmt.Sprintf("\nreplace %s %s => ./payoff\n", r.Mod.Path, r.Mod.Version)
		}
	}
	return []byte(work), nil
}

const (
	galleryPrefix = "gallery-"
	libraryPrefix = "library-"
	// idle is how long a workspace stays that nobody uses.
	idle = 30 * 24 * time.Hour
)

// folder returns a folder beneath parent that holds the files.
func folder(parent, prefix string, files tree, now time.Time) (string, error) {
	dir := filepath.Join(parent, prefix+files.sum())
	if files.in(dir) {
		// Best effort: who cannot write here does not clean up either.
		_ = os.Chtimes(dir, now, now)
		return dir, nil
	}
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(parent, ".unpacking-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	whole := filepath.Join(tmp, "whole")
	if err := files.write(whole); err != nil {
		return "", err
	}
	if err := os.Rename(whole, dir); err != nil {
		// There is one: of another run meanwhile, or damaged.
		if files.in(dir) {
			return dir, nil
		}
		if err := os.Rename(dir, filepath.Join(tmp, "damaged")); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if err := os.Rename(whole, dir); err != nil && !files.in(dir) {
			return "", err
		}
	}
	sweep(parent, now)
	return dir, nil
}

// sum names a content.
func (t tree) sum() string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(t)) {
		fmt.Fprintf(h, "%s %d\n", name, len(t[name]))
		h.Write(t[name])
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// in reports whether a folder holds the files as they are here, and no other but
// the one that the go command writes.
func (t tree) in(dir string) bool {
	stray := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, file)
		if name = filepath.ToSlash(name); err == nil && t[name] == nil && name != "go.work.sum" {
			err = fmt.Errorf("%s is not of the gallery", name)
		}
		return err
	})
	if stray != nil {
		return false
	}
	for name, want := range t {
		if got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err != nil || !bytes.Equal(got, want) {
			return false
		}
	}
	return true
}

func (t tree) write(dir string) error {
	for name, content := range t {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(path.Dir(name))), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// sweep takes away what has been idle for long. What it cannot take away stays.
func sweep(parent string, now time.Time) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, e := range entries {
		ours := strings.HasPrefix(e.Name(), galleryPrefix) || strings.HasPrefix(e.Name(), libraryPrefix) || strings.HasPrefix(e.Name(), ".unpacking-")
		if info, err := e.Info(); ours && err == nil && now.Sub(info.ModTime()) > idle {
			_ = os.RemoveAll(filepath.Join(parent, e.Name()))
		}
	}
}
