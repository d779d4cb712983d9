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
// None: what gets a value has to keep its pointer until it puts it back, and what is
// put may come from elsewhere.
package poolvalue
