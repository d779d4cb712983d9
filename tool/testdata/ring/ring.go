// Package ring passes numbers through the textbook's ring for one sender and one
// receiver. Each side reads the other's index for every number. The textbook's
// cure is room between the two; payoff fix has to find out whether it is one.
package ring

import (
	"runtime"
	"sync"
	"sync/atomic"
)

const size = 256

type ring struct {
	head, tail atomic.Uint64
	slots      [size]uint64
}

func (r *ring) put(x uint64) bool {
	tail := r.tail.Load()
	if tail-r.head.Load() == size {
		return false
	}
	r.slots[tail%size] = x
	r.tail.Store(tail + 1)
	return true
}

func (r *ring) take() (x uint64, ok bool) {
	head := r.head.Load()
	if head == r.tail.Load() {
		return 0, false
	}
	x = r.slots[head%size]
	r.head.Store(head + 1)
	return x, true
}

func serial(n int) (sum uint64) {
	for i := range n {
		sum += uint64(i)
	}
	return sum
}

func passed(n int) (sum uint64) {
	var r ring
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range n {
			for !r.put(uint64(i)) {
				runtime.Gosched()
			}
		}
	})
	for range n {
		x, ok := r.take()
		for !ok {
			runtime.Gosched()
			x, ok = r.take()
		}
		sum += x
	}
	wg.Wait()
	return sum
}
