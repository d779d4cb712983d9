//go:build !unix

package patch

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	noWait    = 0
	lockFlags = os.O_RDWR | os.O_CREATE
)

// lockFile is the file whose lock stands for that of a folder, which has none itself:
// one in the user's folder for temporary files.
func lockFile(dir string) string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("payoff-%x.lock", sha256.Sum256([]byte(dir))))
}

// names is the number of names that a file has; here it is not known.

// own does nothing: a new file has the owner and the rights that its folder gives.
func own(*os.File, fs.FileInfo) error { return nil }

// syncFolder does nothing: folders cannot be synced.
func syncFolder(*os.File) error { return nil }
