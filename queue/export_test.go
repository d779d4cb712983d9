package queue

// StartAt makes an empty, unused queue count from n: tests start a little
// before the counts go round.
func (q *single[T]) StartAt(n uint64) {
	q.startAt(n)
	n *= step
	q.h, q.known, q.freed = n, n, n
}

// StartAt makes an empty, unused queue count from n.
func (q *SPSC[T]) StartAt(n uint64) {
	q.single.StartAt(n)
	q.looked = n * step
}

// StartAt makes an empty, unused queue count from n.
func (q *MPMC[T]) StartAt(n uint64) {
	q.startAt(n)
	q.head.edge = n * step
}

func (q *shared[T]) startAt(n uint64) {
	n *= step
	q.tail.word.Store(n)
	q.head.word.Store(n)
	q.tail.edge = n + q.size
}

// SendBeside is Send of v where beside is called, as if by another goroutine,
// when the slot is written and not yet published.
func (q *SPSC[T]) SendBeside(v T, beside func()) {
	w, p := q.tail.word.Load(), q.tail.slot
	q.ring.buf[p] = v
	beside()
	if !q.tail.word.CompareAndSwap(w, w+step) {
		q.unput(w, p)
	}
}

// RecvBeside is Recv where beside is called, as if by another goroutine, before
// the slot is given back.
func (q *single[T]) RecvBeside(beside func()) {
	freed, slot := q.freed, q.freedSlot
	beside()
	q.freed, q.freedSlot = freed, slot
	q.giveBack()
}

// RecvTorn is Recv by two that have read h before either wrote it.
func (q *single[T]) RecvTorn() {
	q.Recv()
	q.slot = q.after(q.slot, 1)
	q.giveBack()
}

// Parked reports whether the receiver is parked.
func (q *single[T]) Parked() bool { return q.tail.word.Load()&waiting != 0 }

// Slots returns the ring's slots.
func (q *ring[T]) Slots() []T { return q.buf }
