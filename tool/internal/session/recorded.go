package session

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/gocmd"
)

// Recorded returns the folders in which runs that were started in the toolchain's
// directory are recorded unless they are told otherwise, newest first: those in
// the user's tree, then those in the user's cache. Some may be damaged, or still
// be written.
func Recorded(tc *gocmd.Toolchain) (dirs []string) {
	var homes []string
	if tree := tc.OwnTree(); tree != "" {
		homes = append(homes, filepath.Join(tree, ".payoff"))
	}
	if cache, err := os.UserCacheDir(); err == nil {
		homes = append(homes, filepath.Join(cache, "payoff"))
	}
	for _, home := range homes {
		entries, _ := os.ReadDir(filepath.Join(home, "runs")) // none is an answer
		for _, e := range slices.Backward(entries) {          // named by the time
			if e.IsDir() {
				dirs = append(dirs, filepath.Join(home, "runs", e.Name()))
			}
		}
	}
	return dirs
}
