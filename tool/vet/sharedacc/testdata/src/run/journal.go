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
				j.add(x) // want `j.add locks j.mu in each iteration`
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
