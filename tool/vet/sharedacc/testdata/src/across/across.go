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
	x = min(x, 60)
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
