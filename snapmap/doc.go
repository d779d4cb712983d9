// Package snapmap has a map for many goroutines of which one can have a snapshot at any
// moment, in constant time. [Map.Snapshot] returns a [View] that never changes, while
// all others go on writing. Two views tell what has changed between them ([View.Diff]),
// and a Map can go on from a View ([View.Map]).
//
//	var m snapmap.Map[string, int] // ready
//	m.Store("a", 1)
//	before := m.Snapshot()
//	m.Store("b", 2)
//	for c := range m.Snapshot().Diff(before) {
//		fmt.Println(c.Kind, c.Key, c.New) // added b 2
//	}
//
// Code that follows changes waits for a signal that writers send after they have
// written, such as a channel with room for one. It then takes a Snapshot and, if that
// is not the View it had, asks for the Diff. It begins with the zero View.
//
// Maps from integers or bools to numbers, bools or nothing have pages that the garbage
// collector does not look into. All others have an entry for each key, an object that
// it marks. For ten million keys that takes 0.2 to 2.6 s in each collection. Maps of
// numbers take 27 to 55 ms and a built-in map 2 to 4. It begins to show with a million
// keys, at some 10 ms.
//
// A built-in map with a [sync.Mutex] is better where goroutines seldom come to it at
// once, and you need no snapshots or loops while others write. It takes less memory. On
// one or two processors it is faster where most operations change values. There it was
// ahead of every concurrent map that we have measured. A [sync.RWMutex] is not better
// where readers are many: each of them writes to it. Package ctrie has the same methods
// without locks, and is slower.
//
// # Keys and values
//
// Keys are what the built-in map takes. Store takes a NaN, and no Load finds it. A key
// of an interface type whose dynamic type cannot be compared panics. Each map has seeds
// of its own for its hashes.
//
// Where keys are integers or bools, and values are numbers, bools or have no size, both
// lie in the pages, if pointers have 64 bits. Elsewhere a write changes a value where
// it is if its type is a pointer, map, channel or function. So it does for a number of
// 4 or 8 bytes that is aligned to as many. Others, and those that a snapshot has, are
// never changed: each Store makes a new entry, of the size of the key and the value.
// Which of two equal keys a map has, such as 0.0 and -0.0, is not said.
//
// # Names in other maps
//
//	sync.Map, xsync and others     here
//	Range, Iterator                All
//	Size                           Len
//	GetOrInsert                    LoadOrStore
//	Upsert, Update                 Compute
//	a size to begin with           Grow
//	Clone, Copy                    Snapshot; View.Map for one that is written to
//
// # What operations cost
//
// Load never waits: it reads the cache line of a bucket and the entry, beside lines
// that hardly ever change. It writes nothing but a page into the list of pages, which a
// Map that has grown fills in use. It does not write where a lock is held there. Others
// take a lock for some ten nanoseconds: that of a shard, which a hash chooses. A Map
// has one shard at first. It gets four times as many when goroutines are seen to wait
// for each other, up to four for each processor, or 1024. Len and Snapshot make writes
// wait, look at all locks and take none of them: some nanoseconds for each, and some
// hundred in all. They do nothing if nothing was written since the last Snapshot. A
// program that asks for Len all the time, while others store new keys, had better count
// them with package counter.
//
// What a snapshot costs comes later. The first write to a page after it copies that
// page: 512 bytes for 30 to 50 entries, 1024 where these lie in it. It also copies up
// to three nodes of 144 bytes above it, in a map of a million entries. The first Store
// to a key after it makes a new entry. So a View that you keep holds the pages that
// changed since. These are as many as there were writes, up to twice the map in the
// end. It does not keep what was added later. Snapshots that are not kept cost memory
// until the next collection.
//
// # Guarantees
//
// Operations are linearizable: each acts at one moment between its call and its return.
// So do Snapshot, Len, Clear and the first step of a loop over All, which take the
// whole map at once. In the words of the Go memory model, what writes a value
// synchronizes before the Load, the Snapshot, or whatever operation else, that observes
// it.
//
// Compute, CompareAndSwap and CompareAndDelete hold no lock while the caller's
// function runs, or values are compared; if the value has changed meanwhile they
// begin again.
//
// # Progress
//
// Readers never wait, whatever writers do, and views have nothing to do with them.
// Writers wait for each other, so this is not lock-free. A goroutine that loses its
// processor within those nanoseconds holds up those that write to its shard, and
// snapshots, until it goes on.
//
// A Map that grows copies a page in two, and no entries but those. Twice as many pages
// ask for a new list of them, which begins empty. A Map gets more shards three times at
// most. It makes the nodes above its pages anew while writers wait: some milliseconds
// for a million entries.
//
// Deleting gives memory back: neighbouring pages become one.
//
// How it works is in protocol.md.
package snapmap
