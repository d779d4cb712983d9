// Package dispatch adds up what a method makes of each number, and asks what it
// costs to leave open which method that is.
//
// # Question
//
// A call through an interface is slower than a call of the method itself. Is
// that the look-up of the method, or is it that the compiler cannot put the
// method's code in place of the call?
//
// # Variants
//
//   - [Inlined] calls the method of a known type; its code stands in the loop.
//     It is the base.
//   - [Called] does the same with a method that the compiler may not inline.
//   - [Interface] calls through an interface that always holds the same type.
//   - [Generic] calls a method of a type parameter, which would be the cure if
//     that put the code back.
//   - [Func] calls a function value.
//
// All make the same calls in the same order, in one goroutine: nothing here
// depends on processors.
//
// # Source
//
// "So You Wanna Go Fast?" by Tyler Treat (2015), read in the translation
// http://studygolang.com/articles/6914. A method called on a struct and through
// an interface:
//
//	BenchmarkStructMethodCall-8   0.44 ns/op
//	BenchmarkIfaceMethodCall-8    2.97 ns/op
//
// It tells neither the machine nor the Go version. 0.44 ns is a clock cycle or
// two: in the first row nothing is called, and the method is empty
// (https://github.com/tylertreat/go-benchmarks). The factor of 6.8 is of a call
// against no call.
//
// # What is measured
//
// One op is 1000 calls. Their answers are added up, and the test holds the sum to
// a formula. The loops that call through something are not inlined into the
// functions that know what it is, or the compiler would call that. In the
// assembly, only the loop of Inlined has no call in it. The interface value is
// made once an op, on the heap, which takes about a hundredth of the op's time.
//
// # Today
//
// Seen on one processor of a virtual machine.
//
// Holds: a call through an interface loses to code in place.
//
// Not in the article: most of the loss is no look-up. A plain call loses to code in
// place as well, and so does a call of a function value. Type parameters, of Go 1.18,
// are not the generated code that the article recommends. The compiler calls their
// methods through a dictionary, and does not bring the code back.
package dispatch
