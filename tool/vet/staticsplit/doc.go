// Package staticsplit finds ranges that are split among workers once and for
// all: a part of the same length each.
//
// Wrong, where rows differ in cost:
//
//	for w := range workers {
//		wg.Go(func() {
//			for y := height * w / workers; y < height*(w+1)/workers; y++ {
//				render(y)
//			}
//		})
//	}
//
// Right: each worker takes the next few rows until none is left:
//
//	var next atomic.Int64
//	for range workers {
//		wg.Go(func() {
//			for {
//				from := int(next.Add(16)) - 16
//				if from >= height {
//					break
//				}
//				for y := from; y < min(from+16, height); y++ {
//					render(y)
//				}
//			}
//		})
//	}
//
// Equal length is not equal cost (see the catalogue's imbalance), and the join
// waits for the slowest. A chunk costs an atomic addition to a shared word, whose
// price is in package sharedacc.
//
// # Evidence
//
// A benchmark that loses to imbalance, in the loop over the part, or in functions that
// the call comes to.
//
// # What is not found
//
// Parts that are computed in another way than n*w/workers to n*(w+1)/workers, in
// place or by names. So are parts written out, worker by worker, and what workers do
// that another function starts.
//
// # Edits
//
//   - dynamic, for some lengths of chunks.
//
// The result must not depend on which elements a worker gets, nor on their order. That is
// a condition: payoff fix tries whether it holds, and compares results. So a worker that
// appends, or adds numbers of floating point, whose last digits the order decides, keeps
// its part.
//
// It is refused where the loop ends early or counts within its part.
package staticsplit

const doc = "find ranges that are split among workers once and for all\n\nWhere elements differ in cost, the others wait for the worker with the dearest."
