package refused

import (
	"sync"
	"sync/atomic"
)

type box struct {
	mu sync.Mutex
	n  int
	ch chan int
	up *box
}

func (b *box) get() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.n
}

func (b *box) sent(xs []int) {
	for _, x := range xs { // want "b.mu is locked" // refuse "once: in the loop it sends to a channel"
		b.mu.Lock()
		b.n += x
		b.ch <- x
		b.mu.Unlock()
	}
}

func (b *box) early(xs []int) int {
	for _, x := range xs { // want "b.mu is locked" // refuse "once: the loop may be left in between: return"
		b.mu.Lock()
		if b.n == x {
			return x
		}
		b.mu.Unlock()
	}
	return 0
}

func (b *box) all() (sum int) {
	for b.n > 0 { // want "b.mu is locked" // refuse "once: nothing says how long the loop runs"
		b.mu.Lock()
		b.n--
		b.mu.Unlock()
	}
	for p := b; p != nil; p = p.up { // want "p.mu is locked" // refuse "once: p.mu may be another"
		p.mu.Lock()
		sum += p.n
		p.mu.Unlock()
	}
	return sum
}

func both(a, b *box, n int) (sum int) {
	for range n { // want "a.mu is locked" // refuse "once: in the loop it takes a lock"
		a.mu.Lock()
		sum += a.n + b.get()
		a.mu.Unlock()
	}
	return sum
}

func ranged(b *box, in chan int) {
	for x := range in { // want "b.mu is locked" // refuse "once: nothing says how long"
		b.mu.Lock()
		b.n += x
		b.mu.Unlock()
	}
}

type chain struct {
	ix *box
}

// Another goroutine may give it another box.
func (c *chain) walk(n int) (sum int) {
	for range n { // want "c.ix.mu is locked" // refuse "once: c.ix.mu may be another"
		c.ix.mu.Lock()
		sum += c.ix.n
		c.ix.mu.Unlock()
	}
	return sum
}

// It waits for what needs the lock.
func spins(b *box, done *atomic.Bool, n int) (sum int) {
	for range n { // want "b.mu is locked" // refuse "once: in the loop it reads memory atomically"
		b.mu.Lock()
		for !done.Load() {
		}
		sum += b.n
		b.mu.Unlock()
	}
	return sum
}
