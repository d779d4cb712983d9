package queue

// StartAt makes an empty, unused queue count from n: tests start a little
// before the counts go round.
func (q *single[T]) StartAt(n uint64) {
	q.startAt(n)
	n *= step
	q.h, q.known, q.freed = n, n, n
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
