// Package ringmpmc passes values from many goroutines to many others, through a
// channel, a lock-free ring and package queue. It shows that a lock-free ring
// may be the slowest of them by a factor of a hundred.
//
// # Symptom
//
// The channel that many goroutines share is replaced by a lock-free ring. With
// few processors the program takes many times as long, all processors are busy,
// and the profile shows the loops of the ring.
//
// # Cause
//
// The ring waits by looking again, 10,000 times in the article's [Ring], before
// another goroutine may run. A hundred writers that find it full look so one after
// the other, then a hundred readers that find it empty. In between as many values
// are passed as the ring has slots. On one processor nothing that they wait for
// can happen while they look. That no operation takes a lock does not help: what
// waits does so by running.
//
// [RingYield] looks once before it lets others run, which takes the disaster out.
//
// # Cures
//
//   - A channel, or [Queue]: queue.MPMC in its place. What waits sleeps.
//   - [ChannelBatch]: a channel of arrays, with room for many of them. Many values
//     to a hand-off is the cure that brings most by far, and a channel will do for
//     it.
//   - [Batch]: the queue by batches. It takes any number of values and gives what
//     it has, so no part waits to be filled. It is not faster than ChannelBatch.
//     Each hand-off locks one of its ends, as it locks the channel, and a lock that
//     is taken so seldom is nothing to save on. With two processors and a hundred on
//     each side it is slower. What finds an end locked lets others run, which has a
//     fifth of the processor time; what finds a channel locked, only spins.
//
// # Source
//
// "So You Wanna Go Fast?" by Tyler Treat (2015), read in the translation
// http://studygolang.com/articles/6914. Many writers and many readers; machine and
// Go version are not told (of the time: Go 1.4 or 1.5):
//
//	                1 processor   8 processors
//	channel          160,892 ns     314,428 ns
//	ring buffer  806,834,344 ns     182,557 ns
//
// How many goroutines is not told. The code of its benchmarks has 1000 on each side
// and a buffer of 100. Each passes a value in an operation, so that one operation
// is 1000 values. Here are 100 on each side, which keeps an operation of Ring
// within a fifth of a second. The ring is that of Workiva's go-datastructures as it
// was then; since 2017 it lets others run after each look.
//
// # Measure
//
// The base is the loop that makes and uses each value itself. Nothing that passes
// values on can beat it where a value is no work (work=0, the article's case). There
// the ways of passing are compared with each other, with 100 goroutines on each side.
// With work=800, some 1.3 µs at each end, a second processor has something to do, and
// what claims to pay has to beat the loop. There are 10 on each side, since starting
// many costs as much as is asked about.
//
// All variants are held to the sum of what becomes of the values, which are all
// different. The work is a chain of multiplications in a function that is not
// inlined, the same for all. An operation is 40,000 values, or 10,000 with work, and
// includes making the channel and starting the goroutines, the writers first. That
// looking in vain is the cause shows in RingYield: the same ring, the same
// goroutines, and nothing else changed than the number of looks.
//
// # Today
//
// Seen with two processors of a virtual machine; docs/articles.md has the figures.
//
// Holds: on one processor the ring is slower than the channel by far, and several
// processors make it many times as fast as one. The factor is smaller, since there
// are fewer goroutines to wait for.
//
// Holds no longer, at two processors: that the ring is then better than the
// channel. Nor does a second processor make a channel much slower.
//
// A channel of arrays is several times as fast as the best that passes values one by
// one. Where values are no work Batch does not come before it.
//
// Where the work is 2.6 µs a value, all of them pay on two processors. On one, all but
// Ring come out even with the loop.
package ringmpmc
