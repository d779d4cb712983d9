package ctrie

import (
	"fmt"

	"github.com/gopayoff/payoff/internal/keyhash"
)

// SetHash makes maps that are made from now on use only these bits of a hash, until
// what it returns is called.
func SetHash(mask uint64) (restore func()) {
	testMask = mask
	return func() { testMask = ^uint64(0) }
}

// Levels is the depth of the list.
const Levels = levels

// Shape is what a trie is made of.
type Shape struct {
	Nodes, Entries, Tombs, Lists, Old, Depth int // Old: I-nodes of generations that are over
}

// Check returns what m, which nobody writes to meanwhile, is made of, and what is
// wrong with it.
func Check[K comparable, V any](m *Map[K, V]) (Shape, error) {
	r := m.root.Load()
	if r == nil {
		return Shape{}, nil
	}
	if r.main.Load() == nil {
		r.begin()
	}
	if r.before.Load() != nil {
		return Shape{}, fmt.Errorf("a root that has begun knows the one before")
	}
	c := checker[K, V]{hasher: r.hasher, gen: r.gen}
	err := c.inode(&r.inode, 0, 0)
	return c.shape, err
}

// CheckView is Check of a View.
func CheckView[K comparable, V any](v View[K, V]) (Shape, error) {
	if v.top == nil {
		return Shape{}, nil
	}
	c := checker[K, V]{hasher: v.hasher}
	err := c.main(v.top, true, 0, 0)
	if err == nil && c.shape.Entries != v.Len() {
		err = fmt.Errorf("%d entries, and Len is %d", c.shape.Entries, v.Len())
	}
	return c.shape, err
}

type checker[K comparable, V any] struct {
	hasher *keyhash.Hasher
	gen    *generation
	shape  Shape
}

func (c *checker[K, V]) inode(in *inode[K, V], prefix uint64, level int) error {
	n := in.main.Load()
	old := in.gen != c.gen
	if old {
		c.shape.Old++
		n = in.final()
	} else if n.prev.Load() != nil {
		return fmt.Errorf("a main node that is not committed, marked %t", n.prev.Load().isMark())
	}
	return c.main(n, old, prefix, level)
}

// main checks a node whose entries' hashes have that prefix.
func (c *checker[K, V]) main(n *main[K, V], old bool, prefix uint64, level int) error {
	c.shape.Nodes++
	c.shape.Depth = max(c.shape.Depth, level)
	c.shape.Entries += len(n.entries)
	has := func(e *entry[K, V], prefix uint64, level int) error {
		h := keyhash.Hash(c.hasher, e.key)
		if w := min(64, width*level); e.key == e.key && w > 0 && (h^prefix)>>(64-w) != 0 {
			return fmt.Errorf("%v, %#x, is below %#x on level %d", e.key, h, prefix, level)
		}
		return nil
	}
	var in []*inode[K, V]
	if n.below != nil {
		in = n.below.list
	}
	switch {
	case n.isMark():
		return fmt.Errorf("a mark in the trie")
	case n.isTomb() && level > 0:
		c.shape.Tombs++
		if in != nil {
			return fmt.Errorf("a tomb with %d nodes", len(in))
		}
	case n.entryMap|n.nodeMap == 0 && level > 0:
		c.shape.Lists++
		if level != levels || len(n.entries) < 2 {
			return fmt.Errorf("a list of %d on level %d", len(n.entries), level)
		}
	default:
		if level == levels || n.entryMap&n.nodeMap != 0 {
			return fmt.Errorf("maps %#x, %#x on level %d", n.entryMap, n.nodeMap, level)
		}
		if level > 0 && len(in) == 0 && len(n.entries) < 2 {
			return fmt.Errorf("a node of %d entries and no more on level %d", len(n.entries), level)
		}
	}
	if n.entryMap|n.nodeMap == 0 {
		for i := range n.entries {
			if err := has(&n.entries[i], prefix, level); err != nil {
				return err
			}
		}
		return nil
	}
	entries, nodes := 0, 0
	for i := range uint64(1 << width) {
		bit := uint32(1) << i
		at := prefix
		if shift := 64 - width*(level+1); shift >= 0 {
			at |= i << shift
		} else {
			at |= i >> -shift
		}
		if n.entryMap&bit != 0 {
			e := &n.entries[entries]
			entries++
			if err := has(e, at, level+1); err != nil {
				return err
			}
		}
		if n.nodeMap&bit != 0 {
			in := in[nodes]
			nodes++
			if old && in.gen == c.gen {
				return fmt.Errorf("an I-node of this generation below an older one")
			}
			if err := c.inode(in, at, level+1); err != nil {
				return err
			}
		}
	}
	if entries != len(n.entries) || nodes != len(in) {
		return fmt.Errorf("maps of %d and %d bits for %d entries and %d nodes", entries, nodes, len(n.entries), len(in))
	}
	return nil
}

// An Interrupted is a write of one key that has put its node in place, and nobody has
// decided about yet.
type Interrupted[K comparable, V any] struct {
	m  *Map[K, V]
	in *inode[K, V]
	n  *main[K, V]
}

// Interrupt begins a Store of a key that m has, and stops in the middle.
func Interrupt[K comparable, V any](m *Map[K, V], key K, value V) Interrupted[K, V] {
	var p place[K, V]
	m.locate(&p, key, m.hashOf(key))
	n := p.way[p.last].with(p.at, entry[K, V]{key, value})
	n.prev.Store(p.old)
	p.in.main.Store(n)
	return Interrupted[K, V]{m, p.in, n}
}

// Undecided reports whether nobody has decided about the write.
func (i Interrupted[K, V]) Undecided() bool { p := i.n.prev.Load(); return p != nil && !p.isMark() }

// End goes on where Interrupt has stopped, and reports whether the value is stored.
func (i Interrupted[K, V]) End() bool { return i.m.commit(i.in, i.n) }

// EndLate is End of one who has read the root before the interruption.
func (i Interrupted[K, V]) EndLate() bool {
	p := i.n.prev.Load()
	return p != nil && !p.isMark() && i.n.prev.CompareAndSwap(p, nil)
}

// Bury makes the node of a key that is alone there but for others a tomb: it deletes
// the others as a Delete does that goes no further.
func Bury[K comparable, V any](m *Map[K, V], key K) bool {
	var p place[K, V]
	m.locate(&p, key, m.hashOf(key))
	if !p.found || p.level == 0 || p.level != p.last || p.old.below != nil {
		return false
	}
	n := newMain[K, V](1)
	n.entries[0] = *p.entry()
	return m.gcas(p.in, p.old, n)
}

// Shared returns how many I-nodes of older generations m can reach without passing
// through others.
func Shared[K comparable, V any](m *Map[K, V]) int {
	r := m.begun()
	var count func(n *main[K, V]) int
	count = func(n *main[K, V]) (old int) {
		if n.below == nil {
			return 0
		}
		for _, in := range n.below.list {
			if in.gen != r.gen {
				old++
			} else {
				old += count(m.settled(in))
			}
		}
		return old
	}
	return count(m.settled(&r.inode))
}

// Remembers reports whether m's root keeps what it had at first, or the one before.
func Remembers[K comparable, V any](m *Map[K, V]) bool {
	r := m.root.Load()
	return r.first.Load() != nil || r.before.Load() != nil
}
