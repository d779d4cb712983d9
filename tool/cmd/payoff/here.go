package main

import (
	"context"
	"fmt"
	"go/build"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/plain"
)

// here are changes as they are to be written by a payoff that stands in the working
// directory, whose record may be of another copy of the code, or come from anybody:
// what is written is in the module, or beneath the workspace, where payoff stands, and
// tree are the folders of its modules. paths has the import paths of folders, as the record
// names them: another copy is found by them, and a folder that has another one here is
// refused.
func here(ctx context.Context, changes []patch.Change, paths map[string]string) (moved []patch.Change, tree patch.Tree, err error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, nil, err
	}
	tc, err := gocmd.Find(ctx, dir, "")
	if err != nil {
		return nil, nil, err
	}
	own := func(pattern string) (*gocmd.Package, error) {
		all, err := tc.List(ctx, []string{pattern})
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil || len(all) != 1 || all[0].Module == nil || !all[0].Module.Main {
			return nil, nil // the go command knows it as nothing of the user's, or not at all
		}
		return &all[0], nil
	}
	folders := map[string]string{}
	for _, c := range changes {
		if err := c.Local(); err != nil {
			return nil, nil, err
		}
		was := filepath.Dir(c.File)
		if _, ok := folders[was]; !ok {
			p, err := own(was)
			is := was // not as the go command spells it
			if err == nil && p == nil && paths[was] != "" && !build.IsLocalImport(paths[was]) && !filepath.IsAbs(paths[was]) {
				if p, err = own(paths[was]); p != nil {
					is = p.Dir
				}
			}
			if err != nil {
				return nil, nil, err
			}
			if p == nil {
				return nil, nil, fmt.Errorf("nothing is written: %s is not in the module of %s, where payoff runs: run it in a checkout of what was measured", c.File, dir)
			}
			if !tc.Holds(p.Module.Dir) {
				return nil, nil, fmt.Errorf("nothing is written: %s is in %s, which go.work in %s names though it is elsewhere: run payoff there", c.File, p.Module.Dir, tc.Work)
			}
			if want := paths[was]; want != "" && p.ImportPath != want {
				return nil, nil, fmt.Errorf("nothing is written: %s is package %s here, and the record is of %s", is, p.ImportPath, want)
			}
			folders[was] = is
			if !slices.Contains(tree, p.Module.Dir) {
				tree = append(tree, p.Module.Dir)
			}
		}
		c.File = filepath.Join(folders[was], filepath.Base(c.File))
		moved = append(moved, c)
	}
	return moved, tree, nil
}

// foreign says where changes go that were made of another copy of the code.
func foreign(recorded, here []patch.Change, stderr io.Writer) {
	for i, c := range here {
		if was := recorded[i].File; was != c.File {
			fmt.Fprintf(stderr, "payoff: the record is of another copy: its %s is %s here\n", plain.Clean(was), plain.Clean(c.File))
		}
	}
}
