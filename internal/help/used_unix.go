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

// preempted is how often a thread of the program lost its processor to another, of this
// program or another one.
func preempted() (int64, bool) {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0, false
	}
	return int64(r.Nivcsw), true
}
