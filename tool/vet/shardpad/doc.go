// Package shardpad finds shards of locks or counters that share cache lines.
//
// A counter or lock is split into shards so that goroutines do not meet. The
// shards lie in a slice or array side by side. So several are on one cache
// line, which the cores take from each other at each update.
//
// Bad:
//
//	type shard struct {
//		mu sync.Mutex
//		m  map[string]int
//	}
//
//	type cache struct{ shards [64]shard } // four shards to a line of 64 bytes
//
// Good:
//
//	type shard struct {
//		mu sync.Mutex
//		m  map[string]int
//		_  [112]byte // no two share a cache line
//	}
//
// What atomic additions pay for that is in package adjatomic. Slots with stores
// only are not meant here: package hotslot is about them. On one processor the
// edit gains nothing.
//
// Evidence decides: false sharing, or time in locks or atomic updates, in the
// code that uses the lock or counter of a shard.
//
// The edit, pad, fills the shard up to 128 bytes. It adds a field at the end of a struct, or a
// type around a bare lock or counter. It is wrong for large tables, where two goroutines
// hardly meet on a line and memory counts. It is refused where code relies on the layout:
// literals without field names, package unsafe, encoding/binary, conversions, and where fmt
// may show the fields. It is refused where the declaration of the type is elsewhere or its
// size depends on a type parameter. It is refused where code uses elements of bare locks or
// counters as a whole, and where an array would fill more than 1 MiB.
package shardpad
