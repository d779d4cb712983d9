// Package deferloop finds calls that are deferred in loops.
//
// Wrong, where it is hot:
//
//	for _, f := range files {
//		defer f.Close() // all of them at the end of the function
//	}
//
// Right:
//
//	for _, f := range files {
//		…
//		f.Close()
//	}
//
// # Cost
//
// A plain defer costs about nothing: the compiler puts the call at the end of
// the function. In a loop it cannot. Each iteration adds a record of the call to a
// list that the function works through when it returns. What the calls release
// stays until then. See the record of the gallery case deferloop.
//
// # Evidence
//
// The causes work and alloc in the loop: deferring is counted there.
//
// # Edits
//
// once: one deferred function releases the locks that the iterations took, when
// and in which order the calls that they deferred would have.
//
// # Refused
//
// To call at the end of each iteration what was deferred: it comes after those of
// later iterations. To call it earlier lets others in between. That may be what
// was meant; it is not the same. once needs locks, which do not panic, and no
// other defer in the loop.
package deferloop
