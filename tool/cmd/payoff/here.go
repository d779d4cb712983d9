package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/patch"
)

// here are changes as they are to be written by a payoff that stands in the working
// directory, whose record may be of another copy of the code: what is written is in
// the module, or in the workspace, where it stands. paths has the import paths of
// folders; what is in none of them cannot be found in another copy.
func here(ctx context.Context, changes []patch.Change, paths map[string]string) ([]patch.Change, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	tc, err := gocmd.Find(ctx, dir, "")
	if err != nil {
		return nil, err
	}
	own := func(pattern string) (dir string, err error) {
		all, err := tc.List(ctx, []string{pattern})
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		if err != nil || len(all) != 1 || all[0].Module == nil || !all[0].Module.Main {
			return "", nil // the go command knows it as nothing of the user's, or not at all
		}
		return all[0].Dir, nil
	}
	folders := map[string]string{}
	var moved []patch.Change
	for _, c := range changes {
		was := filepath.Dir(c.File)
		if _, ok := folders[was]; !ok {
			is, err := own(was)
			if err == nil && is != "" {
				is = was // not as the go command spells it
			} else if err == nil && paths[was] != "" {
				is, err = own(paths[was])
			}
			if err != nil {
				return nil, err
			}
			if is == "" {
				return nil, fmt.Errorf("nothing is written: %s is not in the module of %s, where payoff runs: run it in a checkout of what was measured", c.File, dir)
			}
			folders[was] = is
		}
		c.File = filepath.Join(folders[was], filepath.Base(c.File))
		moved = append(moved, c)
	}
	return moved, nil
}
