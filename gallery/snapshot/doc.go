// Package snapshot takes all of a map as it is at one moment, while others store to it.
//
// # Symptom
//
// All entries of one moment are needed: for a backup, a page, a comparison. The
// map is under a lock, and copied under it. Each copy takes as long as the map is
// large, and stops all that store, for that long.
//
// # Cause
//
// A built-in map can only be copied as a whole, and not while others write. The lock
// has to be held for all of the copy. [NewLocked] does it as well as that can be done:
// goroutines that copy share the lock, and maps.Clone copies tables, not entries.
//
// # Cures
//
//   - [NewSnapmap]: a look at some locks, whatever the map's size. Readers never wait.
//     Prefer it.
//   - [NewCtrie]: one compare-and-swap. It is for goroutines that must not be held up by a
//     goroutine that lost its processor in the middle of a write. It pays for that in each
//     write.
//
// Neither has the snapshot for nothing: what stores afterwards copies the part that it
// changes, once for each snapshot. So the benchmarks are several. Alone is the
// snapshot, and a store, without which there is nothing to take. Walk makes use of it,
// a loop over all entries, which takes longer than the snapshot. Writers has the bill:
// a hundred goroutines store to all keys, and each takes a snapshot meanwhile. One op
// is all of that, so a snapshot that stops the writers, or makes their stores dear,
// gains nothing. It reports how long a snapshot took, and the stores in a second. That
// is not what a hundred goroutines show that store for ever. On few processors, one
// that wants a snapshot waits there until each of them has had its 10 ms, whatever the
// map is.
//
// # Source
//
// "So You Wanna Go Fast?" by Tyler Treat, 2015, its part on lock-free sharing; machine
// and Go version are not told:
//
//	BenchmarkConcurrentSnapshotMap-8       1000    9941784 ns/op
//	BenchmarkConcurrentSnapshotCtrie-8    20000      90412 ns/op
//
// It tells neither the entries nor what is concurrent. Its benchmark
// (https://github.com/tylertreat/go-benchmarks) does: an op is a snapshot by each of
// 100 goroutines, none writes, and the map has as many entries as there are ops, which
// were 1,000 and 20,000. Hundred is that benchmark, with 1,000 entries and a store
// before each op. Without it all but the first hundred would get a View that is there
// already. The others have 10,000, some hundreds of kilobytes, as a table of sessions
// or routes has; Alone has both.
//
// # What is measured
//
// Maps are filled before the clock starts. TestOneMoment holds each snapshot to what
// was stored before, and to one moment; Walk and Writers check their sums. Serial is
// the same map without a lock in one goroutine, and has the same stores and copies.
// What Locked takes beyond it is the lock and those that wait for it. On one processor
// Alone is the copy alone, and none waits.
//
// # Today
//
// Seen with two processors of a virtual machine; docs/articles.md has the figures.
//
// Holds: snapshots of a Ctrie take a small part of the time of copies. It is not as
// small as in the article, since copies have become faster. Inserts take it two to
// three times as long as a map under a lock: each makes a new node.
//
// The article says that the time of a snapshot is constant. Alone has no benchmark of
// that, and then.json no line. An operation there has a store with it, since without
// one there is nothing to take. The store copies the way to its key, which is somewhat
// longer for 10,000 entries than for 1,000. A copy takes ten times as long.
//
// Holds with a reservation: that a snapshot in constant time is a gain. Among writers
// who pay for it, the Ctrie does less than the map that is copied on one processor,
// and more on two. A snapmap does more on both, since it copies less. Who inserts and
// takes no snapshots, in one goroutine, needs neither: the built-in map is faster.
//
// The article calls memory the real advantage: a Ctrie has what its keys need, and no
// more. That is no time, so it is not in then.json. It is so where keys are deleted,
// since a built-in map keeps its tables. For keys that stay the built-in map takes less
// if keys and values are numbers, and more if values are structs (peers/maps, Memory).
package snapshot
