// Package usual compares small and usual calls of the library with what a Go programmer
// has in their place: calls that other tables have in a larger form, and where a library
// has most to lose.
//
//   - Sort, SortPointers: package par beside package slices, of 100 integers in two orders
//     and of 50,000 pointers to structs.
//   - Group: four functions of 0 and 1 µs; Do: 100 callers at once of a function of 1 µs,
//     as many of which run as there are processors.
//   - Ten: a queue that is made, has ten values and is closed; Try: TrySend and TryRecv in
//     one goroutine; Working: 1 µs of work for each value at both ends of a queue of 16;
//     Four: four senders and one receiver, at 128.
//   - Items: a pipeline of 10 µs an item; CSV: lines of a file in memory, split at commas.
//   - Changes: a map of 1,000 integers of which half of the operations store or delete;
//     Reads: reads of one of 1,000,000.
//   - Slices: a slice of 1 KiB taken, used and given back.
//
// One op is one call, value, item, operation or slice. The first variant of each is the
// base: what needs no import. To record all of it, and the bursts of peers/pool, takes some
// 25 minutes on two processors that do nothing else:
//
//	.ci/record-usual DATE-MACHINE
//
// which runs, in peers,
//
//	payoff run -verdicts -procs 1,2 -budget 14m -base 'variant=(slices|serial|chan|errgroup|semaphore|rwmutex|syncpool)(/|$)' -o ../record/DATE-MACHINE/usual ./usual
//
// makes the tables of it, and puts them into the READMEs of the packages.
package usual
