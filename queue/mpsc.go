package queue

import (
	"context"

	"github.com/gopayoff/payoff/internal/cacheline"
	"github.com/gopayoff/payoff/internal/wait"
)

// An MPSC is a bounded queue for any number of senders and one receiver at a
// time. Make it with [NewMPSC]; it must not be copied.
//
// Everything with Recv in its name, All, View, Release and Readable are the
// receiver's. That end may pass to another goroutine if everything the first
// did synchronizes before what the next does; two that use it at once are a
// data race, and the race detector says so. Everything else is for everyone.
type MPSC[T any] struct {
	shared[T]
	receiver[T]
	recvSpin wait.Spinner

	_ cacheline.Pad
}

// NewMPSC returns a queue for at least capacity values. It panics if capacity
// is less than 1.
func NewMPSC[T any](capacity int) *MPSC[T] {
	if capacity < 1 {
		panic("queue.NewMPSC: capacity < 1")
	}
	q := new(MPSC[T])
	q.shared.init(capacity)
	q.receiver.init(&q.ring)
	q.await, q.look, q.release = q.waitValue, q.lookAtTail, q.giveBack
	return q
}

// lookAtTail updates known.
func (q *MPSC[T]) lookAtTail() { q.known = q.tail.count() }

// waitValue is the receiver's await.
func (q *MPSC[T]) waitValue(ctx context.Context, block bool) (err error) {
	for i := 0; ; i++ {
		if q.holding || q.h != q.known {
			return nil
		}
		w := q.tail.word.Load()
		switch q.known = w &^ flags; {
		case q.known != q.h:
			continue
		case w&closed != 0:
			q.tellReadable()
			return ErrClosed
		case !block:
			return ErrEmpty
		case q.recvSpin.Again(i, q.h/step):
			continue
		}
		// Nobody else waits here, so there is no duty.
		r := q.enlist(false)
		if r == nil {
			continue
		}
		if ctx.Done() == nil {
			<-r.C
		} else {
			err = q.napReceiver(ctx, r)
		}
		q.held[0], q.holding = r.Value, r.Full
		q.receivers.Put(r)
		if err != nil && !q.holding {
			return err
		}
	}
}

// giveBack gives the slots of all values received back to the senders.
func (q *MPSC[T]) giveBack() {
	e := &q.head
	if w := e.word.Load(); w&flags == 0 && e.word.CompareAndSwap(w, q.h) {
		return
	}
	w := e.lock()
	q.unlockHead(q.h | w&flags)
}

// Readable returns a channel for the receiver's select, beside other channels:
// it has a token when there is something to receive, or the queue is closed.
// Having taken the token, call TryRecv, once or until [ErrEmpty]: what is left
// then puts the token back. It is a hint: TryRecv may say ErrEmpty at once. Once
// the queue is closed there always is a token, so a loop ends at [ErrClosed].
//
// From the first call on each Send and Recv also sends to a channel, for good.
func (q *MPSC[T]) Readable() <-chan struct{} {
	q.mustBeMade()
	q.lazy = 0 // every value received is told
	if q.holding {
		signal(q.readable)
	}
	return q.shared.Readable()
}
