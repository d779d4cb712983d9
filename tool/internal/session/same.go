package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/overlay"
)

// unchanged returns the packages whose benchmarks are the same program in both
// states of the code, and run on the same files: to measure those would compare a
// binary with itself. It goes by sources, for binaries hold the paths of theirs.
// What cannot be told counts as changed.
func (c *codes) unchanged(ctx context.Context, old, new *gocmd.Toolchain, targets []discover.Target) []string {
	if old.Version != new.Version || len(targets) == 0 {
		return nil
	}
	var pkgs []string
	for _, t := range targets {
		pkgs = append(pkgs, t.Package)
	}
	olds, err := old.Inputs(ctx, pkgs)
	if err != nil {
		return nil
	}
	news, err := new.Inputs(ctx, pkgs)
	if err != nil {
		return nil
	}
	x := twoTrees{old: c.oldTop, new: c.newTop, known: map[[2]string]bool{}}
	var same []string
	for _, t := range targets {
		if a, b := olds[t.Package], news[t.Package]; len(a) > 0 && x.sameInputs(a, b) && !slices.ContainsFunc(c.changed, func(f string) bool { return x.data(f, t.Dir) }) {
			same = append(same, t.Package)
		}
	}
	return same
}

// alike takes out the packages whose test binaries are the same, byte by byte, in both
// states of the code, where their sources are not. Binaries hold the paths of sources, so
// the old code is built in the place of the new.
func (s *session) alike(ctx context.Context) error {
	c := s.codes
	back, ok := c.inPlace()
	if c.old.Version != s.tc.Version || !ok {
		return nil // what cannot be told is measured
	}
	dir, err := os.MkdirTemp(s.work.Path, "alike-")
	if err != nil {
		return &stopError{err, "set TMPDIR to a folder that can be written"}
	}
	defer os.RemoveAll(dir)
	x := twoTrees{old: c.oldTop, new: c.newTop}
	p := &pack{session: s, host: s.host(dir)}
	var differ []discover.Target
	for _, t := range s.targets {
		s.step("%s: building %s to see whether anything differs", t.Package, c.Old.Name)
		a, err := p.codeOf(ctx, t, nil)
		b := ""
		if err == nil {
			b, err = p.codeOf(ctx, t, back)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err == nil && a == b && !slices.ContainsFunc(c.changed, func(f string) bool { return x.data(f, t.Dir) }) {
			c.Same = append(c.Same, t.Package)
			continue
		}
		differ = append(differ, t) // what does not build is told where it is measured
	}
	slices.Sort(c.Same)
	s.targets = differ
	if len(differ) == 0 {
		return c.allSame()
	}
	s.share()
	return nil
}

// codeOf is a checksum of the code of a test binary.
func (p *pack) codeOf(ctx context.Context, t discover.Target, change overlay.Overlay) (string, error) {
	b, err := measure.Build(ctx, p.host, t, measure.BuildOptions{Plain: p.plan.Plain, Bare: true, Change: change})
	if err != nil {
		return "", err
	}
	defer b.Forget(0)
	return b.Sum(ctx)
}

// allSame says that there is nothing to measure.
func (c *codes) allSame() error {
	return fmt.Errorf("%w: the code of the benchmarks is the same in %s and in %s (%s)", ErrSame, c.New.Name, c.Old.Name, figure.Plural(len(c.Same), "package"))
}

// inPlace is what makes the new tree the old one: the old contents of what has changed.
// It reports false where that is not known.
func (c *codes) inPlace() (overlay.Overlay, bool) {
	o := overlay.Overlay{}
	for _, name := range c.changed {
		file := filepath.FromSlash(name)
		was, err1 := readPlain(filepath.Join(c.oldTop, file))
		_, err2 := readPlain(filepath.Join(c.newTop, file))
		gone, added := errors.Is(err2, fs.ErrNotExist), errors.Is(err1, fs.ErrNotExist)
		if err1 != nil && !added || err2 != nil && !gone {
			return nil, false
		}
		if !added || !gone {
			o[filepath.Join(c.newTop, file)] = was // nil hides it
		}
	}
	return o, true
}

// readPlain reads a regular file.
func readPlain(name string) ([]byte, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	text, err := os.ReadFile(name)
	if text == nil && err == nil {
		text = []byte{} // an empty file is there
	}
	return text, err
}

// twoTrees are the folders of two states of the code.
type twoTrees struct {
	old, new string
	known    map[[2]string]bool // whether two files are the same
}

// counterpart is the path in the old tree of one in the new, and whether it lies there.
func (x *twoTrees) counterpart(path string) (string, bool) {
	rel, err := filepath.Rel(x.new, path)
	return filepath.Join(x.old, rel), err == nil && filepath.IsLocal(rel)
}

func (x *twoTrees) sameInputs(olds, news []gocmd.Input) bool {
	return slices.EqualFunc(olds, news, func(a, b gocmd.Input) bool {
		if a.ImportPath != b.ImportPath || a.Standard != b.Standard || !slices.Equal(a.Go, b.Go) || !slices.Equal(a.Other, b.Other) {
			return false
		}
		if a.Standard {
			return true
		}
		at, inside := x.counterpart(b.Dir)
		switch {
		case !inside: // a folder of the module cache has its version in its name
			return a.Dir == b.Dir
		case a.Dir != at:
			return false
		}
		if m := b.Module; m != nil && !x.same(m.GoMod, false) { // the version of the language, godebug
			return false
		}
		for i, files := range [][]string{b.Go, b.Other} {
			for _, f := range files {
				if !x.same(filepath.Join(b.Dir, f), i == 0) {
					return false
				}
			}
		}
		return true
	})
}

// same reports whether a file of the new tree is in the old one, the comments of Go
// apart.
func (x *twoTrees) same(path string, code bool) bool {
	old, inside := x.counterpart(path)
	if !inside {
		return true // one file for both
	}
	key := [2]string{old, path}
	if same, ok := x.known[key]; ok {
		return same
	}
	a, err := os.ReadFile(old)
	b, err2 := os.ReadFile(path)
	same := err == nil && err2 == nil && (bytes.Equal(a, b) || code && sameCode(a, b))
	x.known[key] = same
	return same
}

// data reports whether a changed file, by its path in the repository, is one that a
// benchmark of the package in dir may read: what lies in a folder called testdata
// anywhere, or beneath dir, and is neither Go, which is compiled, nor a document.
func (x *twoTrees) data(changed, dir string) bool {
	if strings.Contains("/"+changed, "/testdata/") {
		return true
	}
	rel, err := filepath.Rel(dir, filepath.Join(x.new, filepath.FromSlash(changed)))
	return err == nil && filepath.IsLocal(rel) && !slices.Contains([]string{".go", ".md"}, filepath.Ext(rel)) && !strings.Contains("/"+filepath.ToSlash(rel), "/.")
}

// sameCode reports whether two Go files have the same tokens, and the same comments
// that the compiler or the go command reads.
func sameCode(a, b []byte) bool {
	x, ok := tokens(a)
	y, ok2 := tokens(b)
	return ok && ok2 && slices.Equal(x, y)
}

func tokens(src []byte) (all []string, ok bool) {
	ok = true
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", -1, len(src)), src, func(token.Position, string) { ok = false }, scanner.ScanComments)
	for {
		switch _, tok, lit := s.Scan(); {
		case tok == token.EOF:
			return all, ok
		case tok == token.COMMENT && !strings.HasPrefix(lit, "//go:") && !strings.HasPrefix(lit, "//line ") && !strings.HasPrefix(lit, "/*line ") && !strings.HasPrefix(lit, "// +build"):
		case tok == token.SEMICOLON:
			all = append(all, ";") // written, or at the end of a line
		default:
			all = append(all, tok.String()+" "+lit)
		}
	}
}
