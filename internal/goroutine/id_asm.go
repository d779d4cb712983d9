//go:build gc && (amd64 || arm64 || 386) && !goroutines_unknown

package goroutine

// Known says that ID tells goroutines apart.
const Known = true

// ID returns a number that no other goroutine has that lives at the same time, or
// 0 where that is not known (see Known): it is the address of the runtime's record
// of the goroutine, which unlike its stack stays in its place.
func ID() uintptr
