// Package poolvalue finds pools that cost more than to make what they lend.
//
// Wrong, where it is hot:
//
//	var bufs = sync.Pool{New: func() any { return make([]byte, 0, 1024) }}
//
//	buf := bufs.Get().([]byte)
//	…
//	bufs.Put(buf)
//
// Right, where no buffer leaves the function, so that it lies on the stack:
//
//	func newBufs() []byte { return make([]byte, 0, 1024) }
//
//	buf := newBufs()
//
// # Cost
//
// An interface holds a pointer. To put a slice, a string or a struct into one
// allocates memory for it, with each Put: what the pool was to save. See
// https://staticcheck.dev/docs/checks/#SA6002. Where what is lent does not come back, each
// Get makes another. Get and Put take some tens of nanoseconds, which is more than a small
// array on the stack takes.
//
// # Evidence
//
// The causes alloc, gc and pool where the pool is used.
//
// # Edits
//
// plain: New becomes a function. Each Get calls it, and the Puts go, with the pool. That is
// what a pool does that has lost all, as it may at any time. Measuring tells whether it pays.
//
// # Refused
//
// Pools that other packages can reach, local ones, and those with other uses than Get and
// Put. A New that does more than to make a value, makes it of
// what its function has, or makes values of several types. A Get whose type is another.
// Where several literals make the struct of the pool, or code makes one without.
package poolvalue
