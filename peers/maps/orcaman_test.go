package maps

import (
	"cmp"

	cmap "github.com/orcaman/concurrent-map/v2"
)

type orcamanMap[K cmp.Ordered, V any] struct {
	l *load[K, V]
	m cmap.ConcurrentMap[K, V]
}

func newOrcaman[K cmp.Ordered, V any](l *load[K, V]) table[K, V] {
	if m, ok := any(cmap.New[V]()).(cmap.ConcurrentMap[K, V]); ok { // keys are strings
		return &orcamanMap[K, V]{l, m}
	}
	return &orcamanMap[K, V]{l, cmap.NewWithCustomShardingFunction[K, V](func(k K) uint32 {
		return uint32(uint64(any(k).(int)) * 0x9e3779b97f4a7c15 >> 32)
	})}
}

func (m *orcamanMap[K, V]) store(i int) { m.m.Set(m.l.stored[i], m.l.values[i%256]) }

func (m *orcamanMap[K, V]) mix(w *worker[K, V], reads uint64) {
	x, last := w.x, w.last
	for range ops {
		x = next(x)
		k := w.asked[pick(x, len(w.asked))]
		if roll(x) < reads {
			last, _ = m.m.Get(k)
		} else {
			m.m.Set(k, w.values[value(x)])
		}
	}
	w.x, w.last = x, last
}

// IterCb cannot be stopped.
func (m *orcamanMap[K, V]) each(f func(K, V) bool) { m.m.IterCb(func(k K, v V) { f(k, v) }) }
