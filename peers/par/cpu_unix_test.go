//go:build unix

package par

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time of this process, or -1.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return -1
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
