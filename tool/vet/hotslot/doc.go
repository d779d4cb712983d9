// Package hotslot finds slots of goroutines that a loop updates in memory.
//
// Goroutines that are started in a loop each have an element of a slice or
// array to themselves, and add to it item by item.
//
// Bad:
//
//	sums := make([]int, workers)
//	for w := range workers {
//		wg.Go(func() {
//			for _, x := range part(xs, w) {
//				sums[w] += x
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
//		sums[w] = sum
//	})
//
// The compiler keeps no slot in a register, for others might look. Each iteration
// loads and stores, and takes the cache line from the core that has stored to a
// neighbour. A million additions on two processors took 0.51 ms in slots beside
// each other. They took 0.18 in slots on lines of their own, and 0.16 in local
// variables. Atomic ones took 7.6 ms beside each other, and 2.8 apart (packed,
// paddedplain, channel, packedatomic and padded of
// record/2026-11-23-epyc-2cpu/gallery-shared). So padding is the cure of atomics,
// and a local variable that of everything else.
//
// Evidence decides: false sharing, or read-modify-writes of memory, in the loop.
//
// The edits:
//   - local keeps the slot in a variable and writes it back after the loop, and where
//     the loop returns. It is refused where a deferred call may stop a panic. It is
//     refused where others may see the slot meanwhile, by calls, other names of
//     the memory, locks or channels. An atomic slot that the loop does more with than
//     add to must have no other users at all. It is refused where the slot may not
//     exist: sums[w] panics if w is out of range, but not if the loop does not run.
//     Sums of integers are added after the loop then, if they are not 0. What is added
//     to an atomic that others may look at they see after the loop, as package
//     sharedacc has it. Methods are called on a copy of the slot, as package privatize
//     has it.
//   - pad gives each slot that is a struct 128 bytes. Code may rely on the layout of the
//     type, as literals without field names do, and what prints it. Then the slots get a
//     type of their own around it. It is refused where they leave the function as well.
//
// Silent are slots that a goroutine writes once, rows (slices of their own), and
// loops that do much between two updates.
package hotslot
