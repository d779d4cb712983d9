package main

import "sync"

type list struct {
	mu   sync.Mutex // want `mu is locked to take a free object from free, and to give it back`
	free []*[64]byte
}

func (l *list) get() *[64]byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.free); n > 0 {
		b := l.free[n-1]
		l.free = l.free[:n-1]
		return b
	}
	return new([64]byte)
}

func (l *list) put(b *[64]byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free = append(l.free, b)
}

type tree struct{ n int }

func newTree() *tree { return &tree{n: 1} }

type stack struct {
	sync.Mutex // want `Mutex is locked to take a free object from trees`
	size       int
	trees      []*tree
}

// The lock is given back before an object is made.
func (s *stack) get() *tree {
	s.Lock()
	last := len(s.trees) - 1
	if last < 0 {
		s.Unlock()
		return newTree()
	}
	t := s.trees[last]
	s.trees[last] = nil // for the collector
	s.trees = s.trees[:last]
	s.Unlock()
	return t
}

func (s *stack) put(t *tree) {
	if t == nil || s.size == 0 {
		return
	}
	s.Lock()
	s.trees = append(s.trees, t)
	s.Unlock()
}

type vector struct{ x, y int }

var (
	vectorsMu sync.Mutex // want `vectorsMu is locked to take a free object from vectors`
	vectors   []*vector
)

func borrow() *vector {
	var v *vector
	vectorsMu.Lock()
	if len(vectors) > 0 {
		v = vectors[len(vectors)-1]
		vectors = vectors[:len(vectors)-1]
	}
	vectorsMu.Unlock()
	if v == nil {
		v = new(vector)
	}
	return v
}

func giveBack(v *vector) {
	vectorsMu.Lock()
	vectors = append(vectors, v)
	vectorsMu.Unlock()
}

type order struct{ id int }

// queue has a lock for something else, too.
type queue struct {
	mu     sync.Mutex // want `mu is locked to take a free object from orders`
	orders []*order
	served int
}

func (q *queue) take() (o *order) {
	q.mu.Lock()
	if len(q.orders) != 0 {
		o = q.orders[0]
		q.orders = q.orders[1:]
	} else {
		o = &order{}
	}
	q.mu.Unlock()
	return o
}

func (q *queue) give(o *order) {
	q.mu.Lock()
	q.orders = append(q.orders, o)
	q.mu.Unlock()
	q.mu.Lock()
	q.served++
	q.mu.Unlock()
}

// A list of the function itself.
func near(n int) int {
	type cell struct{ n int }
	var mu sync.Mutex // want `mu is locked to take a free object from cells`
	var cells []*cell
	sums := make([]int, 2)
	each(2, func(w int) {
		for i := range 4 {
			var c *cell
			mu.Lock()
			if n := len(cells); n >= 1 {
				c = cells[n-1]
				cells = cells[:n-1]
			}
			mu.Unlock()
			if c == nil {
				c = &cell{}
			}
			c.n = i + n
			sums[w] += c.n
			mu.Lock()
			cells = append(cells, c)
			mu.Unlock()
		}
	})
	return sums[0] + sums[1]
}
