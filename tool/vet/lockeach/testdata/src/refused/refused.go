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

	list []int
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
		if b.get() == x {
			return x
		}
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
		sum += a.get() + b.get()
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

// The getter is of another box from some iteration on.
func (c *chain) walk(n int) (sum int) {
	for range n { // want "c.ix.mu is locked" // refuse "once: c.ix.mu may be another"
		if sum += c.ix.get(); sum > 3 {
			c.ix = c.ix.up
		}
	}
	return sum
}

func (b *box) half(k float64) float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return float64Of(b.n, k)
}

func float64Of(n int, k float64) float64 { return float64(n) + k }

func (b *box) at(i int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.list[i]
}

func calls(b *box, xs []int) (n int) {
	next := func() int { n++; return n }
	for range xs { // want "b.mu is locked" // refuse "once: what it is given is no plain value"
		n += b.at(xs[next()])
	}
	for range xs { // want "b.mu is locked" // refuse "once: what it is given is no plain value"
		n += b.at(5)
	}
	return n + int(b.half(1))
}

// A value is no statement.
func touched(b *box, n int) {
	for range n { // want "b.mu is locked" // refuse "once: what it is given is no plain value"
		b.get()
	}
}

// mask is no plain value.
func (b *box) mask() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return 1 << b.n
}

func masks(b *box, n int) (all []any) {
	for range n {
		all = append(all, b.mask())
	}
	return all
}

// It waits for what needs the lock.
func spins(b *box, done *atomic.Bool, n int) (sum int) {
	for range n { // want "b.mu is locked" // refuse "once: in the loop it reads memory atomically"
		for !done.Load() {
		}
		sum += b.get()
	}
	return sum
}
