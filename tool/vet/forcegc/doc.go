// Package forcegc finds collections that the program asks for.
//
// Wrong, where it is hot:
//
//	for _, b := range batches {
//		work(b)
//		runtime.GC() // tidy up
//	}
//
// Right: nothing. The collector runs when it pays.
//
// # Cost
//
// runtime.GC waits for a whole collection: it marks all that is alive, whether or
// not anything is garbage, and takes the other processors for it. See
// https://go.dev/doc/gc-guide.
//
// # Evidence
//
// The cause gc in the function.
//
// # Edits
//
// drop: the call goes. What it freed stays until the next collection, which comes
// when the heap has grown by GOGC.
//
// # Refused
//
// A package that sees what is collected: by finalizers, cleanups and weak pointers, or by the
// statistics or profiles of memory. A package that sets when collections happen. What its
// tests see they tell when they run. Calls in tests and of debug.FreeOSMemory, which is asked
// for to have the memory back, are no findings.
package forcegc
