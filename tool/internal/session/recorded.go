package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/record"
	"github.com/gopayoff/payoff/tool/internal/store"
	"github.com/gopayoff/payoff/tool/internal/tune"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

// Homes returns the folders of the runs that were started in the toolchain's directory
// and not told otherwise: in the user's tree, then in the user's cache. Either may not
// be there.
func Homes(tc *gocmd.Toolchain) (homes []string) {
	if tree := tc.OwnTree(); tree != "" {
		homes = append(homes, filepath.Join(tree, ".payoff", "runs"))
	}
	if cache, err := os.UserCacheDir(); err == nil {
		homes = append(homes, filepath.Join(cache, "payoff", "runs"))
	}
	return homes
}

// Recorded returns the folders of those runs, newest first in each of Homes. Some may
// be damaged, or still be written. unread says why some of Homes could not be read.
func Recorded(tc *gocmd.Toolchain) (dirs []string, unread error) {
	for _, home := range Homes(tc) {
		entries, err := record.Folder(home)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // none is an answer
			unread = errors.Join(unread, err)
		}
		for _, e := range slices.Backward(entries) { // named by the time
			if e.IsDir() {
				dirs = append(dirs, filepath.Join(home, e.Name()))
			}
		}
	}
	return dirs, unread
}

// Edits are the changes that the edits of a recorded run make, whether they paid or not.
func Edits(dir string) (all []patch.Change, err error) {
	for _, pkg := range store.Packages(dir) {
		var t verify.Treatment
		if known, err := store.Part(dir, pkg, curePart, &t); err != nil {
			return nil, err
		} else if !known || t.Prescription == nil {
			continue
		}
		for _, f := range t.Prescription.Fixes {
			all = append(all, f.Changes...)
		}
	}
	if tune.Recorded(dir) {
		saved, err := tune.Load(dir)
		if err != nil {
			return nil, err
		}
		all = append(all, saved.Changes...)
	}
	return all, nil
}
