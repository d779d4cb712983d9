package main

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// What the loop, or others, have to do with the object meanwhile.
type tally struct {
	mu    sync.Mutex
	n     int
	by    []int
	lists []int
	seen  atomic.Int64
	m     map[string]*stats
	mean  float64
	steps [2]int
	unit  int
}

func (t *tally) count(_ hit) { t.seen.Add(1) }

func (t *tally) bump(w, x int) {
	t.mu.Lock()
	t.by[w] += x
	t.mu.Unlock()
}

func (t *tally) get(k string) *stats {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.m[k]
	if s == nil {
		s = new(stats)
		t.m[k] = s
	}
	return s
}

func (t *tally) step(w, _ int) {
	t.mu.Lock()
	t.n += t.steps[w]
	t.mu.Unlock()
}

func (t *tally) units(_ hit, _ int) {
	t.mu.Lock()
	t.n += t.unit
	t.mu.Unlock()
}

func (t *tally) reset() { *t = tally{unit: 3} }

func (t *tally) sometimes(yes bool) {
	if yes {
		t.mu.Lock()
		defer t.mu.Unlock()
	}
	t.n++
}

func (t *tally) average(h hit, _ int) {
	t.mu.Lock()
	t.mean += float64(h.size)
	t.mu.Unlock()
}

func (t *tally) list(h hit, _ int) {
	t.mu.Lock()
	t.lists = append(t.lists, h.size)
	t.mu.Unlock()
}

func (t *tally) first(h hit, _ int) {
	t.mu.Lock()
	s := t.m[h.path]
	if s == nil {
		s = &stats{path: h.path}
		t.m[h.path] = s
	}
	s.hits++
	t.mu.Unlock()
}

func (t *tally) sized(all []int) {
	t.mu.Lock()
	t.n += all[0]
	t.mu.Unlock()
}

type holder struct{ t, next *tally }

func (h *holder) rotate() { h.t = h.next }

var current *tally

func turn() { current = new(tally) }

func check(h hit) {
	if h.size == 50 {
		runtime.Goexit()
	}
}

func othersOf(t *tally, o *holder, hits []hit, by []int, gate chan bool) {
	halves(len(hits), func(lo, hi int) {
		for _, h := range hits[lo:hi] {
			t.count(h) // want `t.count updates`
			if t.seen.Load() > 3 {
				println(h.size)
			}
		}
		for _, h := range hits[lo:hi] {
			t.bump(0, h.size) // want `t.bump locks` // refuse `local: by may be another slice meanwhile`
			println(by[0])
		}
		for _, h := range hits[lo:hi] {
			t.get(h.path).hits++ // want `t.get locks` // refuse `local: get hands out a part of the object`
		}
		for i := range hits[lo:hi] {
			t.step(i&1, 0) // want `t.step locks` // refuse `local: step does more than add up`
		}
		for _, h := range hits[lo:hi] {
			t.units(h, 0) // want `t.units locks` // refuse `local: units does more than add up`
		}
		for _, h := range hits[lo:hi] {
			t.sometimes(h.ok) // no finding
		}
		for _, h := range hits[lo:hi] {
			o.t.count(h) // want `o.t.count updates` // refuse `local: o.t may be another meanwhile`
			o.rotate()
		}
		for _, h := range hits[lo:hi] {
			current.count(h) // want `current.count updates` // refuse `local: current may be another meanwhile`
			turn()
		}
		for _, h := range hits[lo:hi] {
			check(h)
			t.count(h) // no finding
		}
		for range hits[lo:hi] {
			t.sized(by) // want `t.sized locks`
		}
		for _, h := range hits[lo:hi] {
			<-gate
			t.list(h, 0) // want `t.list locks`
		}
		for _, h := range hits[lo:hi] {
			<-gate
			t.first(h, 0) // want `t.first locks`
		}
		for _, h := range hits[lo:hi] {
			t.average(h, 0) // want `t.average locks`
		}
	})
}

// The goroutine has the lock besides.
func holding(t *tally, hits []hit) {
	halves(len(hits), func(lo, hi int) {
		t.mu.Lock()
		t.n++
		t.mu.Unlock()
		for _, h := range hits[lo:hi] {
			t.list(h, 0) // want `t.list locks` // refuse `local: the function of the loop has to do with the lock of t`
		}
	})
}
