// Package snapmap has a map for many goroutines of which one can have a snapshot at
// any moment, in constant time: [Map.Snapshot] returns a [View] that never changes,
// while all others go on writing. Two views tell what has changed between them
// ([View.Diff]), and a Map can go on from a View ([View.Map]).
//
//	var m snapmap.Map[string, int] // ready
//	m.Store("a", 1)
//	before := m.Snapshot()
//	m.Store("b", 2)
//	for c := range m.Snapshot().Diff(before) {
//		fmt.Println(c.Kind, c.Key, c.New) // added b 2
//	}
//
// Who is to be told of changes waits for a signal that writers send after they have
// written, such as a channel with room for one; takes a Snapshot; and, if that is not the
// View it had, asks for the Diff. It begins with the zero View.
//
// A built-in map with a [sync.Mutex] is better where nobody needs snapshots, or loops
// while others write, and goroutines seldom come to it at the same time. It takes less
// memory, and on one or two processors it is faster where most operations change
// values: there it was ahead of every concurrent map that we have measured. A
// [sync.RWMutex] is not better where readers are many: each of them writes to it.
// Package ctrie has the same methods without locks, and is slower.
//
// # Keys and values
//
// Keys are what the built-in map takes. A NaN can be stored, and is never found; a
// key of an interface type whose dynamic type cannot be compared panics. Each map
// has seeds of its own for its hashes.
//
// A value of one word, such as an integer, a float or a pointer, is changed where it
// is. Others, and those that a snapshot has, are never changed: each Store makes a new
// entry, of the size of the key and the value.
//
// # What operations cost
//
// Load takes no lock, writes nothing and never waits: it reads the cache line of a
// bucket and the entry, beside lines that hardly ever change. Others take a lock for
// some ten nanoseconds: that of a shard, which a hash chooses. A Map has one shard at
// first, 16 from about 1,200 entries on, and four times as many, up to 64, when
// goroutines are seen to wait for each other. Len and Snapshot make others that write
// wait, look at all locks and take none of them: some nanoseconds for each, and some
// hundred in all. They do nothing if nothing was written since the last Snapshot.
//
// What a snapshot costs comes later. Who first writes to a page after it copies that
// page, 512 bytes for 30 to 50 entries, and up to three nodes of 144 above it, in a
// map of a million entries; and who first stores to a key after it makes a new entry. So a View
// that is kept keeps the pages that were written to since: as many as there were
// writes, up to twice the map in the end. It does not keep what was added later.
// Snapshots that nobody keeps cost memory until the next collection.
//
// # Guarantees
//
// Each operation acts at one moment between its call and its return, also Snapshot,
// Len, Clear and the first step of a loop over All, which take the whole map at once
// (they are linearizable). In the words of the Go memory model, what writes a value
// synchronizes before the Load, the Snapshot, or whatever operation else, that
// observes it.
//
// Compute, CompareAndSwap and CompareAndDelete hold no lock while the caller's
// function runs, or values are compared; if the value has changed meanwhile they
// begin again.
//
// # Progress
//
// Readers never wait, whatever writers do, and views have nothing to do with them.
// Writers wait for each other, so this is not lock-free: a goroutine that loses its
// processor within those nanoseconds holds up those that write to its shard, and
// snapshots, until it goes on. A Map that grows copies a page in two; nothing is ever
// copied as a whole, but the list of the pages, which is begun anew and filled as
// it is used.
//
// Deleting gives memory back: neighbouring pages become one.
//
// How it works is in protocol.md.
package snapmap
