// Goldens show the edit local alone.

// Program run has accumulators that can be collected first.
package main

import (
	"sync"
	"sync/atomic"
)

func part(xs []int, w, n int) []int { return xs[len(xs)*w/n : len(xs)*(w+1)/n] }

func each(n int, f func(w int)) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() { f(w) })
	}
	wg.Wait()
}

func sumLocked(xs []int, workers int) (total int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := range workers {
		own := part(xs, w, workers)
		wg.Go(func() {
			for _, x := range own {
				mu.Lock() // want `mu is locked in each iteration by goroutines that share it`
				total += x
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return total
}

func sumAtomic(xs []int, workers int) int64 {
	var total, n atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for _, x := range part(xs, w, workers) {
				if x > 0 {
					n.Add(1) // want `n is updated atomically in each iteration by goroutines that share it`
				}
				total.Add(int64(x))
			}
		})
	}
	wg.Wait()
	return total.Load() - n.Load()
}

func parity(xs []int) int64 {
	var left, right int64
	each(2, func(w int) {
		if w == 0 {
			for _, x := range part(xs, w, 2) {
				atomic.AddInt64(&left, int64(x&1)) // want `left is updated atomically`
			}
			return
		}
		for _, x := range part(xs, w, 2) {
			atomic.AddInt64(&right, int64(x&1)) // want `right is updated atomically`
		}
	})
	return left<<32 + right
}

func count(xs []int, workers int) map[int]int {
	var mu sync.RWMutex
	n := map[int]int{}
	each(workers, func(w int) {
		for _, x := range part(xs, w, workers) {
			mu.Lock() // want `mu is locked in each iteration` // dearer "local: each goroutine takes more memory: a map like n"
			n[x&31]++
			mu.Unlock()
		}
	})
	return n
}

type totals struct {
	mu     sync.Mutex
	sum, n int
}

func churn(seed, n int) int {
	for range n {
		seed = seed*1103515245 + 12345
	}
	return seed
}

// The work is done under the lock, and needs none.
func ledger(xs []int, workers int) totals {
	t := &totals{}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Add(1)
		go func(id int) {
			defer wg.Done()
			for _, x := range part(xs, id, workers) {
				t.mu.Lock() // want `t.mu is locked in each iteration`
				v := churn(x, 20)
				if v > 0 {
					t.sum += v
				} else {
					t.n++
				}
				t.mu.Unlock()
			}
		}(w)
	}
	wg.Wait()
	return totals{sum: t.sum, n: t.n}
}

func nested(rows [][]int, workers int) (total int) {
	var mu sync.Mutex
	each(workers, func(w int) {
		for i := w; i < len(rows); i += workers {
			for _, x := range rows[i] {
				if x%3 == 0 {
					// Only these.
					mu.Lock() // want `mu is locked in each iteration`
					total -= x
					mu.Unlock()
				}
			}
		}
	})
	return total
}

type stats struct {
	mu           sync.Mutex
	small, large int
	kinds        map[int]int
}

func (s *stats) note(x int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x < 10 {
		s.small++
	} else {
		s.large += 2
	}
	s.kinds[x&1]++
}

// The goroutines count through a method that locks.
func noted(xs []int, workers int) (int, int, map[int]int) {
	s := &stats{kinds: map[int]int{}}
	s.large = 7
	each(workers, func(w int) {
		for _, x := range part(xs, w, workers) {
			s.note(x) // want `s.note locks s.mu in each iteration, and the goroutines share it` // dearer "local: each goroutine takes more memory: a map like kinds"
		}
	})
	return s.small, s.large, s.kinds
}

type table struct {
	mu sync.Mutex
	m  map[int]int
}

func (t *table) add(k int) {
	t.mu.Lock()
	t.m[k]++
	t.mu.Unlock()
}

func tabled(xs []int, workers int) map[int]int {
	t := table{m: map[int]int{}}
	each(workers, func(w int) {
		for _, x := range part(xs, w, workers) {
			t.add(x & 15) // want `t.add locks t.mu in each iteration`
		}
	})
	return t.m
}

func (t *table) put(k, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.m[k] += n * n
}

// Another loop has another part.
func piled(xs []int, workers int) map[int]int {
	t := table{m: map[int]int{}}
	each(workers, func(w int) {
		for i, x := range part(xs, w, workers) {
			t.put(i&3, x) // want `t.put locks t.mu in each iteration`
		}
	})
	return t.m
}
