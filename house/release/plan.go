package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// tagged are the directories of the modules that users install. The others have no
// versions.
var tagged = []string{".", "gallery", "tool", "tool/fleet", "pipe/jetstream"}

// A plan is what a release does. It is made of a copy of the tree, in which the
// release is carried out.
type plan struct {
	tree      string // the copy, a repository of its own
	version   string
	rehearsal bool
	date      string    // of the section in CHANGELOG.md
	modules   []*mod    // in the order of their requirements
	section   string    // what CHANGELOG.md says of the version
	patch     string    // from the tree as it is to the release
	changes   []*change // the same without CHANGELOG.md
}

// newPlan copies the repository in root to tree and finds out what is to be done.
func newPlan(ctx context.Context, root, tree string, o options, now time.Time) (*plan, error) {
	status, err := output(ctx, root, nil, "git", "status", "--porcelain")
	if err != nil {
		return nil, err
	}
	if status != "" && !o.dirty {
		return nil, fmt.Errorf("what is not committed is in no release; -dirty takes it as if it were:\n%s", status)
	}
	tags, err := output(ctx, root, nil, "git", "tag")
	if err != nil {
		return nil, err
	}
	list, err := output(ctx, root, nil, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	names := strings.FieldsFunc(list, func(r rune) bool { return r == 0 })
	names = slices.DeleteFunc(names, func(name string) bool { // deleted, and not committed so
		_, err := os.Lstat(filepath.Join(root, name))
		return errors.Is(err, fs.ErrNotExist)
	})
	mods, err := readModules(os.DirFS(root), names)
	if err != nil {
		return nil, err
	}
	if err := copyTree(root, tree, names, mods); err != nil {
		return nil, err
	}
	p := &plan{tree: tree, version: o.version, rehearsal: o.version == "", date: now.Format(time.DateOnly)}
	if p.modules, err = inOrder(mods, tagged); err != nil {
		return nil, err
	}
	if p.rehearsal {
		if p.version, err = next(mods, strings.Fields(tags)); err != nil {
			return nil, err
		}
	}
	return p, check(p.version, mods, strings.Fields(tags))
}

// copyTree copies the named files of a tree. Of a module without code, like the
// record, go.mod is enough: it keeps the rest out of the others.
func copyTree(from, to string, names []string, mods []*mod) error {
	for _, name := range names {
		if !moduleOf(mods, name).code && path.Base(name) != "go.mod" {
			continue
		}
		source, target := filepath.Join(from, name), filepath.Join(to, name)
		info, err := os.Lstat(source)
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is no regular file: no module can have it", name)
		}
		data, err := os.ReadFile(source)
		if err != nil {
			return err
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(target), 0o755), os.WriteFile(target, data, info.Mode().Perm())); err != nil {
			return err
		}
	}
	return nil
}
