package maps

import (
	"cmp"

	"github.com/puzpuzpuz/xsync/v4"
)

type xsyncMap[K cmp.Ordered, V any] struct {
	l *load[K, V]
	m *xsync.Map[K, V]
}

func newXsync[K cmp.Ordered, V any](l *load[K, V]) table[K, V] {
	return &xsyncMap[K, V]{l, xsync.NewMap[K, V]()}
}

func (m *xsyncMap[K, V]) store(i int) { m.m.Store(m.l.stored[i], m.l.values[i%256]) }

func (m *xsyncMap[K, V]) mix(w *worker[K, V], reads uint64) {
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

// Range may see what was at no one moment, but no key twice, as that of sync.Map.
func (m *xsyncMap[K, V]) each(f func(K, V) bool) { m.m.Range(f) }
