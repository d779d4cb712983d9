package topic

import (
	"iter"
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/gopayoff/payoff/internal/cacheline"
)

// A table has at least leastStripes parts, each with a lock for those who write, and four
// for each processor up to mostStripes: the more there are, the longer a Snapshot takes,
// which locks all.
const (
	leastStripes = 32
	mostStripes  = 256
)

// A table has the node of each pattern, by its key. Readers take no lock and write
// nothing. A table may be copied whole in the time that a few words take: what was
// copied then stays as it is, since whoever writes to a stripe first copies the
// slots that it shared.
//
// Different nodes may have the same key, in tests even all.
type table[T any] struct {
	slots []atomic.Pointer[slots[T]] // a power of two of them
	shift uint8                      // 64 - log2 of that
	none  *slots[T]                  // for stripes in which there never was anything
}

// newTable returns a table for so many processors.
func newTable[T any](procs int) table[T] {
	n := leastStripes
	for n < 4*procs && n < mostStripes {
		n *= 2
	}
	t := table[T]{
		slots: make([]atomic.Pointer[slots[T]], n),
		shift: uint8(64 - bits.TrailingZeros(uint(n))),
		none:  newSlots[T](1),
	}
	for i := range t.slots {
		t.slots[i].Store(t.none)
	}
	return t
}

// A stripe is what those need who write to one part of a table.
type stripe struct {
	sync.Mutex
	live   int  // nodes
	used   int  // tags that are not free
	shared bool // a copy of the table has the same slots
	_      [cacheline.Size - 32]byte
}

// slots are an open hash table. Each slot has a tag, a byte of the key, and eight
// tags are in one word: so a word answers for eight slots, and most questions for
// what is not there end with it.
//
// A tag that is seen leads to a node, to nil, or to another node that took its
// place meanwhile: readers compare. A node comes when it is stored, after its tag, and
// goes when nil is, before that: so it is there for all who look, or for none. Nodes
// never move within slots. Once a group of eight was full, what did not fit is in one
// of the next, so its tags do not become free again but dead.
type slots[T any] struct {
	mask  uint32 // of groups
	tags  []atomic.Uint64
	nodes []atomic.Pointer[Sub[T]]
}

const (
	free = 0
	dead = 1 // others are tags of nodes
)

// stripe returns which part has the key.
func (t *table[T]) stripe(key uint64) int { return int(key >> (t.shift & 63)) }

// tagOf returns the key's tag in each byte.
func tagOf(key uint64) uint64 {
	tag := key >> 48 & 0xff
	if tag <= dead {
		tag += 2
	}
	return tag * lows
}

// lookup returns the node that is a mark or not and has the pattern, or nil. Only
// who holds the lock of the key's stripe may rely on that being the newest.
func (t *table[T]) lookup(key uint64, pattern string, mark bool) *Sub[T] {
	s := t.slots[t.stripe(key)].Load()
	tag := tagOf(key)
	for g := uint32(key) & s.mask; ; g = (g + 1) & s.mask {
		w := s.tags[g].Load()
		for m := zeros(w ^ tag); m != 0; m &= m - 1 {
			n := s.nodes[g<<3+uint32(bits.TrailingZeros64(m))>>3].Load()
			if n != nil && n.pattern == pattern && n.isMark() == mark {
				return n
			}
		}
		if zeros(w) != 0 {
			return nil
		}
	}
}

// put stores node in the place of old, which the table has, or anew if old is nil,
// or removes old if node is nil. The caller holds the stripe's lock. keyOf
// returns the key of any node.
func (t *table[T]) put(st *stripe, key uint64, old, node *Sub[T], keyOf func(*Sub[T]) uint64) {
	p := &t.slots[t.stripe(key)]
	s := p.Load()
	switch {
	case old == nil:
		st.live++
	case node == nil:
		st.live--
	}
	switch {
	case s == t.none, old == nil && st.used == s.room(), node == nil && st.live < len(s.nodes)/8 && s.mask > 0:
		s = s.remade(st, keyOf)
	case st.shared:
		s = s.copied(st)
	}
	switch {
	case old == nil:
		s.insert(st, key, node)
	case node == nil:
		s.remove(st, key, old)
	default:
		s.nodes[s.where(key, old)].Store(node)
	}
	if s != p.Load() {
		p.Store(s)
	}
}

// room returns how many tags may be in use. One of eight stays free, so that
// whoever looks for what is not there finds an end.
func (s *slots[T]) room() int { return len(s.nodes) / 8 * 7 }

// remade returns slots of its own for the stripe, with the nodes of s and room for
// more, so that after growing or shrinking as many changes are to come as there
// are nodes.
func (s *slots[T]) remade(st *stripe, keyOf func(*Sub[T]) uint64) *slots[T] {
	groups := 1
	for groups*7*5/8 < st.live {
		groups *= 2
	}
	c := newSlots[T](groups)
	st.used, st.shared = 0, false
	for n := range s.all() {
		c.insert(st, keyOf(n), n)
	}
	return c
}

// copied returns slots of its own for the stripe that are like s.
func (s *slots[T]) copied(st *stripe) *slots[T] {
	c := newSlots[T](len(s.tags))
	// No atomics are needed: nobody writes to s, and nobody has c yet.
	copy(c.tags, s.tags)
	copy(c.nodes, s.nodes)
	st.shared = false
	return c
}

func newSlots[T any](groups int) *slots[T] {
	return &slots[T]{
		mask:  uint32(groups - 1),
		tags:  make([]atomic.Uint64, groups),
		nodes: make([]atomic.Pointer[Sub[T]], groups*8),
	}
}

// insert stores a node in a slot that is free or dead.
func (s *slots[T]) insert(st *stripe, key uint64, n *Sub[T]) {
	for g := uint32(key) & s.mask; ; g = (g + 1) & s.mask {
		w := s.tags[g].Load()
		m := zeros(w)
		if m != 0 {
			st.used++
		} else if m = zeros(w ^ dead*lows); m == 0 {
			continue
		}
		i := uint32(bits.TrailingZeros64(m)) >> 3
		s.tags[g].Store(w&^(0xff<<(8*i)) | tagOf(key)&(0xff<<(8*i)))
		s.nodes[g<<3+i].Store(n)
		return
	}
}

// remove frees the slot of a node.
func (s *slots[T]) remove(st *stripe, key uint64, n *Sub[T]) {
	i := s.where(key, n)
	g := i >> 3
	w := s.tags[g].Load()
	tag := uint64(dead)
	if zeros(w) != 0 {
		tag = free // the group was never full
		st.used--
	}
	s.nodes[i].Store(nil)
	s.tags[g].Store(w&^(0xff<<(i&7*8)) | tag<<(i&7*8))
}

// where returns the slot that has the node.
func (s *slots[T]) where(key uint64, n *Sub[T]) uint32 {
	for g := uint32(key) & s.mask; ; g = (g + 1) & s.mask {
		for i := g << 3; i < g<<3+8; i++ {
			if s.nodes[i].Load() == n {
				return i
			}
		}
	}
}

// all returns the nodes.
func (s *slots[T]) all() iter.Seq[*Sub[T]] {
	return func(yield func(*Sub[T]) bool) {
		for i := range s.nodes {
			if n := s.nodes[i].Load(); n != nil && !yield(n) {
				return
			}
		}
	}
}

// all returns the nodes. Those that are there from the begin to the end of the
// iteration are among them.
func (t *table[T]) all() iter.Seq[*Sub[T]] {
	return func(yield func(*Sub[T]) bool) {
		for i := range t.slots {
			for n := range t.slots[i].Load().all() {
				if !yield(n) {
					return
				}
			}
		}
	}
}
