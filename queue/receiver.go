package queue

import (
	"context"
	"iter"
)

// A receiver is the receiving end of a ring that only one goroutine uses: of an
// [SPSC] or [MPSC]. It keeps private counts and gives slots back by the grain, so
// that a value costs no atomic operation here.
type receiver[T any] struct {
	buf      []T
	slot     int    // of h
	h        uint64 // values received
	known    uint64 // values that are in the ring, as far as the receiver knows
	freed    uint64 // values received that head tells of
	lazy     uint64 // the ring's grain, or 0 while the receiver selects
	pointers bool   // slots are cleared when read
	holding  bool   // held has a value, older than the ring's; then none is known
	held     [1]T
	viewed   int    // values that the last View gave
	viewedAt uint64 // h at that time

	// await returns nil when a value is held or known, and the reason when it
	// gives up.
	await func(ctx context.Context, block bool) error
	// look updates known.
	look func()
	// release publishes h. It is called when known values end, and after lazy.
	release func()
}

func (r *receiver[T]) init(ring *ring[T]) {
	r.buf, r.pointers, r.lazy = ring.buf, ring.pointers, ring.grain
}

// Recv takes the next value. It waits while the queue is empty. ok is false if
// the queue is closed and nothing is left.
func (r *receiver[T]) Recv() (v T, ok bool) {
	// As take does, without the call.
	if h := r.h; h != r.known {
		p := r.slot
		slot := &r.buf[p]
		v = *slot
		if r.pointers {
			var zero T
			*slot = zero
		}
		if p++; p == len(r.buf) {
			p = 0
		}
		r.slot = p
		h += step
		r.h = h
		if h-r.freed >= r.lazy || h == r.known {
			r.freed = h
			r.release()
		}
		return v, true
	}
	v, err := r.recv(noContext, true)
	return v, err == nil
}

// take receives the next of the known values.
func (r *receiver[T]) take() T {
	p := r.slot
	slot := &r.buf[p]
	v := *slot
	if r.pointers {
		var zero T
		*slot = zero
	}
	if p++; p == len(r.buf) {
		p = 0
	}
	r.slot = p
	r.h += step
	if r.h-r.freed >= r.lazy || r.h == r.known {
		r.freed = r.h
		r.release()
	}
	return v
}

// TryRecv takes the next value if there is one now. It returns [ErrEmpty] if
// there is none and [ErrClosed] if the queue is closed and nothing is left.
func (r *receiver[T]) TryRecv() (T, error) { return r.recv(noContext, false) }

// RecvContext is Recv that gives up when ctx is done: nothing is received, and
// the error is the context's cause. It returns [ErrClosed] if the queue is
// closed and nothing is left.
func (r *receiver[T]) RecvContext(ctx context.Context) (v T, err error) {
	if ctx.Err() != nil {
		return v, context.Cause(ctx)
	}
	return r.recv(ctx, true)
}

func (r *receiver[T]) recv(ctx context.Context, block bool) (v T, err error) {
	if r.h == r.known && !r.holding {
		if err := r.await(ctx, block); err != nil {
			return v, err
		}
	}
	if r.holding {
		return r.dropHeld(), nil
	}
	return r.take(), nil
}

// RecvInto takes values that are there, at most len(buf), and returns how many.
// It waits while the queue is empty. It returns 0 if the queue is closed and
// nothing is left, or len(buf) is 0.
func (r *receiver[T]) RecvInto(buf []T) int {
	if len(buf) == 0 || r.await(noContext, true) != nil {
		return 0
	}
	n := 0
	if r.holding {
		buf[0] = r.dropHeld()
		n = 1
	}
	m := r.available(len(buf) - n)
	k := copy(buf[n:n+m], r.buf[r.slot:])
	copy(buf[n+k:n+m], r.buf)
	r.clear(m)
	r.received(m)
	return n + m
}

// View returns up to n values that are there, at least one, where they lie in
// the ring; Release says which were received. They lie in one piece: fewer than
// n may be given though more are there. It waits while the queue is empty and
// returns nil if the queue is closed and nothing is left. It panics if n < 1.
//
// The values are the receiver's, to be changed as well, until it releases or
// receives them.
func (r *receiver[T]) View(n int) []T {
	if n < 1 {
		panic("queue: View of n < 1")
	}
	r.viewed = 0
	if r.await(noContext, true) != nil {
		return nil
	}
	r.viewedAt = r.h
	if r.holding {
		r.viewed = 1
		return r.held[:]
	}
	n = min(r.available(n), len(r.buf)-r.slot)
	r.viewed = n
	return r.buf[r.slot : r.slot+n : r.slot+n]
}

// Release receives the first n of the values that View returned. It panics if n
// is negative or more than were in view.
func (r *receiver[T]) Release(n int) {
	if n < 0 || n > r.viewed || r.viewedAt != r.h {
		panic("queue: Release of more than in view")
	}
	r.viewed = 0
	switch {
	case n == 0:
	case r.holding:
		r.dropHeld()
	default:
		r.clear(n)
		r.received(n)
	}
}

// All returns the values as they come, until the queue is closed and empty. A
// loop that ends early leaves the queue as it is: if nobody goes on receiving,
// call Close, so that no sender waits in vain.
func (r *receiver[T]) All() iter.Seq[T] { return all(r.Recv) }

func all[T any](recv func() (T, bool)) iter.Seq[T] {
	return func(yield func(T) bool) {
		for v, ok := recv(); ok && yield(v); v, ok = recv() {
		}
	}
}

// available returns how many values of the ring are known, at most n, after
// looking for more if they are fewer.
func (r *receiver[T]) available(n int) int {
	if r.known-r.h < uint64(n)*step {
		r.look()
	}
	return min(n, int((r.known-r.h)/step))
}

// clear keeps the next n slots from keeping anything alive.
func (r *receiver[T]) clear(n int) {
	if r.pointers {
		clearSlots(r.buf, r.slot, n)
	}
}

// received moves on past n values whose slots are clear.
func (r *receiver[T]) received(n int) {
	r.h += uint64(n) * step
	if r.slot += n; r.slot >= len(r.buf) {
		r.slot -= len(r.buf)
	}
	if r.h-r.freed >= r.lazy || r.h == r.known {
		r.freed = r.h
		r.release()
	}
}

// dropHeld returns the held value and forgets it.
func (r *receiver[T]) dropHeld() T {
	v := r.held[0]
	clear(r.held[:])
	r.holding = false
	if r.lazy == 0 {
		r.release() // tells those who select
	}
	return v
}
