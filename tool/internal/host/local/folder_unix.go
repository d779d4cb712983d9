//go:build unix

package local

import (
	"io/fs"
	"os"
	"syscall"
)

// lockFlags open the lock of a folder that others may have made: through no link, waiting
// for no pipe, and creating nothing.
const lockFlags = os.O_RDWR | syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// mine reports whether a file is the user's own.
func mine(about fs.FileInfo) bool {
	st, ok := about.Sys().(*syscall.Stat_t)
	return !ok || int(st.Uid) == os.Geteuid()
}
