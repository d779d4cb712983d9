// Package serialmerge finds results of goroutines that pass through one place:
// a slice behind a lock, or one goroutine that receives them, or goes over them
// in the end, and works on each.
//
// Bad:
//
//	for w := range workers {
//		wg.Go(func() {
//			for _, x := range part(xs, w) {
//				mu.Lock()
//				out = append(out, f(x))
//				mu.Unlock()
//			}
//		})
//	}
//
// Good:
//
//	wg.Go(func() {
//		var own []int
//		for _, x := range part(xs, w) {
//			own = append(own, f(x))
//		}
//		mu.Lock()
//		out = append(out, own...)
//		mu.Unlock()
//	})
//
// One lock for each result costs what it costs in package sharedacc; what is
// computed while it is held, or by the one that receives, is not divided at all,
// and bounds what any number of processors can gain (Amdahl, Validity of the
// single processor approach, AFIPS 1967).
//
// Evidence decides: time in the lock or waiting for it, work that nobody shares,
// hand-overs.
//
// The edits:
//   - local collects the results of a goroutine and appends them once. Those of
//     one goroutine stay in order; those of different ones come as they came
//     before, in any. It is refused for the reasons of package sharedacc.
//   - index stores the result of each goroutine at the index of the loop that
//     starts it. It is refused where a goroutine may store none, or several: where it
//     may end before, or stops a panic.
//   - worker lets who sends call what the receiver calls with each value. It is
//     refused where that reads or writes anything but its operand, and where the
//     channel is used for more.
//   - parts, for a loop that appends what a function makes of each element, after
//     the goroutines have ended: one goroutine for each processor appends its part,
//     and the parts are put together in their order. It is refused where
//     the loop does anything else, ends early or numbers its elements, and where
//     the slice, or what an element becomes, may be in the hands of others.
//
// It is wrong to obey where the order of the results, or the first of them, is
// what counts: the edits keep the orders that were possible, not the usual one.
package serialmerge
