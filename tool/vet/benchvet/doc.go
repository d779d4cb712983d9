// Package benchvet finds benchmarks that measure something else than they seem
// to.
//
// What is wrong in a benchmark is wrong in all that is concluded from it, so this
// comes before the other checks. It looks at functions that have a *testing.B:
//
//	for i := 0; i < b.N; i++ {
//		mix(uint32(i)) // bad: inlined, and then left out, for the result is not used
//	}
//
//	for i := 0; b.Loop(); i++ {
//		mix(uint32(i)) // good: b.Loop keeps arguments and results
//	}
//
// The seven forms:
//
//   - A dropped result, in a loop over b.N, of a call that the compiler inlines
//     and that has no other effect. What is left takes the time of an empty
//     loop, 0.29 ns in record/2026-11-23-epyc-2cpu/zoo-20. The check believes no
//     time below 0.4 ns. Whether the compiler inlines a call and finds nothing
//     to keep is certain here only for short functions. They have no loops, no
//     calls and nothing that can panic. For the others a recorded run has to
//     show it.
//   - Preparation before a loop over b.N, without b.ResetTimer. The testing
//     package divides it by b.N, so it shows where it takes as long as a sample.
//   - A loop over b.N in the function given to b.RunParallel: each goroutine does
//     the work of all of them.
//   - A write to what all goroutines of b.RunParallel share, in each iteration.
//     One cache line travels between the processors, and the benchmark measures
//     nothing else. An iteration takes 8.5 ns on two processors and 5.5 on one
//     (SharedWrite of zoo-20). That may be what the benchmark is for, so it is
//     told with evidence alone.
//   - Goroutines that the loop starts and does not wait for: the work is done
//     after the clock has stopped, if at all.
//   - Goroutines that share b.N, and are started before b.StartTimer or
//     b.ResetTimer: some have done their part when the clock starts. On one
//     processor an operation of such a benchmark took 1.1 to 8.2 ns.
//   - b.StopTimer and b.StartTimer in the loop. Each stops the world to read how
//     much memory was allocated, which leaves caches cold: Stopped of zoo-20
//     takes 2.4 µs an operation. One that takes less is measured as it never
//     runs.
//
// The evidence comes from a recorded run. It is the time of an operation, the
// share of processor time that preparation took, or the causes that it names.
//
// The edits: b.Loop in place of b.N, from Go 1.26 on, and b.ResetTimer before the
// loop. Before Go 1.26, b.Loop kept the calls of its body from being inlined
// (https://go.dev/issue/73137). It is refused where the loop may end early, b.N
// stands elsewhere too, or something writes to the index. An edit of a benchmark
// changes its figures: that is its purpose, and nothing says that the code under it
// became faster.
//
// It is wrong to obey where the benchmark means it: an atomic counter is measured
// by adding to it from all sides.
package benchvet
