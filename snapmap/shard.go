package snapmap

import (
	"runtime"
	"sync/atomic"

	"github.com/gopayoff/payoff/internal/cacheline"
)

// Shards are how a map is divided among those who write: by the top bits of the
// hashes. There is one at first, and eight times as many where goroutines have been
// seen to wait for each other.
type shards[K comparable, V any] struct {
	hasher *hasher
	bits   int // of the hash that choose the shard: 0, fanBits or 2*fanBits

	// generation is the one at hand. Whoever has a shard's lock may read it; it is
	// stored under all of them.
	generation *generation[K, V]

	list []shard[K, V]
}

// maxShardBits bounds the price of a snapshot, which locks all shards.
const maxShardBits = 2 * fanBits

// A shard is a lock and what is written under it.
type shard[K comparable, V any] struct {
	lock

	// root is the tree of the shard's pages: never nil. Its node is shardBits deep.
	root atomic.Pointer[node[K, V]]

	// size is how many entries the shard has, and pages how many pages. A map that
	// was made of a view has all of both in its first shard: only sums are exact.
	size  int
	pages atomic.Int64 // also read without the lock

	// ops counts how often the lock was taken, and waits how often it was held by
	// another then, since the last look at both.
	ops, waits uint32

	// Some lines in all, so that who looks at all shards reads one of each.
	_ [cacheline.Size + 64 - 48%64]byte
}

const window = 1024 // operations between two looks

func newShards[K comparable, V any](x *hasher, bits int) *shards[K, V] {
	return &shards[K, V]{hasher: x, bits: bits, list: make([]shard[K, V], 1<<bits)}
}

// of returns the shard of a hash.
func (s *shards[K, V]) of(hash uint64) *shard[K, V] {
	return &s.list[hash>>1>>(63-s.bits)]
}

// allPages returns how many pages there are, or were a moment ago.
func (s *shards[K, V]) allPages() (n int64) {
	for i := range s.list {
		n += s.list[i].pages.Load()
	}
	return n
}

// A chore is what is to be done under all locks.
type chore uint8

const (
	nothing chore = iota
	resize
	growShards
	shrinkShards
)

// look returns what is to be done about the number of shards. The shard is locked.
func (sh *shard[K, V]) look(s *shards[K, V]) chore {
	ops, waits := sh.ops, sh.waits
	sh.ops, sh.waits = 0, 0
	switch {
	case waits > ops/8 && s.bits < maxShardBits && 1<<s.bits < 4*runtime.GOMAXPROCS(0):
		return growShards
	case waits < ops/256 && s.bits > 0 && sh.size < fan:
		return shrinkShards
	}
	return nothing
}

// growShards makes eight shards of each.
func (m *Map[K, V]) growShards(seen *shards[K, V]) {
	s := m.lockAll()
	defer m.unlockAll()
	if s != seen {
		return
	}
	bits := s.bits + fanBits
	t := newShards[K, V](s.hasher, bits)
	t.generation = s.generation
	pages := s.allPages()
	for i := range s.list {
		root := s.list[i].root.Load()
		for j := 0; j < fan; {
			top := uint64(i*fan+j) << (64 - bits)
			p, n := root.child(j)
			if n != nil {
				t.of(top).root.Store(n)
				j++
				continue
			}
			// A page of several of the new shards, or of one, which is to have a node.
			w := span(p.depth(), s.bits)
			var all builder[K, V]
			all.gather(s.hasher, s.generation, top, p, nil)
			pages--
			for range w {
				top := uint64(i*fan+j) << (64 - bits)
				var b builder[K, V]
				for _, e := range all.entries {
					if prefix(e.hash, bits) == top {
						b.entries = append(b.entries, e)
					}
				}
				t.of(top).root.Store(b.tree(s.generation, top, bits))
				pages += int64(len(b.pages))
				j++
			}
		}
	}
	m.exchange(s, t, pages)
}

// shrinkShards makes one shard of all, if they have next to nothing.
func (m *Map[K, V]) shrinkShards(seen *shards[K, V]) {
	s := m.lockAll()
	defer m.unlockAll()
	if s != seen || s.size() >= fan*len(s.list) {
		return
	}
	t := newShards[K, V](s.hasher, 0)
	t.generation = s.generation
	var b builder[K, V]
	for i := range s.list {
		s.list[i].root.Load().each(0, fan, s.bits, func(p *page[K, V]) bool {
			b.gather(s.hasher, s.generation, 0, p, nil)
			return true
		})
	}
	t.list[0].root.Store(b.tree(s.generation, 0, 0))
	m.exchange(s, t, int64(len(b.pages)))
}

// exchange makes t, which has so many pages, the shards, in the place of s.
func (m *Map[K, V]) exchange(s, t *shards[K, V], pages int64) {
	t.share(s.size(), pages)
	m.touch() // some pages are new and may be changed
	m.index.Store(newIndex[K, V](t.hasher, pages))
	m.shards.Store(t)
}

// share divides what the map has among the shards, evenly, though it is not quite
// so: who knows how it is would have to count.
func (s *shards[K, V]) share(size int, pages int64) {
	n := len(s.list)
	for i := range s.list {
		s.list[i].size = size / n
		s.list[i].pages.Store(pages / int64(n))
	}
	s.list[0].size += size % n
	s.list[0].pages.Add(pages % int64(n))
}
