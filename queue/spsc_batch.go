package queue

// SendAll adds all of vs in their order. It waits while the queue is full. If
// the queue is closed, or becomes so meanwhile, it returns how many were sent,
// and [ErrClosed].
func (q *SPSC[T]) SendAll(vs []T) (n int, err error) {
	for n < len(vs) {
		room := q.Reserve(len(vs) - n)
		if room == nil {
			return n, ErrClosed
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
// The slots hold values of before, or zero ones. A Send in between takes the
// reservation back.
func (q *SPSC[T]) Reserve(n int) []T {
	if n < 1 {
		panic("queue.SPSC.Reserve: n < 1")
	}
	if q.tail.Load()&closed != 0 {
		q.saysClosed()
		return nil
	}
	if q.limit-q.t < uint64(n)*step {
		// More may be free than is known.
		q.limit = q.head.Load()&^flags + q.size
		if q.limit == q.t && q.waitRoom(noContext, true) != nil {
			return nil
		}
	}
	n = min(n, int((q.limit-q.t)/step), len(q.ring.buf)-q.tp)
	q.reserved, q.reservedAt = n, q.t
	return q.ring.buf[q.tp : q.tp+n : q.tp+n]
}

// Publish sends the first n of the slots that [SPSC.Reserve] returned. It
// returns [ErrClosed], and has sent none, if the queue is closed. It panics if
// n is negative or more than were reserved.
func (q *SPSC[T]) Publish(n int) error {
	if n < 0 || n > q.reserved || q.reservedAt != q.t {
		panic("queue.SPSC.Publish: more than reserved")
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
