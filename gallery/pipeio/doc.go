// Package pipeio waits for each of n items, in each of the shapes that channels
// invite. It shows that only the number of items under way matters.
//
// # Symptom
//
// A loop over items that wait, for a server or a disk, becomes a pipeline, with a
// goroutine for each stage, and is no faster. Buffers and processors change
// nothing, and nothing is busy.
//
// # Cause
//
// One stage has all the waiting, and one goroutine: there is one item under way
// at a time, as in the loop. An item takes so long that a hand-over is nothing
// beside it, so a buffer has nothing to save. What waits needs no processor, so
// more of them have nothing to do.
//
// # Cures
//
//   - [Each]: a goroutine for each item. It is the simplest and the fastest, where as
//     many items as there are may be under way. So it is where nothing that they wait
//     for limits them, and they are not too many to hold at once.
//   - [Pipe]: the pipeline in package pipe, which finds out how many items under way
//     bring more of them in a time. For where a goroutine for each is too many, or
//     the items come from somewhere as they are worked on.
//   - [Pool]: package pool, which finds out how many workers do the work soonest.
//     It is one for the whole program, so that what it has learned stays.
//   - [Fan], [FanBuffered]: a number of workers at the stage that waits. The number
//     is a guess: half the cores in the article, which have nothing to do with it.
//   - [PartitionedEvenly]: as many goroutines, each with its share of the items.
//     It is as good as the fan where the shares are alike.
//   - [Partitioned]: the same with all that is left over in the last share, which
//     then is several times as long as the others.
//
// # Source
//
// Part two of a series on concurrency in Go by baixiaoustc, February 2019;
// code at https://github.com/baixiaoustc/go_concurrency (second_post_test.go).
// 100 items wait a random number of whole milliseconds, 0 to 9, each, on
// linux/amd64 with GOGC=off. Neither the processor nor the Go version is told:
//
//	                      1 processor   8 processors
//	sequential                442 ms         457 ms
//	pipeline                  454 ms         467 ms
//	pipeline, buffered        456 ms         452 ms
//	fan                        37 ms          37 ms
//	fan, buffered              38 ms          37 ms
//	partitioned                89 ms          87 ms
//
// The code has half as many workers in the fan as the machine has cores, and as many in
// the partitioned loop, whatever GOMAXPROCS is. The figures tell 28 cores. Of 100
// items, 27 shares of three leave 19 to the last, which take 88 ms. 14 workers take 37.
// So the fan is not better than the partitioned loop as such. It is better than one
// with a share six times as long as the others.
//
// The benchmark here has those 100 items and 28 cores, too. It waits a third as long: 0
// to 3 ms, the same list in all variants and processes.
//
// # Checked
//
// The waits are real time and the sum of them is a test's; so is that an item
// waits as long as it should. The answers of the items differ, and their sum is
// held to one that the test makes. Sequential takes the sum of the waits, and a
// tenth more for being woken. That waiting is the cause shows in the trace, in
// which nothing runs, and in the profile, which is empty.
//
// Pool and Pipe learn how many items may be under way. The first run of a process
// takes twice as long as the later ones with Pool, and several times as long with
// Pipe. They have that run before the timer starts.
//
// # Today
//
// Seen with two processors of a virtual machine; docs/articles.md has the figures.
//
// Holds, all of it: what waits today waited then. The pipelines are the loop, with
// buffers and without, on one processor and on two. The fan and the partitioned
// loop gain as much as they did.
//
// What the article did not see: the partitioned loop with even shares is as fast as
// the fan of half as many workers. Both leave out most of what there is to gain.
// Each has all of it, since 100 waits at once are no burden here. Pipe has some two
// thirds of its speed without having been told that it may, and Pool half. They try
// larger sizes only while items are left over, of which a burst of 100 has few.
package pipeio
