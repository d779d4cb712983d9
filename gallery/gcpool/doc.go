// Package gcpool handles requests that each need a short-lived record, and shows
// how little a second processor helps when all of them are allocated.
//
// # Symptom
//
// Handling requests in several goroutines is hardly faster than in one. They
// share nothing and wait for nothing. All processors are busy, and the memory
// statistics show a collection every few milliseconds.
//
// # Cause
//
// Each request allocates 96 bytes that are garbage when it is answered. In [Serial] the
// collector already runs on a second processor while the one goroutine goes on. In
// [Allocate] the workers fill the heap twice as fast. So there are twice as many
// collections, and they take the processor that was to do the work. The live heap of
// this program is next to nothing, so a collection begins each time it has grown to the
// least size there is. A larger one, or a larger GOGC, makes that rarer.
//
// # Cures
//
//   - [SyncPool]: records come from a sync.Pool and go back to it, set to zero by
//     hand.
//   - [Recycle]: the same with a recycle.Pool, which knows the type and cannot
//     forget to set to zero. It costs as much.
//
// A loop that has its workers to itself needs neither: a variable for each worker
// is cheaper than any pool. Here a request comes as a call of a function, as in a
// server, and there is no place for the variable.
//
// # Source
//
// "So You Wanna Go Fast?" by Tyler Treat (2015), read in the translation
// http://studygolang.com/articles/6914. It tells neither the machine nor the Go
// version. An op is ten structs, one in each of ten goroutines, got and dropped
// (https://github.com/tylertreat/go-benchmarks):
//
//	BenchmarkConcurrentStructAllocate-8    337 ns/op
//	BenchmarkConcurrentStructPool-8       65.5 ns/op
//
// Today's compiler would put the article's structs on the stack, since nothing
// is done with them.
//
// # What is measured
//
// A record is filled, handed to a function that the compiler does not know, and
// dropped. The test holds the sum of the answers to a formula, in which whatever a pool
// had left in a record would show. It counts one allocation for each request or hardly
// any. The workers are started within the measured time; they are two goroutines for
// 100,000 requests, and on one processor Allocate is even with Serial.
//
// # Today
//
// Holds: the pool is several times as fast. It gains on both sides: on one
// processor it saves the allocating and collecting, and on two its workers have
// both to themselves.
package gcpool
