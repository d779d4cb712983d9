// Package affinity plays values to and fro between two goroutines, alone and
// beside others that compute, and shows what a turn costs.
//
// # Symptom
//
// Two goroutines take turns: request and reply, or a token. It takes several
// times as long as one goroutine that does both sides' work, on however many
// processors. On a busy machine some ways to wait become thousands of times
// slower.
//
// # Cause
//
// A turn is a hand-off: one goroutine parks, the other is made ready and resumed. Since
// Go 1.5 what was made ready runs next, on the processor whose cache has its data.
// [PingPong] hardly notices that others are ready too: it has its share of the
// processor. What waits with runtime.Gosched goes to the end of a queue instead, the
// global one, and [Yielding] waits for all others at each turn. Before Go 1.5 what a
// channel woke went to the end of a queue too, that of its processor; no Go of today
// does that. To tie the two to threads makes it worse: in [Pinned] each turn puts a
// thread to sleep and wakes another.
//
// # Cures
//
//   - [Batched]: all values in one turn, as a slice.
//   - [Queued]: package queue, with all values in flight. A side plays what is
//     there before it waits.
//
// Go has no way to pin a goroutine to a processor. runtime.LockOSThread is the
// nearest, and no cure.
//
// # Source
//
// "Go: Concurrency & Scheduler Affinity" by Vincent Blanchon, read in a translation
// into Chinese (GCTT, 2021). It explains, without figures, that stealing and system
// calls move goroutines between threads. In the queues of Go 1.1, first in first out, a
// goroutine that comes back from a channel waits for all that are ready. Meanwhile it
// is more likely to be stolen. Since Go 1.5 it runs next. Its figures are those of the
// case sieve.
//
// How it is known to measure what it says: the values are the result, and are
// compared in TestVariants; hogs are started outside the timer. The time that hogs
// take from all variants alike shows in [Serial], which has no turns.
//
// # Today
//
// Seen with two processors of a virtual machine; docs/articles.md has the
// figures. The schedulers of Go 1.0 and 1.1 no longer run: gallery/affinity/sched
// is a model of them.
//
// Holds: what runs next waits for none, what goes to the end of the queue waits
// for all. Turns lose to one goroutine either way.
package affinity
