//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package help

import (
	"syscall"
	"time"
)

// cpuTime is the time that all threads of the program have run.
func cpuTime() (time.Duration, bool) {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0, false
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()), true
}
