package maps

import (
	"cmp"
	"sync"
	"sync/atomic"

	"github.com/benbjohnson/immutable"
)

// hamtMap is an immutable map, of which the present one is behind a pointer. One
// writer at a time makes the next one.
type hamtMap[K cmp.Ordered, V any] struct {
	l  *load[K, V]
	mu sync.Mutex
	m  atomic.Pointer[immutable.Map[K, V]]
}

func newHAMT[K cmp.Ordered, V any](l *load[K, V]) table[K, V] {
	m := &hamtMap[K, V]{l: l}
	m.m.Store(immutable.NewMap[K, V](nil))
	return m
}

func (m *hamtMap[K, V]) set(k K, v V) {
	m.mu.Lock()
	m.m.Store(m.m.Load().Set(k, v))
	m.mu.Unlock()
}

func (m *hamtMap[K, V]) store(i int) { m.set(m.l.stored[i], m.l.values[i%256]) }

func (m *hamtMap[K, V]) mix(w *worker[K, V], reads uint64) {
	x, last := w.x, w.last
	for range ops {
		x = next(x)
		k := w.asked[pick(x, len(w.asked))]
		if roll(x) < reads {
			last, _ = m.m.Load().Get(k)
		} else {
			m.set(k, w.values[value(x)])
		}
	}
	w.x, w.last = x, last
}

func (m *hamtMap[K, V]) each(f func(K, V) bool) { m.take().each(f) }

func (m *hamtMap[K, V]) take() view[K, V] { return (*hamtView[K, V])(m.m.Load()) }

type hamtView[K cmp.Ordered, V any] immutable.Map[K, V]

func (v *hamtView[K, V]) each(f func(K, V) bool) {
	for it := (*immutable.Map[K, V])(v).Iterator(); !it.Done(); {
		if k, v, _ := it.Next(); !f(k, v) {
			return
		}
	}
}
