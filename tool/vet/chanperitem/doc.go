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
// loop 2.3 (m06 of record/2026-11-23-epyc-2cpu/zoo-1). Slices of items save most
// of that, and the waiting.
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
//     the loop that takes the last item. Functions may return their channel, or
//     take one, where the package has all calls of them.
//   - batch, for some sizes: the channel carries slices, the last one before it is
//     closed.
//
// They take the channels of a function together. There is none where a channel is kept
// elsewhere or has its length asked for, and batch is for those of one function.
//
// Direct is also refused where a channel is a case of a select, or several goroutines
// have one end. So it is where the producer waits for something else, recovers, or may end by
// runtime.Goexit, and where both sides take locks. A literal that
// sends must not run after what gets it has returned, nor in another goroutine.
//
// Batch is for channels that loops receive from until they are closed, and that loops send
// on. It is refused where the sender waits between items, or looks at what others do: it would
// hold back what it has. So it is where a loop ends early, and where the sender may end
// within the loop.
//
// A channel of batches has fewer places than that of the items had. It has room for
// as many items, where only the last batch may be short.
//
// A hand-over is also the moment up to which memory is the other side's. An item may lead
// to memory of its own alone, which the send makes. Else batch is refused,
// unless the loop that sends writes to no memory. It is refused, too, where a side may write to
// what the other reads, by itself or in what it calls.
//
// With direct nothing runs at the same time any more: wrong where both sides work.
package chanperitem

const doc = "find functions in which each small item crosses a channel by itself\n\nA hand-over costs a lock and a copy, and a wake-up where the other side waits."
