// Package adjatomic finds two atomics, locks or counters beside each other in a struct
// that different functions write, or that some write and others read.
//
// Bad:
//
//	type link struct {
//		sent     atomic.Int64 // by the sender
//		received atomic.Int64 // by the receiver
//	}
//
// Good, if sender and receiver are on different cores most of the time:
//
//	type link struct {
//		sent     atomic.Int64
//		_        [120]byte
//		received atomic.Int64
//	}
//
// Each write takes the line with both from the core of the other writer. A
// million atomic additions on two processors took 7.6 ms on words beside each
// other. On lines of their own they took 2.8 ms (packedatomic and padded of
// record/2026-11-23-epyc-2cpu/gallery-shared).
//
// The shape says little. Where each side reads what the other writes, as the
// two ends of a ring do, moving them apart is no gain. Two lines then travel
// instead of one. So nothing is told without evidence, and the edit is one to
// try.
//
// Evidence decides: false sharing, or time in atomic updates or locks, in the
// functions that use the two.
//
// A word that is only read, in a loop, suffers as well from one beside it that
// other functions write in a loop.
//
// The edit, pad, puts 128 bytes between them. It is refused where code relies on
// the layout of the struct. Not meant are bags of statistics, with more than four
// counters; flags and values that are set once; and what the same function writes.
package adjatomic
