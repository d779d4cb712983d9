package a

import "sync"

// Generic types, shadowed names, a closure.

type registry[K comparable, V any] struct {
	mu sync.RWMutex
	m  map[K]V
}

func newRegistry[K comparable, V any]() *registry[K, V] {
	return &registry[K, V]{m: map[K]V{}}
}

func (r *registry[K, V]) get(k K) (V, bool) {
	r.mu.RLock() // want `r.mu is read-locked for a word or two` // refuse "cow: registry is generic"
	defer r.mu.RUnlock()
	v, ok := r.m[k]
	return v, ok
}

func (r *registry[K, V]) set(k K, v V) {
	func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		mNow := v
		r.m[k] = mNow
	}()
}

type level struct {
	mu sync.RWMutex
	n  int32
}

func (l *level) get() int32 {
	atomic := l
	atomic.mu.RLock() // want `atomic.mu is read-locked for a word or two`
	defer atomic.mu.RUnlock()
	return atomic.n
}

func (l *level) set(n int32) {
	l.mu.Lock()
	l.n = n
	l.mu.Unlock()
}
