package a

import (
	"sync"
	"sync/atomic"
)

// Two counters of two writers.

type link struct {
	name string
	sent atomic.Int64 // want `sent and received are on one cache line and different functions write them: each write takes it from the other's core` // dearer "pad: each struct takes more memory: 120 bytes"
	// received is the other's.
	received atomic.Int64
}

func (l *link) send()    { l.sent.Add(1) }
func (l *link) receive() { l.received.Add(1) }

// The two ends of a ring: the edit is to be tried, and to lose.

type ring struct {
	buf        [8]int
	head, tail atomic.Uint64 // want `head and tail are on one cache line`
}

func (r *ring) put(v int) bool {
	t := r.tail.Load()
	if t-r.head.Load() == 8 {
		return false
	}
	r.buf[t&7] = v
	r.tail.Store(t + 1)
	return true
}

func (r *ring) take() (v int, ok bool) {
	h := r.head.Load()
	if h == r.tail.Load() {
		return 0, false
	}
	v = r.buf[h&7]
	r.head.Store(h + 1)
	return v, true
}

// Numbers that functions of sync/atomic add to, in branches of one function.

var pump struct {
	read, written uint64 // want `read and written are on one cache line`
}

func run(write bool) {
	if write {
		for range 1000 {
			atomic.AddUint64(&pump.written, 1)
		}
		return
	}
	for range 1000 {
		atomic.AddUint64(&pump.read, 1)
	}
}

// Two locks in one line, and a third word.

type queue struct{ putMu, takeMu sync.Mutex } // want `putMu and takeMu are on one cache line`

func (q *queue) put() {
	q.putMu.Lock()
	q.putMu.Unlock()
}

func (q *queue) take() {
	q.takeMu.Lock()
	q.takeMu.Unlock()
}

type three struct {
	sync.Mutex // want `Mutex, a and b are on one cache line`
	a, b       atomic.Int32
}

func (t *three) lock() {
	t.Lock()
	t.Unlock()
}
func (t *three) incA() { t.a.Add(1) }
func (t *three) incB() { t.b.CompareAndSwap(1, 2) }

// Used by address.

type stats struct {
	hits, misses atomic.Int64 // want `hits and misses are on one cache line`
}

func inTurn(s *stats) {
	s.hits.Add(1)
	s.misses.Add(1)
}

func owners(s *stats, workers int) {
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			c := &s.hits
			if w == 1 {
				c = &s.misses
			}
			for range 1000 {
				c.Add(1)
			}
		})
	}
	wg.Wait()
}

// Plain counters, each counted in a goroutine of its own.

type totals struct{ left, right int } // want `left and right are on one cache line`

func (t *totals) count(xs []int) {
	var wg sync.WaitGroup
	wg.Go(func() {
		for _, x := range xs {
			t.left += x
		}
	})
	for range xs {
		t.right++
	}
	wg.Wait()
}

// A limit that all readings are compared with, beside how far the import is.

type progress struct {
	limit    atomic.Int64 // want `limit and imported are on one cache line: each write takes it from the cores that read limit`
	imported atomic.Int64
}

func (p *progress) filter(xs []int) (n int) {
	for _, x := range xs {
		if int64(x) < p.limit.Load() {
			n++
		}
	}
	return n
}

func (p *progress) imports(xs []int) (n int) {
	for i, x := range xs {
		n ^= x
		p.imported.Store(int64(i))
	}
	return n
}
