//go:build unix

package turn

import (
	"os"
	"syscall"
)

// open follows no link, waits for no pipe and creates nothing.
const open = os.O_RDWR | syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// shared is the file to try first. /tmp is the same for all users, whatever their TMPDIR.
func shared() string { return "/tmp/payoff.lock" }
