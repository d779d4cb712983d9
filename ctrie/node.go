package ctrie

import (
	"math/bits"
	"sync/atomic"
)

// A level of the trie is chosen by so many bits of the hash, from the top. Keys that
// agree in all bits are in a list, one level below the last.
const (
	width  = 5
	levels = (64 + width - 1) / width
)

// slot returns the bit of a hash in the maps of a main node at that level.
func slot(hash uint64, level int) uint32 {
	return 1 << (hash << (width * level) >> (64 - width))
}

// A generation is the time between two snapshots. Its address is its name, so it
// must have a size: two pointers to a struct{} may be equal.
type generation struct{ _ byte }

// An inode is what never goes away while the trie around it changes: the slot in
// which a main node is replaced by another.
type inode[K comparable, V any] struct {
	// main is stored by gcas alone, after the I-node can be seen. Once a generation
	// is over, its I-nodes have the same committed main node for ever.
	main atomic.Pointer[main[K, V]]

	gen *generation // never changes
}

func newInode[K comparable, V any](gen *generation, n *main[K, V]) *inode[K, V] {
	in := &inode[K, V]{gen: gen}
	*plain(&in.main) = n
	return in
}

// A main node is what an I-node has: entries, which lie in it, and more I-nodes. But
// for prev and size it never changes.
type main[K comparable, V any] struct {
	// prev is nil once the node is committed. Before that, it is the main node in
	// whose place this one is to be; or one of kind failed, whose prev that is, once
	// this one is not to be. Stored before the node can be seen, and then once.
	prev atomic.Pointer[main[K, V]]

	// entryMap has a bit for each entry, and nodeMap for each I-node, in the order
	// of the lists. No bit is in both. Tombs and lists have none.
	entryMap, nodeMap uint32

	kind    kind
	entries []entry[K, V]
	nodes   []*inode[K, V] // shared with main nodes that have the same ones

	// size is how many entries there are in the node and below it; 0: not counted.
	// It is stored, each time the same, when all I-nodes below are of generations
	// that are over.
	size atomic.Int64
}

type kind uint8

const (
	inner  kind = iota
	tomb        // one entry; its I-node never changes again, and is to be removed
	list        // entries whose hashes are equal, at level levels
	failed      // no main node, but a mark in another's prev
)

// An entry is a key and its value.
type entry[K comparable, V any] struct {
	key   K
	value V
}

// rank returns the index of a bit's entry or I-node in its list.
func rank(set, bit uint32) int { return bits.OnesCount32(set & (bit - 1)) }

// single reports whether the node has an entry and nothing else.
func (n *main[K, V]) single() bool { return len(n.entries) == 1 && len(n.nodes) == 0 }

// index returns the place of a key in the list of entries, or -1.
func (n *main[K, V]) index(key K) int {
	for i := range n.entries {
		if n.entries[i].key == key {
			return i
		}
	}
	return -1
}

// What follows makes a new node of n and one change.

// with has another entry in the place of the one at i.
func (n *main[K, V]) with(i int, e entry[K, V]) *main[K, V] {
	c := newMain[K, V](len(n.entries))
	c.entryMap, c.nodeMap, c.kind, c.nodes = n.entryMap, n.nodeMap, n.kind, n.nodes
	copy(c.entries, n.entries)
	c.entries[i] = e
	return c
}

// add has one entry more, at i.
func (n *main[K, V]) add(bit uint32, i int, e entry[K, V]) *main[K, V] {
	c := newMain[K, V](len(n.entries) + 1)
	c.entryMap, c.nodeMap, c.kind, c.nodes = n.entryMap|bit, n.nodeMap, n.kind, n.nodes
	copy(c.entries[:i], n.entries)
	c.entries[i] = e
	copy(c.entries[i+1:], n.entries[i:])
	return c
}

// remove has not the entry at i.
func (n *main[K, V]) remove(bit uint32, i int) *main[K, V] {
	c := newMain[K, V](len(n.entries) - 1)
	c.entryMap, c.nodeMap, c.kind, c.nodes = n.entryMap&^bit, n.nodeMap, n.kind, n.nodes
	copy(c.entries, n.entries[:i])
	copy(c.entries[i:], n.entries[i+1:])
	return c
}

// turn has another I-node in the place of the one at that bit.
func (n *main[K, V]) turn(bit uint32, in *inode[K, V]) *main[K, V] {
	c := newMain[K, V](len(n.entries))
	c.entryMap, c.nodeMap = n.entryMap, n.nodeMap
	copy(c.entries, n.entries)
	c.nodes = append(make([]*inode[K, V], 0, len(n.nodes)), n.nodes...)
	c.nodes[rank(n.nodeMap, bit)] = in
	return c
}

// deepen has an I-node in the place of the entry at that bit.
func (n *main[K, V]) deepen(bit uint32, in *inode[K, V]) *main[K, V] {
	c := n.remove(bit, rank(n.entryMap, bit))
	i := rank(n.nodeMap, bit)
	c.nodeMap |= bit
	c.nodes = make([]*inode[K, V], len(n.nodes)+1)
	copy(c.nodes, n.nodes[:i])
	c.nodes[i] = in
	copy(c.nodes[i+1:], n.nodes[i:])
	return c
}

// flatten has an entry in the place of the I-node at that bit.
func (n *main[K, V]) flatten(bit uint32, e entry[K, V]) *main[K, V] {
	c := n.add(bit, rank(n.entryMap, bit), e)
	i := rank(n.nodeMap, bit)
	c.nodeMap &^= bit
	c.nodes = nil
	if len(n.nodes) > 1 {
		c.nodes = make([]*inode[K, V], len(n.nodes)-1)
		copy(c.nodes, n.nodes[:i])
		copy(c.nodes[i:], n.nodes[i+1:])
	}
	return c
}

// pair returns a node of two entries at that level.
func pair[K comparable, V any](gen *generation, level int, a entry[K, V], aHash uint64, b entry[K, V], bHash uint64) *main[K, V] {
	if level == levels {
		c := newMain[K, V](2)
		c.kind = list
		c.entries[0], c.entries[1] = a, b
		return c
	}
	aBit, bBit := slot(aHash, level), slot(bHash, level)
	if aBit == bBit {
		c := newMain[K, V](0)
		c.nodeMap = aBit
		c.nodes = []*inode[K, V]{newInode(gen, pair(gen, level+1, a, aHash, b, bHash))}
		return c
	}
	if aBit > bBit {
		a, b = b, a
	}
	c := newMain[K, V](2)
	c.entryMap = aBit | bBit
	c.entries[0], c.entries[1] = a, b
	return c
}
