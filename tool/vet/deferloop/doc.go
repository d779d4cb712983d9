// Package deferloop finds calls that are deferred in loops.
//
// Wrong, where it is hot:
//
//	for _, f := range files {
//		defer f.Close() // all of them at the end of the function
//	}
//
//	for _, x := range xs {
//		func() {
//			mu.Lock()
//			defer mu.Unlock()
//			total += x
//		}()
//	}
//
// Right:
//
//	for _, x := range xs {
//		mu.Lock()
//		total += x
//		mu.Unlock()
//	}
//
// # Cost
//
// A plain defer costs about nothing: the compiler puts the call at the end of
// the function. In a loop it cannot; each iteration makes a record of the call in a
// list that is worked through when the function returns, and what is to be
// released stays until then. A function literal with a defer is not inlined. See the record of
// the gallery case deferloop.
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
// inline: the literal that is called in each iteration becomes a block, at whose
// end the lock is released.
//
// # Refused
//
// A defer in the loop itself: its call comes at the end of the function, after those
// of later iterations, and to make it earlier lets others in between. That may be
// what was meant; it is not the same. once needs locks, which do not panic, and no
// other defer in the loop.
//
// A literal in which anything between the defer and its end may panic, return
// or jump: a division, an index, a call that is not known, a nil pointer. The
// defer would release the lock then, and the inlined code would not. A literal that
// declares the name of the lock once more.
package deferloop
