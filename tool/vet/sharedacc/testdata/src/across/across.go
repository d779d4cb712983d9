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

// tick counts.
func tick(n *atomic.Int64) { n.Add(1) }

func helped(xs []int) int64 {
	var n atomic.Int64
	halves(xs, func(part []int) {
		for _, x := range part {
			if x > 3 {
				tick(&n) // want `tick updates n atomically in each iteration`
			}
		}
	})
	return n.Load()
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
	if x%2 == 0 {
		return
	}
	m.odd.Add(1)
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

// A variable has what is called.
func closed(xs []int) (total int) {
	var mu sync.Mutex
	add := func(x int) {
		mu.Lock()
		defer mu.Unlock()
		total += x
	}
	halves(xs, func(part []int) {
		for _, x := range part {
			add(x * x) // want `add locks mu in each iteration` // refuse `atomic: total is a parameter or a result`
		}
	})
	return total
}

func forEach[T any](parts [][]T, f func(T)) {
	var wg sync.WaitGroup
	for _, p := range parts {
		wg.Go(func() {
			for _, v := range p {
				f(v)
			}
		})
	}
	wg.Wait()
}

func generic(xs []int) int64 {
	var sum atomic.Int64
	forEach([][]int{xs[:len(xs)/2], xs[len(xs)/2:]}, func(x int) {
		sum.Add(int64(x)) // want `sum is updated atomically in each call of the function by goroutines that forEach starts`
	})
	return sum.Load()
}

type book struct {
	mu        sync.Mutex
	sum, lost int
	most      int
	bins      [8]int
	slots     []int
}

func (b *book) enter(x, by int) {
	if x == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if x < 0 {
		b.lost++
		return
	}
	b.sum += by * x
	b.most = max(b.most, x)
}

func guarded(xs []int) (int, int, int) {
	b := &book{most: 3}
	halves(xs, func(part []int) {
		for i, x := range part {
			b.enter(x, i) // want `b.enter locks b.mu in each iteration`
		}
	})
	return b.sum, b.lost, b.most
}

func heavy(x int) int { return x*x%7 + 1 }

func (b *book) weigh(w int) {
	b.mu.Lock()
	b.sum += w
	b.lost -= w / 2
	b.mu.Unlock()
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

func (b *book) rank(x int) {
	b.mu.Lock()
	b.bins[x&7]++
	b.slots[x&3] += x
	b.mu.Unlock()
}

// Elements of an array and of a slice, chosen by what is counted.
func ranked(xs []int) ([8]int, []int) {
	b := &book{slots: make([]int, 4)}
	halves(xs, func(part []int) {
		for _, x := range part {
			b.rank(x) // want `b.rank locks b.mu in each iteration`
		}
	})
	return b.bins, b.slots
}

type service struct {
	name  string
	stats struct{ hits, misses atomic.Int64 }
	log   *meter
}

func (s *service) count(x int) {
	if x > 2 {
		s.stats.hits.Add(1)
	} else {
		s.stats.misses.Add(int64(x))
	}
	s.log.note()
}

func fielded(xs []int) (int64, int64, int64) {
	s := &service{log: &meter{}}
	halves(xs, func(part []int) {
		for _, x := range part {
			s.count(x) // want `s.count updates s.stats.hits atomically in each iteration`
		}
	})
	return s.stats.hits.Load(), s.stats.misses.Load(), s.log.odd.Load()
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

func (m *meter) parse(x int) int {
	m.seen.Add(1)
	return x + 1
}

func (b *book) large(x int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sum += x
	return x > 2
}

func picked(xs []int) int {
	b := &book{}
	var n int64
	halves(xs, func(part []int) {
		for _, x := range part {
			if !b.large(x) { // want `b.large locks b.mu in each iteration`
				atomic.AddInt64(&n, 1) // want `n is updated atomically in each iteration`
			}
		}
	})
	return b.sum*100 + int(n)
}

// What is returned is read under the lock.
func (b *book) next() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sum++
	return b.sum
}

func numbered(xs []int) int {
	b := &book{}
	halves(xs, func(part []int) {
		last := 0
		for range part {
			last = b.next() // want `b.next locks b.mu in each iteration` // refuse `local: what b.next returns cannot stand in its place`
		}
		_ = last
	})
	return b.sum
}

func parsed(xs []int) int64 {
	var m meter
	var sum atomic.Int64
	halves(xs, func(part []int) {
		own := 0
		for _, x := range part {
			own += m.parse(x) // want `m.parse updates m.seen atomically in each iteration`
		}
		sum.Add(int64(own))
	})
	return sum.Load() + m.seen.Load()
}
