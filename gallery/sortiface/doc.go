// Package sortiface sorts structs as themselves and behind interfaces, and shows
// what package sort cannot see.
//
// # Symptom
//
// A sort is slow. The profile is full of Less, Swap and Len, and of methods that
// return a field.
//
// # Cause
//
// Package sort compares and swaps by calls through an interface, whatever it sorts;
// [Sort] pays for those. In [Interfaces] the elements are interfaces as well. A
// comparison takes two more calls, and the numbers lie somewhere on the heap, each
// behind a pointer. More processors do not help, for package sort uses one.
//
// # Cures
//
//   - [SortFunc]: slices.SortFunc on the structs. It is generic: it moves elements
//     without a call, and compares with one.
//   - [Par]: par.SortFunc, called in the same way.
//
// [Slice], with sort.Slice, is no cure for shuffled input. Where the input is sorted
// already, both cures lose to package sort on one processor, Par by a tenth or so.
// Nothing moves, and a comparison that answers one of three takes longer than one that
// answers yes or no. There Par pays from two processors on.
//
// # Source
//
// "So You Wanna Go Fast?" by Tyler Treat (2015), read in the translation
// http://studygolang.com/articles/6914. It tells neither the machine nor the Go
// version. One million structs of one number, sorted as such, and behind
// interfaces:
//
//	BenchmarkSortStruct-8   105276994 ns/op
//	BenchmarkSortIface-8    286123558 ns/op
//
// The article says that the first is 92% faster; by its figures it takes 63% less
// time. Its code (https://github.com/tylertreat/go-benchmarks) makes the numbers
// in ascending order and sorts them again and again: what it measures is the sort
// of what is sorted.
//
// # What is measured
//
// The article's million in ascending order, and 100,000 in a shuffled order, which show
// the same as a million in a tenth of the time. The test holds each variant to what
// slices.Sort makes of the numbers. The lists are made before the clock runs. Shuffled
// ones are copied in the measured time, the same for all variants. That is a hundredth
// of a sort by comparisons, and some percent of Par's.
//
// # Today
//
// Holds: sorting behind interfaces takes much longer than sorting structs.
// Sorting what is sorted has become faster by far, since package sort notices it
// (Go 1.19); the factor between the two is about the article's. Where elements
// have to be moved, it is smaller.
//
// Not in the article: slices.SortFunc is little faster than sort.Sort of structs.
// What takes the time in both is comparisons that no processor can predict.
// Par makes few of them: it finds out which number the comparisons go by, and
// sorts by its digits.
package sortiface
