// Package queue compares the library's bounded queues with channels and with
// the queues of others.
//
// # Who
//
//   - chan: a channel. It is the base.
//   - mutexring: a slice, a mutex and two conditions, as one writes it without a
//     library.
//   - chan-slices: a channel of slices of 64 items that come back empty through
//     a second channel. It holds back up to 63 items until a batch is full.
//   - xsync-spsc, xsync-mpmc, xsync-umpsc: github.com/puzpuzpuz/xsync/v4 v4.5.0.
//     The first two have no call that blocks, so their users, and this harness,
//     call Try and runtime.Gosched in turn. The last blocks the consumer, and is
//     not bounded.
//   - workiva: queue.RingBuffer of github.com/Workiva/go-datastructures v1.1.7.
//     It boxes items and blocks by yielding.
//   - lscq: github.com/bytedance/gopkg/collection/lscq v0.1.4, on amd64 and arm64.
//     It is not bounded, and consumers poll. Items of 64 bytes go by pointer.
//   - payoff-spsc, payoff-mpsc, payoff-mpmc: ours, with Send and Recv;
//     payoff-spsc-all reads by All, payoff-batch uses SendAll and RecvInto,
//     payoff-views uses Reserve, Publish, View and Release.
//
// Only chan, mutexring and ours can be closed. The others end by an item that
// means the end, one for each consumer, or, in TwoStage and PingPong, by
// counting.
//
// Not here, since their modules could not be had: lfq, lfring, disruptor,
// smallnest/queue.
//
// # How
//
// Bounded queues have room for 1024 items. The loops around each queue are
// written out for it, with the calls that its documentation shows: no interface,
// no closure and no type parameter stands between a loop and a queue. The loops
// for items of 64 bytes are derived from those for words.
//
//   - SPSC, Batch, MPSC, MPMC: b.N items, divided among the producers. One op is
//     one item, end to end; starting the goroutines counts.
//   - PingPong: one op is one hand-off, one way, over two queues.
//   - TwoStage: both stages compute for about work=… nanoseconds an item; the
//     base is variant=serial, a loop without any queue.
//   - Sparse: an item each 0.2 ms. ns/op is the period; see p50-ns, p99-ns and
//     cpu-ns/op, and variant=none for what timer and clock take of these.
//   - Idle: goroutines wait for one second; see cpu-ns/wall-s.
//   - Hog: SPSC, MPSC, MPMC and PingPong beside a process that takes a
//     processor.
//   - Busy: PingPong, SPSC and MPMC beside goroutines that compute, one for each
//     processor.
//   - Capacity: SPSC, with small buffers.
//   - Senders: 100 producers that compute for about work=… nanoseconds an item.
//   - Stages: three stages of about 10 µs.
//   - Longest: how long one Send takes, of 100 producers at a capacity of 16; see
//     p99-ns and longest-ns.
//   - Burst: two consumers wait and two items of 300 µs come; see first-ns and
//     second-ns, when the consumers begin.
//
// Sparse, Idle and the last five call all queues through function values.
//
// ns/op says nothing in Sparse, Idle, Longest and Burst: run these with go test.
// The tool drops samples that another process disturbed, so Hog takes it longer.
//
// Each run counts and sums what was received. A queue that loses or repeats
// items fails its benchmark, and so does one that takes more than half a minute.
// The tests of this package hold all variants to the same in small; no variant
// is known to fail there.
//
//	payoff run -base 'variant=chan(/|$)' -bench '^BenchmarkSPSC$' ./queue
//	payoff run -base serial -bench TwoStage ./queue
//	payoff run -base 'variant=chan(/|$)' -bench Hog ./queue
//
// # What favours us
//
//   - A capacity that is a power of two, as our rings have it anyway; and they
//     take up to an eighth more before they make a producer wait.
//   - We promise less than a channel: a select takes a detour, and SPSC and MPSC
//     have one goroutine where a channel may have many. Rivals promise less than
//     we do: no blocking, no end, or no bound.
//   - Items of 64 bytes are copied by a ring and allocated by workiva and lscq,
//     as interfaces and pointers are what they take.
//   - Batch: ours hands over what there is, chan-slices only full slices. All
//     fill and sum their batches by index.
//
// # What favours others
//
//   - Queues without a bound (lscq, xsync-umpsc) never make a producer wait: in
//     Senders and Longest that is all there is to lose. In short runs they hold all
//     items, and their memory is not counted.
//   - Polling costs nothing where the other side always runs: only Sparse, Idle
//     and Hog show its price, and in Hog no rival that polls takes part.
//   - The calls of xsync-spsc are short and inlined into the loops. Ours can
//     wait, and are calls.
//   - Nobody asks for the time, a deadline or a context.
package queue
