package queue

import (
	"context"

	"github.com/gopayoff/payoff/internal/wait"
)

// An MPMC is a bounded queue for any number of senders and receivers. Make it
// with [NewMPMC]; it must not be copied. All methods may be called at once.
//
// Its ends have a lock each, so senders and receivers disturb each other only when the
// queue is full or empty. It is the two-lock queue of Michael and Scott (PODC 1996) as
// a ring.
type MPMC[T any] struct{ shared[T] }

// NewMPMC returns a queue for at least capacity values. It panics if capacity
// is less than 1.
func NewMPMC[T any](capacity int) *MPMC[T] {
	if capacity < 1 {
		panic("queue.NewMPMC: capacity < 1")
	}
	q := new(MPMC[T])
	q.init(capacity)
	return q
}

// Recv takes the next value. It waits while the queue is empty. ok is false where a
// closed queue has nothing left.
func (q *MPMC[T]) Recv() (v T, ok bool) {
	// As quickRecv does, without the call.
	e := &q.head
	w := e.word.Load()
	if w&flags == stocked && e.word.CompareAndSwap(w, w|locked) {
		p := e.slot
		slot := &q.ring.buf[p]
		v = *slot
		if q.pointers {
			var zero T
			*slot = zero
		}
		if p++; p == len(q.ring.buf) {
			p = 0
		}
		e.slot = p
		if w += step; w == e.edge|stocked {
			w = e.edge
		}
		e.word.Store(w)
		return v, true
	}
	// As recvSome does where the queue is empty: a call that returns after a
	// switch of goroutines is a wrong guess of the processor's.
	if w&flags == 0 {
		if r := q.park(w); r != nil {
			<-r.C
			if r.Full && !r.Duty {
				v = r.Value[0]
				q.receivers.Put(r)
				return v, true
			}
			return q.recvWoken(r)
		}
	}
	return q.recvWoken(nil)
}

// park puts the caller in the list of receivers, if head was at w and tail is,
// with no flag but that others may wait. Else it returns nil.
func (q *MPMC[T]) park(w uint64) *wait.Waiter[T] {
	e := &q.tail
	t := e.word.Load()
	if t&^waiting != w || q.capacity == 0 {
		return nil
	}
	r := q.receivers.Get()
	if !e.word.CompareAndSwap(t, t|locked) {
		q.receivers.Put(r)
		return nil
	}
	// Head was at w, does not pass tail, and tail stands at w.
	q.receivers.Push(r, false)
	if t&waiting == 0 && q.receivers.Ready(q.tail.width()) {
		t |= waiting
	}
	e.word.Store(t)
	return r
}

// recvWoken is Recv from where r was woken, if it is not nil.
func (q *MPMC[T]) recvWoken(r *wait.Waiter[T]) (T, bool) {
	var one [1]T
	n, _ := q.recvSome(noContext, true, one[:], r)
	return one[0], n == 1
}

// TryRecv takes the next value if there is one now. It returns [ErrEmpty] if there is
// none and [ErrClosed] if a closed queue has nothing left.
func (q *MPMC[T]) TryRecv() (T, error) {
	if v, ok := q.quickRecv(); ok {
		return v, nil
	}
	return q.recv(noContext, false)
}

// RecvContext is [MPMC.Recv] that gives up when ctx is done: it receives nothing, and
// the error is [context.Cause] of ctx. A ctx that is done already comes first, whatever
// is in the queue: to take the rest, go on with Recv after a Close. It returns
// [ErrClosed] if a closed queue has nothing left and ctx is not done.
func (q *MPMC[T]) RecvContext(ctx context.Context) (v T, err error) {
	if ctx.Err() != nil {
		return v, context.Cause(ctx)
	}
	if v, ok := q.quickRecv(); ok {
		return v, nil
	}
	v, err = q.recv(ctx, true)
	return v, reason(ctx, err)
}

// quickRecv receives if the end is free, nobody is to be told, and a value is
// known.
func (q *MPMC[T]) quickRecv() (v T, ok bool) {
	e := &q.head
	w := e.word.Load()
	if w&flags != stocked || !e.word.CompareAndSwap(w, w|locked) {
		return v, false
	}
	p := e.slot
	slot := &q.ring.buf[p]
	v = *slot
	if q.pointers {
		var zero T
		*slot = zero
	}
	if p++; p == len(q.ring.buf) {
		p = 0
	}
	e.slot = p
	if w += step; w == e.edge|stocked {
		w = e.edge
	}
	e.word.Store(w)
	return v, true
}

func (q *MPMC[T]) recv(ctx context.Context, block bool) (T, error) {
	var one [1]T
	_, err := q.recvSome(ctx, block, one[:], nil)
	return one[0], err
}

// RecvInto takes values that are there, at most len(buf), and returns how many. It
// waits while the queue is empty, and returns 0 only if a closed queue has nothing
// left. It panics if len(buf) is 0.
func (q *MPMC[T]) RecvInto(buf []T) int {
	n, _ := q.recvSome(noContext, true, buf, nil)
	return n
}

// TryRecvInto takes values that are there now, at most len(buf), and returns how
// many. If there is none it returns [ErrEmpty], or [ErrClosed] if the queue is
// closed. It panics if len(buf) is 0.
func (q *MPMC[T]) TryRecvInto(buf []T) (n int, err error) {
	return q.recvSome(noContext, false, buf, nil)
}

// RecvIntoContext is [MPMC.RecvInto] that gives up when ctx is done, as
// [MPMC.RecvContext] does, and returns [ErrClosed] if a closed queue has nothing left.
func (q *MPMC[T]) RecvIntoContext(ctx context.Context, buf []T) (n int, err error) {
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	n, err = q.recvSome(ctx, true, buf, nil)
	return n, reason(ctx, err)
}

// recvSome receives as many values as there are and buf holds, at least one,
// and waits until there is one. If r is not nil it goes on from where r was woken.
func (q *MPMC[T]) recvSome(ctx context.Context, block bool, buf []T, r *wait.Waiter[T]) (n int, err error) {
	if len(buf) == 0 {
		panic("queue: RecvInto with len(buf) 0")
	}
	q.mustBeMade()
	buf = buf[:min(len(buf), len(q.ring.buf))]
	duty := false // to see to the other receivers
	for ; ; r = nil {
		if r == nil {
			if n, err = q.take(block, buf); n > 0 || err != nil {
				break
			}
			r = q.receivers.Get()
			if !q.enlist(r, duty) {
				q.receivers.Put(r)
				continue
			}
			err = q.napReceiver(ctx, r)
		}
		duty = r.Duty
		if r.Full {
			buf[0], n, err = r.Value[0], 1, nil
		}
		q.receivers.Put(r)
		if n > 0 || err != nil {
			break
		}
	}
	if duty {
		q.seeToReceivers()
	}
	return n, err
}

// take receives as many values as there are and buf holds. It returns 0 and no
// error if there is none and the caller is to wait.
func (q *MPMC[T]) take(block bool, buf []T) (n int, err error) {
	e := &q.head
	t := q.tail.word.Load()
	if t&^flags == e.count() && t&closed == 0 && block {
		return 0, nil
	}
	w := e.lock()
	if w&retell != 0 {
		q.readable.look()
	}
	h := w &^ flags
	if e.edge-h < uint64(len(buf))*step {
		t = q.tail.word.Load()
		e.edge = t &^ flags
	}
	n = min(len(buf), int((e.edge-h)/step))
	w &^= stocked
	if h += uint64(n) * step; h != e.edge {
		w |= stocked
	}
	if n > 0 {
		q.drain(e.slot, buf[:n])
		e.slot = q.after(e.slot, n)
		q.unlockHead(h | w&flags)
		return n, nil
	}
	e.word.Store(w)
	switch {
	case t&closed != 0:
		if w&retell != 0 {
			q.readable.ring()
		}
		return 0, ErrClosed
	case !block:
		return 0, ErrEmpty
	}
	return 0, nil
}

// enlist puts r in the list of receivers, unless there is something to receive
// or the queue is closed: then it returns false. A duty to see to the others
// passes on.
func (q *MPMC[T]) enlist(r *wait.Waiter[T], duty bool) bool {
	e := &q.tail
	w := e.lock()
	// Head does not pass tail, and tail stands.
	if w&closed != 0 || w&^flags != q.head.count() {
		e.word.Store(w)
		return false
	}
	if duty {
		q.receivers.Done()
	}
	// A receiver that was woken in vain goes first again.
	q.receivers.Push(r, duty)
	if q.receivers.Ready(q.tail.width()) {
		w |= waiting
	}
	e.word.Store(w)
	return true
}

// napReceiver parks until r is woken, or ctx is done and r not woken meanwhile.
func (q *MPMC[T]) napReceiver(ctx context.Context, r *wait.Waiter[T]) error {
	if ctx.Done() == nil {
		<-r.C
		return nil
	}
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

// seeToReceivers wakes a receiver for what there is to receive, or has them woken
// when there is something. It ends the caller's duty.
func (q *MPMC[T]) seeToReceivers() {
	e := &q.tail
	w := e.lock()
	q.receivers.Done()
	var woken wait.Woken[T]
	n := w&^flags - q.head.count()
	if n == 0 && q.receivers.Ready(q.tail.width()) {
		w |= waiting
	}
	// One at a time: with more, they would find nothing and park, each for the price
	// of many values (MPMC/producers=1/consumers=100).
	if n > 0 && q.receivers.Ready(1) {
		woken.Add(q.receivers.Pop())
	}
	e.word.Store(w)
	woken.Wake()
}

// Cap returns the capacity asked for: that many values are sent without waiting
// for a receiver. If it is 16 or more, up to Cap/8 more may fit, and at most 127.
func (q *MPMC[T]) Cap() int { return q.capacity }
