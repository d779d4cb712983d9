package refused

import "sync"

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
