// Package pipecpu raises a number to a power for each of n items, with each of
// the shapes that channels invite. It shows that the hand-over of an item costs
// more than the work on it.
//
// # Symptom
//
// A loop over cheap, independent items becomes a pipeline or a fan of workers. It is an
// order of magnitude slower than the loop. A profile shows the scheduler and the
// channel's lock, and buffers help without ever being enough.
//
// # Cause
//
// One item is tens of nanoseconds of arithmetic. It crosses two channels, each
// a lock and, when the channel is empty or full, a goroutine put to sleep and
// another woken. In a pipeline of three stages only the middle one works, so
// more processors than one have nothing to do but hand over. In a fan the
// workers are several, but all queue at the same two channels.
//
// # Cures
//
//   - [Partitioned]: neighbouring items to each worker, one meeting at the end.
//     Prefer it whenever the items are there before the work starts. [Par] is the
//     same in package par, without a number of workers. Where it does not pay to
//     share the work it is the loop.
//   - [Pipe]: the pipeline in package pipe, for items that come from somewhere as
//     they are worked on. It hands over batches, whose size follows from what an
//     item was found to take. What is left is a call through a function value for
//     each item, which for these items is a twentieth of the work. By so much it
//     loses to the loop on one processor. What it gains on two varies from run to
//     run, and so does the batched channel.
//   - [ChannelBatch]: channels pay again when one hand-over carries enough work: items
//     that take microseconds, or batches of cheap ones. This is most of what Pipe
//     gains. With Pipe there is no need to choose a batch size, a buffer and a number
//     of workers for these items. It makes no batch anew.
//
// [PipelineBuffered] and [FanBuffered] are half a cure: a buffer saves the sleeping
// and waking, not the locking.
//
// # Source
//
// Part two of a series on concurrency in Go by baixiaoustc, February 2019;
// code at https://github.com/baixiaoustc/go_concurrency (second_post_test.go).
// The article raises 1,000,000 items with buffers of 1000, on linux/amd64 with
// GOGC=off, and tells neither the processor nor the Go version:
//
//	                      1 processor   8 processors
//	sequential                 95 ms         101 ms
//	pipeline                  512 ms         865 ms
//	pipeline, buffered        220 ms         370 ms
//	fan                       715 ms         913 ms
//	fan, buffered             320 ms         428 ms
//	partitioned                95 ms          19 ms
//
// Its code tells that the fan is of half as many workers as the machine has
// cores, and the partitioned loop of as many, whatever GOMAXPROCS is. Ours have
// GOMAXPROCS workers. The cases pipeio and poolsize are of the same article.
//
// The benchmark here has 100,000 items, which keeps one round within tens of
// milliseconds; the cost per item does not depend on the number. The exponents
// stay below 512, so that every answer is finite and can be checked. The
// answers are added up as bits, so that their order does not matter.
//
// # Checked
//
// The test holds the sum of each variant to one that it makes itself, and no two of the
// 512 answers are equal. A power that was left out would show. All that sum a range
// call one function. That the hand-over is the cause shows on one processor, where the
// channels are all that Pipeline adds. In the profile, channel and scheduler have nine
// tenths.
//
// # Today
//
// Seen with two processors of a virtual machine; docs/articles.md has the figures.
//
// Holds: both models lose to the plain loop on one processor and on two, and
// buffers help a lot and not enough. The partitioned loop comes near twice
// the speed of the plain one at two processors.
//
// Holds more strongly: the powers have become cheaper and the channels not by
// as much. So the unbuffered models lose by a larger factor than in the
// article, and the buffered ones too.
//
// Holds no longer, or not visibly at two processors: that more processors make
// the unbuffered models much slower than one does. They are slow either way;
// the buffered ones do get slower. Nor is a fan worse than a pipeline of the
// same buffer; the two are alike.
package pipecpu
