// Package rings hands values from one goroutine to another.
package rings

import (
	"runtime"
	"sync/atomic"
)

type ring struct { // want "who finds the ring full or empty looks again and again"
	head atomic.Int64
	_    [56]byte
	tail atomic.Int64
	_    [56]byte
	slot [2]int
}

func (r *ring) push(v int) {
	for r.tail.Load()-r.head.Load() == int64(len(r.slot)) {
		runtime.Gosched()
	}
	t := r.tail.Load()
	r.slot[int(t)%len(r.slot)] = v
	r.tail.Store(t + 1)
}

func (r *ring) pop() int {
	for r.tail.Load() == r.head.Load() {
		runtime.Gosched()
	}
	h := r.head.Load()
	v := r.slot[int(h)%len(r.slot)]
	r.head.Store(h + 1)
	return v
}

func through(n int) (sum int) {
	var r ring
	go func() {
		for i := range n {
			r.push(i)
		}
	}()
	for range n {
		sum += r.pop()
	}
	return sum
}

type asked struct { // want "who finds the ring full" // refuse "channel: head is looked at elsewhere"
	head, tail atomic.Int64
	slot       [4]int
}

func (r *asked) push(v int) {
	for r.tail.Load()-r.head.Load() == 4 {
	}
	r.slot[r.tail.Load()%4] = v
	r.tail.Add(1)
}

func (r *asked) pop() int {
	for r.head.Load() == r.tail.Load() {
	}
	v := r.slot[r.head.Load()%4]
	r.head.Add(1)
	return v
}

func (r *asked) len() int { return int(r.tail.Load() - r.head.Load()) }

type filled struct { // want "who finds the ring full" // refuse "channel: slot is looked at elsewhere"
	head, tail atomic.Int64
	slot       [4]int
}

func (r *filled) push(v int) {
	for r.tail.Load()-r.head.Load() == 4 {
	}
	r.slot[r.tail.Load()%4] = v
	r.tail.Add(1)
}

func (r *filled) pop() int {
	for r.head.Load() == r.tail.Load() {
	}
	v := r.slot[r.head.Load()%4]
	r.head.Add(1)
	return v
}

func fill() *filled { return &filled{slot: [4]int{1, 2, 3, 4}} }

// It drops what it has no room for, and so does no ring for two.
type lossy struct {
	head, tail atomic.Int64
	slot       [4]int
}

func (r *lossy) push(v int) bool {
	if r.tail.Load()-r.head.Load() == 4 {
		return false
	}
	r.slot[r.tail.Load()%4] = v
	r.tail.Add(1)
	return true
}

func (r *lossy) pop() int {
	for r.head.Load() == r.tail.Load() {
	}
	v := r.slot[r.head.Load()%4]
	r.head.Add(1)
	return v
}

// The last value comes first.
type stack struct {
	head, tail atomic.Int64
	slot       [4]int
}

func (r *stack) push(v int) {
	for r.tail.Load()-r.head.Load() == 4 {
	}
	r.slot[r.tail.Load()%4] = v
	r.tail.Add(1)
}

func (r *stack) pop() int {
	for r.head.Load() == r.tail.Load() {
	}
	v := r.slot[(r.tail.Load()-1)%4]
	r.head.Add(1)
	return v
}
