package queue

import "sync"

// A mutexRing is the bounded queue that a Go programmer writes without a
// library: a slice, a mutex, a condition for each direction. It blocks and
// closes as a channel does.
type mutexRing[T any] struct {
	mu       sync.Mutex
	notFull  sync.Cond
	notEmpty sync.Cond
	buf      []T
	head     int // next to receive; below len(buf)
	n        int // items from head on
	closed   bool
}

func newMutexRing[T any](capacity int) *mutexRing[T] {
	r := &mutexRing[T]{buf: make([]T, capacity)}
	r.notFull.L, r.notEmpty.L = &r.mu, &r.mu
	return r
}

func (r *mutexRing[T]) Send(v T) {
	r.mu.Lock()
	for r.n == len(r.buf) {
		r.notFull.Wait()
	}
	i := r.head + r.n
	if i >= len(r.buf) {
		i -= len(r.buf)
	}
	r.buf[i] = v
	r.n++
	r.mu.Unlock()
	r.notEmpty.Signal()
}

// Recv reports false once the ring is closed and empty.
func (r *mutexRing[T]) Recv() (v T, ok bool) {
	r.mu.Lock()
	for r.n == 0 {
		if r.closed {
			r.mu.Unlock()
			return v, false
		}
		r.notEmpty.Wait()
	}
	v = r.buf[r.head]
	clear(r.buf[r.head : r.head+1])
	r.head++
	if r.head == len(r.buf) {
		r.head = 0
	}
	r.n--
	r.mu.Unlock()
	r.notFull.Signal()
	return v, true
}

func (r *mutexRing[T]) Close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.notEmpty.Broadcast()
}
