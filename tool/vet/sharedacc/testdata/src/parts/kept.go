// Goldens show the edit local alone.

package main

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
)

// The largest and the smallest are kept, under a lock.

type extent struct {
	mu        sync.Mutex
	n         int
	most      int
	least     int
	deep, low int
}

func (e *extent) note(h hit) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.n = e.n + 1
	if h.size > e.most {
		e.most = h.size
	}
	if e.least >= -h.size {
		e.least = -h.size
	}
	e.deep = max(e.deep, h.size*2)
	e.low = min(10-h.size, e.low)
}

func extents(hits []hit) string {
	e := new(extent)
	halves(len(hits), func(lo, hi int) {
		for _, h := range hits[lo:hi] {
			e.note(h) // want `e.note locks e.mu in each iteration`
		}
	})
	return fmt.Sprint(e.n, e.most, e.least, e.deep, e.low)
}

// And in atomics, in loops of all forms.

type peaks struct{ a, b, c, d, e atomic.Int64 }

func (g *peaks) note(n int64) {
	for {
		old := g.a.Load()
		if n <= old || g.a.CompareAndSwap(old, n) {
			break
		}
	}
	for old := g.b.Load(); -n < old && !g.b.CompareAndSwap(old, -n); old = g.b.Load() {
	}
	for old := g.c.Load(); n > old; old = g.c.Load() {
		if g.c.CompareAndSwap(old, n) {
			break
		}
	}
	g.d.Add(1)
	for {
		old := g.e.Load()
		if old >= n {
			return
		}
		if g.e.CompareAndSwap(old, n) {
			return
		}
	}
}

// raise raises it as well.
func (g *peaks) raise(n int64) {
	for old := g.a.Load(); n > old && !g.a.CompareAndSwap(old, n); old = g.a.Load() {
	}
}

func peaked(hits []hit) string {
	g := new(peaks)
	halves(len(hits), func(lo, hi int) {
		for _, h := range hits[lo:hi] {
			g.note(int64(h.size)) // want `g.note updates g.d atomically in each iteration`
		}
	})
	g.raise(7)
	return fmt.Sprint(g.a.Load(), g.b.Load(), g.c.Load(), g.d.Load(), g.e.Load())
}

// Counts between bounds that never change.

type bins struct {
	bounds []int
	counts []atomic.Int64
}

func (b *bins) note(n int) { b.counts[sort.SearchInts(b.bounds, n)].Add(1) }

func between(hits []hit) (all []int64) {
	b := &bins{bounds: []int{3, 9, 20}, counts: make([]atomic.Int64, 4)}
	halves(len(hits), func(lo, hi int) {
		for _, h := range hits[lo:hi] {
			b.note(h.size) // want `b.note updates an element of b.counts atomically in each iteration`
		}
	})
	for i := range b.counts {
		all = append(all, b.counts[i].Load())
	}
	return all
}

// Elements that are values, and sets.

type line struct{ hits, size, most int }

type lines struct {
	mu    sync.Mutex
	byKey map[string]line
	seen  map[int]struct{}
	ok    map[int]bool
	some  map[string]int
}

func (l *lines) note(h hit) {
	l.mu.Lock()
	defer l.mu.Unlock()
	x := l.byKey[h.path]
	x.hits++
	x.size += h.size
	if h.size > x.most {
		x.most = h.size
	}
	l.byKey[h.path] = x
	l.seen[h.size] = struct{}{}
	l.ok[h.size] = true
	l.some[h.path] = 1
}

func noted(hits []hit) string {
	l := &lines{byKey: map[string]line{}, seen: map[int]struct{}{}, ok: map[int]bool{}, some: map[string]int{}}
	halves(len(hits), func(lo, hi int) {
		for _, h := range hits[lo:hi] {
			l.note(h) // want `l.note locks l.mu in each iteration` // dearer `local: each goroutine takes more memory: a map like byKey and a map like seen and a map like ok and a map like some`
		}
	})
	return fmt.Sprint(l.byKey, l.seen, l.ok, l.some)
}

// Elements that another method gets or makes.

type series struct{ n, sum, most atomic.Int64 }

func (s *series) observe(n int) {
	s.n.Add(1)
	s.sum.Add(int64(n))
	for old := s.most.Load(); int64(n) > old && !s.most.CompareAndSwap(old, int64(n)); old = s.most.Load() {
	}
}

type registry struct {
	mu     sync.RWMutex
	series map[string]*series
	counts map[string]*atomic.Int64
	totals map[string]*line
}

// A weight adds up floats.
type weight struct{ sum float64 }

func (w *weight) add(x float64) { w.sum += x }

type weights struct {
	mu sync.Mutex
	of map[string]*weight
}

func (w *weights) note(h hit) {
	w.mu.Lock()
	defer w.mu.Unlock()
	x := w.of[h.path]
	if x == nil {
		x = new(weight)
		w.of[h.path] = x
	}
	x.add(float64(h.size))
}

func weighed(hits []hit) float64 {
	w := &weights{of: map[string]*weight{}}
	halves(len(hits), func(lo, hi int) {
		for _, h := range hits[lo:hi] {
			w.note(h) // want `w.note locks w.mu in each iteration` // dearer `local: each goroutine takes more memory: a map like of`
		}
	})
	sum := 0.0
	for _, x := range w.of {
		sum += x.sum
	}
	return sum
}

func (r *registry) get(name string) *series {
	r.mu.RLock()
	s, ok := r.series[name]
	r.mu.RUnlock()
	if ok {
		return s
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if s, ok := r.series[name]; ok {
		return s
	}
	s = &series{}
	r.series[name] = s
	return s
}

func (r *registry) count(name string) *atomic.Int64 {
	r.mu.RLock()
	n := r.counts[name]
	r.mu.RUnlock()
	if n != nil {
		return n
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if n = r.counts[name]; n == nil {
		n = new(atomic.Int64)
		r.counts[name] = n
	}
	return n
}

func (r *registry) total(name string) *line {
	r.mu.Lock()
	t, ok := r.totals[name]
	if !ok {
		t = new(line)
		r.totals[name] = t
	}
	r.mu.Unlock()
	return t
}

func (r *registry) note(h hit) {
	r.get(h.path).observe(h.size)
	s := r.get("all")
	s.n.Add(1)
	r.count(h.path).Add(int64(h.size))
	t := r.total(h.path)
	r.mu.Lock()
	t.hits++
	r.mu.Unlock()
}

func registered(hits []hit) (all []string) {
	r := &registry{series: map[string]*series{}, counts: map[string]*atomic.Int64{}, totals: map[string]*line{}}
	halves(len(hits), func(lo, hi int) {
		for _, h := range hits[lo:hi] {
			r.note(h) // want `r.note locks r.mu in each iteration` // dearer `local: each goroutine takes more memory: a map like series and a map like counts and a map like totals`
		}
	})
	for _, name := range slices.Sorted(maps.Keys(r.series)) {
		s := r.series[name]
		all = append(all, fmt.Sprint(name, s.n.Load(), s.sum.Load(), s.most.Load()))
		if n := r.counts[name]; n != nil {
			all = append(all, fmt.Sprint(n.Load(), r.totals[name].hits))
		}
	}
	return all
}
