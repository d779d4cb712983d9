// Package maplock finds one lock around a map that is used key by key.
//
// Bad:
//
//	type counts struct {
//		mu sync.Mutex
//		m  map[string]int
//	}
//
//	func (c *counts) inc(key string) {
//		c.mu.Lock()
//		defer c.mu.Unlock()
//		c.m[key]++
//	}
//
// Good, if many goroutines use many keys: 64 locks with a map each, chosen by a
// hash of the key.
//
//	func (c *counts) inc(key string) {
//		s := &c.shards[maphash.String(seed, key)%64]
//		s.mu.Lock()
//		defer s.mu.Unlock()
//		s.m[key]++
//	}
//
// Goroutines that use different keys need not wait for each other. With one lock
// they do, and the lock's word and the map's count travel from core to core at
// each use. Shards cost the hash of the key at each use, and 8 KiB for each value.
// On one processor, or with one hot key, they only cost.
//
// Evidence decides: goroutines that wait for the lock, or its cost, in the
// functions that take it.
//
// The edit, shard, makes the 64 parts, each on cache lines of its own. Every
// section of the lock that uses the map has to use it with one key, known when it
// takes the lock. It may use nothing else that is written under the lock. It is
// refused where the program asks for the map's length, ranges over it or uses it
// as a whole. It is refused where keys are neither strings nor integers, and where
// the type is generic or code relies on its layout. A shard makes its map when it
// is first written to: a value whose map was not made panicked there.
package maplock
