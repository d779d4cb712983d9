package main

import (
	"unsafe"

	"github.com/gopayoff/payoff/internal/world"
)

// What follows is models of other maps: which cache lines their operations read and
// write in which order, and under which locks. Hashes are as if all keys were spread
// evenly, and the maps never grow. What a call computes, and what it allocates, is
// work for about as long as it takes alone.

const alloc = 15 // of a small object

// A lock is a sync.Mutex that is part of a line.
type lock struct {
	held    bool
	waiters []world.Waiter
}

func (l *lock) Lock(at *byte) {
	word := uintptr(unsafe.Pointer(at))
	for {
		world.Touch(word, true)
		for spins := 0; l.held && spins < 4 && world.Spin(); spins++ {
			world.Touch(word, false)
			if !l.held {
				world.Touch(word, true)
			}
		}
		if !l.held {
			l.held = true
			return
		}
		l.waiters = append(l.waiters, world.Self())
		world.Park()
	}
}

func (l *lock) Unlock(at *byte) {
	world.Touch(uintptr(unsafe.Pointer(at)), true)
	l.held = false
	if n := len(l.waiters); n > 0 {
		first := l.waiters[0]
		l.waiters = l.waiters[1:]
		world.Ready(first)
	}
}

// loads is a load of a word in a line, and stores is an atomic store.
func loads(at *byte) { world.Touch(uintptr(unsafe.Pointer(at)), false) }

func stores(at *byte) { world.Touch(uintptr(unsafe.Pointer(at)), true) }

// A cacheLine is one.
type cacheLine [64]byte

func lines(n int) []cacheLine {
	all := make([]cacheLine, n+1)
	for uintptr(unsafe.Pointer(&all[0]))%64 != 0 {
		panic("lines are not where lines begin")
	}
	return all
}

// spread is a hash.
func spread(key int) uint64 {
	h := uint64(key+1) * 0x9e3779b97f4a7c15
	return (h ^ h>>29) * 0xbf58476d1ce4e5b9
}

// A buckets is laid out as the map of github.com/puzpuzpuz/xsync, version 4: a table
// of buckets, each a line with a lock, five tags and five pointers to immutable
// entries. Its counters, which are striped, count entries that come and go, which
// none do here.
type buckets struct {
	root    cacheLine // the pointer to the table
	mask    uint64
	line    []cacheLine
	lock    []lock
	entries []*cacheLine
}

func newBuckets(keys int) *buckets {
	n := 32
	for n*5*3/4 < keys {
		n *= 2
	}
	b := &buckets{mask: uint64(n - 1), line: lines(n), lock: make([]lock, n), entries: make([]*cacheLine, keys)}
	for i := range b.entries {
		b.entries[i] = new(cacheLine)
	}
	return b
}

func (b *buckets) Load(key int) (int, bool) {
	world.Work(4)
	loads(&b.root[0])
	line := &b.line[spread(key)&b.mask]
	loads(&line[0]) // tags
	loads(&line[8]) // entry
	loads(&b.entries[key][0])
	return 0, true
}

func (b *buckets) Store(key, _ int) {
	world.Work(4)
	loads(&b.root[0])
	i := spread(key) & b.mask
	line := &b.line[i]
	b.lock[i].Lock(&line[56])
	loads(&b.root[0]) // whether it is resized
	loads(&line[0])
	loads(&line[8])
	loads(&b.entries[key][0])
	world.Work(alloc)
	e := new(cacheLine)
	loads(&e[0]) // it is here
	b.entries[key] = e
	stores(&line[8])
	b.lock[i].Unlock(&line[56])
}

// A trie is laid out as sync.Map since Go 1.24: inner nodes of 16 pointers, each with
// a lock, and immutable entries of two interfaces.
type trie struct {
	root    cacheLine
	nodes   [][]cacheLine // of each level: 3 lines each
	lock    []lock        // of the last level
	entries []*cacheLine
}

func newTrie(keys int) *trie {
	t := &trie{entries: make([]*cacheLine, keys)}
	for n := 1; ; n *= 16 {
		t.nodes = append(t.nodes, lines(3*n))
		if n*16 > keys/2 {
			t.lock = make([]lock, n)
			break
		}
	}
	for i := range t.entries {
		t.entries[i] = new(cacheLine)
	}
	return t
}

// walk reads the nodes above a key's slot, and returns the last, and that slot.
func (t *trie) walk(key int) (i int, line, slot *byte) {
	loads(&t.root[0]) // whether it is initialized
	loads(&t.root[8])
	h := spread(key)
	for level, nodes := range t.nodes {
		i = int(h >> (64 - 4*level))
		if level == 0 {
			i = 0
		}
		at := int(h >> (60 - 4*level) & 15)
		line = &nodes[3*i+2][0]
		slot = &nodes[3*i+at/8][at%8*8]
		loads(slot)
	}
	return i, line, slot
}

func (t *trie) Load(key int) (int, bool) {
	world.Work(20) // hash and comparison of an interface
	t.walk(key)
	loads(&t.entries[key][0])
	return 0, true
}

func (t *trie) Store(key, _ int) {
	world.Work(40 + 2*alloc) // key and value become interfaces
	i, line, slot := t.walk(key)
	loads(&t.entries[key][0])
	t.lock[i].Lock(line)
	loads(slot)
	world.Work(2 * alloc)
	e := new(cacheLine)
	loads(&e[0]) // it is here
	t.entries[key] = e
	stores(slot)
	t.lock[i].Unlock(line)
}
