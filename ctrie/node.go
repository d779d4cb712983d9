package ctrie

import (
	"math/bits"
	"sync/atomic"
)

// A level of the trie is chosen by so many bits of the hash, from the top. Keys that
// agree in all bits are in a list, one level below the last.
//
// With four bits, nodes are smaller, so writes copy less, but Loads pass more of them:
// both by about a fifth. With six, new keys copy long lists of I-nodes.
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
// for prev it never changes.
type main[K comparable, V any] struct {
	// prev is nil once the node is committed. Before that, it is the main node in
	// whose place this one is to be; or a mark, whose prev that is, once this one is
	// not to be. Stored before the node can be seen, and then once.
	prev atomic.Pointer[main[K, V]]

	// entryMap has a bit for each entry, and nodeMap for each I-node, in the order
	// of the lists. No bit is in both. But for the root's, a node without bits is a
	// tomb, if it has one entry: then its I-node never changes again, and is to be
	// removed. If it has more, it is a list, of entries whose hashes are equal. All
	// bits are in both maps of a mark, which is no main node.
	entryMap, nodeMap uint32

	entries []entry[K, V]
	below   *nodes[K, V] // shared with main nodes that have the same ones; nil: none
}

// nodes are the I-nodes below a main node.
type nodes[K comparable, V any] struct {
	// size is how many entries there are in and below them; 0: not counted. It is
	// stored, each time the same, when all of them are of generations that are over.
	size atomic.Int64

	list []*inode[K, V] // never changes
}

// isTomb reports whether a node that is not the root's is a tomb.
func (n *main[K, V]) isTomb() bool { return n.entryMap|n.nodeMap == 0 && len(n.entries) == 1 }

// bury makes a node with a single entry a tomb, before it can be seen.
func (n *main[K, V]) bury() { n.entryMap = 0 }

// newMark returns a mark for a node that is not to be in the place of old.
func newMark[K comparable, V any](old *main[K, V]) *main[K, V] {
	mark := &main[K, V]{entryMap: ^uint32(0), nodeMap: ^uint32(0)}
	*plain(&mark.prev) = old
	return mark
}

// isMark reports whether what is in a prev is a mark.
func (n *main[K, V]) isMark() bool { return n.entryMap&n.nodeMap != 0 }

// An entry is a key and its value.
type entry[K comparable, V any] struct {
	key   K
	value V
}

// rank returns the index of a bit's entry or I-node in its list.
func rank(set, bit uint32) int { return bits.OnesCount32(set & (bit - 1)) }

// single reports whether the node has an entry and nothing else.
func (n *main[K, V]) single() bool { return len(n.entries) == 1 && n.below == nil }

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
	c.entryMap, c.nodeMap, c.below = n.entryMap, n.nodeMap, n.below
	copy(c.entries, n.entries)
	c.entries[i] = e
	return c
}

// add has one entry more, at i.
func (n *main[K, V]) add(bit uint32, i int, e entry[K, V]) *main[K, V] {
	c := newMain[K, V](len(n.entries) + 1)
	c.entryMap, c.nodeMap, c.below = n.entryMap|bit, n.nodeMap, n.below
	copy(c.entries[:i], n.entries)
	c.entries[i] = e
	copy(c.entries[i+1:], n.entries[i:])
	return c
}

// remove has not the entry at i.
func (n *main[K, V]) remove(bit uint32, i int) *main[K, V] {
	c := newMain[K, V](len(n.entries) - 1)
	c.entryMap, c.nodeMap, c.below = n.entryMap&^bit, n.nodeMap, n.below
	copy(c.entries, n.entries[:i])
	copy(c.entries[i:], n.entries[i+1:])
	return c
}

// turn has another I-node in the place of the one at that bit.
func (n *main[K, V]) turn(bit uint32, in *inode[K, V]) *main[K, V] {
	c := newMain[K, V](len(n.entries))
	c.entryMap, c.nodeMap = n.entryMap, n.nodeMap
	copy(c.entries, n.entries)
	c.below = newNodes[K, V](len(n.below.list))
	copy(c.below.list, n.below.list)
	c.below.list[rank(n.nodeMap, bit)] = in
	return c
}

// deepen has an I-node in the place of the entry at that bit.
func (n *main[K, V]) deepen(bit uint32, in *inode[K, V]) *main[K, V] {
	c := n.remove(bit, rank(n.entryMap, bit))
	i := rank(n.nodeMap, bit)
	c.nodeMap |= bit
	var list []*inode[K, V]
	if n.below != nil {
		list = n.below.list
	}
	c.below = newNodes[K, V](len(list) + 1)
	copy(c.below.list, list[:i])
	c.below.list[i] = in
	copy(c.below.list[i+1:], list[i:])
	return c
}

// flatten has an entry in the place of the I-node at that bit.
func (n *main[K, V]) flatten(bit uint32, e entry[K, V]) *main[K, V] {
	c := n.add(bit, rank(n.entryMap, bit), e)
	i := rank(n.nodeMap, bit)
	c.nodeMap &^= bit
	c.below = nil
	if list := n.below.list; len(list) > 1 {
		c.below = newNodes[K, V](len(list) - 1)
		copy(c.below.list, list[:i])
		copy(c.below.list[i:], list[i+1:])
	}
	return c
}

// pair returns a node of two entries at that level.
func pair[K comparable, V any](gen *generation, level int, a entry[K, V], aHash uint64, b entry[K, V], bHash uint64) *main[K, V] {
	if level == levels {
		c := newMain[K, V](2)
		c.entries[0], c.entries[1] = a, b
		return c
	}
	aBit, bBit := slot(aHash, level), slot(bHash, level)
	if aBit == bBit {
		c := newMain[K, V](0)
		c.nodeMap = aBit
		c.below = newNodes[K, V](1)
		c.below.list[0] = newInode(gen, pair(gen, level+1, a, aHash, b, bHash))
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
