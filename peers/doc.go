// Package peers is the home of benchmarks against other libraries, and of the
// library's tests that need a dependency: the library's own module requires
// nothing, so whatever needs more than the standard library lives here. It
// exports nothing, and no other module imports it.
//
// Versions are pinned in this module's go.mod and named beside every figure.
// A comparison is set up like this:
//
//   - One benchmark for all: ours, the peers', and the plain code that a Go
//     programmer would write without any library, as variant=NAME/key=value.
//   - All variants are held to the same answer by a test in the same file, and
//     give the same promises. Where they do not (order, bounds, errors, panics),
//     the benchmark is of the promises they share, and its comment says which
//     one gives more.
//   - A peer is used as its documentation recommends, with options set where
//     the documentation says they matter for the load.
//   - The load sweeps size, processors, and the parameter that we believe to
//     decide, to where the peer wins. A table without a row that we lose has
//     not been looked for long enough.
//   - Rounds are interleaved over all variants in processes of their own.
//     Raw output goes to record/; a figure is quoted only from there.
//
// What tilts such comparisons, whoever makes them, is listed in BIAS.md.
package peers
