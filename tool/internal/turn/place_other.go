//go:build !unix

package turn

import (
	"os"
	"path/filepath"
)

const open = os.O_RDWR

// shared is the file to try first. The folder for temporary files belongs to one user:
// the runs of others are not seen.
func shared() string { return filepath.Join(os.TempDir(), "payoff.lock") }
