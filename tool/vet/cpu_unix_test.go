//go:build unix

package vet_test

import (
	"syscall"
	"time"
)

// spent is the processor time that the process has taken: others that run
// meanwhile do not count.
func spent() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
