package maps

import (
	"cmp"
	"sync"

	"github.com/google/btree"
)

type item[K cmp.Ordered, V any] struct {
	key   K
	value V
}

// btreeMap is a B-tree under a lock. A Clone shares its nodes, which both copy before
// they write to them.
type btreeMap[K cmp.Ordered, V any] struct {
	l  *load[K, V]
	mu sync.RWMutex
	m  *btree.BTreeG[item[K, V]]
}

func newBtree[K cmp.Ordered, V any](l *load[K, V]) table[K, V] {
	return &btreeMap[K, V]{l: l, m: btree.NewG(32, func(a, b item[K, V]) bool { return a.key < b.key })}
}

func (m *btreeMap[K, V]) store(i int) {
	m.mu.Lock()
	m.m.ReplaceOrInsert(item[K, V]{m.l.stored[i], m.l.values[i%256]})
	m.mu.Unlock()
}

func (m *btreeMap[K, V]) mix(w *worker[K, V], reads uint64) {
	x, last := w.x, w.last
	for range ops {
		x = next(x)
		k := w.asked[pick(x, len(w.asked))]
		if roll(x) < reads {
			m.mu.RLock()
			it, _ := m.m.Get(item[K, V]{key: k})
			m.mu.RUnlock()
			last = it.value
		} else {
			m.mu.Lock()
			m.m.ReplaceOrInsert(item[K, V]{k, w.values[value(x)]})
			m.mu.Unlock()
		}
	}
	w.x, w.last = x, last
}

func (m *btreeMap[K, V]) each(f func(K, V) bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	(*btreeView[K, V])(m.m).each(f)
}

func (m *btreeMap[K, V]) take() view[K, V] {
	m.mu.Lock() // Clone writes to the tree
	defer m.mu.Unlock()
	return (*btreeView[K, V])(m.m.Clone())
}

type btreeView[K cmp.Ordered, V any] btree.BTreeG[item[K, V]]

func (v *btreeView[K, V]) each(f func(K, V) bool) {
	(*btree.BTreeG[item[K, V]])(v).Ascend(func(it item[K, V]) bool { return f(it.key, it.value) })
}
