//go:build !windows

package machine

import "time"

var epoch = time.Now()

// now returns the nanoseconds since some moment; it never goes back.
func now() int64 { return int64(time.Since(epoch)) }
