package a

import (
	"os"
	"sync"
)

// The lock goes elsewhere.

type waiter struct {
	mu   sync.RWMutex
	cond *sync.Cond
	n    int
}

func (w *waiter) init() { w.cond = sync.NewCond(&w.mu) }

func (w *waiter) get() int {
	w.mu.RLock() // want `w.mu is read-locked` // refuse "cow: the lock is used in another way"
	defer w.mu.RUnlock()
	return w.n
}

func (w *waiter) set(n int) {
	w.mu.Lock()
	w.n = n
	w.mu.Unlock()
}

// Others may use it.

type Public struct {
	Mu sync.RWMutex
	N  int
}

func (p *Public) Get() int {
	p.Mu.RLock() // want `p.Mu is read-locked` // refuse "cow: other packages may use Mu"
	defer p.Mu.RUnlock()
	return p.N
}

func (p *Public) Set(n int) {
	p.Mu.Lock()
	p.N = n
	p.Mu.Unlock()
}

// Nothing is written under it, but somebody waits for others, or calls.

type barrier struct {
	mu sync.Mutex
	n  int
}

func (b *barrier) get() int {
	b.mu.Lock() // want `b.mu is locked` // refuse "drop: what is done under the lock may need it, or others may wait for that"
	defer b.mu.Unlock()
	return b.n
}

func (b *barrier) wait() {
	b.mu.Lock()
	b.mu.Unlock()
}

type turns struct {
	mu sync.Mutex
	n  int
}

func (t *turns) get() int {
	t.mu.Lock() // want `t.mu is locked` // refuse "drop: what is done under the lock may need it, or others may wait for that"
	defer t.mu.Unlock()
	return t.n
}

func (t *turns) print() {
	t.mu.Lock()
	defer t.mu.Unlock()
	os.Remove("turn")
}
