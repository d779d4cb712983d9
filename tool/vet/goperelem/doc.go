// Package goperelem finds loops that start a goroutine for each element of their
// input.
//
// Wrong:
//
//	for i, x := range xs {
//		wg.Go(func() { out[i] = f(x) })
//	}
//	wg.Wait()
//
// Right: one goroutine for each processor, with a part of the elements:
//
//	workers := min(runtime.GOMAXPROCS(0), len(xs))
//	for w := range workers {
//		wg.Go(func() {
//			for i := len(xs) * w / workers; i < len(xs)*(w+1)/workers; i++ {
//				out[i] = f(xs[i])
//			}
//		})
//	}
//	wg.Wait()
//
// An element has to take microseconds. A goroutine for each of 1,024 numbers
// took 240 µs on two processors, and the loop 0.4 (m05 of
// record/2026-11-23-epyc-2cpu/zoo-1).
//
// # Evidence
//
// A benchmark that spends processor time in the loop or in what it starts, and
// loses some to grain. What an element takes does not show in the source: a call
// may be anything. So the shape is found whatever the body calls, and only
// evidence speaks.
//
// # What is not found
//
// Loops over workers: their number is that of the processors or a constant up to
// 64. Or the goroutines loop over a part of their own or over a channel. Bodies
// that wait for the world. Goroutines that are not joined, or within the loop.
//
// # Edits
//
//   - chunk: one goroutine for each processor, with a contiguous part of the range.
//     What is kept by index stays where it is. A group that starts a goroutine for
//     each literal it is handed, such as an errgroup, gets as many literals.
//   - serial: the loop.
//   - par: par.For over the range.
//
// What a task calls that the function was given may wait for another task. That it does
// not is a condition then: payoff fix tries whether it holds. So is that a group of the
// package's own may get fewer tasks.
//
// They are refused where the loop does more than start goroutines, or ends early,
// and where its iterations have no numbers, as over a map. They are refused where
// a task waits for another or may end its goroutine, and where the wait group has
// other uses. They are refused where what the loop goes over changes before all
// have ended. They are refused for a group that keeps all errors, goes on after a panic or
// ends the others with the first error. The edits serial and par are refused also where tasks send on a
// channel that stays full meanwhile.
//
// Add of a wait group panics where the number of elements it is told is negative;
// the loop of an edit does nothing then.
//
// Where elements differ much in cost, a part each leaves processors idle; par
// hands out smaller ones.
package goperelem

const doc = "find loops that start a goroutine for each element\n\nIts start and join cost more than a small element's work."
