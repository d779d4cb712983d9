//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package help

import "time"

// cpuTime is not known.
func cpuTime() (time.Duration, bool) { return 0, false }

// preempted is not known.
func preempted() (int64, bool) { return 0, false }
