// Package goroutine tells goroutines apart, for a nanosecond and a half. It is for
// finding misuse: nothing may depend on it that is not a fault.
package goroutine

// ID returns a number that no other goroutine has that lives at the same time, or
// 0 where that is not known (see Known): it is the address of the runtime's record
// of the goroutine, which unlike its stack stays in its place.
func ID() uintptr { return id() }
