// Package sieve finds primes with a chain of goroutines, a filter for each
// prime, and shows that a chain carries work only by the batch.
//
// # Symptom
//
// The program is a model of good style: a goroutine for each filter, channels
// between them, no lock in sight. It is two orders of magnitude slower than a
// loop that makes the same divisions. More processors help somewhat, and never
// enough.
//
// # Cause
//
// A filter divides a number, which takes a nanosecond or two, and hands it on
// over a channel without buffer. There each hand-off parks one goroutine and
// makes another ready, which takes a hundred times as long. [Serial] makes the
// same divisions in the same order, and no hand-off; at one processor it differs
// from [Chain] in nothing else.
//
// # Cures
//
//   - [Batched]: slices of numbers in the channels. Far down the chain most batches
//     hold a few numbers only, since what is left of a batch are its primes. There is
//     still a goroutine for each prime.
//   - [Grouped]: batches, and many primes to a goroutine. Now a hand-off carries
//     tens of microseconds of divisions.
//   - [Staged]: the same on package queue, without a slice for each batch.
//   - [Segmented]: who asks for primes wants this one. It crosses out multiples
//     where the others divide, in segments that package par spreads over the
//     processors. Its serial form is [Eratosthenes].
//
// # Source
//
// "Go: Concurrency & Scheduler Affinity" by Vincent Blanchon, read in a
// translation into Chinese (GCTT, 2021). It runs the prime sieve of Go's
// documentation at several GOMAXPROCS and tells neither the processor nor the
// length of a run:
//
//	GOMAXPROCS        1        2        4        8
//	Go 1.0.3     19.2 s   19.3 s   20.4 s   20.4 s
//	Go 1.1.2     18.7 s   8.26 s   3.30 s   2.64 s
//
// and two CPU profiles: in Go 1.0.3 the lock around the one run queue takes most
// of the time. In Go 1.1.2, which has a queue for each processor, the channels do.
// At how many processors they were taken is not told; then.json has 8.
//
// The text says that these are the first hundred thousand primes. They cannot be. Each
// number passes one channel for each prime that it is divided by. For the first
// 100,000 primes that is 5,006,714,563 times, or 3.8 ns for each at one processor, and
// half a nanosecond in 2.64 s. No channel did that. For the 9,592 primes below 100,000
// it is 46,324,068 times, or 414 ns each, which is right for a channel of 2012.
// TestHandOffs counts them. Nor can 8.26 s at two processors be all the scheduler's
// doing: 18.7 s are not halved to less than 9.35 s.
//
// The benchmark here takes the primes below 10,000 (777,859 hand-offs), so that a round
// of the chain lasts some tenth of a second. The variants that can also take those
// below 100,000. The last two take the first 100,000 primes, which are those below
// 1,300,000 but for some.
//
// How it is known to measure what it says: the primes are the result, and are compared
// in TestVariants. Nothing is prepared outside the timed round. That the hand-offs are
// the cause shows at one processor, where nothing else differs from Serial. It shows in
// the CPU profile, which has the chain's time in channels and in the scheduler, and
// next to none of it in divisions.
//
// # Today
//
// Seen with two processors of a virtual machine; docs/articles.md has the
// figures. Where there are four or eight, payoff gallery run takes them too.
//
// Holds: a queue for each processor lets the chain use both of them.
//
// Holds no longer: that more processors make it slower, as with the one queue of
// Go 1.0. The model in gallery/affinity/sched still has that scheduler.
//
// Not seen by the article: on however many processors, its chain is slower than
// a loop on one. That is true of the Go of today, and was of the Go of then.
package sieve
