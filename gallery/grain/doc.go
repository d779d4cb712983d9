// Package grain sorts by merging, with a goroutine for every half, and shows
// that a goroutine must be given enough to do.
//
// # Symptom
//
// A divide-and-conquer algorithm starts goroutines at each division. All
// processors are busy, and it is several times slower than the recursion it
// replaced, at every size.
//
// # Cause
//
// The number of goroutines follows the data, not the processors: nearly two for every
// number sorted. Half of them get a single number, which is no work at all. To start,
// schedule and await one costs as much as sorting a dozen numbers or more. There is
// parallelism in plenty; it is too finely cut.
//
// # Cures
//
//   - [Threshold2048]: goroutines above a threshold, the serial recursion
//     below. The threshold is a number to measure, not to copy; anything from
//     hundreds to tens of thousands is better than none.
//
//   - [ParFork]: the same recursion in package par, which needs no threshold. It
//     forks where a processor is idle and enough is left to pay for waking it.
//
//   - [SlicesSort]: slices.Sort, the ordinary way where the aim is a sorted slice and
//     not a merge sort. In one goroutine it beats the merge sorts of this case on one
//     processor by far. It keeps up with those of two processors, or passes them. It
//     allocates nothing, and they do for each merge.
//
//   - [ParSort]: par.Sort in its place. It sorts integers by their digits, which pays
//     on one processor already.
//
// With Threshold2048 and ParFork, what remains is the last merge, which one goroutine does
// alone; it bounds what more processors can give.
//
// # Source
//
// "Concurrency isn't always faster" by Teiva Harsanyi, mistake #56 of
// "100 Go Mistakes and How to Avoid Them" (2022);
// https://github.com/teivah/100-go-mistakes. On a machine with four cores, for
// 10,000 elements as told; processor and Go version are not:
//
//	sequential              2.279 s
//	a goroutine per half   17.526 s
//	threshold of 2048       1.313 s
//
// The ratios are the message. The times cannot be those of 10,000 elements: a merge
// sort of so few is a matter of a millisecond or so. Either they are of many more
// elements or their unit is not the nanosecond printed. The benchmark here has the
// 10,000 elements of its text, at which its figures and conclusions are held. With
// 100,000 a goroutine per half takes some hundred milliseconds already. There the
// conclusions are held once more.
//
// # Checked
//
// A sorted slice is its own proof of work: the test compares it with what package
// slices makes of it. Each round sorts a fresh copy; the copy is a hundredth of
// the shortest round at most. All variants but SlicesSort and ParSort merge with the same
// function. That
// the goroutines are the cause shows on one processor, where nothing else
// differs between GoroutinePerHalf and Sequential.
//
// # Today
//
// Seen with two processors of a virtual machine; docs/articles.md has the figures.
//
// Holds: a goroutine per half loses at both sizes, on one processor and on
// two, by about the article's factor or more. The threshold pays with two
// processors, and costs little or nothing on one.
//
// What the article has no answer to is the threshold itself: it was found by trial
// on one machine. ParFork does without, at about the same speed.
package grain
