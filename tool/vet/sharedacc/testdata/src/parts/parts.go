// Goldens show the edit local alone.

package main

import (
	"fmt"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
)

type hit struct {
	path string
	size int
	ok   bool
}

type stats struct {
	path       string
	hits, size int
}

// A report has a map of what it makes as it comes.
type report struct {
	mu    sync.Mutex
	paths map[string]*stats
	kinds map[bool]int
	bad   int
}

func newReport() *report {
	return &report{paths: map[string]*stats{}, kinds: make(map[bool]int)}
}

func (r *report) record(h hit) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.paths[h.path]
	if s == nil {
		s = &stats{path: h.path}
		r.paths[h.path] = s
	}
	s.hits++
	s.size += h.size
	r.kinds[h.ok]++
}

func (r *report) reject() {
	r.mu.Lock()
	r.bad++
	r.mu.Unlock()
}

func reported(hits []hit) string {
	r := newReport()
	halves(len(hits), func(lo, hi int) {
		for _, h := range hits[lo:hi] {
			if h.size == 5 {
				r.reject() // want `r.reject locks r.mu in each iteration` // dearer `local: each goroutine takes more memory: a map like paths and a map like kinds`
				continue
			}
			r.record(h)
		}
	})
	var all []string
	for k, s := range r.paths {
		all = append(all, fmt.Sprint(k, *s))
	}
	slices.Sort(all)
	return fmt.Sprint(all, r.kinds, r.bad)
}

// What makes an element says whether it was there, or is a method of its own.
type ledger struct {
	mu       sync.Mutex
	accounts map[string]*stats
	posted   int
}

func (l *ledger) account(name string) *stats {
	a, ok := l.accounts[name]
	if !ok {
		a = new(stats)
		l.accounts[name] = a
	}
	return a
}

func (l *ledger) post(h hit) bool {
	if !h.ok {
		return false
	}
	l.mu.Lock()
	a := l.account(h.path)
	a.size -= h.size
	a.hits += 2
	l.posted++
	l.mu.Unlock()
	return true
}

func counted(hits []hit) string {
	l := &ledger{accounts: map[string]*stats{}}
	var done atomic.Int64
	halves(len(hits), func(lo, hi int) {
		n := 0
		for _, h := range hits[lo:hi] {
			if l.post(h) { // want `l.post locks l.mu in each iteration` // dearer `local: each goroutine takes more memory: a map like accounts`
				n++
			}
		}
		done.Add(int64(n))
	})
	var all []string
	for k, s := range l.accounts {
		all = append(all, fmt.Sprint(k, *s))
	}
	slices.Sort(all)
	return fmt.Sprint(all, l.posted, done.Load())
}

type entry struct {
	uses  atomic.Int64
	sizes [4]atomic.Int32
}

// A tags has elements of a sync.Map, and hands a literal to what calls it.
type tags struct {
	posts  atomic.Int64
	counts sync.Map // of string to *entry
	plain  sync.Map // of bool to *atomic.Int64
	seen   sync.Map // of string to *entry
}

func each(s string, f func(r string)) {
	for _, r := range s {
		f(string(r))
	}
}

func (t *tags) add(h hit) {
	t.posts.Add(1)
	each(h.path+"x", func(r string) { t.use(r, h.size) })
	n, _ := t.plain.LoadOrStore(h.ok, new(atomic.Int64))
	n.(*atomic.Int64).Add(int64(h.size))
	e, ok := t.seen.Load(h.path)
	if !ok {
		e, _ = t.seen.LoadOrStore(h.path, new(entry))
	}
	e.(*entry).uses.Add(3)
}

func (t *tags) use(r string, size int) {
	e, _ := t.counts.LoadOrStore(r+"!", &entry{})
	e.(*entry).uses.Add(1)
	e.(*entry).sizes[size%4].Add(2)
}

func tagged(hits []hit) string {
	t := new(tags)
	halves(len(hits), func(lo, hi int) {
		for _, h := range hits[lo:hi] {
			t.add(h) // want `t.add updates t.posts atomically in each iteration` // dearer `local: each goroutine takes more memory: a map like counts and a map like plain and a map like seen`
		}
	})
	var all []string
	t.counts.Range(func(k, v any) bool {
		e := v.(*entry)
		all = append(all, fmt.Sprint(k, e.uses.Load(), e.sizes[0].Load(), e.sizes[1].Load(), e.sizes[2].Load(), e.sizes[3].Load()))
		return true
	})
	t.plain.Range(func(k, v any) bool {
		all = append(all, fmt.Sprint(k, v.(*atomic.Int64).Load()))
		return true
	})
	t.seen.Range(func(k, v any) bool {
		all = append(all, fmt.Sprint(k, v.(*entry).uses.Load()))
		return true
	})
	sort.Strings(all)
	return fmt.Sprint(all, t.posts.Load())
}

// A histogram has arrays of atomics, one in the other, and what functions add to.
type histogram struct {
	bins  [2][4]atomic.Uint32
	sizes [4]int64
	n     int64
}

func (h *histogram) observe(x hit) {
	k := 0
	if x.ok {
		k = 1
	}
	h.bins[k][x.size&3].Add(1)
	atomic.AddInt64(&h.sizes[x.size&3], int64(x.size))
	atomic.AddInt64(&h.n, 1)
}

func binned(hits []hit) string {
	var h histogram
	halves(len(hits), func(lo, hi int) {
		for _, x := range hits[lo:hi] {
			h.observe(x) // want `h.observe updates h.n atomically in each iteration`
		}
	})
	var all []uint32
	for k := range h.bins {
		for i := range h.bins[k] {
			all = append(all, h.bins[k][i].Load())
		}
	}
	return fmt.Sprint(all, h.sizes, h.n)
}

// A list collects, and has slices of a fixed length.
type list struct {
	sync.Mutex
	sizes  []int
	counts []int
	step   int
}

func (l *list) add(h hit) {
	l.Lock()
	defer l.Unlock()
	l.sizes = append(l.sizes, h.size, l.step)
	l.counts[h.size%len(h.path)] += l.step
}

func listed(hits []hit) string {
	l := &list{counts: make([]int, 3), step: 2}
	halves(len(hits), func(lo, hi int) {
		for _, h := range hits[lo:hi] {
			l.add(h) // want `l.add locks l in each iteration` // dearer `local: each goroutine takes more memory: a slice of what it appends to sizes and a slice of what it appends to counts`
		}
	})
	slices.Sort(l.sizes)
	return fmt.Sprint(l.sizes, l.counts)
}

// What others look at meanwhile grows later, and what is around the calls waits.
type gauge struct{ seen, odd atomic.Int64 }

func (g *gauge) note(x int) {
	g.seen.Add(1)
	if x%2 > 0 {
		g.odd.Add(-1)
	}
}

func shared(hits []hit) int64 {
	var g gauge
	var wg sync.WaitGroup
	ch := make(chan hit)
	for range 2 {
		wg.Go(func() {
			for h := range ch {
				g.note(h.size) // want `g.note updates g.seen atomically in each iteration`
			}
		})
	}
	for _, h := range hits {
		ch <- h
	}
	close(ch)
	wg.Wait()
	return g.seen.Load()*1000 + g.odd.Load()
}
