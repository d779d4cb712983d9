package main

import (
	"math"
	"sync"
	"sync/atomic"
)

// A journal keeps what is special.
type journal struct {
	mu     sync.Mutex
	events []int
}

func (j *journal) add(e int) {
	j.mu.Lock()
	j.events = append(j.events, e)
	j.mu.Unlock()
}

func journaled(xs []int, workers int) (n, sum int) {
	var j journal
	each(workers, func(w int) {
		for _, x := range part(xs, w, workers) {
			if x%3 == 0 {
				j.add(x) // want `j.add locks j.mu in each iteration` // refuse `local: it does more than add up`
			}
		}
	})
	for _, e := range j.events {
		sum += e
	}
	return len(j.events), sum
}

// A top keeps the greatest.
type top struct {
	sync.Mutex
	heap []int
}

// Offer has a loop under the lock, and returns early.
func (t *top) Offer(v int) {
	t.Lock()
	defer t.Unlock()
	if v <= t.heap[0] {
		return
	}
	t.heap[0] = v
	for i := 1; i < len(t.heap); i++ {
		if t.heap[i] >= t.heap[i-1] {
			break
		}
		t.heap[i], t.heap[i-1] = t.heap[i-1], t.heap[i]
	}
}

func greatest(xs []int, workers int) []int {
	t := &top{heap: make([]int, 5)}
	each(workers, func(w int) {
		for i := w; i < len(xs); i += workers {
			t.Offer(xs[i]) // want `t.Offer locks t in each iteration`
		}
	})
	return t.heap
}

// A span is known by two numbers and a name.
type span struct {
	sync.Mutex
	low, high int
	names     map[string]int
}

func (s *span) see(low, high int, name string) {
	s.Lock()
	s.low, s.high = min(s.low, low), max(s.high, high)
	s.names[name] = max(s.names[name], high)
	s.Unlock()
}

func spanned(xs []int, workers int) (int, int, int) {
	s := span{names: map[string]int{}}
	each(workers, func(w int) {
		for _, x := range part(xs, w, workers) {
			if x > 4 {
				s.see(x-1, x+1, "large") // want `s.see locks s in each iteration` // refuse `local: it does more under the lock than add up`
			} else {
				s.see(-x, x, "small")
			}
		}
	})
	return s.low, s.high, s.names["large"]
}

// Sums by compare-and-swap. The numbers are whole: they round to nothing.
func swappedFloats(xs []int, workers int) float64 {
	var bits atomic.Uint64
	each(workers, func(w int) {
		for _, x := range part(xs, w, workers) {
			for {
				old := bits.Load()
				if bits.CompareAndSwap(old, math.Float64bits(math.Float64frombits(old)-float64(x&7))) { // want `bits is updated atomically` // refuse `counter: bits is no atomic.Int64`
					break
				}
			}
		}
	})
	return math.Float64frombits(bits.Load())
}

func swappedInts(xs []int, workers int) (uint32, int64) {
	var set uint32
	var sum atomic.Int64
	each(workers, func(w int) {
		for _, x := range part(xs, w, workers) {
			for {
				old := atomic.LoadUint32(&set)
				if atomic.CompareAndSwapUint32(&set, old, 1<<(x&15)|old) { // want `set is updated atomically` // refuse `counter: set is no atomic.Int64`
					break
				}
			}
		}
		for _, x := range part(xs, w, workers) {
			for {
				old := sum.Load()
				if sum.CompareAndSwap(old, old-int64(x)) { // want `sum is updated atomically` // refuse `counter: sum is read in a loop`
					break
				}
			}
		}
	})
	return set, sum.Load()
}

func lockedFloats(xs []int, workers int) (total float64) {
	var mu sync.Mutex
	each(workers, func(w int) {
		for _, x := range part(xs, w, workers) {
			mu.Lock() // want `mu is locked in each iteration`
			total += float64(x & 7)
			mu.Unlock()
		}
	})
	return total
}

// An item counts its readers, for nobody.
type item struct {
	refs atomic.Int32 // want `refs is updated atomically, and nobody reads it`
	size int
}

func (it *item) retain()  { it.refs.Add(1) }
func (it *item) release() { it.refs.Add(-1) }

func (it *item) weigh(n int) int {
	it.retain()
	defer it.release()
	it.refs.Store(int32(n))
	return it.size * n
}

func weighed(xs []int, workers int) int {
	it := &item{size: 3}
	sums := make([]int, workers)
	each(workers, func(w int) {
		for _, x := range part(xs, w, workers) {
			sums[w] += it.weigh(x) // want `it.weigh updates it.refs atomically in each iteration, and the goroutines share it` // refuse "local: it has a deferred call"
		}
	})
	total := 0
	for _, s := range sums {
		total += s
	}
	return total
}
