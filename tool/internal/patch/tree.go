package patch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/gopayoff/payoff/tool/internal/record"
)

// A Tree is the folders beneath which files may be written: those of the user's
// modules. Beneath them only Go files are, and of these none that is read-only,
// that has a second name, or that is no regular file. A link is followed as long as
// what it leads to is such a file of the tree.
type Tree []string

// A file is one change being made.
type file struct {
	Change
	root *os.Root    // of the tree
	name string      // of the file in root, links resolved
	temp string      // beside it; see protocol.md
	mode fs.FileMode // for one that is made; one that is there keeps its own
}

// back is the file with its change taken back.
func (f *file) back() *file {
	b := *f
	b.Change = Reverse([]Change{f.Change})[0]
	return &b
}

func back(files []*file) (all []*file) {
	for i := len(files) - 1; i >= 0; i-- {
		all = append(all, files[i].back())
	}
	return all
}

// Local refuses a change that no edit of payoff makes, by its name alone: what is
// no Go file, or is not named as a path is.
func (c Change) Local() error {
	switch {
	case !filepath.IsAbs(c.File) || filepath.Clean(c.File) != c.File:
		return fmt.Errorf("%q is no path of a file: nothing is written", c.File)
	case strings.ContainsFunc(c.File, unicode.IsControl):
		return fmt.Errorf("%q is no path of a file: nothing is written", c.File)
	case filepath.Ext(c.File) != ".go":
		return fmt.Errorf("%q is no Go file: nothing is written", c.File)
	case c.New && c.Gone:
		return fmt.Errorf("%q is neither before nor after its change: nothing is written", c.File)
	}
	return nil
}

// Named refuses changes of which a patch with names from root is not to tell: those of
// what is no Go file, and of files outside of root.
func Named(root string, changes []Change) error {
	for _, c := range changes {
		if filepath.Ext(c.File) != ".go" {
			return fmt.Errorf("%q is no Go file: nothing is written", c.File)
		}
		if rel, err := filepath.Rel(root, c.File); err != nil || !filepath.IsLocal(rel) || strings.ContainsFunc(rel, unicode.IsControl) {
			return fmt.Errorf("%q is not in %s: nothing is written", c.File, root)
		}
	}
	return nil
}

// open finds the files of changes in the tree. Those that it returns have to be
// closed, also after an error.
func (t Tree) open(entries []entry) (files []*file, err error) {
	for _, e := range entries {
		f, err := t.find(e)
		if err != nil {
			return files, err
		}
		files = append(files, f)
		for _, x := range files[:len(files)-1] {
			if x.root.Name() == f.root.Name() && x.name == f.name {
				return files, fmt.Errorf("%s is to change twice: nothing is written", f.File)
			}
		}
	}
	return files, nil
}

func closeAll(files []*file) {
	for _, f := range files {
		f.root.Close()
	}
}

func (t Tree) find(e entry) (*file, error) {
	if err := e.Local(); err != nil {
		return nil, err
	}
	var real string
	_, err := os.Lstat(e.File)
	if errors.Is(err, fs.ErrNotExist) {
		if real, err = filepath.EvalSymlinks(filepath.Dir(e.File)); err == nil {
			real = filepath.Join(real, filepath.Base(e.File))
		}
	} else if err == nil {
		real, err = filepath.EvalSymlinks(e.File)
	}
	if err != nil {
		return nil, missing(e.File, err)
	}
	if filepath.Ext(real) != ".go" {
		return nil, fmt.Errorf("%s is a link to what is no Go file: nothing is written", e.File)
	}
	for _, dir := range t {
		dir, err := filepath.EvalSymlinks(dir)
		if err != nil {
			return nil, err
		}
		name, err := filepath.Rel(dir, real)
		if err != nil || !filepath.IsLocal(name) {
			continue
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, err
		}
		return &file{Change: e.Change, root: root, name: name, temp: filepath.Join(filepath.Dir(name), e.temp()), mode: e.Mode & fs.ModePerm}, nil
	}
	return nil, fmt.Errorf("%s is not in %s, links resolved: nothing is written", e.File, strings.Join(t, " or "))
}

func missing(file string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is not there any more: nothing is written", file)
	}
	return err
}

// A state is what a file is, seen from its change.
type state int

const (
	other state = iota
	before
	after
)

// look finds out which state the file is in.
func (f *file) look() (state, error) {
	info, err := f.root.Lstat(f.name)
	if errors.Is(err, fs.ErrNotExist) {
		switch {
		case f.Gone:
			return after, nil
		case f.New:
			return before, nil
		}
		return other, missing(f.File, err)
	}
	switch {
	case err != nil:
		return other, err
	case !info.Mode().IsRegular():
		return other, fmt.Errorf("%s is no regular file: nothing is written", f.File)
	case record.Names(info) > 1:
		return other, fmt.Errorf("%s has a second name, by a hard link, and would lose it: nothing is written", f.File)
	case info.Mode()&0o200 == 0:
		return other, fmt.Errorf("%s is read-only: nothing is written", f.File)
	}
	f.mode = info.Mode().Perm()
	text, err := f.read(f.name, info)
	switch {
	case err != nil:
		return other, err
	case !f.Gone && text == f.After:
		return after, nil
	case !f.New && text == f.Before:
		return before, nil
	}
	return other, nil
}

// changed says of a file in which way it is not as its change wants it.
func (f *file) changed() error {
	if f.New {
		return fmt.Errorf("%s is there by now: nothing is written", f.File)
	}
	return fmt.Errorf("%s has changed meanwhile: nothing is written", f.File)
}

// read returns the content of a file as long as it may be one of the two that the
// change knows, or a beginning of them; what is longer is "\x00".
func (f *file) read(name string, info fs.FileInfo) (string, error) {
	if info.Size() > int64(max(len(f.Before), len(f.After))) {
		return "\x00", nil
	}
	return readRegular(f.root, name, max(len(f.Before), len(f.After)))
}
