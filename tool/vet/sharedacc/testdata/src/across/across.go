// Goldens show the edit local alone.

package main

import (
	"sync"
	"sync/atomic"
)

func halves(xs []int, f func(part []int)) {
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() { f(xs[w*len(xs)/2 : (w+1)*len(xs)/2]) })
	}
	wg.Wait()
}

type meter struct {
	seen, odd atomic.Int64
}

// visit counts x if it is odd.
func (m *meter) visit(x int) {
	if x < 50 {
		m.parity(x)
	}
}

func (m *meter) parity(x int) {
	if x%2 != 0 {
		m.odd.Add(1)
	}
}

// The loop, the goroutine and the update are in three functions, a call from the
// loop.
func (m *meter) run(xs []int) {
	for _, x := range xs {
		m.visit(x) // want `m.visit updates m.odd atomically in each iteration`
	}
}

func chained(xs []int) int64 {
	var m meter
	halves(xs, m.run)
	return m.seen.Load()*1000 + m.odd.Load()
}

type book struct {
	mu        sync.Mutex
	sum, lost int
}

func (b *book) enter(x, by int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if x < 0 {
		b.lost++
	} else {
		b.sum += by * x
	}
}

func guarded(xs []int) (int, int) {
	b := &book{}
	halves(xs, func(part []int) {
		for i, x := range part {
			b.enter(x, i) // want `b.enter locks b.mu in each iteration`
		}
	})
	return b.sum, b.lost
}

func heavy(x int) int { return x*x%7 + 1 }

func (b *book) weigh(w int) {
	b.mu.Lock()
	b.sum += w
	b.lost -= w / 2
	b.mu.Unlock()
}

func (b *book) clip(x int) {
	if x > 9 {
		x = 9
	}
	b.mu.Lock()
	b.sum += x
	b.mu.Unlock()
}

// The function sets its own copy.
func clipped(xs []int) int {
	b := &book{}
	halves(xs, func(part []int) {
		for _, x := range part {
			b.clip(x) // want `b.clip locks b.mu in each iteration`
		}
	})
	return b.sum
}

// What is handed over is computed once, and without the lock.
func weighted(xs []int) int {
	b := &book{}
	halves(xs, func(part []int) {
		for _, x := range part {
			b.weigh(heavy(x)) // want `b.weigh locks b.mu in each iteration`
		}
	})
	return b.sum*100 + b.lost
}

type service struct {
	name  string
	stats struct{ hits, misses atomic.Int64 }
}

func (s *service) count(x int) {
	if x > 2 {
		s.stats.hits.Add(1)
	} else {
		s.stats.misses.Add(int64(x))
	}
	s.note()
}

func fielded(xs []int) (int64, int64) {
	s := &service{}
	halves(xs, func(part []int) {
		for _, x := range part {
			s.count(x) // want `s.count updates s.stats.hits atomically in each iteration`
		}
	})
	return s.stats.hits.Load(), s.stats.misses.Load()
}

func (b *book) pair(x, y int) {
	b.mu.Lock()
	d := x - y
	if d > 0 {
		b.sum += d
	}
	b.mu.Unlock()
}

// What is called twice has its variables twice.
func pairs(xs []int) int {
	b := &book{}
	halves(xs, func(part []int) {
		for i, x := range part {
			b.pair(x, i) // want `b.pair locks b.mu in each iteration`
			b.pair(i, x)
		}
	})
	return b.sum
}

type index struct {
	mu sync.Mutex
	by map[string]int
}

func (x *index) add(word string, n int) {
	x.mu.Lock()
	x.by[word] += n
	x.mu.Unlock()
}

func words(xs []int) map[string]int {
	index := &index{by: map[string]int{}}
	names := []string{"a", "b", "c"}
	halves(xs, func(part []int) {
		for i, x := range part {
			index.add(names[i%3], x) // want `index.add locks x.mu in each iteration`
		}
	})
	return index.by
}

func (m *meter) twice() { m.seen.Add(2) }

// Another call keeps what is called.
func twofold(xs []int) int64 {
	var m meter
	m.twice()
	halves(xs, func(part []int) {
		for _, x := range part {
			if x == 7 {
				continue
			}
			m.twice() // want `m.twice updates m.seen atomically in each iteration`
		}
	})
	return m.seen.Load()
}
