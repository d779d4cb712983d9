package sched

// A queue is of goroutines, first in first out.
type queue struct {
	list []*goroutine
	head int
}

func (q *queue) len() int { return len(q.list) - q.head }

func (q *queue) put(g *goroutine) {
	if q.head > 64 && q.head > len(q.list)/2 {
		q.list = append(q.list[:0], q.list[q.head:]...)
		q.head = 0
	}
	q.list = append(q.list, g)
}

// take takes the first, nil if there is none.
func (q *queue) take() *goroutine {
	if q.len() == 0 {
		return nil
	}
	q.head++
	return q.list[q.head-1]
}
