// Package byvalue passes structs of several sizes to a function, and asks what
// it costs to pass them by value.
//
// # Question
//
// A pointer is one word, whatever it points to; a value is copied. From what
// size on does the copy show?
//
// # Variants
//
//   - [Pointer] passes a pointer to each struct. It is the base.
//   - [Value] passes the struct.
//
// The sizes are 8 bytes, a word like a pointer, and 64, which Go passes in registers on
// amd64. 96 bytes are about the article's, and too many fields for that. The largest is
// 256. Each variant passes 100 structs of one size, in one goroutine: nothing here
// depends on processors.
//
// # Source
//
// "So You Wanna Go Fast?" by Tyler Treat (2015), read in the translation
// http://studygolang.com/articles/6914. It tells neither the machine nor the Go
// version. A struct, of which its code has seven fields
// (https://github.com/tylertreat/go-benchmarks), and which its other benchmarks
// allocate in 96 bytes, is passed to an empty function:
//
//	BenchmarkPassByReference-8   2.35 ns/op
//	BenchmarkPassByValue-8       6.36 ns/op
//
// It calls the difference almost negligible, since it depends on the type copied, and
// adds that the compiler may have optimised some of it. Today's does: an empty function
// literal is put in place of its call, and nothing is passed.
//
// # What is measured
//
// The functions are not inlined, and look at both ends of the struct; the test
// holds the sum of what they find to a formula. The structs are in a slice that
// fits the first cache, so that no variant waits for memory. In the assembly a
// struct that does not go in registers is copied twice, from the slice and then
// into the arguments.
//
// # Today
//
// Holds: a pointer is cheaper from 64 bytes on, registers or not, and by more
// the larger the struct. At 8 bytes there is no difference worth the name, and
// only the pointer can make what it points to escape to the heap.
//
// Holds no longer: that the difference is negligible with a struct like the
// article's. It was not in the article's figures either.
package byvalue
