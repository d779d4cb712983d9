// Package poolsize does n items that compute, or that wait, in pools of workers, and
// shows when more workers help.
//
// # Symptom
//
// A pool of workers takes inputs from a channel. Where the items compute it is
// slower than the loop with any number of workers, and slower with more. Where
// they wait it is faster with more, and it is not known how many that should be.
//
// # Cause
//
// An item that computes takes tens of nanoseconds here, and a hand-over of it and one
// of its answer ten times as much. Where there are many, handing over is all that the
// pool does. Where there are a hundred, as in the article, it is the start and the end
// of the workers. Most get an item or two, or none. An item that waits takes
// milliseconds, and there the number of workers is all that matters, up to one for each
// item.
//
// # Cures
//
//   - [Par]: no pool. A loop over items that compute is cut by package par, as far
//     as that pays.
//   - [Pool]: package pool, for items that wait, without a number of workers. It
//     is one for the whole program, so that what it has learned stays. Items
//     handed over all at once are taken in parts, so where they compute it is near
//     the loop and not as fast.
//
// # Source
//
// Part two of a series on concurrency in Go by baixiaoustc, February 2019;
// code at https://github.com/baixiaoustc/go_concurrency (pool.go,
// second_post_test.go). 100 items are powers, or wait a random number of whole
// milliseconds, 0 to 9, on linux/amd64 with GOGC=off. Neither the processor nor
// the Go version is told:
//
//	                                     1 processor   8 processors
//	computing, half as many as cores         33.3 µs        71.7 µs
//	computing, one for each                  38.1 µs        77.9 µs
//	computing, ten for each                 143.3 µs       281.6 µs
//	waiting, half as many as cores           37.1 ms        37.4 ms
//	waiting, one for each                    21.4 ms        21.5 ms
//	waiting, ten for each                     9.4 ms         9.5 ms
//
// Each operation makes a pool, with channels for 100 inputs, and ends it. The
// cores are those of the machine, whatever GOMAXPROCS is: 28, as the figures of the
// case pipeio tell. Its pool drops the answers; here they are sent back and added up.
//
// The benchmark has those 100 items and 28 cores, too, and waits a third as long,
// 0 to 3 ms. It has 10,000 items that compute as well, in which the start of the
// workers is little.
//
// # Checked
//
// The sum of each variant is held to one that the test makes, and the answers of the
// items differ. Pool and Par are of the library and outlive an operation. Before the
// timer starts Pool has one run in which items wait, since it finds its size in it.
// That the hand-over is the cause shows on one processor, where no worker fights for a
// lock. It shows in the profile: at 10,000 items channels have three quarters of the
// processor time, and at 100 the goroutines have as much.
//
// # Today
//
// Seen with two processors of a virtual machine; docs/articles.md has the figures.
//
// Holds: where items compute, all pools lose to the loop by a factor of five and
// more. The one with ten workers for each core loses by several times that. Where they
// wait, more workers help, up to one for each item, and more processors do not.
//
// Holds weaker: that more processors make a pool slower. At two they do, by little.
//
// What falls short: Pool settles at fewer workers than are best for bursts of 100
// items. It compares two numbers of them only while items are left over.
package poolsize
