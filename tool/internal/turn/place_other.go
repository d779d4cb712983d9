//go:build !unix

package turn

import (
	"io/fs"
	"os"
	"path/filepath"
)

const open = os.O_RDWR

// places are the files to try. The folder for temporary files belongs to one
// user: the runs of others are not seen.
func places() []string {
	if file := os.Getenv(Env); file != "" {
		return []string{file}
	}
	return []string{filepath.Join(os.TempDir(), "payoff.lock")}
}

func links(fs.FileInfo) int { return 1 }
