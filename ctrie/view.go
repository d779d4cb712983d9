package ctrie

import (
	"iter"

	"github.com/gopayoff/payoff/internal/keyhash"
)

// A View is what a [Map] had at one moment. It never changes, and any number of
// goroutines may use it. The zero View is empty. Two that are equal are the same
// view.
type View[K comparable, V any] struct {
	// top is the main node that a root had in the end. All I-nodes below are of
	// generations that are over.
	top    *main[K, V]
	hasher *keyhash.Hasher
}

// Load returns the value of key, and whether there is one.
func (v View[K, V]) Load(key K) (value V, ok bool) {
	if v.top == nil {
		_ = map[K]struct{}(nil)[key] // panics where the built-in map does
		return value, false
	}
	n := v.top
	for rest := keyhash.Hash(v.hasher, key); ; rest <<= width {
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
		n = n.below.list[rank(n.nodeMap, bit)].final()
	}
}

// Len returns how many keys there are.
func (v View[K, V]) Len() int {
	if v.top == nil {
		return 0
	}
	return v.top.count()
}

// count returns how many entries are in n and below it. All I-nodes there are of
// generations that are over.
func (n *main[K, V]) count() int {
	if n.below == nil {
		return len(n.entries)
	}
	size := int(n.below.size.Load())
	if size == 0 {
		for _, in := range n.below.list {
			size += in.final().count()
		}
		n.below.size.Store(int64(size))
	}
	return len(n.entries) + size
}

// All returns the entries, in no particular order.
func (v View[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		if v.top != nil {
			v.top.yield(yield)
		}
	}
}

// yield calls yield for the entries in n and below it, until it returns false, and
// reports whether it never did.
func (n *main[K, V]) yield(yield func(K, V) bool) bool {
	for i := range n.entries {
		if e := &n.entries[i]; !yield(e.key, e.value) {
			return false
		}
	}
	if n.below == nil {
		return true
	}
	for _, in := range n.below.list {
		if !in.final().yield(yield) {
			return false
		}
	}
	return true
}

// Map returns a new Map that has what v has. It shares v's memory until it is
// written to.
func (v View[K, V]) Map() *Map[K, V] {
	m := new(Map[K, V])
	if v.top != nil {
		m.root.Store(newRoot(v.hasher, v.top))
	}
	return m
}
