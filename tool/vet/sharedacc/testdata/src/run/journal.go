package main

import "sync"

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
				j.add(x) // want `j.add locks j.mu in each iteration` // refuse `local: others may look at j.events while the loop runs`
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
