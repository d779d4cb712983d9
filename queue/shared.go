package queue

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/gopayoff/payoff/internal/cacheline"
	"github.com/gopayoff/payoff/internal/wait"
)

// An end is one end of a ring: the count, a lock and flags in one word, so that
// one store publishes and unlocks. Everything else about the end is under the
// lock, its flags too. Where only one goroutine uses the end, it moves the count
// without the lock, by compare-and-swap, while no flag is set.
type end struct {
	word   atomic.Uint64
	gate   sync.Mutex // of those who have tried for long: only one goes on trying
	slot   int        // of the count
	edge   uint64     // how far this end may go, as far as it knows
	wakeAt uint64     // head's: how far it has to go for senders to be served

	// asked counts the calls of width, and procs is its answer.
	asked, procs uint32
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

// width is how many goroutines may run at once. The caller has locked the end. To
// ask the runtime takes a lock of the scheduler.
func (e *end) width() int {
	if e.asked%1024 == 0 {
		e.procs = uint32(runtime.GOMAXPROCS(0))
	}
	e.asked++
	return int(e.procs)
}

// A shared is a ring with a sending end for many, and all that parks: the rules
// are in protocol.md. Who locks both ends locks head first.
type shared[T any] struct {
	ring[T]

	// While waiting is set in tail the ring is empty, and receivers is not, or the
	// one receiver is parked. Who clears it has claimed whom to wake.
	tail      end
	receivers wait.List[T] // parked, under tail's lock

	// one is the place of the only receiver, of all but an MPMC. Who claims it
	// writes it, until it is woken; otherwise its goroutine does.
	one *wait.Waiter[T]

	_ cacheline.Pad

	// head is locked by receivers if there may be several, and by whoever
	// touches what is below. While waiting is set senders is not empty, and the
	// first is served when head reaches wakeAt.
	head    end
	senders wait.List[T] // parked, each with its value, under head's lock

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
	// As sendSome does, to a receiver that is parked; see MPMC.Recv.
	if w&flags == waiting {
		r := q.one
		if r == nil && e.word.CompareAndSwap(w, w|locked) {
			w, r = q.claim(w)
			e.word.Store(w)
		} else if r != nil && !e.word.CompareAndSwap(w, w&^waiting) {
			r = nil
		}
		if r != nil {
			r.Value[0], r.Full = v, true
			r.C <- struct{}{}
			return nil
		}
	}
	return q.send(noContext, true, v)
}

// TrySend adds v if there is room now. It returns [ErrFull] if there is none
// and [ErrClosed] if the queue is closed.
func (q *shared[T]) TrySend(v T) error {
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
	return q.send(noContext, false, v)
}

// SendContext is Send that gives up when ctx is done, also if it was before: v
// is not sent, and the error is [context.Cause] of ctx. So it is where the queue is
// found closed and ctx is done, whichever came first.
func (q *shared[T]) SendContext(ctx context.Context, v T) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if q.quick(v) {
		return nil
	}
	return reason(ctx, q.send(ctx, true, v))
}

// reason returns what a call with ctx returns that has ended with err. A queue may
// have been closed because ctx was done, as by [context.AfterFunc]: then ctx was
// first, whichever of the two the call has found.
func reason(ctx context.Context, err error) error {
	if err == ErrClosed && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
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

// claim takes the receiver that waits longest, where tail is locked and w has
// waiting, and returns w as it is to be.
func (q *shared[T]) claim(w uint64) (uint64, *wait.Waiter[T]) {
	if q.one != nil {
		return w &^ waiting, q.one
	}
	r := q.receivers.Pop()
	if q.receivers.Empty() || !q.receivers.Ready(q.tail.width()) {
		w &^= waiting
	}
	return w, r
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
	n, err = q.sendAll(ctx, vs)
	return n, reason(ctx, err)
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
	for {
		w := e.lock()
		if w&retell != 0 {
			q.writable.look()
		}
		if w&closed != 0 {
			e.word.Store(w)
			if w&retell != 0 {
				q.writable.ring()
			}
			err = ErrClosed
			break
		}
		var woken wait.Woken[T]
		w, m := q.put(w, vs[n:], &woken)
		n += m
		q.unlockTail(w, m > 0, &woken)
		if n > 0 || len(vs) == 0 {
			break
		}
		if !block {
			err = ErrFull
			break
		}
		if n, duty, err = q.parkSender(ctx, vs[:1]); err != nil || n == len(vs) {
			break
		}
	}
	if duty {
		q.seeToSenders()
	}
	return n, err
}

// put sends the first of vs to receivers that are parked, and then those for
// which there is room to the ring. It returns tail's word, which the caller has
// locked, as it is to be, and how many were sent.
func (q *shared[T]) put(w uint64, vs []T, woken *wait.Woken[T]) (next uint64, n int) {
	for w&waiting != 0 && n < len(vs) {
		var r *wait.Waiter[T]
		w, r = q.claim(w)
		r.Value[0], r.Full = vs[n], true
		woken.Add(r)
		n++
	}
	e := &q.tail
	t := w &^ flags
	if e.edge-t < uint64(len(vs)-n)*step {
		e.edge = q.head.count() + q.size
	}
	if m := min(len(vs)-n, int((e.edge-t)/step)); m > 0 {
		q.fill(e.slot, vs[n:n+m])
		e.slot = q.after(e.slot, m)
		w += uint64(m) * step
		n += m
	}
	return w, n
}

// unlockTail publishes w, wakes receivers, and tells those who select, if
// something was sent.
func (q *shared[T]) unlockTail(w uint64, sent bool, woken *wait.Woken[T]) {
	q.tail.word.Store(w)
	woken.Wake()
	if !sent {
		return
	}
	if w&watched != 0 {
		q.readable.ring()
	}
	if w&retell != 0 && w&^flags-q.head.count() != q.size {
		q.writable.ring()
	}
}

// parkSender parks, with the one value of v, if any, until there is room. It
// returns how many were sent meanwhile, and whether the caller has the duty to see to
// the other senders.
func (q *shared[T]) parkSender(ctx context.Context, v []T) (n int, duty bool, err error) {
	e := &q.head
	h := e.lock()
	// Tail does not pass head + size, and head stands.
	if t := q.tail.word.Load(); t&closed != 0 || t&^flags-h&^flags != q.size {
		e.word.Store(h)
		return 0, false, nil
	}
	if q.oneSender && !q.senders.Empty() {
		e.word.Store(h)
		panic(twoSenders)
	}
	s := q.senders.Get()
	s.Full = copy(s.Value[:], v) == 1
	q.senders.Push(s, false)
	if h&waiting == 0 && q.senders.Ready(q.most()) {
		e.wakeAt = h&^flags + q.lag
		h |= waiting
	}
	e.word.Store(h)
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
	if len(v) == 1 && !s.Full {
		n, err = 1, nil
	}
	duty = s.Duty
	q.senders.Put(s)
	return n, duty, err
}

// The rule: a goroutine that was woken while others still wait sees to them before its
// call returns, whatever comes of the call (its duty).
//
// seeToSenders serves the next senders if there is room, or has them served when
// there is. It ends the caller's duty.
func (q *shared[T]) seeToSenders() {
	e := &q.head
	h := e.lock()
	q.senders.Done()
	var woken wait.Woken[T]
	if !q.senders.Empty() {
		h = q.serve(h, &woken)
	}
	e.word.Store(h)
	woken.Wake()
}

// most is how many senders may be on their way, with a duty each. With one processor
// each but the first would only wait its turn. With more, a processor that has nothing
// to do needs time to fetch one of them: few of them, if they compute for
// microseconds, all run on the processor that woke them (SmallBuffer). The caller has
// locked head.
func (q *shared[T]) most() int {
	if q.head.width() == 1 {
		return 1
	}
	return math.MaxInt
}

// serve sends the values of the senders that wait longest, in their place, while
// there is room and they may be on their way. The caller has locked head, and head
// is at h, if not yet for others. It returns head's word as it is to be.
func (q *shared[T]) serve(h uint64, woken *wait.Woken[T]) uint64 {
	e := &q.tail
	w := e.lock()
	// Nobody is to see tail further from head than size, nor, with tail locked,
	// to park in between.
	q.head.word.Store(h | locked)
	n, most := 0, q.most()
	for ; q.senders.Ready(most) && w&closed == 0 && w&^flags-h&^flags != q.size; n++ {
		s := q.senders.Pop()
		if s.Full {
			w, _ = q.put(w, s.Value[:], woken)
			clear(s.Value[:])
			s.Full = false
		}
		woken.Add(s)
	}
	e.word.Store(w)
	if n > 0 && w&watched != 0 {
		q.readable.ring()
	}
	q.head.wakeAt = h&^flags + q.lag
	if q.senders.Ready(most) {
		return h | waiting
	}
	return h &^ waiting
}

// unlockHead publishes that head is at w, and unlocks, where w has flags.
func (q *shared[T]) unlockHead(w uint64) {
	e := &q.head
	var woken wait.Woken[T]
	if w&waiting != 0 && int64(w&^flags-e.wakeAt) >= 0 {
		w = q.serve(w, &woken)
	}
	e.word.Store(w)
	woken.Wake()
	if w&watched != 0 {
		q.writable.ring()
	}
	if w&retell != 0 {
		q.tellReadable()
	}
}

// Close makes each Send return [ErrClosed], also those that wait. What is in the
// queue is still received; to drop it, receive it (for range q.All() {}). Any
// goroutine may call Close, any number of times. Of many senders, the last to
// finish does, or whoever waits for them.
func (q *shared[T]) Close() {
	q.mustBeMade()
	var woken wait.Woken[T]
	w := q.tail.lock()
	if q.one != nil && w&waiting != 0 {
		woken.Add(q.one)
	}
	for !q.receivers.Empty() {
		woken.Add(q.receivers.Pop())
	}
	q.tail.word.Store(w&^waiting | closed)

	// A sender that looks at tail from here on does not park.
	h := q.head.lock()
	for !q.senders.Empty() {
		woken.Add(q.senders.Pop())
	}
	q.head.word.Store(h &^ waiting)

	woken.Wake()
	// Who sets a flag from here on sees for itself that the queue is closed.
	if w&watched != 0 {
		q.readable.ring()
	}
	if h&watched != 0 {
		q.writable.ring()
	}
}

// Len returns how many values are in the queue. It may exceed Cap, by as many as
// Cap says. While nobody sends or receives, it is exact.
func (q *shared[T]) Len() int {
	// Head first: it never passes tail.
	h := q.head.count()
	return int(min((q.tail.count()-h)/step, uint64(len(q.ring.buf))))
}
