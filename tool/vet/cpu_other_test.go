//go:build !unix

package vet_test

import "time"

var start = time.Now()

// spent is the time that has passed: the system is not asked for another.
func spent() time.Duration { return time.Since(start) }
