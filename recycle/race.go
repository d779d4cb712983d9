//go:build race

package recycle

import "unsafe"

const raceEnabled = true

// poison overwrites the elements of s, which hold no pointers. Reads and writes
// of s that are not ordered before it become races.
func poison[T any](s []T) {
	var v T
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), uintptr(len(s))*unsafe.Sizeof(v))
	if len(b) == 0 {
		return
	}
	b[0] = 0xdb
	for n := 1; n < len(b); n *= 2 {
		copy(b[n:], b[:n]) // the detector takes a copy as one access
	}
}
