// Package heapescape makes records of 96 bytes, and asks what it costs that they
// are on the heap.
//
// # Question
//
// A value that does not outlive its function can be on the stack, where it costs
// no more than the writing of it. How much more is one on the heap? And what
// decides where it is?
//
// # Variants
//
//   - [Stack] has a variable for each record. It is the base.
//   - [New] calls new instead.
//   - [Value] has the record made by a constructor that returns it.
//   - [Heap] has it made by a constructor that returns a pointer to it.
//
// Each makes 1000 records, one after the other, in one goroutine: nothing here
// depends on processors.
//
// # Source
//
// "So You Wanna Go Fast?" by Tyler Treat (2015), read in the translation
// http://studygolang.com/articles/6914. It tells neither the machine nor the Go
// version. A function returns a struct, or a pointer to a new one:
//
//	BenchmarkAllocateHeap-8    62.3 ns/op   96 B/op   1 allocs/op
//	BenchmarkAllocateStack-8   11.6 ns/op    0 B/op   0 allocs/op
//
// Its code (https://github.com/tylertreat/go-benchmarks) calls function literals
// and drops what they return. Today's compiler would put them in place, the
// record on the stack, and nothing would be measured.
//
// # What is measured
//
// A method that is not inlined writes all twelve words of each record, and the
// test holds the sum of the ends to a formula. The test also counts allocations:
// one for each record in Heap, none in the others.
//
// # Today
//
// Holds: a record on the heap takes several times as long as one on the stack,
// collection included.
//
// Holds no longer: that new is what makes the difference. New is Stack, to the
// instruction: the compiler looks at what outlives the function, not at the
// word. It did so in 2015 too. What costs is the pointer that a function
// returns; Value returns a copy, which takes longer than Stack and less than
// Heap.
package heapescape
