// Package poolvalue finds values that are no pointers in a sync.Pool.
//
// Wrong, where it is hot:
//
//	var bufs = sync.Pool{New: func() any { return make([]byte, 0, 1024) }}
//
//	buf := bufs.Get().([]byte)
//	…
//	bufs.Put(buf)
//
// Right:
//
//	var bufs = sync.Pool{New: func() any {
//		buf := make([]byte, 0, 1024)
//		return &buf
//	}}
//
//	bufp := bufs.Get().(*[]byte)
//	buf := *bufp
//	…
//	*bufp = buf
//	bufs.Put(bufp)
//
// # Cost
//
// An interface holds a pointer. To put a slice, a string or a struct into one
// allocates memory for it, with each Put: what the pool was to save. See
// https://staticcheck.dev/docs/checks/#SA6002.
//
// # Evidence
//
// The causes alloc and pool where the pool is used.
//
// # Edits
//
// pointer: the pool holds pointers. The edit copies what it gets from behind
// the pointer, and back before the Put.
//
// # Refused
//
// A pool that other packages can reach, that the package passes on, or that is a
// field. A pool that is no literal whose New returns a value at once. A Put of what
// was not got in the same function, and a second one. One that may run twice for one
// Get: two users would have the pointer.
package poolvalue
