package session

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/gocmd"
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
// be damaged, or still be written.
func Recorded(tc *gocmd.Toolchain) (dirs []string) {
	for _, home := range Homes(tc) {
		entries, _ := os.ReadDir(home)               // none is an answer
		for _, e := range slices.Backward(entries) { // named by the time
			if e.IsDir() {
				dirs = append(dirs, filepath.Join(home, e.Name()))
			}
		}
	}
	return dirs
}
