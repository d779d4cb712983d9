package queue

// Readable returns a channel for the receiver's select, beside other channels:
// it has a token when there is something to receive, or the queue is closed.
//
//	select {
//	case <-q.Readable():
//		v, err := q.TryRecv()
//		…
//	case <-other:
//	}
//
// The token is a hint and may come once too often: TryRecv then says
// [ErrEmpty]. From the first call on every Send also sends to a channel, which
// costs about as much as that.
func (q *SPSC[T]) Readable() <-chan struct{} {
	if q.lazy != 0 {
		q.lazy = 0
		q.tail.Or(watched)
	}
	q.tellReadable()
	return q.readable
}

// Writable returns a channel for the sender's select: it has a token when there
// is room, or the queue is closed. The token is a hint as [SPSC.Readable]'s is,
// for [SPSC.TrySend]. From the first call on every Recv and Send also sends to a
// channel.
func (q *SPSC[T]) Writable() <-chan struct{} {
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
