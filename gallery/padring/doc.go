// Package padring passes values through a lock-free ring whose indexes share a
// cache line, and through one whose fields lie apart.
//
// # Symptom
//
// A queue without locks is slower with two processors than with one. The profile
// shows its two compare-and-swap operations, and none waits for another.
//
// # Cause
//
// The producers count one word up and the consumers another, and the two are neighbours
// in a struct, as in [Packed]. They mean different words and take the same line from
// each other. With it goes what does not change: the mask and the slice of the slots,
// which each operation reads.
//
// # Cures
//
//   - [Padded]: each field on lines of its own, the article's cure. What remains is
//     true sharing: all producers want one index and all consumers the other, and
//     each slot goes from one side to the other.
//   - [Queue]: package queue, whose ends lie apart, and where an end keeps to
//     itself what it knows of the other. A hundred of each side do
//     not gain by it on one processor, where nothing is shared. It costs a little more
//     there.
//   - [Batch]: the same with many values to a hand-off. What moves between the
//     processors moves once for all of them, which no layout can do.
//
// # Source
//
// "So You Wanna Go Fast?" by Tyler Treat (2015), read in the translation
// http://studygolang.com/articles/6914. A ring of one producer and one consumer,
// and of 100 each, on 8 processors; machine and Go version are not told (of the
// time: Go 1.4 or 1.5):
//
//	               together     padded
//	1 × 1            156 ns     132 ns
//	100 × 100     27,763 ns  17,860 ns
//
// In the code of its benchmarks an operation of the second row is 100 values. The ring
// has room for all values of a run, so producers never wait. So it has here.
//
// # Measure
//
// The base is one goroutine that puts each value into the ring and takes it out
// again: what the ring costs unshared. What Packed takes beyond that
// is the price of sharing, less what the second processor does at the same time.
// A loop without a ring would be no base: none of these could beat it.
//
// All variants are held to a sum of what becomes of the values. An operation is 20,000
// values, and includes making the ring, which starts as zeros, and starting the
// goroutines. The article made its ring before the clock ran. Half a megabyte is a
// tenth of the time of Padded on two processors and a twentieth of that of Packed. So
// their factor is a little smaller here. Of the time of Batch it is nearly half, so the
// library's queues look slower than they are. That the line is the cause shows in
// Padded, which differs in nothing but the distance of the fields. It shows on one
// processor, where the two are alike.
//
// # Today
//
// Seen with two processors of a virtual machine; docs/articles.md has the figures.
//
// Holds: the padded ring is faster on two processors, with one on each side and
// with a hundred. The ring with its fields together is slower on two processors
// than on one.
//
// Holds no longer, at two processors: that padding gains more for a hundred of each
// side than for one. It is the other way round here: a hundred of each side share
// mostly the same words, which padding cannot part. This compares two gains, which
// docs/articles.md has no row for; it is told beside both of them.
package padring
