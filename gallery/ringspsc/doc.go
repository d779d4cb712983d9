// Package ringspsc passes values from one goroutine to another, through a
// channel, a lock-free ring, and package queue. It shows what a hand-off costs
// and when it pays.
//
// # Symptom
//
// A program is split into one goroutine that makes values and one that uses them.
// It is slower than the loop it was, or gains much less than twofold from a
// second processor, and the profile shows channel operations.
//
// # Cause
//
// A channel locks for each value. With a buffer of one, [ChannelOne], the two
// goroutines also put each other to sleep and wake each other for nearly every value.
// That costs more than all else. A larger buffer, [Channel], leaves the lock.
//
// The lock-free [Ring] has no lock and waits by looking again. Where the other
// side runs on another processor that is quick. On one processor each look keeps
// the other side from running, and the article's ring looks 10,000 times before it
// lets go. With much room in the ring that happens seldom; in [RingTwo], for every
// two values. Its indexes and slots lie side by side besides: package padring.
//
// # Cures
//
//   - A buffer, before all.
//   - [Queue]: queue.SPSC in place of the channel. What waits sleeps, as with a
//     channel, so it is no gamble on the number of processors.
//   - [ChannelBatch]: a channel of arrays. Many values to a hand-off is the cure
//     that brings most by far, and a channel will do for it.
//   - [Batch]: the queue by batches. What it adds is that both ends use values in the
//     slots of the ring, so that nothing is copied. And a batch need not be full: the
//     end that is ready takes what there is.
//
// # Source
//
// "So You Wanna Go Fast?" by Tyler Treat (2015), read in the translation
// http://studygolang.com/articles/6914. A channel and a ring buffer, both of one
// item, between one producer and one consumer. Machine and Go version are not
// told (of the time: Go 1.4 or 1.5):
//
//	              1 processor   8 processors
//	channel            512 ns         542 ns
//	ring buffer       80.9 ns         182 ns
//
// The ring is that of Workiva's go-datastructures, after Dmitry Vyukov. It tells by a
// number in each slot whether the slot is free or taken. With a single slot the two
// numbers are the same: such a ring is never full, and its producer overwrites what was
// not read. The benchmark waits for the producer only. So the figures of the ring are
// of writing to one slot, not of handing over. Here the ring has two slots, the least
// that works.
//
// # Measure
//
// The base is the loop that makes and uses each value itself. Nothing that passes
// values on can beat it where a value is no work (work=0, the article's case). There
// only the ways of passing are compared with each other, as the article does. With
// work=200, some 0.3 µs at each end, a second processor has something to do, and what
// claims to pay has to beat the loop.
//
// All variants are held to the sum of what becomes of the values, which are all
// different. The work is a chain of multiplications in a function that is not
// inlined, the same for all. An operation is 4,000 values, and includes making
// the channel and starting one goroutine, under a hundredth of it. That looking
// in vain is what RingTwo suffers from shows on one processor. The same code
// takes many times as long there as on two, and its time is in the loops of Put
// and Get.
//
// # Today
//
// Seen with two processors of a virtual machine; docs/articles.md has the figures.
//
// Holds no longer: that the ring is six times as fast on one processor. A ring
// that really hands over loses to the channel there, by far where it is small.
// With room for 1024 values the two are alike on one processor, and without work
// the ring is behind on two.
//
// Holds: a channel costs much more than a hand-off has to. queue.SPSC is several
// times as fast on one processor and on two. A channel of arrays is as fast again
// several times over, since it hands over so much less often. Batch gains some
// on it where a value is no work. Where it is work, all that hand over by batches
// are alike, and Queue with them.
package ringspsc
