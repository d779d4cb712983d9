package queue

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/gopayoff/payoff/internal/cacheline"
	"github.com/gopayoff/payoff/internal/wait"
)

// An end is one end of a ring that several goroutines use: the count, a lock
// and flags in one word, so that one store publishes and unlocks. Everything
// else about the end is under the lock, its flags too.
type end struct {
	word   atomic.Uint64
	gate   sync.Mutex // of those who have tried for long: only one goes on trying
	slot   int        // of the count
	edge   uint64     // how far this end may go, as far as it knows
	wakeAt uint64
	spin   wait.Spinner
}

// lock returns the word as it was; a store unlocks.
func (e *end) lock() uint64 {
	for i := range wait.Tries {
		if w, ok := e.tryLock(); ok {
			return w
		}
		wait.Backoff(i)
	}
	e.gate.Lock()
	defer e.gate.Unlock()
	for {
		if w, ok := e.tryLock(); ok {
			return w
		}
		wait.Backoff(wait.Tries)
	}
}

func (e *end) tryLock() (w uint64, ok bool) {
	w = e.word.Load()
	return w, w&locked == 0 && e.word.CompareAndSwap(w, w|locked)
}

// count returns how far the end is. It lags behind while the end is locked.
func (e *end) count() uint64 { return e.word.Load() &^ flags }

// A shared is a ring with the sending end of [MPSC] and [MPMC].
type shared[T any] struct {
	ring[T]

	// While waiting is set in tail the ring is empty, and receivers is not.
	tail      end
	receivers wait.List[T] // parked, under tail's lock

	_ cacheline.Pad

	// head is locked by receivers if there may be several, and by whoever
	// touches what is below. While waiting is set senders is not empty, and the
	// first is woken when head reaches wakeAt.
	head    end
	senders wait.List[struct{}] // parked, under head's lock

	_ cacheline.Pad
}

func (q *shared[T]) init(capacity int) {
	q.ring.init(capacity)
	q.tail.edge = q.size
}

// Send adds v. It waits while the queue is full. If the queue is closed, or
// becomes so meanwhile, it returns [ErrClosed] and v is not sent.
func (q *shared[T]) Send(v T) error {
	// As quick does, without the call.
	e := &q.tail
	w := e.word.Load()
	if w&flags == 0 && e.word.CompareAndSwap(w, w|locked) {
		if w != e.edge {
			p := e.slot
			q.ring.buf[p] = v
			if p++; p == len(q.ring.buf) {
				p = 0
			}
			e.slot = p
			e.word.Store(w + step)
			return nil
		}
		e.word.Store(w)
	}
	// As sendSome does, to a receiver that is parked.
	if w&flags == waiting && e.word.CompareAndSwap(w, w|locked) {
		r := q.receivers.Pop()
		r.Value, r.Full = v, true
		e.word.Store(w &^ waiting)
		r.Wake()
		return nil
	}
	return q.send(noContext, true, v)
}

// TrySend adds v if there is room now. It returns [ErrFull] if there is none
// and [ErrClosed] if the queue is closed.
func (q *shared[T]) TrySend(v T) error {
	if q.quick(v) {
		return nil
	}
	return q.send(noContext, false, v)
}

// SendContext is Send that gives up when ctx is done, also if it was before: v
// is not sent, and the error is [context.Cause] of ctx.
func (q *shared[T]) SendContext(ctx context.Context, v T) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if q.quick(v) {
		return nil
	}
	return q.send(ctx, true, v)
}

// quick sends v if the end is free, nobody is to be told, and there is room as
// far as is known.
func (q *shared[T]) quick(v T) bool {
	e := &q.tail
	w := e.word.Load()
	if w&flags != 0 || !e.word.CompareAndSwap(w, w|locked) {
		return false
	}
	if w == e.edge {
		e.word.Store(w)
		return false
	}
	p := e.slot
	q.ring.buf[p] = v
	if p++; p == len(q.ring.buf) {
		p = 0
	}
	e.slot = p
	e.word.Store(w + step)
	return true
}

func (q *shared[T]) send(ctx context.Context, block bool, v T) error {
	one := [1]T{v}
	_, err := q.sendSome(ctx, block, one[:])
	return err
}

// SendAll adds all of vs in their order. It waits while the queue is full;
// meanwhile values of others may come between. If the queue is closed, or
// becomes so meanwhile, it returns how many were sent, and [ErrClosed].
func (q *shared[T]) SendAll(vs []T) (n int, err error) {
	return q.sendAll(noContext, vs)
}

// SendAllContext is SendAll that gives up when ctx is done, as SendContext does;
// it returns how many were sent.
func (q *shared[T]) SendAllContext(ctx context.Context, vs []T) (n int, err error) {
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	return q.sendAll(ctx, vs)
}

func (q *shared[T]) sendAll(ctx context.Context, vs []T) (n int, err error) {
	for {
		m, err := q.sendSome(ctx, true, vs[n:])
		n += m
		if err != nil || n == len(vs) {
			return n, err
		}
	}
}

// sendSome sends as many of vs as there is room for, at least one, and waits
// until there is.
func (q *shared[T]) sendSome(ctx context.Context, block bool, vs []T) (n int, err error) {
	q.mustBeMade()
	vs = vs[:min(len(vs), len(q.ring.buf))]
	e := &q.tail
	duty := false // to see to the other senders
	for i := 0; ; i++ {
		w := e.lock()
		t := w &^ flags
		if w&closed != 0 {
			e.word.Store(w)
			if w&retell != 0 {
				signal(q.writable)
			}
			err = ErrClosed
			break
		}
		var r *wait.Waiter[T]
		if w&waiting != 0 && len(vs) > 0 {
			// To the receiver that waits longest; the ring is empty.
			r = q.receivers.Pop()
			r.Value, r.Full = vs[0], true
			w &^= waiting
			n++
		}
		if e.edge-t < uint64(len(vs)-n)*step {
			e.edge = q.head.count() + q.size
		}
		if m := min(len(vs)-n, int((e.edge-t)/step)); m > 0 {
			q.fill(e.slot, vs[n:n+m])
			e.slot = q.after(e.slot, m)
			w += uint64(m) * step
			n += m
		}
		e.word.Store(w)
		if r != nil {
			r.Wake()
		}
		if n > 0 || len(vs) == 0 {
			if w&watched != 0 {
				signal(q.readable)
			}
			if w&retell != 0 && w&^flags-q.head.count() != q.size {
				signal(q.writable)
			}
			break
		}
		if !block {
			err = ErrFull
			break
		}
		if e.spin.Again(i, t/step) {
			continue
		}
		if duty, err = q.parkSender(ctx, duty); err != nil {
			break
		}
		i = -1
	}
	if duty {
		q.seeToSenders()
	}
	return n, err
}

// parkSender parks until there may be room and reports whether this goroutine
// has the duty to see to the other senders, which it passes on if it has it.
func (q *shared[T]) parkSender(ctx context.Context, duty bool) (bool, error) {
	e := &q.head
	h := e.lock()
	// Tail does not pass head + size, and head stands.
	if t := q.tail.word.Load(); t&closed != 0 || t&^flags-h&^flags != q.size {
		e.word.Store(h)
		return duty, nil
	}
	s := q.senders.Get()
	if duty {
		q.senders.Done()
	}
	// A sender that was woken in vain goes first again.
	if q.senders.Push(s, duty) && h&waiting == 0 {
		e.wakeAt = h&^flags + q.lag
		h |= waiting
	}
	e.word.Store(h)
	var err error
	if ctx.Done() == nil {
		<-s.C
	} else {
		select {
		case <-s.C:
		case <-ctx.Done():
			err = context.Cause(ctx)
			h := e.lock()
			there := q.senders.Remove(s)
			if q.senders.Empty() {
				h &^= waiting
			}
			e.word.Store(h)
			if !there {
				<-s.C
			}
		}
	}
	duty = s.Duty
	q.senders.Put(s)
	return duty, err
}

// seeToSenders wakes the next sender if there is room, or has it woken when
// there is. It ends the caller's duty.
func (q *shared[T]) seeToSenders() {
	e := &q.head
	h := e.lock()
	q.senders.Done()
	var s *wait.Waiter[struct{}]
	if !q.senders.Empty() {
		t := q.tail.word.Load()
		if t&closed != 0 || t&^flags-h&^flags != q.size {
			s = q.senders.Pop()
		} else {
			e.wakeAt = h&^flags + q.lag
			h |= waiting
		}
	}
	e.word.Store(h)
	if s != nil {
		s.Wake()
	}
}

// unlockHead publishes that head is at w, and unlocks, where w has flags.
func (q *shared[T]) unlockHead(w uint64) {
	e := &q.head
	var s *wait.Waiter[struct{}]
	if w&waiting != 0 && int64(w&^flags-e.wakeAt) >= 0 {
		s = q.senders.Pop()
		w &^= waiting
	}
	e.word.Store(w)
	if s != nil {
		s.Wake()
	}
	if w&watched != 0 {
		signal(q.writable)
	}
	if w&retell != 0 {
		q.tellReadable()
	}
}

// enlist puts the caller in the list of receivers, unless there is something to
// receive or the queue is closed: then it returns nil. A duty to see to the
// others passes on.
func (q *shared[T]) enlist(duty bool) *wait.Waiter[T] {
	e := &q.tail
	w := e.lock()
	// Head does not pass tail, and tail stands.
	if w&closed != 0 || w&^flags != q.head.count() {
		e.word.Store(w)
		return nil
	}
	r := q.receivers.Get()
	if duty {
		q.receivers.Done()
	}
	// A receiver that was woken in vain goes first again.
	if q.receivers.Push(r, duty) {
		w |= waiting
	}
	e.word.Store(w)
	return r
}

// napReceiver parks until r is woken, or ctx is done and r not woken meanwhile.
func (q *shared[T]) napReceiver(ctx context.Context, r *wait.Waiter[T]) error {
	select {
	case <-r.C:
		return nil
	case <-ctx.Done():
	}
	e := &q.tail
	w := e.lock()
	there := q.receivers.Remove(r)
	if q.receivers.Empty() {
		w &^= waiting
	}
	e.word.Store(w)
	if !there {
		<-r.C
	}
	return context.Cause(ctx)
}

// seeToReceivers wakes the next receiver if there is something to receive, or
// has it woken when there is. It ends the caller's duty.
func (q *shared[T]) seeToReceivers() {
	e := &q.tail
	w := e.lock()
	q.receivers.Done()
	var r *wait.Waiter[T]
	if !q.receivers.Empty() {
		if w&closed != 0 || w&^flags != q.head.count() {
			r = q.receivers.Pop()
		} else {
			w |= waiting
		}
	}
	e.word.Store(w)
	if r != nil {
		r.Wake()
	}
}

// Close makes each Send return [ErrClosed], also those that wait. What is in the
// queue is still received; to drop it, receive it (for range q.All() {}). Any
// goroutine may call Close, any number of times. Of many senders none should
// when it is done, but who knows that all are.
func (q *shared[T]) Close() {
	var receivers []*wait.Waiter[T]
	w := q.tail.lock()
	for !q.receivers.Empty() {
		receivers = append(receivers, q.receivers.Pop())
	}
	q.tail.word.Store(w&^waiting | closed)

	// A sender that looks at tail from here on does not park.
	var senders []*wait.Waiter[struct{}]
	w = q.head.lock()
	for !q.senders.Empty() {
		senders = append(senders, q.senders.Pop())
	}
	q.head.word.Store(w &^ waiting)

	for _, r := range receivers {
		r.Wake()
	}
	for _, s := range senders {
		s.Wake()
	}
	signal(q.readable)
	signal(q.writable)
}

// Len returns how many values are in the queue. It is exact when nobody sends
// or receives, but that the receiver of an MPSC that is not empty may have
// received some of them: fewer than 16, and fewer than a 64th of Cap.
func (q *shared[T]) Len() int {
	// Head first: it never passes tail.
	h := q.head.count()
	return min(int((q.tail.count()-h)/step), len(q.ring.buf))
}

// Writable returns a channel for a sender's select, beside other channels: it
// has a token when there is room, or the queue is closed. Who takes the token
// calls TrySend, once or until [ErrFull]: what is left then puts the token back,
// for any sender that selects. It is a hint: TrySend may say ErrFull at once.
//
// From the first call on each Send and Recv also sends to a channel, for good.
func (q *shared[T]) Writable() <-chan struct{} {
	q.mustBeMade()
	q.tail.mark(retell)
	q.head.mark(watched)
	if w := q.tail.word.Load(); w&closed != 0 || w&^flags-q.head.count() != q.size {
		signal(q.writable)
	}
	return q.writable
}

// Readable returns a channel for a receiver's select, beside other channels: it
// has a token when there is something to receive, or the queue is closed. Who
// takes the token calls TryRecv, once or until [ErrEmpty]: what is left then puts
// the token back, for any receiver that selects. It is a hint: TryRecv may say
// ErrEmpty at once. Once the queue is closed there always is a token, so a loop
// ends at [ErrClosed].
//
// From the first call on each Send and Recv also sends to a channel, for good.
func (q *shared[T]) Readable() <-chan struct{} {
	q.mustBeMade()
	q.head.mark(retell)
	q.tail.mark(watched)
	q.tellReadable()
	return q.readable
}

// tellReadable leaves a token for receivers that select, if there is something
// to receive.
func (q *shared[T]) tellReadable() {
	if w := q.tail.word.Load(); w&closed != 0 || w&^flags != q.head.count() {
		signal(q.readable)
	}
}

// mark sets a flag for good.
func (e *end) mark(flag uint64) {
	if e.word.Load()&flag == 0 {
		w := e.lock()
		e.word.Store(w | flag)
	}
}
