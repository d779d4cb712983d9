// Package deferloop adds to numbers under mutexes, and asks what it costs to
// leave the unlocking to defer.
//
// # Question
//
// A function that locks, adds and unlocks is called in a loop. What does it lose
// when it unlocks by defer? And what if the defer stands in the loop itself, so
// that the deferred calls pile up until the loop is over?
//
// # Variants
//
//   - [Direct] calls a function for each counter that unlocks without defer. It
//     is the base.
//   - [InPlace] has the code of that function in the loop.
//   - [Deferred] calls a function that unlocks by defer. It is also the cure of
//     the next one.
//   - [Accumulated] has the defer in the loop.
//
// All lock 1000 mutexes, each of them free, in one goroutine: nothing here
// depends on processors.
//
// # Source
//
// "So You Wanna Go Fast?" by Tyler Treat (2015), read in the translation
// http://studygolang.com/articles/6914. It tells neither the machine nor the Go
// version. A mutex is locked and unlocked by a function in a loop:
//
//	BenchmarkMutexDeferUnlock-8   96.6 ns/op
//	BenchmarkMutexUnlock-8        19.5 ns/op
//
// It supposes that a compiler cannot put the deferred call before each return. A defer
// may stand in a condition or in a loop, and a panic is a way out too. It does not
// measure a defer that stands in a loop.
//
// # What is measured
//
// The test holds every counter to its sum and every mutex to be free. The functions of
// Direct and Deferred are both called: the compiler inlines no function with a defer,
// and is told not to inline the other. In the assembly both take the mutex with a
// compare-and-swap and free it with an atomic addition. Deferred has a few moves and
// one call more.
//
// # Today
//
// Holds weaker: since Go 1.14 the compiler does put the deferred call before each
// return (open-coded defers). A bit in the frame says whether it is due. A tenth or
// so is left of the factor, for the call that is not inlined, beside the two atomic
// operations of the mutex.
//
// Holds still for the defer in a loop, where the number of calls is not known.
// Each is a record and a closure on the heap, chained until the function ends. A
// function for each iteration saves all of that.
package deferloop
