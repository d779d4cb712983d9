// Package payoff is the root of a library of concurrency blocks for Go code in
// which concurrency is to pay:
//
//   - par: recursions, loops and sorts on several processors, where that is faster
//   - queue: bounded rings that are used like channels
//   - pipe: pipelines of stages, from and to slices, sequences, channels and queues
//   - pool: worker pools that find their own size, and errgroup's Group
//   - snapmap: a map for many goroutines, of which a snapshot can be had at any time
//   - ctrie: the same without locks
//   - topic: the subscriptions that a subject matches
//   - counter: counters and accumulators that workers do not queue for
//   - recycle: pools of values and slices, and free lists
//
// The root has no block itself. It exports its own sources, [Files], for the
// command payoff, and holds the rules of the house, which are tests (house_test.go,
// documents_test.go).
//
// The repository has several modules. This one is the library, and it requires no
// other module, not even for its tests. The others stand beside it:
//
//   - tool: the command payoff, which measures whether concurrency pays in a
//     package, and everything that has dependencies.
//   - tool/fleet: the command payoff-fleet, by which other machines measure.
//   - pipe/jetstream: a stage of a pipeline that runs in other processes, over NATS.
//   - gallery: programs that are slower for being concurrent, with their cures.
//   - peers: benchmarks against other libraries.
//   - house: commands that keep the repository.
//   - record: raw results, and no code.
//   - docs/img: pictures, and no code.
package payoff
