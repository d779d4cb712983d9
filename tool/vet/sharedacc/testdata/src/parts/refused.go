// Goldens show the edit local alone.

package main

import (
	"sync"
	"sync/atomic"
)

var last *stats

type refusing struct {
	mu, other sync.Mutex
	n, m      int
	most      int
	last      string
	on        bool
	shown     atomic.Int64
	by        map[string]*stats
	rows      []int
	flags     [4]bool
	sum       float64
}

func (r *refusing) reads(h hit) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n++
	return r.n
}

func (r *refusing) sets(h hit) {
	r.mu.Lock()
	r.last = h.path
	r.mu.Unlock()
}

func (r *refusing) two(h hit) {
	r.mu.Lock()
	r.n++
	r.mu.Unlock()
	r.other.Lock()
	r.m++
	r.other.Unlock()
}

func (r *refusing) late(h hit) {
	r.mu.Lock()
	r.n++
	r.mu.Unlock()
	r.m++
}

func (r *refusing) swaps(h hit) {
	r.mu.Lock()
	r.n++
	r.mu.Unlock()
	if r.shown.CompareAndSwap(3, 4) {
		return
	}
}

func (r *refusing) keeps(h hit) {
	r.mu.Lock()
	s := r.by[h.path]
	if s == nil {
		s = new(stats)
		r.by[h.path] = s
	}
	s.hits++
	last = s
	r.mu.Unlock()
}

func (r *refusing) decides(h hit) {
	r.mu.Lock()
	s := r.by[h.path]
	if s == nil {
		s = new(stats)
		r.by[h.path] = s
		r.n++
	}
	s.hits++
	r.mu.Unlock()
}

func (r *refusing) absent(h hit) {
	r.mu.Lock()
	s := r.by[h.path]
	s.hits++
	r.mu.Unlock()
}

func (r *refusing) sets2(h hit) {
	r.mu.Lock()
	s := r.by[h.path]
	if s == nil {
		s = &stats{hits: 1}
		r.by[h.path] = s
	}
	s.hits++
	r.mu.Unlock()
}

func (r *refusing) changes(h hit) {
	r.mu.Lock()
	r.n += r.most
	r.mu.Unlock()
}

func (r *refusing) raise() {
	r.mu.Lock()
	r.most++
	r.mu.Unlock()
}

func (r *refusing) grows(h hit) {
	r.mu.Lock()
	r.rows[h.size]++
	r.mu.Unlock()
}

func (r *refusing) reset() {
	r.mu.Lock()
	r.rows = nil
	r.mu.Unlock()
}

func (r *refusing) calls(h hit) {
	r.mu.Lock()
	defer func() { r.mu.Unlock() }()
	r.n++
}

func (r *refusing) writes(p *int) {
	r.mu.Lock()
	r.n++
	*p++
	r.mu.Unlock()
}

func (r *refusing) marks(h hit) {
	r.mu.Lock()
	r.flags[h.size&3] = true
	r.mu.Unlock()
}

func (r *refusing) adds(h hit) {
	r.mu.Lock()
	r.sum += float64(h.size)
	r.mu.Unlock()
}

func (r *refusing) numbers(int) {
	r.mu.Lock()
	r.n += len(next())
	r.mu.Unlock()
}

func (r *refusing) called(h hit) {
	r.mu.Lock()
	twice(h.size, func() { next(); r.n++ })
	r.n++
	r.mu.Unlock()
}

func (r *refusing) some(h hit) bool {
	r.shown.Add(1)
	return h.ok
}

func (r *refusing) more(n int) { r.late2(hit{size: n}) }

func (r *refusing) total() int { return r.n }

func refuses(r *refusing, hits []hit, p *int) {
	halves(len(hits), func(lo, hi int) {
		for _, h := range hits[lo:hi] {
			r.reads(h) // want `r.reads locks` // refuse `local: reads does more than add up`
		}
		for _, h := range hits[lo:hi] {
			r.sets(h) // want `r.sets locks` // refuse `local: r.last is set, not added to`
		}
		for _, h := range hits[lo:hi] {
			r.two(h) // want `r.two locks` // refuse `local: two does more with its locks than to hold one`
		}
		for _, h := range hits[lo:hi] {
			r.late(h) // want `r.late locks` // refuse `local: no lock is held here`
		}
		for _, h := range hits[lo:hi] {
			r.swaps(h) // want `r.swaps locks` // refuse `local: swaps does more than add up`
		}
		for _, h := range hits[lo:hi] {
			r.keeps(h) // want `r.keeps locks` // refuse `local: s is used in another way than to add to it`
		}
		for _, h := range hits[lo:hi] {
			r.decides(h) // want `r.decides locks` // refuse `local: what is done depends on whether the element is there`
		}
		for _, h := range hits[lo:hi] {
			r.absent(h) // want `r.absent locks` // refuse `local: an element of by that is not there is not made`
		}
		for _, h := range hits[lo:hi] {
			r.sets2(h) // want `r.sets2 locks` // refuse `local: hits is set or read, and added to`
		}
		for _, h := range hits[lo:hi] {
			r.changes(h) // want `r.changes locks` // refuse `local: changes does more than add up`
		}
		for _, h := range hits[lo:hi] {
			r.grows(h) // want `r.grows locks` // refuse `local: rows may be another slice meanwhile`
		}
		for _, h := range hits[lo:hi] {
			r.calls(h) // no finding: the literal may do more than give the lock back
		}
		for range hits[lo:hi] {
			r.writes(p) // want `r.writes locks` // refuse `local: what stands around the calls changes memory`
		}
		for range hits[lo:hi] {
			r.numbers(0) // want `r.numbers locks` // refuse `local: what stands around the calls reads calls`
		}
		for _, h := range hits[lo:hi] {
			r.called(h) // want `r.called locks` // refuse `local: what stands around the calls reads calls`
		}
		for _, h := range hits[lo:hi] {
			r.marks(h) // want `r.marks locks` // refuse `local: r.flags\[h.size \& 3\] is set, not added to`
		}
	})
}

// The loop looks at it.
func looking(r *refusing, hits []hit) {
	halves(len(hits), func(lo, hi int) {
		for _, h := range hits[lo:hi] {
			r.adds(h) // want `r.adds locks` // refuse `batch: the loop uses r in other ways` `local: total does more than add up`
			if r.total() > 4 {
				continue
			}
		}
		q := r
		for _, h := range hits[lo:hi] {
			q.late2(h) // want `q.late2 locks` // refuse `local: the loop reads n`
			println(r.n)
		}
	})
}

// What the calls are in leaves the loop, or has a label, or looks at it.
func leaving(r *refusing, hits []hit, other *sync.Mutex) {
	halves(len(hits), func(lo, hi int) {
		q := r
		for range hits[lo:hi] {
			q.more(r.n) // want `q.more locks` // refuse `local: the loop reads n`
		}
		for _, h := range hits[lo:hi] {
			other.Lock()
			if r.late2(h); h.ok { // want `r.late2 locks` // refuse `local: another lock may be held where the loop is left` `batch: the loop may end early`
				return
			}
			other.Unlock()
		}
	hits:
		for _, h := range hits[lo:hi] {
			if h.ok {
				continue hits
			}
			r.late2(h) // want `r.late2 locks` // refuse `local: the loop has a label` `batch: the loop has a label`
		}
	})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { returning(r, hits) })
	}
	wg.Wait()
}

func returning(r *refusing, hits []hit) bool {
	for _, h := range hits {
		if h.size > 3 {
			return r.some(h)
		}
		r.some(h) // want `r.some updates` // refuse `local: what is returned comes of a call`
	}
	return false
}

func (r *refusing) late2(h hit) {
	r.mu.Lock()
	r.n++
	r.mu.Unlock()
}

// One goroutine comes after the other: the sum is rounded in one way.
func inTurn(r *refusing, hits []hit) {
	for w := range 2 {
		done := make(chan bool)
		go func() {
			for _, h := range hits[w:] {
				r.adds(h) // want `r.adds locks` // refuse `local: the order in which floats are added is fixed`
			}
			close(done)
		}()
		<-done
	}
}
