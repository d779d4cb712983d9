//go:build !linux

package machine

import "time"

// threadCPUTime reports false: no thread's own processor time is read here.
func threadCPUTime() (time.Duration, bool) { return 0, false }

// currentCPU returns -1: the processor of the calling thread is unknown.
func currentCPU() int { return -1 }
