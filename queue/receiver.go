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

func (q *receiver[T]) init(ring *ring[T]) {
	q.buf, q.pointers, q.lazy = ring.buf, ring.pointers, ring.grain
}

// Recv takes the next value. It waits while the queue is empty. ok is false if
// the queue is closed and nothing is left.
func (q *receiver[T]) Recv() (v T, ok bool) {
	// As take does, without the call.
	if h := q.h; h != q.known {
		p := q.slot
		slot := &q.buf[p]
		v = *slot
		if q.pointers {
			var zero T
			*slot = zero
		}
		if p++; p == len(q.buf) {
			p = 0
		}
		q.slot = p
		h += step
		q.h = h
		if h-q.freed >= q.lazy || h == q.known {
			q.freed = h
			q.release()
		}
		return v, true
	}
	v, err := q.recv(noContext, true)
	return v, err == nil
}

// take receives the next of the known values.
func (q *receiver[T]) take() T {
	p := q.slot
	slot := &q.buf[p]
	v := *slot
	if q.pointers {
		var zero T
		*slot = zero
	}
	if p++; p == len(q.buf) {
		p = 0
	}
	q.slot = p
	q.h += step
	if q.h-q.freed >= q.lazy || q.h == q.known {
		q.freed = q.h
		q.release()
	}
	return v
}

// TryRecv takes the next value if there is one now. It returns [ErrEmpty] if
// there is none and [ErrClosed] if the queue is closed and nothing is left.
func (q *receiver[T]) TryRecv() (T, error) { return q.recv(noContext, false) }

// RecvContext is Recv that gives up when ctx is done: nothing is received, and
// the error is [context.Cause] of ctx. A ctx that is done already comes first,
// whatever is in the queue: to take the rest, go on with Recv after a Close. It
// returns [ErrClosed] if the queue is closed and nothing is left.
func (q *receiver[T]) RecvContext(ctx context.Context) (v T, err error) {
	if ctx.Err() != nil {
		return v, context.Cause(ctx)
	}
	return q.recv(ctx, true)
}

func (q *receiver[T]) recv(ctx context.Context, block bool) (v T, err error) {
	if q.h == q.known && !q.holding {
		if err := q.wait(ctx, block); err != nil {
			return v, err
		}
	}
	if q.holding {
		return q.dropHeld(), nil
	}
	return q.take(), nil
}

// RecvInto takes values that are there, at most len(buf), and returns how many.
// It waits while the queue is empty, and returns 0 only if the queue is closed
// and nothing is left. It panics if len(buf) is 0.
func (q *receiver[T]) RecvInto(buf []T) int {
	n, _ := q.recvInto(noContext, true, buf)
	return n
}

// TryRecvInto takes values that are there now, at most len(buf), and returns how
// many. If there is none it returns [ErrEmpty], or [ErrClosed] if the queue is
// closed. It panics if len(buf) is 0.
func (q *receiver[T]) TryRecvInto(buf []T) (n int, err error) {
	return q.recvInto(noContext, false, buf)
}

// RecvIntoContext is RecvInto that gives up when ctx is done, as RecvContext
// does, and returns [ErrClosed] if the queue is closed and nothing is left.
func (q *receiver[T]) RecvIntoContext(ctx context.Context, buf []T) (n int, err error) {
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	return q.recvInto(ctx, true, buf)
}

func (q *receiver[T]) recvInto(ctx context.Context, block bool, buf []T) (n int, err error) {
	if len(buf) == 0 {
		panic("queue: RecvInto with len(buf) 0")
	}
	if err := q.wait(ctx, block); err != nil {
		return 0, err
	}
	if q.holding {
		buf[0] = q.dropHeld()
		n = 1
	}
	m := q.available(len(buf) - n)
	k := copy(buf[n:n+m], q.buf[q.slot:])
	copy(buf[n+k:n+m], q.buf)
	q.clear(m)
	q.received(m)
	return n + m, nil
}

// wait is await of a queue that was made.
func (q *receiver[T]) wait(ctx context.Context, block bool) error {
	if q.await == nil {
		panic("queue: a zero queue is used; make it with NewSPSC or NewMPSC")
	}
	return q.await(ctx, block)
}

// View returns up to n values that are there, at least one, where they lie in
// the ring; Release says how many of them were received. They lie in one piece:
// fewer than n may be given though more are there. It waits while the queue is
// empty and returns nil if the queue is closed and nothing is left. It panics if
// n < 1.
//
// The values are the receiver's, to be changed as well, until it calls Release,
// or receives in another way, which ends the view.
func (q *receiver[T]) View(n int) []T {
	if n < 1 {
		panic("queue: View of n < 1 values")
	}
	q.viewed = 0
	if q.wait(noContext, true) != nil {
		return nil
	}
	q.viewedAt = q.h
	if q.holding {
		q.viewed = 1
		return q.held[:]
	}
	n = min(q.available(n), len(q.buf)-q.slot)
	q.viewed = n
	return q.buf[q.slot : q.slot+n : q.slot+n]
}

// Release receives the first n of the values that View returned, and ends the
// view: the others are got by the next View. It panics if n is negative or more
// than are in view.
func (q *receiver[T]) Release(n int) {
	if n < 0 || n > q.viewed || q.viewedAt != q.h {
		panic("queue: Release of more values than are in view; each View is released once")
	}
	q.viewed = 0
	switch {
	case n == 0:
	case q.holding:
		q.dropHeld()
	default:
		q.clear(n)
		q.received(n)
	}
}

// All returns the values as they come, until the queue is closed and empty. A
// loop that ends early leaves the queue as it is: if nobody goes on receiving,
// call Close, so that no sender waits forever.
func (q *receiver[T]) All() iter.Seq[T] { return all(q.Recv) }

func all[T any](recv func() (T, bool)) iter.Seq[T] {
	return func(yield func(T) bool) {
		for v, ok := recv(); ok && yield(v); v, ok = recv() {
		}
	}
}

// available returns how many values of the ring are known, at most n, after
// looking for more if they are fewer.
func (q *receiver[T]) available(n int) int {
	n = min(n, len(q.buf))
	if q.known-q.h < uint64(n)*step {
		q.look()
	}
	return min(n, int((q.known-q.h)/step))
}

// clear keeps the next n slots from keeping anything alive.
func (q *receiver[T]) clear(n int) {
	if q.pointers {
		clearSlots(q.buf, q.slot, n)
	}
}

// received moves on past n values whose slots are clear.
func (q *receiver[T]) received(n int) {
	q.h += uint64(n) * step
	if q.slot += n; q.slot >= len(q.buf) {
		q.slot -= len(q.buf)
	}
	if q.h-q.freed >= q.lazy || q.h == q.known {
		q.freed = q.h
		q.release()
	}
}

// dropHeld returns the held value and forgets it.
func (q *receiver[T]) dropHeld() T {
	v := q.held[0]
	clear(q.held[:])
	q.holding = false
	q.viewed = 0 // h does not tell
	if q.lazy == 0 {
		q.release() // tells those who select
	}
	return v
}
