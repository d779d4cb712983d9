// Package recycle keeps values and slices that are done with, so that the next
// user need not allocate them.
//
//   - [Pool] keeps values of one type and sets them to zero.
//   - [PoolFunc] is for values that own a slice, map or buffer worth keeping: a
//     function empties them.
//   - [Slices] keeps slices by size, without allocating a header for each.
//   - [FreeList] keeps up to a fixed number of values; the garbage collector
//     does not empty it.
//
// Do not use it before a profile shows allocation or collection. A value that does not
// leave its function lives on the stack at no cost. To allocate a few words without
// pointers is about as fast as to recycle them. A worker that runs a loop does best
// with a variable of its own outside the loop. And what may still be in use somewhere
// must not be put at all: the next Get hands it to code that writes to it.
//
// Get and Put do not allocate. Those of Pool cost some percent more than those of
// [sync.Pool], on which all but FreeList are built: tens of nanoseconds together.
// Those of PoolFunc and Slices cost a few more, for the call of the function and
// the choice of the size. FreeList takes two atomic operations for each, as an
// uncontended mutex does. The resetting comes on top, and all cost more where
// values keep moving from one processor to another.
//
// Nothing here detects a value that is put twice, or a use after a Put. All goroutines
// would have to share a table of what is in the pools. Its lock would order them, and
// so hide races from the race detector. The detector itself finds such a use once it
// meets the next owner's. In builds with -race, Put also writes to all of a slice (see
// [Slices.Put]).
package recycle
