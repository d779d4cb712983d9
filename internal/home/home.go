// Package home tells goroutines apart, for those who keep what goroutines share in
// several places and want each to use its own.
//
// Go does not say which goroutine or processor it is. sync.Pool knows the processor,
// and to ask it costs several times this. A random place each time would take the
// cache line away from whoever had it.
package home

import "unsafe"

// Page returns a number that is likely the same for successive calls of a
// goroutine, and another one for another goroutine that lives: that of the 2 KiB of
// memory that its stack is at now, since stacks are multiples of that in size and
// place. A stack that is larger gives several as the depth of calls varies, and
// one that grows moves. Multiply it with something large and odd, and take the
// upper bits.
func Page() uintptr {
	var here byte
	return uintptr(unsafe.Pointer(&here)) >> 11
}
