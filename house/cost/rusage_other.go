//go:build !unix

package main

import "time"

var start = time.Now()

// Without rusage nothing is known of children, and own time is wall time.
func childrenCPU() float64 { return 0 }
func ownCPU() float64      { return time.Since(start).Seconds() }
