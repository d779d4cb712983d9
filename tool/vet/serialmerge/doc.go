// Package serialmerge finds results of goroutines that pass through one place:
// a slice behind a lock that is taken for each.
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
// One lock for each result costs what it costs in package sharedacc. Work under the lock is
// not divided at all, and bounds what any number of processors can gain (Amdahl, Validity of
// the single processor approach, AFIPS 1967).
//
// Evidence decides: time in the lock or waiting for it, work that is not shared,
// hand-overs.
//
// The edits:
//   - local collects the results of a goroutine and appends them once. Those of
//     one goroutine stay in order; those of different ones come as they came
//     before, in any. It is refused for the reasons of package sharedacc.
//
// It is wrong to obey where the order of the results, or the first of them, is
// what counts. The edits keep the orders that were possible, not the usual one.
package serialmerge
