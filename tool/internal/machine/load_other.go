//go:build !linux

package machine

import "time"

// ReadLoad returns a snapshot of the machine's processor time.
// Only Linux tells it without privileges; elsewhere OK is false.
func ReadLoad() Load { return Load{At: time.Now()} }
