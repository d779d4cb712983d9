package queue

import "sync/atomic"

// A bell wakes goroutines that select: it leaves one token in a channel.
//
// A send that finds the channel full has seen a token, but perhaps one that is
// gone: the memory model has no edge for it. So who takes the token counts that
// before looking what there is, and who rings reads the count before sending. If
// it finds that look counted, it finds the token gone; if not, the look is still
// to come, and finds what was done before ringing.
//
// The channel is made with the first flag that says that somebody selects, under the
// lock of that flag's end: what finds a flag set finds the channel. Most queues need none.
type bell struct {
	c     chan struct{}
	looks atomic.Uint32
}

// ring leaves a token, if there is none.
func (b *bell) ring() {
	b.looks.Load()
	select {
	case b.c <- struct{}{}:
	default:
	}
}

// look is called by those who are told, before they look.
func (b *bell) look() { b.looks.Add(1) }

// Writable returns a channel for a sender's select, beside other channels: it
// has a token when there is room, or the queue is closed. Whoever takes the token
// calls TrySend until [ErrFull]. It may stop before: the room that is left puts the
// token back, for any sender that selects; but a token for each value costs more
// than a channel. It is a hint: TrySend may say ErrFull at once.
//
// From the first call on each Send and Recv also sends to a channel, for good.
func (q *shared[T]) Writable() <-chan struct{} {
	q.mustBeMade()
	q.tail.mark(retell, &q.writable)
	q.head.mark(watched, &q.writable)
	q.writable.look()
	if w := q.tail.word.Load(); w&closed != 0 || w&^flags-q.head.count() != q.size {
		q.writable.ring()
	}
	return q.writable.c
}

// Readable returns a channel for a receiver's select, beside other channels: it
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
// left puts the token back, for any receiver that selects; but a token for each
// value costs more than a channel. It is a hint: TryRecv may say ErrEmpty at once.
// Once the queue is closed there always is a token, so a loop ends at [ErrClosed].
//
// From the first call on each Send and Recv also sends to a channel, for good.
func (q *shared[T]) Readable() <-chan struct{} {
	q.mustBeMade()
	q.head.mark(retell, &q.readable)
	q.tail.mark(watched, &q.readable)
	q.tellReadable()
	return q.readable.c
}

// tellReadable leaves a token for receivers that select, if there is something
// to receive.
func (q *shared[T]) tellReadable() {
	q.readable.look()
	if w := q.tail.word.Load(); w&closed != 0 || w&^flags != q.head.count() {
		q.readable.ring()
	}
}

// mark sets a flag of b's for good. The flag of the end at which b is waited for comes
// first: under that lock b is made.
func (e *end) mark(flag uint64, b *bell) {
	if e.word.Load()&flag == 0 {
		w := e.lock()
		if b.c == nil {
			b.c = make(chan struct{}, 1)
		}
		e.word.Store(w | flag)
	}
}
