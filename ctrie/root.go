package ctrie

import (
	"sync/atomic"

	"github.com/gopayoff/payoff/internal/keyhash"
)

// A root is the I-node above all others, and the only one of its generation that the
// Map points to: in the moment when another takes its place its generation is over.
type root[K comparable, V any] struct {
	// inode's main is nil in a root that a Snapshot has announced, until somebody
	// has made it what the root before had in the end.
	inode[K, V]

	hasher *keyhash.Hasher // never changes

	// before is the root in whose place this one is; nil once main is not.
	before atomic.Pointer[root[K, V]]

	// first is what main was at first, as long as it is, or nil. It is stored before
	// main, and nil by whoever has put another node there: it would keep all that
	// the map had then. One who is late to begin may store it once more; then it is
	// kept until somebody replaces main again.
	first atomic.Pointer[main[K, V]]
}

// newRoot returns a root that begins with n.
func newRoot[K comparable, V any](x *keyhash.Hasher, n *main[K, V]) *root[K, V] {
	r := &root[K, V]{hasher: x}
	r.gen = new(generation)
	*plain(&r.main) = n
	*plain(&r.first) = n
	return r
}

// begin makes main what it is at first, if nobody has, and returns it as it is then.
func (r *root[K, V]) begin() *main[K, V] {
	if b := r.before.Load(); b != nil {
		n := b.final()
		r.first.Store(n)
		r.main.CompareAndSwap(nil, n)
		r.before.Store(nil)
	}
	return r.main.Load()
}

// begun returns the root, which is one that has begun.
func (m *Map[K, V]) begun() *root[K, V] {
	r := m.root.Load()
	if r == nil {
		m.root.CompareAndSwap(nil, newRoot(newHasher[K](), new(main[K, V])))
		r = m.root.Load()
	}
	if r.main.Load() == nil {
		r.begin()
	}
	return r
}

// testMask is the mask of hashers made from now on; only tests write it.
var testMask = ^uint64(0)

func newHasher[K comparable]() *keyhash.Hasher { return keyhash.New[K](testMask) }

// Clear deletes all keys, and returns what the Map had.
func (m *Map[K, V]) Clear() View[K, V] {
	for {
		r := m.root.Load()
		if r == nil {
			return View[K, V]{}
		}
		if r.main.Load() == nil {
			r.begin()
		}
		if m.root.CompareAndSwap(r, newRoot(r.hasher, new(main[K, V]))) {
			return View[K, V]{r.final(), r.hasher}
		}
	}
}

// Snapshot returns what the Map has now.
func (m *Map[K, V]) Snapshot() View[K, V] {
	r := m.root.Load()
	if r == nil {
		return View[K, V]{}
	}
	if r.main.Load() == nil {
		r.begin()
	}
	if n := m.settled(&r.inode); n == r.first.Load() {
		return View[K, V]{n, r.hasher} // nothing was written in this generation
	}
	next := &root[K, V]{hasher: r.hasher}
	next.gen = new(generation)
	*plain(&next.before) = r
	if m.root.CompareAndSwap(r, next) {
		next.begin()
	}
	// If not, another has ended the generation since this call began.
	return View[K, V]{r.final(), r.hasher}
}
