//go:build unix

package local

import (
	"os"
	"syscall"
)

// lockFlags open the lock of a folder that others may have made: through no link, waiting
// for no pipe, and creating nothing.
const lockFlags = os.O_RDWR | syscall.O_NOFOLLOW | syscall.O_NONBLOCK
