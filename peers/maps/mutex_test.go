package maps

import (
	"cmp"
	"maps"
	"sync"
)

// mutexMap is the built-in map under a lock.
type mutexMap[K cmp.Ordered, V any] struct {
	l  *load[K, V]
	mu sync.Mutex
	m  map[K]V
}

func newMutex[K cmp.Ordered, V any](l *load[K, V]) table[K, V] {
	return &mutexMap[K, V]{l: l, m: map[K]V{}}
}

func (m *mutexMap[K, V]) store(i int) {
	m.mu.Lock()
	m.m[m.l.stored[i]] = m.l.values[i%256]
	m.mu.Unlock()
}

func (m *mutexMap[K, V]) mix(w *worker[K, V], reads uint64) {
	x, last := w.x, w.last
	for range ops {
		x = next(x)
		k := w.asked[pick(x, len(w.asked))]
		if roll(x) < reads {
			m.mu.Lock()
			last = m.m[k]
			m.mu.Unlock()
		} else {
			m.mu.Lock()
			m.m[k] = w.values[value(x)]
			m.mu.Unlock()
		}
	}
	w.x, w.last = x, last
}

func (m *mutexMap[K, V]) each(f func(K, V) bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	clone[K, V](m.m).each(f)
}

func (m *mutexMap[K, V]) take() view[K, V] {
	m.mu.Lock()
	defer m.mu.Unlock()
	return clone[K, V](maps.Clone(m.m))
}

// clone is a map that nobody changes.
type clone[K cmp.Ordered, V any] map[K]V

func (c clone[K, V]) each(f func(K, V) bool) {
	for k, v := range c {
		if !f(k, v) {
			return
		}
	}
}

// rwMutexMap is the built-in map under a lock for readers and writers.
type rwMutexMap[K cmp.Ordered, V any] struct {
	l  *load[K, V]
	mu sync.RWMutex
	m  map[K]V
}

func newRWMutex[K cmp.Ordered, V any](l *load[K, V]) table[K, V] {
	return &rwMutexMap[K, V]{l: l, m: map[K]V{}}
}

func (m *rwMutexMap[K, V]) store(i int) {
	m.mu.Lock()
	m.m[m.l.stored[i]] = m.l.values[i%256]
	m.mu.Unlock()
}

func (m *rwMutexMap[K, V]) mix(w *worker[K, V], reads uint64) {
	x, last := w.x, w.last
	for range ops {
		x = next(x)
		k := w.asked[pick(x, len(w.asked))]
		if roll(x) < reads {
			m.mu.RLock()
			last = m.m[k]
			m.mu.RUnlock()
		} else {
			m.mu.Lock()
			m.m[k] = w.values[value(x)]
			m.mu.Unlock()
		}
	}
	w.x, w.last = x, last
}

func (m *rwMutexMap[K, V]) each(f func(K, V) bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	clone[K, V](m.m).each(f)
}

func (m *rwMutexMap[K, V]) take() view[K, V] {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return clone[K, V](maps.Clone(m.m))
}
