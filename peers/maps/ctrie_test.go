package maps

import (
	"cmp"

	"github.com/gopayoff/payoff/ctrie"
)

type ctrieMap[K cmp.Ordered, V any] struct {
	l *load[K, V]
	m ctrie.Map[K, V]
}

func newCtrie[K cmp.Ordered, V any](l *load[K, V]) table[K, V] { return &ctrieMap[K, V]{l: l} }

func (m *ctrieMap[K, V]) store(i int) { m.m.Store(m.l.stored[i], m.l.values[i%256]) }

func (m *ctrieMap[K, V]) mix(w *worker[K, V], reads uint64) {
	x, last := w.x, w.last
	for range ops {
		x = next(x)
		k := w.asked[pick(x, len(w.asked))]
		if roll(x) < reads {
			last, _ = m.m.Load(k)
		} else {
			m.m.Store(k, w.values[value(x)])
		}
	}
	w.x, w.last = x, last
}

func (m *ctrieMap[K, V]) each(f func(K, V) bool) { m.m.All()(f) }

func (m *ctrieMap[K, V]) take() view[K, V] { return ctrieView[K, V]{m.m.Snapshot()} }

type ctrieView[K cmp.Ordered, V any] struct{ v ctrie.View[K, V] }

func (v ctrieView[K, V]) each(f func(K, V) bool) { v.v.All()(f) }
