// Package pointers hands pointers from one goroutine to another.
package pointers

import (
	"runtime"
	"sync/atomic"
)

const room = 64

// Its values lead elsewhere.
type queue struct { // want "who finds the ring full or empty"
	r, w  uint64
	items [room]*int
}

func (q *queue) Put(p *int) {
	w := atomic.LoadUint64(&q.w)
	for w-atomic.LoadUint64(&q.r) >= room {
	}
	q.items[w&(room-1)] = p
	atomic.AddUint64(&q.w, 1)
}

func (q *queue) Get() *int {
	r := atomic.LoadUint64(&q.r)
	for r == atomic.LoadUint64(&q.w) {
		runtime.Gosched()
	}
	p := q.items[r&(room-1)]
	atomic.StoreUint64(&q.r, r+1)
	return p
}
