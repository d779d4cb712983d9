package snapmap

import (
	"runtime"
	"sync/atomic"

	"github.com/gopayoff/payoff/internal/cacheline"
)

// Shards are how a map is divided among those who write: by the top bits of the
// hashes. There is one at first, and four times as many where goroutines have been seen
// to wait for each other.
type shards[K comparable, V any] struct {
	hasher *hasher
	bits   int // of the hash that choose the shard: some times shardStep

	// generation is the one at hand. Whoever has a shard's lock may read it; it is
	// stored under all of them.
	generation *generation[K, V]

	list []shard[K, V]
}

const (
	shardStep = 2

	// There are less than shardsPerProc shards for each processor before more are made, up
	// to 1024: with fewer, writers wait for each other; with more, a snapshot takes longer,
	// since it looks at all of them.
	shardsPerProc = 4
	maxShardBits  = 5 * shardStep
)

// A shard is a lock and what is written under it.
type shard[K comparable, V any] struct {
	lock

	// root is the tree of the shard's pages: never nil. Of the node it uses the
	// shard's part.
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

// put puts a page where hashes that begin as this one does have theirs.
func (s *shards[K, V]) put(hash uint64, p *page[K, V]) {
	sh := s.of(hash)
	root := sh.root.Load()
	if r := root.put(s.generation, hash, level(s.bits), p); r != root {
		sh.root.Store(r)
	}
}

// each calls yield for each page, with the first hash that belongs to it. Nobody
// changes the trees.
func (s *shards[K, V]) each(yield func(uint64, *page[K, V]) bool) {
	for i := range s.list {
		top := uint64(i) << 1 << (63 - s.bits)
		if !s.list[i].root.Load().each(part(i, s.bits), level(s.bits), prefix(top, level(s.bits)), yield) {
			return
		}
	}
}

// allPages returns how many pages there are, or were a moment ago.
func (s *shards[K, V]) allPages() (n int64) {
	for i := range s.list {
		n += s.list[i].pages.Load()
	}
	return n
}

// A maintenance is what is to be done under all locks.
type maintenance uint8

const (
	nothing maintenance = iota
	resize
	growShards
	shrinkShards
)

// look returns what is to be done about the number of shards. The shard is locked.
func (sh *shard[K, V]) look(s *shards[K, V]) maintenance {
	ops, waits := sh.ops, sh.waits
	sh.ops, sh.waits = 0, 0
	switch {
	case waits > ops/32 && s.bits < maxShardBits && 1<<s.bits < shardsPerProc*runtime.GOMAXPROCS(0):
		return growShards
	case waits < ops/256 && s.bits > 0 && sh.size < fan:
		return shrinkShards
	}
	return nothing
}

// growShards makes four shards of each.
func (m *Map[K, V]) growShards(seen *shards[K, V]) {
	s := m.lockAll()
	defer m.unlockAll()
	if s != seen {
		return
	}
	bits := s.bits + shardStep
	t := newShards[K, V](s.hasher, bits)
	t.generation = s.generation
	for i := range t.list {
		t.list[i].root.Store(newNode[K, V](s.generation, nil))
	}
	pages := int64(0)
	put := func(top uint64, p *page[K, V]) {
		t.put(top, p)
		pages++
	}
	s.each(func(top uint64, p *page[K, V]) bool {
		if p.depth() >= bits {
			put(top, p)
			return true
		}
		// A page of several of the new shards.
		all := builder[K, V]{x: s.hasher}
		all.gather(s.generation, top, p, nil)
		for i := range uint64(1) << (bits - p.depth()) {
			top := top + i<<(64-bits)
			b := builder[K, V]{x: s.hasher}
			for _, e := range all.entries {
				if prefix(e.hash, bits) == top {
					b.entries = append(b.entries, e)
				}
			}
			b.build(s.generation, top, bits, false)
			for _, p := range b.pages {
				put(p.hash, p.page)
			}
		}
		return true
	})
	m.exchange(s, t, pages)
}

// Grow makes an empty Map's pages for n keys at once, with which storing as many takes
// less time. It does nothing to a Map that has keys. Clear gives the room back, and
// deleting does where keys were.
func (m *Map[K, V]) Grow(n int) {
	m.hasher()
	s := m.lockAll()
	defer m.unlockAll()
	depth := 0
	for n>>depth > mergeAt && depth < maxDepth {
		depth++
	}
	if s.size() > 0 || s.allPages() >= 1<<depth {
		return
	}
	t := newShards[K, V](s.hasher, 0)
	t.generation = s.generation
	root := newNode[K, V](t.generation, nil)
	for i := range uint64(1) << depth {
		p := emptyPage(s.hasher, t.generation, depth)
		root = root.put(t.generation, i<<1<<(63-depth), 0, p)
	}
	t.list[0].root.Store(root)
	m.exchange(s, t, 1<<depth)
}

// emptyPage returns a page as the map has them.
func emptyPage[K comparable, V any](x *hasher, g *generation[K, V], depth int) *page[K, V] {
	if x.flat {
		return pageOf[K, V](newFlat(g.number, depth))
	}
	return newPage(g, depth)
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
	b := builder[K, V]{x: s.hasher}
	s.each(func(top uint64, p *page[K, V]) bool {
		b.gather(s.generation, top, p, nil)
		return true
	})
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
