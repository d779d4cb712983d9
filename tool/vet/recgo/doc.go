// Package recgo finds recursions that start a goroutine for their own call at
// every level, down to the smallest part.
//
// Wrong:
//
//	func total(xs []int) int {
//		if len(xs) == 1 {
//			return xs[0]
//		}
//		var left int
//		var wg sync.WaitGroup
//		wg.Go(func() { left = total(xs[:len(xs)/2]) })
//		right := total(xs[len(xs)/2:])
//		wg.Wait()
//		return left + right
//	}
//
// Right: the same behind
//
//	if len(xs) <= 1024 {
//		return totalSerial(xs)
//	}
//
// The goroutines of a million elements are a million, half of them for two
// elements each. The largest of 2,048 numbers took 1.5 ms on two processors with
// a goroutine for each half, and 6 µs without (m04 of
// record/2026-11-23-epyc-2cpu/zoo-1).
//
// # Evidence
//
// A benchmark that spends processor time in the function and loses some to
// grain: to the start, end and switching of goroutines.
//
// # What is not found
//
// A recursion that something bounds. That is a threshold on a length, a number
// or a depth, by constant, variable or field. Or it is a flag, slots or a
// semaphore, a select with a default. Nor one that waits for the world between
// its calls, as a crawler does. Without a serial form beside it, nor one whose
// goroutines do not tell of their end, or are those of an errgroup.
//
// # Edits
//
//   - threshold, for some values: a twin of the function in one goroutine. The
//     function goes over to it where a slice, the distance of two numbers, or a
//     number is small. The name of the edit's value is what it is at most.
//   - levels, for some numbers: where no argument tells the size, as with a tree's
//     node. The first levels of calls have goroutines, and below them runs the
//     twin.
//   - serial: the calls one after the other. Channels that they are given get room.
//
// Where the serial form of the function stands beside it (see serialform), that is what it
// goes over to, and there is no twin. Then the goroutines may be any, as nothing of them is
// changed.
//
// They are refused where a task in place would wait for what comes after it.
// It waits at a send to a channel without room, a receive, a lock that the
// function holds, a condition. They are refused where a task ends by
// runtime.Goexit, or the function recovers. What a task calls that the function was given
// may wait for another task: that it does not is a condition. Where no argument tells the size,
// threshold is refused.
//
// Thresholds are wrong where parts of one size differ much in cost, and right
// for one machine: keep the benchmark. So are levels, where a few of the calls have
// most of the work.
package recgo

const doc = "find recursions that start a goroutine at every level\n\nThe smallest parts cost less than the start and join of their goroutine."
