package ctrie

import (
	"iter"
	"sync/atomic"

	"github.com/gopayoff/payoff/internal/goroutine"
	"github.com/gopayoff/payoff/internal/keyhash"
)

// A Map is a map that any number of goroutines may use at once. A [View], its state at
// one moment, can be had at any time for next to nothing.
//
// The zero Map is empty and ready. A Map must not be copied after first use.
//
// In the words of the Go memory model, a write synchronizes before any operation that
// reads what it wrote. It does so before any Snapshot whose View has it, too.
type Map[K comparable, V any] struct {
	// root is nil before the first write. Then it is replaced by Snapshot and Clear.
	root atomic.Pointer[root[K, V]]

	// again has the keys for which Computes call their functions once more.
	again goroutine.Keys[K]
}

// Load returns the value of key, and whether there is one. It never waits.
func (m *Map[K, V]) Load(key K) (value V, ok bool) {
	r := m.root.Load()
	if r == nil {
		_ = map[K]struct{}(nil)[key] // panics where the built-in map does
		return value, false
	}
	h := keyhash.Hash(r.hasher, key)
	n := r.main.Load()
	if n == nil {
		n = r.begin()
	}
	in := &r.inode
	for rest := h; ; rest <<= width {
		if n.prev.Load() != nil {
			n = m.read(in, n)
		}
		bit := uint32(1) << (rest >> (64 - width))
		if n.entryMap&bit != 0 {
			if e := &n.entries[rank(n.entryMap, bit)]; e.key == key {
				return e.value, true
			}
			return value, false
		}
		if n.nodeMap&bit == 0 {
			return n.scan(key)
		}
		in = n.below.list[rank(n.nodeMap, bit)]
		n = in.main.Load()
	}
}

// scan looks for a key in a node that has no bit for it: it may be a tomb or a list.
func (n *main[K, V]) scan(key K) (value V, ok bool) {
	if n.entryMap|n.nodeMap == 0 {
		if i := n.index(key); i >= 0 {
			return n.entries[i].value, true
		}
	}
	return value, false
}

// A place is where a key is, or where it would be.
type place[K comparable, V any] struct {
	hash  uint64
	root  *root[K, V]
	found bool
	at    int // the entry's index in the last node of the way, if found

	// in is the last I-node of this generation on the way, on that level, and old is
	// the main node it had.
	in    *inode[K, V]
	old   *main[K, V]
	level int

	// way has the main nodes on the way from in on, on these levels: of in, and of
	// I-nodes whose generations are over. The last may be none of a trie: an entry
	// in it was in a tomb. Then, at is its index, found or not.
	way  [levels + 1]*main[K, V]
	last int

	// dead tells that the last node has what was in a tomb below in.
	dead bool
}

// locate finds the place of a key.
func (m *Map[K, V]) locate(p *place[K, V], key K, h uint64) {
	for !m.locateOnce(p, key, h) {
	}
}

// locateOnce is locate, unless it has to make a tomb first: then it returns false.
func (m *Map[K, V]) locateOnce(p *place[K, V], key K, h uint64) bool {
	r := m.begun()
	in := &r.inode
	n := m.settled(in)
	p.hash, p.root, p.found, p.dead = h, r, false, false
	p.in, p.old, p.level = in, n, 0
	for level := 0; ; level++ {
		p.way[level], p.last = n, level
		if level == levels {
			p.at = n.index(key)
			p.found = p.at >= 0
			return true
		}
		bit := slot(h, level)
		if n.entryMap&bit != 0 {
			p.at = rank(n.entryMap, bit)
			p.found = n.entries[p.at].key == key
			return true
		}
		if n.nodeMap&bit == 0 {
			return true
		}
		in = n.below.list[rank(n.nodeMap, bit)]
		live := p.level == level && in.gen == r.gen
		var below *main[K, V]
		if live {
			below = m.settled(in)
		} else {
			below = in.final()
		}
		if below.isTomb() {
			return m.unbury(p, below.entries[0], key)
		}
		if live {
			p.in, p.old, p.level = in, below, level+1
		}
		n = below
	}
}

// unbury makes a way that leads to a tomb one that ends above it, in a node with the
// tomb's entry. No node but the root's has that alone: deletes would make it empty.
// It reports whether it could.
func (m *Map[K, V]) unbury(p *place[K, V], e entry[K, V], key K) bool {
	for {
		bit := slot(p.hash, p.last)
		n := p.way[p.last].flatten(bit, e)
		if !n.single() || p.last == 0 {
			p.way[p.last] = n
			p.at = rank(n.entryMap, bit)
			p.found = e.key == key
			p.dead = p.last == p.level
			return true
		}
		if p.last == p.level {
			n.bury()
			m.gcas(p.in, p.old, n)
			return false
		}
		p.last--
	}
}

// entry returns the entry of a key that was found.
func (p *place[K, V]) entry() *entry[K, V] { return &p.way[p.last].entries[p.at] }

// put gives the key of a place that value, and reports whether it did: not if another
// has written there meanwhile.
func (m *Map[K, V]) put(p *place[K, V], key K, value V) bool {
	m.check(key)
	n := p.way[p.last]
	e := entry[K, V]{key, value}
	switch {
	case p.found:
		n = n.with(p.at, e)
	case p.last == levels:
		n = n.add(0, len(n.entries), e)
	default:
		bit := slot(p.hash, p.last)
		i := rank(n.entryMap, bit)
		if n.entryMap&bit == 0 {
			n = n.add(bit, i, e)
			break
		}
		other := n.entries[i]
		hash := keyhash.Hash(p.root.hasher, other.key)
		gen := p.root.gen
		n = n.deepen(bit, newInode(gen, pair(gen, p.last+1, other, hash, e, p.hash)))
	}
	return m.publish(p, n)
}

// take deletes the key of a place that was found, and reports whether it did.
func (m *Map[K, V]) take(p *place[K, V], key K) bool {
	m.check(key)
	n := p.way[p.last]
	if p.last == levels {
		return m.publish(p, n.remove(0, p.at))
	}
	return m.publish(p, n.remove(slot(p.hash, p.last), p.at))
}

// publish puts n in the place of the last node of a way, and reports whether it did.
// Nobody can see the new nodes above it, but the first, before all of them are there.
func (m *Map[K, V]) publish(p *place[K, V], n *main[K, V]) bool {
	for level := p.last - 1; level >= p.level; level-- {
		bit := slot(p.hash, level)
		if n.single() {
			n = p.way[level].flatten(bit, n.entries[0])
		} else {
			n = p.way[level].turn(bit, newInode(p.root.gen, n))
		}
	}
	dead := p.level > 0 && n.single()
	if dead {
		n.bury()
	}
	if !m.gcas(p.in, p.old, n) {
		return false
	}
	if p.level == 0 && p.root.first.Load() != nil {
		p.root.first.Store(nil)
	}
	if dead {
		m.clean(p.hash)
	}
	return true
}

// clean removes the tombs of this generation on the way to a hash.
func (m *Map[K, V]) clean(h uint64) {
	var p place[K, V]
	var none K
	for m.locate(&p, none, h); p.dead; m.locate(&p, none, h) {
		m.gcas(p.in, p.old, p.way[p.last])
	}
}

// hashOf returns the hash of a key.
func (m *Map[K, V]) hashOf(key K) uint64 {
	r := m.root.Load()
	if r == nil {
		r = m.begun()
	}
	return keyhash.Hash(r.hasher, key)
}

// Store sets the value of key.
func (m *Map[K, V]) Store(key K, value V) {
	var p place[K, V]
	h := m.hashOf(key)
	for m.locate(&p, key, h); !m.put(&p, key, value); {
		m.locate(&p, key, h)
	}
}

// Swap sets the value of key and returns the one before, and whether there was one.
func (m *Map[K, V]) Swap(key K, value V) (previous V, loaded bool) {
	var p place[K, V]
	h := m.hashOf(key)
	for m.locate(&p, key, h); !m.put(&p, key, value); {
		m.locate(&p, key, h)
	}
	if p.found {
		return p.entry().value, true
	}
	return previous, false
}

// LoadOrStore returns the value of key and true, if there is one; else it stores
// value and returns it and false.
func (m *Map[K, V]) LoadOrStore(key K, value V) (actual V, loaded bool) {
	if actual, loaded = m.Load(key); loaded {
		return actual, true
	}
	var p place[K, V]
	h := m.hashOf(key)
	for {
		m.locate(&p, key, h)
		if p.found {
			return p.entry().value, true
		}
		if m.put(&p, key, value) {
			return value, false
		}
	}
}

// LoadAndDelete deletes key, and returns the value that it had, and whether it had
// one.
func (m *Map[K, V]) LoadAndDelete(key K) (value V, loaded bool) {
	if _, ok := m.Load(key); !ok {
		return value, false
	}
	var p place[K, V]
	h := m.hashOf(key)
	for {
		m.locate(&p, key, h)
		if !p.found {
			return value, false
		}
		if m.take(&p, key) {
			return p.entry().value, true
		}
	}
}

// Delete deletes key.
func (m *Map[K, V]) Delete(key K) { m.LoadAndDelete(key) }

// CompareAndSwap sets the value of key to new if it is old, and reports whether it
// did. It panics if the key has a value, and values cannot be compared.
func (m *Map[K, V]) CompareAndSwap(key K, old, new V) (swapped bool) {
	var p place[K, V]
	for m.matches(&p, key, old) {
		if m.put(&p, key, new) {
			return true
		}
	}
	return false
}

// CompareAndDelete deletes key if its value is old, and reports whether it did. It
// panics if the key has a value, and values cannot be compared.
func (m *Map[K, V]) CompareAndDelete(key K, old V) (deleted bool) {
	var p place[K, V]
	for m.matches(&p, key, old) {
		if m.take(&p, key) {
			return true
		}
	}
	return false
}

// matches finds the place of a key and reports whether that has this value.
func (m *Map[K, V]) matches(p *place[K, V], key K, value V) bool {
	if now, ok := m.Load(key); !ok || any(now) != any(value) {
		return false
	}
	m.locate(p, key, m.hashOf(key))
	return p.found && any(p.entry().value) == any(value)
}

// Len returns how many keys there are. It takes a Snapshot and counts what was
// written to since the last time. No write waits for it, but the next ones copy what the
// Snapshot has. A program that asks all the time counts with package counter.
func (m *Map[K, V]) Len() int { return m.Snapshot().Len() }

// All returns the entries that the Map has when the loop begins: it is
// m.Snapshot().All(), taken then.
func (m *Map[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) { m.Snapshot().All()(yield) }
}
