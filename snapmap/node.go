package snapmap

import (
	"sync/atomic"
	"unsafe"
)

const (
	fanBits = 4
	fan     = 1 << fanBits
)

// A node is an inner node of a shard's tree: its slots are chosen by four bits of
// the hash. A page that shares fewer bits with its neighbours than the node's slots
// have is in several of them, side by side.
//
// Whoever has the shard's lock may store to the slots while the node's generation
// lasts; after that nobody may.
type node[K comparable, V any] struct {
	of    *generation[K, V]
	deep  uint16              // which slots hold nodes, not pages; it never changes
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

// copyOf returns a node with what n has, which nobody changes meanwhile.
func (n *node[K, V]) copyOf(g *generation[K, V], deep uint16) *node[K, V] {
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
	mask := uint16(1<<w-1) << i
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

// each calls yield for each page below some slots of a node that is so many bits
// deep, with the first hash that belongs to the page, until it returns false, and
// reports whether it never did. Top is the first hash that belongs to the node.
func (n *node[K, V]) each(w extent, bits int, top uint64, yield func(uint64, *page[K, V]) bool) bool {
	for i := w.first; i < w.end; {
		p, deeper := n.child(i)
		at := top | uint64(i)<<(64-fanBits-bits)
		if deeper != nil {
			if !deeper.each(whole, bits+fanBits, at, yield) {
				return false
			}
			i++
			continue
		}
		if !yield(at, p) {
			return false
		}
		i += span(p.depth(), bits)
	}
	return true
}

// An extent is the slots of a node from first to end, without end.
type extent struct{ first, end int }

var whole = extent{0, fan}

// Trees whose hashes share their top bits, so many, begin with a node of that level,
// and use a part of it.
func level(bits int) int { return bits / fanBits * fanBits }

// part returns the slots that the i-th of these trees uses.
func part(i, bits int) extent {
	n := fan >> (bits % fanBits)
	return extent{i * n % fan, i*n%fan + n}
}

// regroup returns the trees of hashes that share fewer bits, in nodes of no
// generation where they are others.
func regroup[K comparable, V any](roots []*node[K, V], bits, fewer int) []*node[K, V] {
	for bits > fewer {
		next := max(fewer, level(bits-1))
		above := make([]*node[K, V], 1<<next)
		for i := range above {
			above[i] = new(node[K, V])
		}
		for i, r := range roots {
			n := above[i>>(bits-next)]
			if bits%fanBits == 0 {
				n.slots[i%fan] = unsafe.Pointer(r)
				n.deep |= 1 << (i % fan)
				continue
			}
			for w := part(i, bits); w.first < w.end; w.first++ {
				n.slots[w.first] = r.slots[w.first]
				n.deep |= r.deep & (1 << w.first)
			}
		}
		roots, bits = above, next
	}
	return roots
}
