package queue

// Readable returns a channel for the receiver's select, beside other channels:
// it has a token when there is something to receive, or the queue is closed.
//
//	select {
//	case <-q.Readable():
//		switch v, err := q.TryRecv(); err {
//		case nil:
//			use(v)
//		case queue.ErrClosed:
//			return
//		}
//	case <-other:
//	}
//
// Having taken the token, receive, once or until [ErrEmpty]: what is left then
// puts the token back. It is a hint: TryRecv may say ErrEmpty at once. Once the
// queue is closed there always is a token, so a loop ends at [ErrClosed].
//
// From the first call on each Send and Recv also sends to a channel, for good.
func (q *SPSC[T]) Readable() <-chan struct{} {
	q.mustBeMade()
	if q.lazy != 0 {
		q.lazy = 0
		q.tail.Or(watched)
	}
	q.tellReadable()
	return q.readable
}

// Writable returns a channel for the sender's select, beside other channels: it
// has a token when there is room, or the queue is closed. Having taken the
// token, call TrySend, once or until [ErrFull]: room that is left then puts the
// token back. It is a hint: TrySend may say ErrFull at once.
//
// From the first call on each Send and Recv also sends to a channel, for good.
func (q *SPSC[T]) Writable() <-chan struct{} {
	q.mustBeMade()
	if !q.writing {
		q.writing = true
		q.head.Or(watched)
	}
	q.tellWritable()
	return q.writable
}

// tellReadable leaves a token for a receiver that selects, if there is
// something to receive. The receiver calls it.
func (q *SPSC[T]) tellReadable() {
	if q.lazy != 0 {
		return
	}
	w := q.tail.Load()
	if q.holding || w&^flags != q.h || w&closed != 0 || w&waiting != 0 && len(q.items) > 0 {
		signal(q.readable)
	}
}

// tellWritable leaves a token for a sender that selects, if there is room. The
// sender calls it.
func (q *SPSC[T]) tellWritable() {
	w := q.tail.Load()
	if q.t-q.head.Load()&^flags != q.size || w&closed != 0 {
		signal(q.writable)
	}
	// Keeps Send off its fast path, which tells nobody.
	q.limit = q.t
}
