// Package par compares the library's par with serial code, with goroutines as one
// writes them by hand, and with the libraries of others.
//
// # Who
//
//   - serial: the plain recursion, loop, or sort of package slices. It is the base,
//     and knows nothing of tasks.
//   - payoff: ours. Recursions ask Serial and then Fork; payoff-join has the one
//     line with Join instead; payoff-foreach is ForEach where payoff is For.
//   - goroutines-root: one go statement, at the root. goroutines-cutN: one wherever
//     at least N nodes, elements or microseconds of work are below, or, for fib, n
//     is at least N; goroutines-rowsN and -depthN: on the upper N levels;
//     goroutines-all: everywhere, as long as that takes no more than milliseconds.
//     They wait by sync.WaitGroup.
//   - v1, v2-cutN, v2-quarter: what the article that Merge is from calls so; the
//     last has a threshold of a quarter of the input, whatever its size.
//   - waitgroup: as many parts as processors; waitgroup-4: four times as many.
//   - errgroup: golang.org/x/sync v0.24.0.
//   - conc: iter of github.com/sourcegraph/conc v0.3.0.
//   - lo: parallel of github.com/samber/lo v1.53.0: a goroutine for each element.
//   - pargo: github.com/exascience/pargo v1.1.0: parallel and sort.
//   - sorty: github.com/jfcg/sorty/v2 v2.1.0, with MaxGor set to GOMAXPROCS, as it
//     is 3 otherwise.
//   - twotwotwo: github.com/twotwotwo/sorts at bf5c1f2b8553. twotwotwo-key sorts
//     structs by a number or a string that it is given, as payoff-key does with
//     SortBy; twotwotwo and payoff compare.
//
// Thresholds are part of the program wherever somebody else's library leaves them
// to the user. Each benchmark has three, which cover what is good here on two
// processors; errgroup and pargo have the one in the middle. Ours has none.
//
// Not here, since their modules could not be had: zermelo, forGoParallel (its
// ancestor pargo is), sorty v2.1.2.
//
// # How
//
// Inputs are made before the clock starts, once for all variants of a size, from a
// fixed seed. All variants of a benchmark are called in the same way, through one
// function value for each op.
//
//   - Tree, Fib, Queens, Quicksort, Walk, Merge: recursions, from tens of
//     nanoseconds to tens of milliseconds. Queens has a wide argument
//     (payoff-struct hands it down as it is, payoff unpacked, payoff-narrow has one of
//     four words); Walk is not balanced.
//   - Body: a balanced recursion in which each fork guards about work=…
//     nanoseconds, and all of them take about total=….
//   - Mixed: n small trees between large ones, through one function.
//   - MixedCalls: loops through one function, cheap ones and then a dear one;
//     waitgroup-known is told which are dear.
//   - Seldom: loops that come after a pause, in which processors sleep and caches
//     fill with other things; ns/op is that of the loop alone, a median.
//   - For: n elements of about work=… nanoseconds; ForSkew: one of them takes a
//     thousand times as long; Reduce: a sum of ints; Map: 100 ns an element.
//   - Words: lines of ten words, of 5,000 different ones, counted into maps;
//     payoff-fold is Fold where payoff is Reduce.
//   - Sort, SortFunc, SortStableFunc: Sort by order. killer is made to be the worst
//     for slices.Sort, outliers for sorts by digits. Strings are of random letters,
//     addresses (url), names of files (path), or words made of words (compound).
//     SortFunc: structs of 32 bytes by a number, of 40 by a string, and points by
//     their distance from the middle, which is in none of their fields, so that
//     payoff has nothing to go by but the comparison.
//   - Server: goroutines that call at once, each again and again; see p50-ns and
//     p99-ns.
//   - First: the first call of a process that has run nothing before.
//   - Rest: what the process does in a second after the work; see cpu-ns/wall-s and
//     goroutines, ns/op says nothing.
//
// Quicksort, Merge and the sorts copy their input in each op, with the clock
// running: to stop it costs more than to copy, where n is small. All variants
// have the same copy in their times, so that ratios are drawn towards 1: by a few
// hundredths at most where there is something to sort, by up to a third for what is
// sorted already. variant=copy is the copy alone. Below 16384 elements there are several
// inputs in turn, since a processor learns the branches of one by heart.
//
// The tests of this package hold all variants to the answer of the base.
//
//	payoff run -base 'variant=serial(/|$)' -bench '^Benchmark(Tree|Fib)$' ./par
//	payoff run -base 'variant=serial(/|$)' -bench '^BenchmarkFor$' ./par
//
// The time of recursions of a few nanoseconds depends on where the linker puts
// them, by a tenth and more. To see what is code and what is luck, build several
// layouts and take medians over all; N is any number but 0. Functions move as a
// whole, so that loops within a function move with it.
//
//	for N in 1 2 3 4 5 6 7 8; do
//		go test -c -ldflags=-randlayout=$N -o par$N.test ./par
//		./par$N.test -test.run '^$' -test.bench '^BenchmarkTree$' -test.benchtime 50ms -test.cpu 2
//	done
//
// # What favours us
//
//   - A Func keeps what it has learned from one op to the next. So it does in
//     programs; First and Mixed are there for what that hides.
//   - Serial and Join are inlined into the recursions. pargo and errgroup are
//     called through closures, which is their interface.
//   - Memory is not compared: sorty needs none beside the input, other sorts may
//     allocate as much again.
//   - Structs are compared by a field, which payoff finds out, and compares no more
//     than once or twice then. So it is in most programs; points show the others.
//   - What works does nothing but compute. Bodies that wait, for which lo and conc
//     are mostly used, want more of them at once than there are processors.
//
// # What favours others
//
//   - Their thresholds were chosen on the machine that measures, for each
//     benchmark, by looking at the outcome.
//   - Sizes of subtrees are known to them beforehand in Tree and Body.
//   - We carry panics and Goexit of a body over to the caller, as pargo and conc do
//     with panics. Goroutines by hand, lo and errgroup let the program die.
//   - pargo's sorts fall back on package slices, which is younger than they are.
//   - pargo.Sort goes on while goroutines of its check for sorted input still read:
//     the race detector says so, and it is not run under it.
package par
