// Package forkjoin finds calls of functions that start goroutines for a function
// they are given, and wait for them.
//
// Wrong, where a row is short:
//
//	func each(n int, f func(w int)) {
//		var wg sync.WaitGroup
//		for w := range n {
//			wg.Go(func() { f(w) })
//		}
//		wg.Wait()
//	}
//
//	for _, row := range rows {
//		each(workers, func(w int) { sums[w] += sum(part(row, w)) })
//	}
//
// Right: the loop, or one call that has enough to do:
//
//	for _, row := range rows {
//		for w := range workers {
//			sums[w] += sum(part(row, w))
//		}
//	}
//
// To start a goroutine and to wait for it takes some hundred nanoseconds (see the
// catalogue's grain). So each call has to have microseconds of work for every
// goroutine. The function that starts them is right for some of its calls and
// wrong for others: the edits are made at the call.
//
// # Evidence
//
// A benchmark that spends processor time in the task, and there or in the
// function that starts the goroutines loses some to grain. What that function
// loses counts for all benchmarks that come to the call.
//
// # What is not found
//
// Functions of other packages, and those that start what they do not wait for
// before they return. Functions that keep the task or hand it to goroutines by a
// channel; tasks that wait for the world; calls with a function from elsewhere.
//
// # Edits
//
//   - serial: the edit calls a twin of the function, which does the tasks one after the
//     other. Where the package has one already, it is that.
//
// They are refused where tasks may wait for each other. They may do so by a
// channel, a condition, a lock that another gives back, a loop that looks until
// something is set. They are refused where a task may end its goroutine, and where
// the function that calls recovers. They are refused where what the goroutines do
// is not certain to mean the same in one (see goperelem).
package forkjoin

const doc = "find calls that start goroutines for a function and wait for them\n\nEach start and join costs more than little work."
