package maps

import (
	"cmp"
	"sync"
)

// syncMap is the standard library's.
type syncMap[K cmp.Ordered, V any] struct {
	l *load[K, V]
	m sync.Map
}

func newSyncMap[K cmp.Ordered, V any](l *load[K, V]) table[K, V] { return &syncMap[K, V]{l: l} }

func (m *syncMap[K, V]) store(i int) { m.m.Store(m.l.stored[i], m.l.values[i%256]) }

func (m *syncMap[K, V]) mix(w *worker[K, V], reads uint64) {
	x, last := w.x, w.last
	for range ops {
		x = next(x)
		k := w.asked[pick(x, len(w.asked))]
		if roll(x) < reads {
			v, _ := m.m.Load(k)
			last, _ = v.(V)
		} else {
			m.m.Store(k, w.values[value(x)])
		}
	}
	w.x, w.last = x, last
}

func (m *syncMap[K, V]) each(f func(K, V) bool) {
	m.m.Range(func(k, v any) bool { return f(k.(K), v.(V)) })
}
