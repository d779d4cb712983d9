package queue

import (
	"context"
	"iter"
	"sync/atomic"

	"github.com/gopayoff/payoff/internal/cacheline"
	"github.com/gopayoff/payoff/internal/wait"
)

// An SPSC is a bounded queue for one sender and one receiver at a time. Make it
// with [NewSPSC]; it must not be copied. A value may have nearly 64 KiB: the
// compiler refuses larger ones, as it does for a channel.
//
// Everything with Send in its name, Reserve, Publish and Writable are the
// sender's. Everything with Recv, All, View, Release and Readable are the
// receiver's. An end may pass to another goroutine if everything the first did
// synchronizes before what the next does; two that use one end at once are a
// data race, and the race detector says so. Close, Len and Cap are for everyone.
//
// A single-sided end has private copies of both counts and writes to the other
// end's cache line only when it waits (Lee et al., MCRingBuffer, IPDPS 2010).
type SPSC[T any] struct {
	ring[T]

	// items takes values to a receiver that has found the ring empty: to one
	// that is parked the runtime hands them directly. The protocol is in
	// protocol.md.
	items chan item[T]
	room  chan struct{} // wakes a sender that has found the ring full

	_ cacheline.Pad

	// tail is written by the sender, and its flags by anyone, with a
	// compare-and-swap. While waiting is set the ring is empty, and the next
	// value goes through items. A value there is older than the ring's.
	tail atomic.Uint64
	// The sender's own.
	t          uint64 // tail without flags
	limit      uint64 // the ring is full at this t, as far as the sender knows
	tp         int    // slot of t
	reserved   int    // slots that the last Reserve gave
	reservedAt uint64 // t at that time
	writing    bool   // the sender selects: it takes the slow path
	sendSpin   wait.Spinner
	// wakeAt is where head is to be for a sender that is parked to be woken. It
	// stands while waiting is set in head.
	wakeAt uint64

	_ cacheline.Pad

	// head is written by the receiver, and its flags by the sender, with a
	// compare-and-swap. It may be up to a grain behind h, but not while the receiver
	// knows of no value.
	head atomic.Uint64
	// The rest is the receiver's own.
	receiver[T]
	asked    bool // items may have a value: waiting was set. Then none is known.
	ended    bool // the receiver was told that there is no more
	naps     int  // waits that park without asking recvSpin
	recvSpin wait.Spinner

	_ cacheline.Pad
}

// maxNaps bounds how long a receiver goes on parking that ought to look again.
const maxNaps = 31

// An item is a value, or, if it is not full, the message to look again.
type item[T any] struct {
	v    T
	full bool
}

// NewSPSC returns a queue for at least capacity values. It panics if capacity
// is less than 1.
func NewSPSC[T any](capacity int) *SPSC[T] {
	if capacity < 1 {
		panic("queue.NewSPSC: capacity < 1")
	}
	q := new(SPSC[T])
	q.ring.init(capacity)
	q.receiver.init(&q.ring)
	q.await, q.look, q.release = q.waitValue, q.lookAtTail, q.giveBack
	q.limit = q.size
	// A value, and a message by Close: the sender, who looks before it sends,
	// never waits here.
	q.items = make(chan item[T], 2)
	q.room = make(chan struct{}, 1)
	return q
}

// Send adds v. It waits while the queue is full. If the queue is closed, or
// becomes so meanwhile, it returns [ErrClosed] and v is not sent.
func (q *SPSC[T]) Send(v T) error {
	// As quick does; the call would be a third of the price.
	if t := q.t; t != q.limit && q.tail.Load() == t {
		p := q.tp
		q.ring.buf[p] = v
		if q.tail.CompareAndSwap(t, t+step) {
			q.t = t + step
			if p++; p == len(q.ring.buf) {
				p = 0
			}
			q.tp = p
			return nil
		}
		q.unput()
	}
	// As send does; a call that returns after a switch of goroutines is a wrong
	// guess of the processor's, and each costs 3 % of such a hand-off.
	if w := q.t | waiting; q.tail.Load() == w && len(q.items) == 0 && !q.writing {
		q.reserved = 0 // t will not tell
		q.items <- item[T]{v, true}
		if q.tail.Load() == w || !q.takeBack() {
			return nil
		}
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

// SendContext is [SPSC.Send] that gives up when ctx is done, also if it was
// before: v is not sent, and the error is [context.Cause] of ctx.
func (q *SPSC[T]) SendContext(ctx context.Context, v T) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if q.quick(v) {
		return nil
	}
	return q.send(ctx, true, v)
}

// quick sends v if nobody is to be told and there is room as far as is known.
func (q *SPSC[T]) quick(v T) bool {
	t := q.t
	if t == q.limit || q.tail.Load() != t {
		return false
	}
	p := q.tp
	q.ring.buf[p] = v
	if !q.tail.CompareAndSwap(t, t+step) {
		// A flag was set meanwhile.
		return q.unput()
	}
	q.t = t + step
	if p++; p == len(q.ring.buf) {
		p = 0
	}
	q.tp = p
	return true
}

// unput clears the next slot, since its value may go another way.
func (q *SPSC[T]) unput() bool {
	clear(q.ring.buf[q.tp : q.tp+1])
	return false
}

// send is every way to send one value.
func (q *SPSC[T]) send(ctx context.Context, block bool, v T) error {
	for {
		w := q.tail.Load()
		switch {
		case w&closed != 0:
			return q.saysClosed()
		case w&waiting != 0 && len(q.items) == 0:
			// The receiver is parked, was, or is about to.
			q.reserved = 0
			q.items <- item[T]{v, true}
			if q.tail.Load() != w && q.takeBack() {
				continue
			}
			if w&watched != 0 {
				signal(q.readable)
			}
			if q.writing {
				q.tellWritable()
			}
			return nil
		case q.t == q.limit:
			if err := q.waitRoom(ctx, block); err != nil {
				return err
			}
		default:
			q.ring.buf[q.tp] = v
			if err := q.publish(1); err != nil {
				q.unput()
				return err
			}
			return nil
		}
	}
}

// saysClosed returns ErrClosed, and leaves a token for a sender that selects.
func (q *SPSC[T]) saysClosed() error {
	if q.writing {
		signal(q.writable)
	}
	return ErrClosed
}

// takeBack is called when tail has changed after a value went into items, where
// the receiver may look no more. It reports whether it got the value back.
func (q *SPSC[T]) takeBack() (back bool) {
	for {
		select {
		case it := <-q.items:
			back = back || it.full
			continue
		default:
		}
		// A message that came out was perhaps Close's, and the receiver, about to
		// park, needs one.
		q.poke()
		return back
	}
}

// poke makes a receiver that is parked, or about to, look again.
func (q *SPSC[T]) poke() {
	select {
	case q.items <- item[T]{}:
	default:
	}
}

// publish sends what is in n slots from tp on, unless the queue is closed.
func (q *SPSC[T]) publish(n int) error {
	t := q.t + uint64(n)*step
	for {
		w := q.tail.Load()
		if w&closed != 0 {
			return q.saysClosed()
		}
		if !q.tail.CompareAndSwap(w, t|w&watched) {
			continue
		}
		q.t = t
		q.tp = q.after(q.tp, n)
		if w&waiting != 0 && len(q.items) == 0 {
			q.poke()
		}
		if w&watched != 0 {
			signal(q.readable)
		}
		if q.writing {
			q.tellWritable()
		}
		return nil
	}
}

// waitRoom returns nil when there is room, and the reason when it gives up.
func (q *SPSC[T]) waitRoom(ctx context.Context, block bool) error {
	q.mustBeMade()
	for i := 0; ; i++ {
		w := q.head.Load()
		if limit := w&^flags + q.size; limit != q.t {
			q.limit = limit
			return nil
		}
		if q.tail.Load()&closed != 0 {
			return q.saysClosed()
		}
		if !block {
			return ErrFull
		}
		if q.sendSpin.Again(i, q.t/step) {
			continue
		}
		if w&waiting == 0 {
			q.wakeAt = w&^flags + q.lag
			if !q.head.CompareAndSwap(w, w|waiting) {
				continue
			}
		}
		if ctx.Done() == nil {
			<-q.room
			continue
		}
		select {
		case <-q.room:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Recv takes the next value. It waits while the queue is empty. ok is false if
// the queue is closed and nothing is left.
func (q *SPSC[T]) Recv() (v T, ok bool) {
	// As take does; the call would be a third of the price.
	if h := q.h; h != q.known {
		p := q.slot
		slot := &q.receiver.buf[p]
		v = *slot
		if q.receiver.pointers {
			var zero T
			*slot = zero
		}
		if p++; p == len(q.receiver.buf) {
			p = 0
		}
		q.slot = p
		h += step
		q.h = h
		if h-q.freed >= q.lazy || h == q.known {
			q.freed = h
			q.giveBack()
		}
		return v, true
	}
	// As waitValue does; see Send.
	if q.naps > 0 && !q.holding && q.tail.Load() == q.h|waiting {
		q.naps--
		if it := <-q.items; it.full {
			return it.v, true
		}
	}
	v, err := q.recv(noContext, true)
	return v, err == nil
}

// lookAtTail updates known, unless items comes first.
func (q *SPSC[T]) lookAtTail() {
	if !q.asked {
		q.known = q.tail.Load() &^ flags
	}
}

// waitValue is the receiver's await.
func (q *SPSC[T]) waitValue(ctx context.Context, block bool) error {
	for i := 0; ; i++ {
		if q.holding || q.h != q.known {
			return nil
		}
		if q.ended {
			q.tellReadable()
			return ErrClosed
		}
		// Tail first: while it is unchanged the sender uses items, and after that
		// no more.
		w := q.tail.Load()
		if q.asked || len(q.items) > 0 {
			select {
			case it := <-q.items:
				q.accept(it)
				continue
			default:
				q.asked = w&waiting != 0
			}
		}
		if q.known = w &^ flags; q.known != q.h {
			continue
		}
		if w&closed != 0 {
			// From here on the sender finds its value when it takes it back.
			q.ended = true
			continue
		}
		if !block {
			return ErrEmpty
		}
		q.naps = 0
		if q.recvSpin.Again(i, q.h/step) {
			// The ring is quicker than a channel for a sender that finds nobody
			// waiting.
			if w&waiting != 0 {
				q.tail.CompareAndSwap(w, w&^waiting)
			}
			continue
		}
		if i == 0 && q.recvSpin.Settled() {
			q.naps = maxNaps
		}
		q.asked = true
		if w&waiting == 0 && !q.tail.CompareAndSwap(w, w|waiting) {
			continue
		}
		if ctx.Done() == nil {
			q.accept(<-q.items)
			continue
		}
		select {
		case it := <-q.items:
			q.accept(it)
		case <-ctx.Done():
			// The flag stays: what is handed on now is received by the next call.
			return context.Cause(ctx)
		}
	}
}

// accept keeps a value until the receiver takes it.
func (q *SPSC[T]) accept(it item[T]) {
	if it.full {
		q.held[0] = it.v
		q.holding = true
	}
}

// giveBack gives the slots of all values received back to the sender.
func (q *SPSC[T]) giveBack() {
	for {
		w := q.head.Load()
		wake := w&waiting != 0 && int64(q.h-q.wakeAt) >= 0
		next := q.h | w&(watched|waiting)
		if wake {
			next &^= waiting
		}
		if !q.head.CompareAndSwap(w, next) {
			continue
		}
		if wake {
			signal(q.room)
		}
		if w&watched != 0 {
			signal(q.writable)
		}
		break
	}
	if q.lazy == 0 {
		q.tellReadable()
	}
}

// All returns the values as they come, until the queue is closed and empty. A
// loop that ends early leaves the queue as it is: if nobody goes on receiving,
// call Close, so that the sender does not wait forever.
func (q *SPSC[T]) All() iter.Seq[T] { return all(q.Recv) }

// Close makes each Send return [ErrClosed], also one that waits. What is in the
// queue is still received; to drop it, the receiver receives it (for range
// q.All() {}). Any goroutine may call Close, any number of times.
func (q *SPSC[T]) Close() {
	w := q.tail.Or(closed)
	if w&closed != 0 {
		return
	}
	if w&waiting != 0 {
		q.poke()
	}
	signal(q.room)
	signal(q.readable)
	signal(q.writable)
}

// Len returns how many values are in the queue. It is exact when the queue is
// empty and nobody is in a call. Else some of the values received last may still
// be counted, fewer than 16 and fewer than a 64th of Cap, and it may be one off
// while a receiver waits, or after it gave up.
func (q *SPSC[T]) Len() int {
	// Head first: it never passes tail.
	h := q.head.Load() &^ flags
	w := q.tail.Load()
	n := int((w&^flags-h)/step) + len(q.items)
	if w&(closed|waiting) == closed|waiting {
		n-- // Close's message
	}
	return min(max(n, 0), len(q.ring.buf)+1)
}
