// Package pipe compares the library's pipelines with serial code, with channels
// as one writes them by hand, and with the libraries of others.
//
// # Who
//
//   - serial: the plain loop, which calls the stages one in the other. It is the
//     base. Where the source is a channel, it is the loop over that channel, and in
//     Latency the floor.
//   - payoff: ours, with Map for each stage and ForEach at the end, described anew
//     in each op. payoff-all reads by All, payoff-reduce ends in Reduce,
//     payoff-kept describes the pipeline once, payoff-unordered asks for no order,
//     payoff-queue has a queue as its source where payoff has a channel. In Article,
//     where nothing asks for an order, payoff is Range, Map and Fold, and payoff-seq
//     Seq, Map and ForEach.
//   - chunked: the slice cut into as many parts as processors, each worked on by a
//     goroutine; chunked-64: 64 parts, of which each goroutine takes the next;
//     payoff-par: par.Map with the stages called one in the other.
//   - chan-unbuffered, chan-1000: a goroutine for each stage, and channels between.
//     chan-fan: chan-1000 with as many goroutines for each stage as processors,
//     which does not keep the order. chan-slices: channels of slices of 256, which
//     come back empty through channels of their own.
//   - rill, rill-ordered: Map and OrderedMap of github.com/destel/rill v0.7.0, one
//     for each stage. rill-fused: one OrderedMap that calls all stages.
//     rill-batch: Batch(256) and OrderedMap over the batches; with a channel as its
//     source it waits for a batch for 1 ms at most.
//   - conc-stream, conc-map: stream and iter of github.com/sourcegraph/conc v0.3.0,
//     with the stages called one in the other.
//   - pond: a group of a ResultPool of github.com/alitto/pond/v2 v2.7.1.
//   - errgroup: golang.org/x/sync v0.24.0, with SetLimit.
//   - lo: parallel.Map of github.com/samber/lo v1.53.0: a goroutine for each item.
//   - go-streams: github.com/reugn/go-streams v0.13.0, with a parallelism of 1, as
//     its documentation asks for where the order matters.
//
// A number of workers that others ask for is GOMAXPROCS, and in Waits NAME-N stands
// for N workers. What runs over a slice alone (chunked, conc-map, errgroup, lo) has no
// row where the source is a channel. Pools that have neither order nor results (ants,
// workerpool) would do what errgroup does here; they are in peers/pool.
//
// # How
//
// Stages are three functions that the compiler does not inline. The items are
// words, made before the clock starts. Whoever takes the last stage's output adds
// it up, in order, by the same few instructions.
//
//   - Stages: 100,000 items from a slice; work=… is about the nanoseconds that all
//     three stages take for an item on the machine of the record of 2026-11-22, 0
//     being a few instructions. The tables have what the serial loop really took.
//   - Small: runs of few items of about 17 ns.
//   - Chan: 100,000 items from a channel of 1000, or of room=0, which a goroutine fills.
//   - Skew: one item in a hundred is a thousand times the work of the others,
//     in the first stage.
//   - Waits: 2,000 items, for which the second stage sleeps for 1 to 10 ms, or
//     computes for half of them. first-ns is the first run of ours, ns/op the third.
//   - Article: the programs of the article that gallery/pipecpu is from, with its
//     1,000,000 items.
//   - Latency: a sender that pauses for period=… and sends burst=… items then;
//     p50-ns and p99-ns are from before the send of an item until the end of the
//     pipeline has it. One op is one burst; ns/op is the period there really was.
//   - Allocs: allocs/item and B/item of Stages, in a run of 100,000 items after
//     another one.
//
// The tests of this package hold all variants to the answer of the base.
//
//	payoff run -procs 1,2 -base 'variant=serial(/|$)' -bench '^Benchmark(Stages|Small|Chan|Skew|Article)$' ./pipe
//
// In the record, samples of loads of 1 µs and more are of 200 ms, all others of 60 ms:
// each is a process of its own, which begins with nothing learned.
//
// # What favours us
//
//   - Stages are functions of an item and a result. Those of rill return an error
//     as well, which ours do with MapContext; the price of that is a row of Stages
//     (payoff-context).
//   - A run of ours knows the length of its slice. So do chunked, conc-map and lo.
//   - Only in Waits do stages wait, and there by sleeping.
//
// # What favours others
//
//   - chunked, conc-map, errgroup, lo and pond keep all results in memory before the
//     first is taken, and have the whole input. A pipeline holds a bounded number.
//   - chan-unbuffered to chan-slices, conc-stream, errgroup and lo neither stop at an
//     error nor at a context, nor do they bring a panic back (conc does).
//   - Where the order is not kept (chan-fan, rill), only the sum is compared.
//   - 256 items in a batch was chosen for these stages.
//   - In Waits others are told how many may wait at once, and are measured with three
//     such numbers; ours has to find one.
package pipe
