// Package sched is a model of three schedulers that Go has had, to see what an article
// tells of programs that no longer run. One is the prime sieve, on one global queue and
// on a queue for each processor. The other is two goroutines that pass a value to and
// fro beside busy ones.
//
// It is a discrete-event simulation. Each processor has a clock. The one whose
// clock is behind makes the next operation of its goroutine, or looks for another
// goroutine. Its clock moves on by the price of that. The same seed gives the
// same figures. model.md has them.
//
// # Schedulers
//
//   - [Global], Go 1.0: one queue of goroutines that are ready, behind one lock.
//   - [Local], Go 1.1: a queue for each processor, first in first out. A goroutine
//     that is made ready goes to the end of the queue of what made it so. A
//     processor that has none takes from the global queue, or steals half of
//     another's.
//   - [RunNext], Go 1.5: and a slot for the goroutine that was made ready last. It runs
//     next and inherits the time slice, so two that wake each other keep the others out
//     for one slice at most.
//
// # Prices
//
// They were taken before anything was simulated, and stay; the last one, which is
// assumed, was added after the first runs. The others are of one machine with two
// virtual processors (AMD EPYC, Go 1.26.8):
//
//   - a line from another processor, 43 ns, a wake, 65 µs, a lock, 5 ns, a
//     goroutine, 206 ns, and a hand-off on one processor, 158 ns: payoff's prices,
//     record/2026-11-21-epyc-2cpu/gallery-causes/run.json. A hand-off is two
//     channel operations and a switch.
//   - a channel operation, 30 ns: half of what an item takes through a buffered
//     channel on one processor, record/2026-11-21-epyc-2cpu/queue.md.
//   - a division, 2 ns: the case sieve, its serial form.
//   - how many lines move: the sizes in the runtime's source.
//   - the slice of 10 ms, the 3 µs before a run-next slot is stolen, the look into
//     the global queue at each 61st slice: constants of the runtime.
//   - an interrupt of 300 µs each 4 ms is an assumption: on a shared machine the
//     system, its host and the collector take a processor away.
//
// # What comes out
//
// The article's direction: with one queue eight processors are no faster than one,
// since the lock and its lines change hands twice for each number. With a queue for
// each they are several times as fast, though not seven times. Which way it goes
// depends most on the price of a line. At half of it the one queue would have gained
// something, at twice it would have lost half.
//
// Less so the run-next slot. In a chain it lets a processor follow a number from filter
// to filter. So several processors run each filter in turn: without interrupts nearly
// no goroutine goes on where it had run before. An interrupt lets numbers jam behind
// it; the chain fills, and then processors keep to parts of it. Two traces of the case
// sieve on two processors with Go 1.26 had 78 and 95 % of resumptions on the same
// processor. Its time halved. There the chain is full. What the model says of the sieve
// in Go 1.5 therefore follows from the assumption about interrupts, and is not to be
// relied on.
//
// Beside hogs the slot does what the article says it does. The median of a round trip
// is what it is without them, and the longest waits for a slice.
//
// # What it leaves out
//
// The network poller, the collector's own work, timers and system calls; sysmon
// and signals (a slice ends exactly on time, in Go 1.5; in the others a goroutine
// runs until it blocks); the limit of 256 goroutines in a local queue; threads
// that spin before they sleep; what a waker pays for the wake; waiting for a
// channel's own lock; the futex and the backing off of a lock that many want; and
// that some processors are farther from each other than others.
package sched
