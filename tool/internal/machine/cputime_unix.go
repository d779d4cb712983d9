//go:build unix

package machine

import (
	"syscall"
	"time"
)

// cpuTimeStep is the resolution of CPUTime.
const cpuTimeStep = time.Microsecond

// CPUTime returns the processor time that this process has used so far, in
// user and system mode, of all its threads, those that ended included. It
// reports false where the platform does not tell. A thread that is running may
// be counted up to its last scheduler tick only, some milliseconds ago.
func CPUTime() (time.Duration, bool) {
	var ru syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &ru); err != nil {
		return 0, false
	}
	return time.Duration(ru.Utime.Nano() + ru.Stime.Nano()), true
}
