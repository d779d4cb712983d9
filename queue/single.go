package queue

import (
	"context"

	"github.com/gopayoff/payoff/internal/cacheline"
	"github.com/gopayoff/payoff/internal/wait"
)

// A single is a shared ring with a receiving end for one goroutine: [MPSC], and
// [SPSC] but for its sender. The receiver keeps private counts and gives slots
// back by the grain, so that a value costs no atomic operation here (Lee et al.,
// MCRingBuffer, IPDPS 2010).
type single[T any] struct {
	shared[T]

	// All is the receiver's own.
	slot  int    // of h
	h     uint64 // values received from the ring
	known uint64 // values that are in the ring, as far as the receiver knows
	freed uint64 // values received that head tells of: head's count
	// freedSlot is the slot of freed.
	freedSlot int
	lazy      uint64 // the ring's grain, or 0 while the receiver selects
	pointers  bool   // as the ring's
	viewed    int    // values that the last View gave
	viewedAt  uint64 // h at that time

	// self is where values are handed over while it is parked. If it is full then,
	// the value is older than the ring's, of which none is known.
	self wait.Waiter[T]

	_ cacheline.Pad
}

func (q *single[T]) init(capacity int) {
	q.shared.init(capacity)
	q.pointers, q.lazy = q.ring.pointers, q.grain
	q.self.C = make(chan struct{}, 1)
	q.one = &q.self
}

// Recv takes the next value. It waits while the queue is empty. ok is false if
// the queue is closed and nothing is left.
func (q *single[T]) Recv() (v T, ok bool) {
	// As take does, without the call.
	if q.h != q.known {
		p := q.slot
		slot := &q.ring.buf[p]
		v = *slot
		if q.pointers {
			var zero T
			*slot = zero
		}
		if p++; p == len(q.ring.buf) {
			p = 0
		}
		q.slot = p
		q.h += step
		if q.h-q.freed >= q.lazy || q.h == q.known {
			q.giveBack()
		}
		return v, true
	}
	// As wait does, without the call; see MPMC.Recv.
	w := q.h
	if q.tail.word.Load() == w && q.one != nil && q.lazy != 0 && !q.self.Full && q.tail.word.CompareAndSwap(w, w|waiting) {
		<-q.self.C
		if q.self.Full {
			v = q.self.Value[0]
			clear(q.self.Value[:])
			q.self.Full = false
			return v, true
		}
	}
	v, err := q.recv(noContext, true)
	return v, err == nil
}

// take receives the next of the known values.
func (q *single[T]) take() T {
	p := q.slot
	slot := &q.ring.buf[p]
	v := *slot
	if q.pointers {
		var zero T
		*slot = zero
	}
	if p++; p == len(q.ring.buf) {
		p = 0
	}
	q.slot = p
	q.h += step
	if q.h-q.freed >= q.lazy || q.h == q.known {
		q.giveBack()
	}
	return v
}

// TryRecv takes the next value if there is one now. It returns [ErrEmpty] if
// there is none and [ErrClosed] if the queue is closed and nothing is left.
func (q *single[T]) TryRecv() (T, error) { return q.recv(noContext, false) }

// RecvContext is Recv that gives up when ctx is done: nothing is received, and
// the error is [context.Cause] of ctx. A ctx that is done already comes first,
// whatever is in the queue: to take the rest, go on with Recv after a Close. It
// returns [ErrClosed] if the queue is closed, nothing is left and ctx is not done.
func (q *single[T]) RecvContext(ctx context.Context) (v T, err error) {
	if ctx.Err() != nil {
		return v, context.Cause(ctx)
	}
	v, err = q.recv(ctx, true)
	return v, reason(ctx, err)
}

func (q *single[T]) recv(ctx context.Context, block bool) (v T, err error) {
	if q.h == q.known && !q.self.Full {
		if err := q.wait(ctx, block); err != nil {
			return v, err
		}
	}
	if q.self.Full {
		return q.dropHeld(), nil
	}
	return q.take(), nil
}

// RecvInto takes values that are there, at most len(buf), and returns how many.
// It waits while the queue is empty, and returns 0 only if the queue is closed
// and nothing is left. It panics if len(buf) is 0.
func (q *single[T]) RecvInto(buf []T) int {
	n, _ := q.recvInto(noContext, true, buf)
	return n
}

// TryRecvInto takes values that are there now, at most len(buf), and returns how
// many. If there is none it returns [ErrEmpty], or [ErrClosed] if the queue is
// closed. It panics if len(buf) is 0.
func (q *single[T]) TryRecvInto(buf []T) (n int, err error) {
	return q.recvInto(noContext, false, buf)
}

// RecvIntoContext is RecvInto that gives up when ctx is done, as RecvContext
// does, and returns [ErrClosed] if the queue is closed and nothing is left.
func (q *single[T]) RecvIntoContext(ctx context.Context, buf []T) (n int, err error) {
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	n, err = q.recvInto(ctx, true, buf)
	return n, reason(ctx, err)
}

func (q *single[T]) recvInto(ctx context.Context, block bool, buf []T) (n int, err error) {
	if len(buf) == 0 {
		panic("queue: RecvInto with len(buf) 0")
	}
	if err := q.wait(ctx, block); err != nil {
		return 0, err
	}
	if q.self.Full {
		buf[0] = q.dropHeld()
		n = 1
	}
	m := q.available(len(buf) - n)
	q.drain(q.slot, buf[n:n+m])
	q.received(m)
	return n + m, nil
}

// View returns up to n values that are there, at least one, where they lie in
// the ring; Release says how many of them were received. They lie in one piece:
// fewer than n may be given though more are there. It waits while the queue is
// empty and returns nil if the queue is closed and nothing is left. It panics if
// n < 1.
//
// The values are the receiver's, to be changed as well, until it calls Release,
// or receives in another way, which ends the view.
func (q *single[T]) View(n int) []T {
	if n < 1 {
		panic("queue: View of n < 1 values")
	}
	q.viewed = 0
	if q.wait(noContext, true) != nil {
		return nil
	}
	q.viewedAt = q.h
	if q.self.Full {
		q.viewed = 1
		return q.self.Value[:]
	}
	n = min(q.available(n), len(q.ring.buf)-q.slot)
	q.viewed = n
	return q.ring.buf[q.slot : q.slot+n : q.slot+n]
}

// Release receives the first n of the values that View returned, and ends the
// view: the others are got by the next View. It panics if n is negative or more
// than are in view.
func (q *single[T]) Release(n int) {
	if n < 0 || n > q.viewed || q.viewedAt != q.h {
		panic("queue: Release of more values than are in view; each View is released once")
	}
	q.viewed = 0
	switch {
	case n == 0:
		q.mustBeMade()
	case q.self.Full:
		q.dropHeld()
	default:
		if q.pointers {
			clearSlots(q.ring.buf, q.slot, n)
		}
		q.received(n)
	}
}

// wait returns nil when a value is held or known, and the reason when it gives
// up.
func (q *single[T]) wait(ctx context.Context, block bool) error {
	q.mustBeMade()
	for i := 0; !q.self.Full && q.h == q.known; i++ {
		if q.lazy == 0 {
			q.readable.look()
		}
		w := q.tail.word.Load()
		if q.known = w &^ flags; q.known != q.h {
			continue
		}
		if w&closed != 0 {
			if q.lazy == 0 {
				q.readable.ring()
			}
			return ErrClosed
		}
		if !block {
			return ErrEmpty
		}
		if w&locked != 0 {
			// Somebody sends, or has just found nobody to close for.
			wait.Backoff(i)
			continue
		}
		if w&waiting != 0 {
			panic(twoReceivers)
		}
		if !q.tail.word.CompareAndSwap(w, w|waiting) {
			continue
		}
		if ctx.Done() == nil {
			<-q.self.C
			continue
		}
		select {
		case <-q.self.C:
		case <-ctx.Done():
			q.withdraw()
			if !q.self.Full {
				return context.Cause(ctx)
			}
		}
	}
	return nil
}

// withdraw ends a wait: the flag falls, or whoever has claimed the receiver
// wakes it.
func (q *single[T]) withdraw() {
	for i := 0; ; i++ {
		w := q.tail.word.Load()
		switch {
		case w&locked != 0:
			wait.Backoff(i)
		case w&waiting == 0:
			<-q.self.C
			return
		case q.tail.word.CompareAndSwap(w, w&^waiting):
			return
		}
	}
}

// giveBack gives the slots of all values received back to the senders.
//
// It also finds nearly every receiver that ought not to be there: two of them
// tear what they write without a lock, so that head is not where this one left
// it, or slot not where h is, or more is received than was known.
func (q *single[T]) giveBack() {
	if !q.apart(q.freedSlot, q.slot, q.h-q.freed) || q.known-q.h > q.size {
		panic(twoReceivers)
	}
	q.freedSlot = q.slot
	e := &q.head
	w := e.word.Load()
	if w == q.freed && e.word.CompareAndSwap(w, q.h) {
		q.freed = q.h
		return
	}
	w = e.lock()
	if w&^flags != q.freed {
		e.word.Store(w)
		panic(twoReceivers)
	}
	q.freed = q.h
	q.unlockHead(q.h | w&flags)
}

// Readable returns a channel for the receiver's select, beside other channels: it
// has a token when there is something to receive, or the queue is closed.
//
//	select {
//	case <-q.Readable():
//		v, err := q.TryRecv()
//		for ; err == nil; v, err = q.TryRecv() {
//			use(v)
//		}
//		if err == queue.ErrClosed {
//			return
//		}
//	case <-other:
//	}
//
// Whoever takes the token calls TryRecv until [ErrEmpty]. It may stop before: what is
// left puts the token back; but a token for each value costs more than a channel.
// It is a hint: TryRecv may say ErrEmpty at once. Once the queue is closed there
// always is a token, so a loop ends at [ErrClosed].
//
// From the first call on each Send and Recv also sends to a channel, for good.
func (q *single[T]) Readable() <-chan struct{} {
	q.mustBeMade()
	q.lazy = 0 // every value received is told
	c := q.shared.Readable()
	if q.self.Full {
		q.readable.ring()
	}
	return c
}

// available returns how many values of the ring are known, at most n, after
// looking for more if they are fewer.
func (q *single[T]) available(n int) int {
	n = min(n, len(q.ring.buf))
	if q.known-q.h < uint64(n)*step {
		q.known = q.tail.count()
	}
	return min(n, int((q.known-q.h)/step))
}

// received moves on past n values whose slots are clear.
func (q *single[T]) received(n int) {
	q.h += uint64(n) * step
	q.slot = q.after(q.slot, n)
	if q.h-q.freed >= q.lazy || q.h == q.known {
		q.giveBack()
	}
}

// dropHeld returns the held value and forgets it.
func (q *single[T]) dropHeld() T {
	v := q.self.Value[0]
	clear(q.self.Value[:])
	q.self.Full = false
	q.viewed = 0 // h does not tell
	if q.lazy == 0 {
		q.tellReadable()
	}
	return v
}
