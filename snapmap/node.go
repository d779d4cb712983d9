package snapmap

import (
	"sync/atomic"
	"unsafe"
)

const (
	fanBits = 3
	fan     = 1 << fanBits
)

// A node is an inner node of a shard's tree: its slots are chosen by three bits of
// the hash. A page that shares fewer bits with its neighbours than the node's slots
// have is in several of them, side by side.
//
// Whoever has the shard's lock may store to the slots while the node's generation
// lasts; after that nobody may.
type node[K comparable, V any] struct {
	of    *generation[K, V]
	deep  uint8               // which slots hold nodes, not pages; it never changes
	slots [fan]unsafe.Pointer // to a page or a node; by sync/atomic where others see it
}

// slotAt returns the slot of a hash in a node that is so many bits deep.
func slotAt(hash uint64, bits int) int { return int(hash >> (64 - fanBits - bits) % fan) }

// child returns the page or the node in slot i; the other is nil.
func (n *node[K, V]) child(i int) (*page[K, V], *node[K, V]) {
	c := atomic.LoadPointer(&n.slots[i])
	if n.deep>>i&1 != 0 {
		return nil, (*node[K, V])(c)
	}
	return (*page[K, V])(c), nil
}

// walk returns the page of a hash, in the tree below a node that is so many bits
// deep.
func (n *node[K, V]) walk(hash uint64, bits int) *page[K, V] {
	for {
		p, deeper := n.child(slotAt(hash, bits))
		if deeper == nil {
			return p
		}
		n = deeper
		bits += fanBits
	}
}

// newNode returns a node that has p in all slots.
func newNode[K comparable, V any](g *generation[K, V], p *page[K, V]) *node[K, V] {
	n := &node[K, V]{of: g}
	for i := range n.slots {
		n.slots[i] = unsafe.Pointer(p)
	}
	return n
}

// parent returns a node of no generation above fan others.
func parent[K comparable, V any](children []*node[K, V]) *node[K, V] {
	n := &node[K, V]{deep: 1<<fan - 1}
	for i, c := range children {
		n.slots[i] = unsafe.Pointer(c)
	}
	return n
}

// copyOf returns a node with what n has, which nobody changes meanwhile.
func (n *node[K, V]) copyOf(g *generation[K, V], deep uint8) *node[K, V] {
	return &node[K, V]{of: g, deep: deep, slots: n.slots}
}

// span returns how many slots a page of that depth has, in a node that is so many
// bits deep.
func span(depth, bits int) int { return 1 << max(0, bits+fanBits-max(depth, bits)) }

// put puts p where the hash's page is, in the tree below n, which is so many bits
// deep, and returns what n is then: n itself, if it is of generation g and its
// slots hold nodes where they did.
func (n *node[K, V]) put(g *generation[K, V], hash uint64, bits int, p *page[K, V]) *node[K, V] {
	i := slotAt(hash, bits)
	depth := p.depth()
	if depth > bits+fanBits {
		old, deeper := n.child(i)
		if deeper == nil {
			deeper = newNode(g, old)
		}
		c := deeper.put(g, hash, bits+fanBits, p)
		switch {
		case n.of != g || n.deep>>i&1 == 0:
			n = n.copyOf(g, n.deep|1<<i)
			n.slots[i] = unsafe.Pointer(c)
		case c != deeper:
			atomic.StorePointer(&n.slots[i], unsafe.Pointer(c))
		}
		return n
	}
	w := span(depth, bits)
	i &^= w - 1
	mask := uint8(1<<w-1) << i
	if n.of != g || n.deep&mask != 0 {
		n = n.copyOf(g, n.deep&^mask)
		for j := i; j < i+w; j++ {
			n.slots[j] = unsafe.Pointer(p)
		}
		return n
	}
	for j := i; j < i+w; j++ {
		atomic.StorePointer(&n.slots[j], unsafe.Pointer(p))
	}
	return n
}

// each calls yield for each page below the slots from i on, w of them, in a node
// that is so many bits deep, until it returns false, and reports whether it never
// did.
func (n *node[K, V]) each(i, w, bits int, yield func(*page[K, V]) bool) bool {
	for end := i + w; i < end; {
		p, deeper := n.child(i)
		if deeper != nil {
			if !deeper.each(0, fan, bits+fanBits, yield) {
				return false
			}
			i++
			continue
		}
		if !yield(p) {
			return false
		}
		i += span(p.depth(), bits)
	}
	return true
}
