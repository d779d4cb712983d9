package maps

import (
	"cmp"

	"github.com/Workiva/go-datastructures/trie/ctrie"
)

// workivaMap is a Ctrie whose keys are bytes. They are made beforehand: a program
// that has others would have to make them each time.
type workivaMap[K cmp.Ordered, V any] struct {
	l *load[K, V]
	m *ctrie.Ctrie
}

func newWorkiva[K cmp.Ordered, V any](l *load[K, V]) table[K, V] {
	return workivaMap[K, V]{l.withBytes(), ctrie.New(nil)}
}

func (m workivaMap[K, V]) store(i int) { m.m.Insert(m.l.storedBytes[i], m.l.values[i%256]) }

func (m workivaMap[K, V]) mix(w *worker[K, V], reads uint64) {
	x, last := w.x, w.last
	for range ops {
		x = next(x)
		k := w.askedBytes[pick(x, len(w.asked))]
		if roll(x) < reads {
			v, _ := m.m.Lookup(k)
			last, _ = v.(V)
		} else {
			m.m.Insert(k, w.values[value(x)])
		}
	}
	w.x, w.last = x, last
}

func (m workivaMap[K, V]) each(f func(K, V) bool) { eachEntry(m.m, f) }

func (m workivaMap[K, V]) take() view[K, V] { return (*workivaView[K, V])(m.m.ReadOnlySnapshot()) }

type workivaView[K cmp.Ordered, V any] ctrie.Ctrie

func (v *workivaView[K, V]) each(f func(K, V) bool) { eachEntry((*ctrie.Ctrie)(v), f) }

func eachEntry[K cmp.Ordered, V any](c *ctrie.Ctrie, f func(K, V) bool) {
	for e := range c.Iterator(nil) {
		f(fromBytes[K](e.Key), e.Value.(V))
	}
}
