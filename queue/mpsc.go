package queue

import "context"

// An MPSC is a bounded queue for any number of senders and one receiver at a
// time. Make it with [NewMPSC]; it must not be copied.
//
// Everything with Recv in its name, All, AllContext, View, Release and Readable are the
// receiver's. That end may pass to another goroutine if everything the first did
// synchronizes before what the next does. Two that use it at once are a data race: the
// race detector says so, and mostly a panic does. Any goroutine may call the rest.
type MPSC[T any] struct{ single[T] }

// NewMPSC returns a queue for at least capacity values. It panics if capacity
// is less than 1.
func NewMPSC[T any](capacity int) *MPSC[T] {
	if capacity < 1 {
		panic("queue.NewMPSC: capacity < 1")
	}
	q := new(MPSC[T])
	q.init(capacity)
	return q
}

// What follows is [shared]'s. It is here since documentation made of the source, such
// as that of pkg.go.dev, does not see what is embedded in what is embedded.

// Send adds v. It waits while the queue is full. If the queue is closed, or closes
// meanwhile, it returns [ErrClosed] and does not send v.
func (q *MPSC[T]) Send(v T) error { return q.shared.Send(v) }

// TrySend adds v if there is room now. It returns [ErrFull] if there is none
// and [ErrClosed] if the queue is closed.
func (q *MPSC[T]) TrySend(v T) error { return q.shared.TrySend(v) }

// SendContext is [MPSC.Send] that gives up when ctx is done, also if it was before. It
// does not send v then, and the error is [context.Cause] of ctx. So it is where the
// queue is closed and ctx has ended, whichever came first.
func (q *MPSC[T]) SendContext(ctx context.Context, v T) error { return q.shared.SendContext(ctx, v) }

// SendAll adds all of vs in their order. It waits while the queue is full; meanwhile
// values of others may come between. If the queue is closed, or closes meanwhile, it
// returns how many it sent, and [ErrClosed].
func (q *MPSC[T]) SendAll(vs []T) (n int, err error) { return q.shared.SendAll(vs) }

// SendAllContext is [MPSC.SendAll] that gives up when ctx is done, as
// [MPSC.SendContext] does. It returns how many it sent.
func (q *MPSC[T]) SendAllContext(ctx context.Context, vs []T) (n int, err error) {
	return q.shared.SendAllContext(ctx, vs)
}

// Writable returns a channel for a sender's select, beside other channels: it has a
// token when there is room, or the queue is closed. A sender that takes the token calls
// TrySend until [ErrFull]. It may stop before: the room that is left puts the token
// back, for any sender that selects. But a token for each value costs more than a
// channel. It is a hint: TrySend may say ErrFull at once.
//
// From the first call on each Send and Recv also sends to a channel, for good.
func (q *MPSC[T]) Writable() <-chan struct{} { return q.shared.Writable() }

// Close makes each Send return [ErrClosed], also those that wait. What is in the
// queue is still received; to drop it, receive it (for range q.All() {}). Any
// goroutine may call Close, any number of times. Of many senders, the last to
// finish does, or the goroutine that waits for them.
func (q *MPSC[T]) Close() { q.shared.Close() }

// Len returns how many values are in the queue. It may exceed Cap, by as many as Cap
// says. While no call sends or receives, it counts what is there. Of a queue that is
// not empty it may count some that were received: fewer than 16, and fewer than a 64th
// of Cap.
func (q *MPSC[T]) Len() int { return q.shared.Len() }

// Cap returns the capacity asked for: that many values are sent without waiting
// for a receiver. If it is 16 or more, up to Cap/8 more may fit, and at most 127.
func (q *MPSC[T]) Cap() int { return q.capacity }
