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

// A lock of the package.

var (
	titleMu sync.RWMutex
	title   string
)

func getTitle() string {
	titleMu.RLock() // want `titleMu is read-locked for a word or two`
	defer titleMu.RUnlock()
	return title
}

func setTitle(s string) { titleMu.Lock(); title = s; titleMu.Unlock() }
