// Package ringreaders hands out work from one goroutine to many, through a
// channel, a lock-free ring and package queue. It shows that waiting by looking
// again costs others the processor.
//
// # Symptom
//
// A channel that feeds a set of workers is replaced by a lock-free ring. On a
// machine with many processors that may be faster. In a container with one or
// two it is many times slower, with all processors busy, in the loops of the
// ring.
//
// # Cause
//
// A reader that finds a channel empty sleeps until there is a value. One that finds the
// ring empty looks again, 10,000 times in the article's [Ring], before another
// goroutine may run on its processor. With more readers than processors they look in
// turn. The writer, which alone could end that, has to wait for all of them. The more
// readers, the longer. Each round of the scheduler costs 10,000 looks for every reader
// and brings no more values than the ring has slots.
//
// [RingYield] looks once before it lets others run. That takes the disaster out;
// what is left is a turn of the scheduler for each reader that has nothing to do.
//
// # Cures
//
//   - A channel, or [Queue]: queue.MPMC in its place. Readers that have nothing to
//     do sleep, and cost nothing.
//   - [ChannelBatch]: a channel of arrays, with room for many of them. Many values
//     to a hand-off is the cure that brings most by far, and a channel will do for
//     it. With room for only a few, readers find it empty while others work on what
//     they took, and have to be woken. That costs more than it saves.
//   - [Batch]: the queue by batches. It takes any number of values and gives what
//     it has, so no part waits to be filled. It is not faster than ChannelBatch.
//     Each hand-off locks one of its ends, as it locks the channel, and a lock that
//     is taken so seldom is nothing to save on.
//
// # Source
//
// "So You Wanna Go Fast?" by Tyler Treat (2015), read in the translation
// http://studygolang.com/articles/6914. One writer and many readers; machine and
// Go version are not told (of the time: Go 1.4 or 1.5):
//
//	              1 processor   8 processors
//	channel            148 ns       3,105 ns
//	ring buffer    390,195 ns         411 ns
//
// How many readers is not told either. The code of its benchmarks has 1000, a
// buffer of 100, and as many values for each. Here are 100 readers, which keeps one
// operation of Ring within a tenth of a second. The ring is that of Workiva's
// go-datastructures as it was then; since 2017 it lets others run after each look.
//
// # Measure
//
// The base is the loop that does the work itself. Nothing that hands it out can beat
// that where there is none (work=0, the article's case). There the ways of handing out
// are compared with each other. With work=800, some 1.3 µs for each value, a second
// processor has something to do, and what claims to pay has to beat the loop.
//
// All variants are held to the sum of what becomes of the values, which are all
// different. The work is a chain of multiplications in a function that is not
// inlined, the same for all. An operation is 20,000 values, and includes making
// the channel and starting 100 goroutines. That looking in vain is the cause
// shows in RingYield: the same ring, the same goroutines, and nothing else
// changed than the number of looks.
//
// # Today
//
// Seen with two processors of a virtual machine; docs/articles.md has the figures.
//
// Holds: on one processor the channel is faster than the ring by far. The factor
// is smaller, since there are fewer readers.
//
// Holds no longer, at two processors: that the ring is faster there. It has become
// many times as fast as on one. It is still behind the channel, and behind the
// plain loop where there is work. A reader that looks in vain keeps a processor
// from those that have a value to work on. Nor does a second processor make a channel
// twenty times slower, as eight did.
//
// A channel of arrays is several times as fast as the best that hands out values one
// by one, and Batch is its equal.
//
// Where the work is 1.3 µs a value, the channel, the queue and even RingYield pay
// on two processors. One by one, the values cost a few percent on one, with the
// queue as with the channel; by batches they do not.
package ringreaders
