package queue

import (
	"context"

	"github.com/gopayoff/payoff/internal/wait"
)

// An SPSC is a bounded queue for one sender and one receiver at a time. Make it
// with [NewSPSC]; it must not be copied.
//
// Everything with Send in its name, Reserve, Publish and Writable are the sender's.
// Everything with Recv, All, AllContext, View, Release and Readable are the receiver's.
// An end may pass to another goroutine if everything the first did synchronizes before
// what the next does. Two that use one end at once are a data race: the race detector
// says so, and mostly a panic does. Any goroutine may call Close, Len and Cap.
type SPSC[T any] struct {
	single[T]

	// The sender alone moves tail's count, and has slot and edge. It takes the
	// lock only where a flag is set; see [end]. What follows is its own.

	reserved   int    // slots that the last Reserve gave
	reservedAt uint64 // tail's count at that time
	looked     uint64 // tail's count when the sender looked for room
	lookedSlot int    // tail's slot then
}

// NewSPSC returns a queue for at least capacity values. It panics if capacity
// is less than 1.
func NewSPSC[T any](capacity int) *SPSC[T] {
	if capacity < 1 {
		panic("queue.NewSPSC: capacity < 1")
	}
	q := new(SPSC[T])
	q.init(capacity)
	q.oneSender = true
	return q
}

// Send adds v. It waits while the queue is full. If the queue is closed, or closes
// meanwhile, it returns [ErrClosed] and does not send v.
func (q *SPSC[T]) Send(v T) error {
	// As quick does, without the call.
	e := &q.tail
	w := e.word.Load()
	if w&flags == 0 && (w != e.edge || q.look(w)) {
		p := e.slot
		q.ring.buf[p] = v
		if e.word.CompareAndSwap(w, w+step) {
			if p++; p == len(q.ring.buf) {
				p = 0
			}
			e.slot = p
			return nil
		}
		q.unput(w, p)
	} else if w&flags == waiting && e.word.CompareAndSwap(w, w&^waiting) {
		// As shared.Send does.
		r := &q.self
		r.Value[0], r.Full = v, true
		r.C <- struct{}{}
		return nil
	}
	return q.send(noContext, true, v)
}

// TrySend adds v if there is room now. It returns [ErrFull] if there is none
// and [ErrClosed] if the queue is closed.
func (q *SPSC[T]) TrySend(v T) error {
	if q.quick(v) {
		return nil
	}
	return q.send(noContext, false, v)
}

// SendContext is [SPSC.Send] that gives up when ctx is done, also if it was before. It
// does not send v then, and the error is [context.Cause] of ctx. So it is where the
// queue is closed and ctx has ended, whichever came first.
func (q *SPSC[T]) SendContext(ctx context.Context, v T) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if q.quick(v) {
		return nil
	}
	return reason(ctx, q.send(ctx, true, v))
}

// quick sends v if nobody is to be told and there is room.
func (q *SPSC[T]) quick(v T) bool {
	e := &q.tail
	w := e.word.Load()
	if w&flags != 0 || w == e.edge && !q.look(w) {
		return false
	}
	p := e.slot
	q.ring.buf[p] = v
	if !e.word.CompareAndSwap(w, w+step) {
		q.unput(w, p)
		return false
	}
	if p++; p == len(q.ring.buf) {
		p = 0
	}
	e.slot = p
	return true
}

// look updates edge, and reports whether there is room at t. It also finds nearly
// every sender that ought not to be there: see giveBack.
func (q *SPSC[T]) look(t uint64) bool {
	// The slow way looks elsewhere: then looked may be far behind.
	if d := t - q.looked; d <= q.size && !q.apart(q.lookedSlot, q.tail.slot, d) {
		panic(twoSenders)
	}
	q.looked, q.lookedSlot = t, q.tail.slot
	q.tail.edge = q.head.count() + q.size
	return q.tail.edge != t
}

// unput clears slot p, since its value may go another way: tail is no longer at w.
func (q *SPSC[T]) unput(w uint64, p int) {
	clear(q.ring.buf[p : p+1])
	q.mustBeAlone(w)
}

// mustBeAlone panics if another goroutine has sent since tail was at w.
func (q *SPSC[T]) mustBeAlone(w uint64) {
	if q.tail.count() != w&^flags {
		panic(twoSenders)
	}
}

// SendAll adds all of vs in their order. It waits while the queue is full. If the queue
// is closed, or closes meanwhile, it returns how many it sent, and [ErrClosed].
func (q *SPSC[T]) SendAll(vs []T) (n int, err error) {
	return q.sendAll(noContext, vs)
}

// SendAllContext is [SPSC.SendAll] that gives up when ctx is done, as
// [SPSC.SendContext] does. It returns how many it sent.
func (q *SPSC[T]) SendAllContext(ctx context.Context, vs []T) (n int, err error) {
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	n, err = q.sendAll(ctx, vs)
	return n, reason(ctx, err)
}

func (q *SPSC[T]) sendAll(ctx context.Context, vs []T) (n int, err error) {
	for n < len(vs) {
		room, err := q.reserve(ctx, len(vs)-n)
		if err != nil {
			return n, err
		}
		m := copy(room, vs[n:])
		if err := q.Publish(m); err != nil {
			return n, err
		}
		n += m
	}
	if len(vs) == 0 {
		q.mustBeMade()
		if q.tail.word.Load()&closed != 0 {
			return 0, ErrClosed
		}
	}
	return n, nil
}

// Reserve returns up to n free slots of the ring, at least one, to be filled by
// the sender and sent by [SPSC.Publish]. They lie in one piece: fewer than n
// may be given though more are free. It waits while the queue is full and
// returns nil if the queue is closed. It panics if n < 1.
//
// If T holds pointers the slots are zero, also those that were filled before and not
// published. Else they may hold old values: set every field. Another Reserve takes the
// place of the first, and sending in another way ends it. What is unpublished by then
// is lost.
func (q *SPSC[T]) Reserve(n int) []T {
	if n < 1 {
		panic("queue.SPSC.Reserve: n < 1")
	}
	slots, _ := q.reserve(noContext, n)
	return slots
}

func (q *SPSC[T]) reserve(ctx context.Context, n int) ([]T, error) {
	q.mustBeMade()
	q.unreserve()
	e := &q.tail
	n = min(n, len(q.ring.buf)-e.slot)
	for {
		w := e.word.Load()
		if w&retell != 0 {
			q.writable.look()
		}
		if w&closed != 0 {
			if w&retell != 0 {
				q.writable.ring()
			}
			return nil, ErrClosed
		}
		t := w &^ flags
		if e.edge-t >= uint64(n)*step || q.look(t) {
			n = min(n, int((e.edge-t)/step))
			q.reserved, q.reservedAt = n, t
			return q.ring.buf[e.slot : e.slot+n : e.slot+n], nil
		}
		if _, _, err := q.parkSender(ctx, nil); err != nil {
			return nil, err
		}
	}
}

// unreserve ends the reservation, and clears what may have been filled of it.
func (q *SPSC[T]) unreserve() {
	n := uint64(q.reserved)
	q.reserved = 0
	// Some were published, or other values sent, or neither.
	if sent := (q.tail.count() - q.reservedAt) / step; sent < n && q.pointers {
		clearSlots(q.ring.buf, q.tail.slot, int(n-sent))
	}
}

// Publish sends the first n of the slots that [SPSC.Reserve] returned, and ends
// the reservation. It returns [ErrClosed], and has sent none, if the queue is
// closed. It panics if n is negative or more than are reserved.
func (q *SPSC[T]) Publish(n int) error {
	w := q.tail.word.Load()
	if n < 0 || n > q.reserved || q.reservedAt != w&^flags {
		panic("queue.SPSC.Publish: more slots than are reserved; each Reserve is published once")
	}
	q.mustBeMade()
	var err error
	if n > 0 {
		err = q.publish(w, n)
	}
	q.unreserve()
	return err
}

// publish sends what is in n slots from tail, which is at w.
func (q *SPSC[T]) publish(w uint64, n int) error {
	e := &q.tail
	next := w + uint64(n)*step
	if w&flags == 0 && e.word.CompareAndSwap(w, next) {
		e.slot = q.after(e.slot, n)
		return nil
	}
	q.mustBeAlone(w)
	w = e.lock()
	if w&closed != 0 {
		e.word.Store(w)
		if w&retell != 0 {
			q.writable.ring()
		}
		return ErrClosed
	}
	e.slot = q.after(e.slot, n)
	var woken wait.Woken[T]
	if w&waiting != 0 {
		var r *wait.Waiter[T]
		w, r = q.claim(w)
		woken.Add(r) // to look again
	}
	q.unlockTail(w+uint64(n)*step, true, &woken)
	return nil
}

// What follows is [shared]'s; see MPSC.

// Writable returns a channel for the sender's select, beside other channels: it
// has a token when there is room, or the queue is closed. A sender that takes the token
// calls TrySend until [ErrFull]. It may stop before: the room that is left puts the
// token back; but a token for each value costs more than a channel. It is a hint:
// TrySend may say ErrFull at once.
//
// From the first call on each Send and Recv also sends to a channel, for good.
func (q *SPSC[T]) Writable() <-chan struct{} { return q.shared.Writable() }

// Close makes each Send return [ErrClosed], also one that waits. What is in the
// queue is still received; to drop it, receive it (for range q.All() {}). Any
// goroutine may call Close, any number of times.
func (q *SPSC[T]) Close() { q.shared.Close() }

// Len returns how many values are in the queue. It may exceed Cap, by as many as Cap
// says. While no call sends or receives, it counts what is there. Of a queue that is
// not empty it may count some that were received: fewer than 16, and fewer than a 64th
// of Cap.
func (q *SPSC[T]) Len() int { return q.shared.Len() }

// Cap returns the capacity asked for: that many values are sent without waiting
// for a receiver. If it is 16 or more, up to Cap/8 more may fit, and at most 127.
func (q *SPSC[T]) Cap() int { return q.capacity }
