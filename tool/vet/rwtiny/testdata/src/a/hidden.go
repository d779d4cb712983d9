package a

import "sync"

// What a pointer leads to is written under the lock.

type behind struct {
	mu sync.Mutex
	p  *int
}

func (b *behind) get() int {
	b.mu.Lock() // want `b.mu is locked` // refuse "cow: memory is read through a pointer"
	defer b.mu.Unlock()
	return *b.p
}

func (b *behind) set(k int) {
	b.mu.Lock()
	*b.p = k
	b.mu.Unlock()
}

type aliased struct {
	mu sync.Mutex
	s  []int
}

func (a *aliased) get() int {
	a.mu.Lock() // want `a.mu is locked` // refuse "drop: it writes through a pointer under the lock"
	defer a.mu.Unlock()
	return a.s[0]
}

func (a *aliased) set(k []int) {
	a.mu.Lock()
	s := a.s
	copy(s, k)
	a.mu.Unlock()
}

// Others would see the parts of a sum.

type summed struct {
	mu sync.Mutex
	n  int
}

func (s *summed) get() int {
	s.mu.Lock() // want `s.mu is locked`
	defer s.mu.Unlock()
	return s.n
}

func (s *summed) add(ks []int) {
	s.mu.Lock()
	for _, k := range ks {
		s.n += k
	}
	s.mu.Unlock()
}

// The struct is copied with the word.

type counted struct{ n int }

var countedMu sync.Mutex

func (c *counted) get() int {
	countedMu.Lock() // want `countedMu is locked`
	defer countedMu.Unlock()
	return c.n
}

func (c *counted) inc() {
	countedMu.Lock()
	c.n++
	countedMu.Unlock()
}

func (c *counted) all() counted {
	countedMu.Lock()
	defer countedMu.Unlock()
	return *c
}

// Of two goroutines each has a lock that the other waits for.

type ordered struct {
	mu    sync.RWMutex
	other sync.Mutex
	n, m  int
}

func (o *ordered) get() int {
	o.mu.RLock() // want `o.mu is read-locked` // refuse "cow: a reader writes"
	defer o.mu.RUnlock()
	return o.n
}

func (o *ordered) set(n int) {
	o.mu.Lock()
	o.n = n
	o.mu.Unlock()
}

func (o *ordered) one() {
	o.mu.RLock()
	defer o.mu.RUnlock()
	o.other.Lock()
	o.m += o.n
	o.other.Unlock()
}

func (o *ordered) two() {
	o.other.Lock()
	defer o.other.Unlock()
	o.mu.RLock()
	o.m += o.n
	o.mu.RUnlock()
}

// A reader waits for others, which may be readers.

type waiting struct {
	mu sync.RWMutex
	n  int
	ch chan int
}

func (w *waiting) get() int {
	w.mu.RLock() // want `w.mu is read-locked`
	defer w.mu.RUnlock()
	return w.n
}

func (w *waiting) set(n int) {
	w.mu.Lock()
	w.n = n
	w.mu.Unlock()
}

func (w *waiting) all() (sum int) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	sum = w.n
	for x := range w.ch {
		sum += x
	}
	return sum
}

// The result of a call has no address.

type bare struct{ n int }

var bareMu sync.Mutex

func (m *bare) get() int {
	bareMu.Lock() // want `bareMu is locked`
	defer bareMu.Unlock()
	return m.n
}

func (m *bare) inc() {
	bareMu.Lock()
	m.n++
	bareMu.Unlock()
}

func newBare() bare { return bare{} }

func bareN() int { return newBare().n }
