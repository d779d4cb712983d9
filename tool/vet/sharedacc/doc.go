// Package sharedacc finds accumulators that goroutines share and update item by
// item. Examples are a total, a map of counts, the largest so far, a slice of
// results.
//
// Bad:
//
//	for w := range workers {
//		wg.Go(func() {
//			for _, x := range part(xs, w) {
//				mu.Lock()
//				total += x
//				mu.Unlock()
//			}
//		})
//	}
//
// Good:
//
//	wg.Go(func() {
//		sum := 0
//		for _, x := range part(xs, w) {
//			sum += x
//		}
//		mu.Lock()
//		total += sum
//		mu.Unlock()
//	})
//
// A million additions to one atomic total took 7.8 ms on two processors, and to
// local variables 0.16 (shared and channel of
// record/2026-11-23-epyc-2cpu/gallery-shared). 8,192 under one mutex took 174 µs
// there and 95 on one processor, and the loop 2.3 (m24 of zoo-4).
//
// The check finds it as well where another function than that of the loop adds. That
// is one that the loop calls, itself or through others. Or it is a literal, handed to
// a function that calls it in goroutines, once for each item.
//
// Evidence decides: time in the lock or waiting for it, or in memory that
// several processors write, in the loop.
//
// The edits:
//   - local collects in the goroutine and merges once after the loop. It is
//     refused where the loop may end early or reads what it adds to. It is
//     refused where others may look at what a lock guards before the join. It is
//     refused where the value to add depends on something else that the lock
//     guards, and where a deferred call may stop a panic. A pointer that the
//     goroutine sets to addresses, and hands on to none, stands for all that it
//     may point to. A loop that adds by compare-and-swap counts as an addition.
//     To an atomic that others may look at meanwhile, all is added after the loop
//     as well. A scheduler that lets the goroutine run alone shows them the same.
//     For that it is refused where the loop could tell the difference, or take
//     long for another reason than what it computes. Such a loop looks at an
//     atomic or the clock, waits, or calls unknown functions. The loop may add to
//     one element and then to another, as to the bins of a histogram or the words
//     of a bitmap. Then each goroutine has as many numbers of its own. That is
//     wrong where there are more of those than items. Sums of floats round with
//     each addition. Where several goroutines add to one at the same time, the
//     order is open, and a sum by goroutine is one more. Where they come one
//     after the other, it is refused. What a goroutine appends stays in order.
//     That of several comes in any order, as before: wrong where the usual one
//     counts. The elements of an array or slice that a lock guards count as well.
//     What the loop calls, and a function that gets a literal, stand in place of
//     their calls. They go if nothing else calls them: package localise says when
//     they can.
//   - batch collects the values that a method is called with, which takes the
//     lock and returns nothing. It handles 64 or 1024 of them under the lock at
//     once. Others see them a little later, as they might have. It is refused
//     where local is for an atomic that others look at, and where the loop uses
//     the value in another way. It is not meant for a value that leads to memory
//     that may change until then.
//   - drop takes the additions to an atomic away that has no reader: a field or
//     variable that other packages cannot name. It is refused where fmt may show
//     it, and where the addition does more than compute.
//   - block, for some lengths, has goroutines that take the number of the next
//     item from a counter take several at once, and loop over them. It is refused
//     where something else uses the counter, and where an item may wait for
//     another or looks at what another sets. It is refused where the loop may end
//     before the items do, since what the goroutine has taken would stay undone.
//     It is refused where the number of items may change.
//   - atomic keeps an integer that a lock guards alone in an atomic.
//
// Silent are locks after much work, such as a request over the network, and
// locks of which each goroutine has its own.
package sharedacc
