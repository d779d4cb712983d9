package maps

import (
	"cmp"

	"github.com/gopayoff/payoff/snapmap"
)

type snapMap[K cmp.Ordered, V any] struct {
	l *load[K, V]
	m snapmap.Map[K, V]
}

func newSnapmap[K cmp.Ordered, V any](l *load[K, V]) table[K, V] { return &snapMap[K, V]{l: l} }

func (m *snapMap[K, V]) store(i int) { m.m.Store(m.l.stored[i], m.l.values[i%256]) }

func (m *snapMap[K, V]) mix(w *worker[K, V], reads uint64) {
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

func (m *snapMap[K, V]) each(f func(K, V) bool) { m.m.All()(f) }

func (m *snapMap[K, V]) take() view[K, V] { return snapView[K, V]{m.m.Snapshot()} }

type snapView[K cmp.Ordered, V any] struct{ v snapmap.View[K, V] }

func (v snapView[K, V]) each(f func(K, V) bool) { v.v.All()(f) }
