//go:build unix

package main

import "syscall"

// childrenCPU is the processor time of all ended children and of theirs, in
// seconds.
func childrenCPU() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u) != nil {
		return 0
	}
	return seconds(u.Utime) + seconds(u.Stime)
}

func ownCPU() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return seconds(u.Utime) + seconds(u.Stime)
}

func seconds(t syscall.Timeval) float64 { return float64(t.Nano()) / 1e9 }
