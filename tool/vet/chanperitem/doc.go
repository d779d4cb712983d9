// Package chanperitem finds functions in which each small item crosses a channel
// by itself.
//
// Wrong:
//
//	numbers := make(chan int)
//	go func() {
//		defer close(numbers)
//		for _, x := range xs {
//			numbers <- x * x
//		}
//	}()
//	for n := range numbers {
//		total += n
//	}
//
// Right, where the items need no second goroutine: the producer as an iterator,
// over which the same loop ranges:
//
//	numbers := func(yield func(int) bool) {
//		for _, x := range xs {
//			if !yield(x * x) {
//				return
//			}
//		}
//	}
//
// A hand-over takes the channel's lock, copies, and wakes the other side where it
// waits (see the catalogue's handoff). An item has to be worth more than that.
// The sum of 2,048 numbers sent one by one took 332 µs on two processors, and the
// loop 2.3 (m06 of record/2026-11-23-epyc-2cpu/zoo-1). A buffer saves the
// waiting, slices of items save the rest as well.
//
// # Evidence
//
// A benchmark that spends processor time around the sends or receives, or in
// what is between, and loses some to handoff, select or lock.
//
// # What is not found
//
// Signals: channels of empty structs, and those whose items are not looked at. Streams of
// which a side waits for the world between items. Sends outside of loops.
//
// # Edits
//
//   - direct: the goroutines that fill channels become iterators, and all runs in
//     the loop that takes the last item.
//   - buffer, for some capacities.
//   - batch, for some sizes: the channel carries slices, the last one before it is
//     closed.
//
// They take the channels of a function together. There is none where a channel
// goes to a function, is kept elsewhere or returned, or has its length asked for.
//
// Direct is also refused where a channel is a case of a select, or several goroutines
// have one end. So it is where the producer waits for something else. A literal that
// sends must not run after what gets it has returned, nor in another goroutine. Batch
// is refused there as well. So it is where the producer waits between items: it would
// hold back what it has. A loop over the channel may not break either, or leave items
// to another.
//
// A channel of batches has fewer places than that of the items had. It has room for
// as many items, where only the last batch may be short.
//
// Items received one by one, and those offered in a select until a signal comes,
// go in batches. Computing them must have no effect, cannot fail and has to end.
// Up to a batch for each place of the channel is computed and not taken.
//
// A hand-over is also the moment up to which memory is the other side's. An item may lead
// to memory of its own alone, which the send makes. Else buffer and batch are refused,
// unless the loop that sends writes to no memory. They are refused, too, where a side may write to
// what the other reads, by itself or in what it calls. Buffer leaves alone what drops
// items for want of room. Batch is refused as well where the sender recovers, may
// end by runtime.Goexit, or looks at what others do. It may then wait until they see an
// item. Direct is refused where the sender recovers or may end so, and where both sides
// take locks.
//
// With direct nothing runs at the same time any more: wrong where both sides work. A
// larger buffer takes more memory, and more work is in vain where the consumer stops.
package chanperitem

const doc = "find functions in which each small item crosses a channel by itself\n\nA hand-over costs a lock and a copy, and a wake-up where the other side waits."
