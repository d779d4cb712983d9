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
// The check finds it as well where another function than that of the loop adds, which
// the loop calls, itself or through others.
//
// Evidence decides: time in the lock or waiting for it, or in memory that
// several processors write, in the loop.
//
// The edits:
//   - local collects in the goroutine and merges once after the loop, and where the
//     loop returns. It is refused where the loop reads what it adds to. It is
//     refused where others may look at what a lock guards before the join. It is
//     refused where the value to add depends on something else that the lock
//     guards, and where a deferred call may stop a panic. To an atomic that
//     others may look at meanwhile, all is added after the loop as well. A
//     scheduler that lets the goroutine run alone shows them the same. For that
//     it is refused where the loop could tell the difference, or take long for
//     another reason than what it computes. Such a loop looks at an atomic or the
//     clock, waits, or calls unknown functions. If something waits for the
//     goroutines, and no loop or literal looks, it is a condition then. Sums of floats round with each
//     addition. Where several goroutines add to one at the same time, the order
//     is open, and a sum by goroutine is one more. Where they come one after the
//     other, it is refused. What a goroutine appends stays in order. That of
//     several comes in any order, as before: wrong where the usual one counts.
//     A loop that calls methods of what is shared gets an object of its own to call
//     them on. Its methods may add, append, keep the largest or smallest, and put into
//     maps: package privatize says when. Functions that get it by interfaces get the
//     same.
//   - own gives a goroutine an object of its own where functions get it that call its
//     methods in a loop. They may do so by a method value or in a literal. It keeps its
//     type and its locks, and is added to the shared one afterwards. Its type may be of
//     another package of the module, where payoff looks: the edit declares methods there.
//   - batch collects the values that a method of one parameter is called with,
//     which takes the lock and returns nothing. It handles 64 or 1024 of them
//     under the lock at once. Others see them a little later, as they might have.
//     It is refused where local is for an atomic that others look at, and where
//     the loop uses the value in another way. It is not meant for a value that
//     leads to memory that may change until then.
//   - drop takes the additions to an atomic away that has no reader: a field or
//     variable that other packages cannot name. That goes as well. It is refused
//     where fmt may show it, where the statement may do more than count, and where
//     it is all of a block.
//
// Silent are locks after much work, such as a request over the network, and
// locks of which each goroutine has its own.
package sharedacc
