package a

import "sync"

// state is that of a search, of a team of two.
type state struct {
	mu sync.Mutex
	n  int
}

// CountAll counts what holds, with the lock held.
func CountAll(xs []int, holds func(int) bool) int { // want "CountAll starts goroutines, and Count is its serial form"
	var s state
	var wg sync.WaitGroup
	wg.Go(func() { s.count(xs[:len(xs)/2], holds) })
	wg.Go(func() { s.count(xs[len(xs)/2:], holds) })
	wg.Wait()
	return s.n
}

// Count counts what holds.
func Count(xs []int, holds func(int) bool) (n int) {
	for _, x := range xs {
		if holds(x) {
			n++
		}
	}
	return n
}

func (s *state) count(xs []int, holds func(int) bool) {
	for _, x := range xs {
		if holds(x) {
			s.mu.Lock()
			s.n++
			s.mu.Unlock()
		}
	}
}
