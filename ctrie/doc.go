// Package ctrie has a lock-free map for many goroutines, of which one can have a
// snapshot at any moment, in constant time. It is the Ctrie of Prokopec, Bronson,
// Bagwell and Odersky ("Concurrent Tries with Efficient Non-Blocking Snapshots", PPoPP
// 2012). Its methods are those of package snapmap, but for Diff, and mean the same.
//
//	var m ctrie.Map[string, int] // ready
//	m.Store("a", 1)
//	before := m.Snapshot()
//	m.Store("b", 2)
//	before.Load("b") // 0, false
//
// # Which map
//
// Take package snapmap, unless a writer must never wait for another one. It is faster
// in nearly everything, most of all in writes, and tells what two views differ in. What
// ctrie has before it is its progress. A goroutine that is stopped in the middle of a
// write, by the scheduler for milliseconds or for ever, holds up no other. In a snapmap
// it holds up those that write to the same shard, and snapshots. So ctrie is for
// goroutines with deadlines beside others that run long, and for many more goroutines
// than processors where the slowest call counts. You may need no snapshots, and no
// loops while others write. Then a built-in map with a [sync.Mutex] is better than
// both, unless many goroutines come to it at the same time. README.md says where the
// figures are.
//
// # Keys and values
//
// Keys are what the built-in map takes. Store takes a NaN, and no Load finds it. A key
// of an interface type whose dynamic type cannot be compared panics. Each map has seeds
// of its own for its hashes of 64 bits; keys that agree in all of them are in a list.
//
// Entries lie in the nodes of a tree, up to 32 in one, some five on average. A write
// makes a new node in the place of one of these, so it copies some five neighbours.
// Where values are large, store pointers to them.
//
// There is no size to begin with: a trie grows by a node at a time, and never moves
// what it has. Each node is an object for some five entries that the garbage collector
// marks. For a million keys that takes more than a tenth of a second in each
// collection.
//
// # Names in other maps
//
//	sync.Map, xsync and others     here
//	Range, Iterator                All
//	Size                           Len
//	GetOrInsert                    LoadOrStore
//	Upsert, Update                 Compute
//	Clone, Copy                    Snapshot; View.Map for one that is written to
//
// # What operations cost
//
// Load reads three or four lines of memory for each five bits of the hash that keys
// need to be told apart. For n keys that is log n to the base 32 levels, and often one
// more. It writes nothing. A write reads the same and makes one object, of some 150 to
// 250 bytes for small keys and values. It does two compare-and-swaps. One more node
// gets a new place where two keys meet.
//
// Snapshot is one compare-and-swap and two small objects, or nothing at all if nothing
// was written since the last. What it costs comes later. The first write to each part
// of the tree copies the way that leads there, some hundred bytes for each level. It
// publishes all of that at once. Len takes a Snapshot, and counts those parts of the
// tree that changed since the last count. So it is no operation for each request.
//
// A View keeps what it has, as far as the Map has got something else for it. That is as
// much as the writes since then have replaced, and once the map in the end.
//
// # Guarantees
//
// Operations are linearizable: each acts at one moment between its call and its return.
// So do Snapshot, Len, Clear and the first step of a loop over All, which take the
// whole map at once. In the words of the Go memory model, what writes a value
// synchronizes before the Load, the Snapshot, or whatever operation else, that observes
// it.
//
// Compute calls the caller's function between two such steps, and again if another
// goroutine has changed the value of the key meanwhile.
//
// # Progress
//
// Load, View's methods and Snapshot are wait-free. The tree's depth bounds the number
// of their own steps, with the length of the list if hashes are equal. What View's
// loops and counts do for each entry is bounded in the same way.
//
// All others are lock-free: a step of theirs fails only because that of another
// operation has succeeded. So of all that go on at any time, one comes to its end after
// a bounded number of steps. One of them may be late again and again while others pass;
// nothing bounds that but chance. A Compute comes to its end if its function does, and
// does not write to the key itself.
//
// Snapshots do not hold up writers as such, which the paper's can. A Snapshot ends a
// generation, and the writes under way in it begin again. It does so only if a write
// was done in that generation. And writers cannot hold up a Snapshot, as they can in
// the paper, whose snapshot begins again if the root's node has changed.
//
// How it works is in protocol.md.
package ctrie
