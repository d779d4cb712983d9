package queue

import "context"

// SendAll adds all of vs in their order. It waits while the queue is full. If
// the queue is closed, or becomes so meanwhile, it returns how many were sent,
// and [ErrClosed].
func (q *SPSC[T]) SendAll(vs []T) (n int, err error) {
	return q.sendAll(noContext, vs)
}

// SendAllContext is [SPSC.SendAll] that gives up when ctx is done, as
// [SPSC.SendContext] does; it returns how many were sent.
func (q *SPSC[T]) SendAllContext(ctx context.Context, vs []T) (n int, err error) {
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	return q.sendAll(ctx, vs)
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
	if len(vs) == 0 && q.tail.Load()&closed != 0 {
		return 0, ErrClosed
	}
	return n, nil
}

// Reserve returns up to n free slots of the ring, at least one, to be filled by
// the sender and sent by [SPSC.Publish]. They lie in one piece: fewer than n
// may be given though more are free. It waits while the queue is full and
// returns nil if the queue is closed. It panics if n < 1.
//
// If T holds pointers the slots are zero, else they may hold old values: set
// every field. Sending in another way takes the reservation back.
func (q *SPSC[T]) Reserve(n int) []T {
	if n < 1 {
		panic("queue.SPSC.Reserve: n < 1")
	}
	slots, _ := q.reserve(noContext, n)
	return slots
}

func (q *SPSC[T]) reserve(ctx context.Context, n int) ([]T, error) {
	if q.tail.Load()&closed != 0 {
		return nil, q.saysClosed()
	}
	n = min(n, max(1, len(q.ring.buf)))
	if q.limit-q.t < uint64(n)*step {
		// More may be free than is known.
		q.limit = q.head.Load()&^flags + q.size
		if q.limit == q.t {
			if err := q.waitRoom(ctx, true); err != nil {
				return nil, err
			}
		}
	}
	n = min(n, int((q.limit-q.t)/step), len(q.ring.buf)-q.tp)
	q.reserved, q.reservedAt = n, q.t
	return q.ring.buf[q.tp : q.tp+n : q.tp+n], nil
}

// Publish sends the first n of the slots that [SPSC.Reserve] returned, and ends
// the reservation. It returns [ErrClosed], and has sent none, if the queue is
// closed. It panics if n is negative or more than are reserved.
func (q *SPSC[T]) Publish(n int) error {
	if n < 0 || n > q.reserved || q.reservedAt != q.t {
		panic("queue.SPSC.Publish: more slots than are reserved; each Reserve is published once")
	}
	reserved := q.reserved
	q.reserved = 0
	if n == 0 {
		return nil
	}
	if err := q.publish(n); err != nil {
		clearSlots(q.ring.buf, q.tp, reserved)
		return err
	}
	return nil
}
