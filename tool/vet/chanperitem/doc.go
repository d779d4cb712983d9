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
// Signals: channels of empty structs. Streams of which a side waits for the world
// between items. Sends outside of loops.
//
// # Edits
//
//   - direct: the goroutines that fill channels become iterators, and all runs in
//     the loop that takes the last item. Where functions of the package make such
//     channels, return them and get them, so do their parameters and results. A
//     function that sends gets what it calls with each item, also one that calls
//     itself.
//   - buffer, for some capacities.
//   - batch, for some sizes: the channel carries slices, the last one before it is
//     closed. Where each item makes one of the same type, the slice that came goes on.
//     Functions of the package that send and receive get a channel of slices; each
//     call of one that sends ends with the last slice.
//   - ring: a queue of this module's library, for as many senders and receivers as
//     there are.
//
// They take the channels of a function together. They are refused where a channel is a
// case of a select, goes to another function, or has its length asked for. Direct is
// also refused where several goroutines have one end, or the producer waits for
// something else. Across functions, it is refused where others may call these, or
// where code uses one of them as a value. It is also refused where a channel has not
// one loop over it in the end. Direct and batch are refused where a literal sends that
// may run after what gets it has returned, or in another goroutine. Buffer is refused
// where a function returns the channel to other packages. Batch is refused where the
// producer waits between items, which would hold back what it has. It is also refused
// where a loop over the channel may break, or leave items to another.
//
// Direct, batch and buffer look into a function or method of the package that gets
// a channel, one level deep. It must not be exported, generic, variadic or used as
// a value, and no interface may have a method of its name. All its calls must hand
// it this channel, in one goroutine. There batch is refused where it calls itself,
// or where its items would overtake those of a slice begun by its caller. Direct
// is refused where the loop may end early, unless the function is all that the
// goroutine runs. So it is where what the function gets may change until the loop.
//
// Lock is refused where the goroutine minds anything else, goes on after it has
// answered, or may not answer. So it is where the caller does not receive the
// answer at once. What the goroutine does for a request takes turns as it did.
// What it makes before the first of them now comes where the goroutine was
// started.
//
// A channel of batches has fewer places than that of the items had. It has room for
// as many items, where only the last batch may be short.
//
// Items received one by one, and those offered in a select until a signal comes,
// go in batches. Computing them must have no effect, cannot fail and has to end.
// Up to a batch for each place of the channel is computed and not taken.
//
// A hand-over is also the moment up to which memory is the other side's. Where an item
// leads to memory that its iteration has not made, all but direct are refused, unless
// the loop that sends writes to none. They are refused, too, where the receiver writes
// to what that loop reads. Batch is refused as well where the sender recovers, may end
// by runtime.Goexit, or looks at what others do. It may then wait until they see an
// item. Direct is refused where the sender recovers or may end so.
//
// With direct nothing runs at the same time any more: wrong where both sides work.
// A larger buffer lets the producer run ahead: more memory, and more work in vain
// where the consumer stops.
package chanperitem

const doc = "find functions in which each small item crosses a channel by itself\n\nA hand-over costs a lock and a copy, and a wake-up where the other side waits."
