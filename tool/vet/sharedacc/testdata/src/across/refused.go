package main

import (
	"sync"
	"sync/atomic"
)

var scale = 1

func (b *book) scaled(x int) {
	b.mu.Lock()
	b.sum += x * scale
	b.mu.Unlock()
}

// The name of the package's variable is that of another one.
func scales(xs []int) int {
	b := &book{}
	scale := 2
	halves(xs, func(part []int) {
		for _, x := range part {
			b.scaled(x * scale) // want `b.scaled locks b.mu` // refuse `local: scale is something else where the call stands`
		}
	})
	return b.sum
}

func size(x any) int {
	n, _ := x.(int)
	return n
}

func (b *book) show(x any) {
	b.mu.Lock()
	b.sum += size(x)
	b.mu.Unlock()
}

func shows(xs []int) int {
	b := &book{}
	halves(xs, func(part []int) {
		for _, x := range part {
			b.show(x + 1) // want `b.show locks b.mu` // refuse `local: x \+ 1 is converted for the call`
		}
	})
	return b.sum
}

func (b *book) timed(x int) {
	defer size(x)
	b.mu.Lock()
	b.sum += x
	b.mu.Unlock()
}

func times(xs []int) int {
	b := &book{}
	halves(xs, func(part []int) {
		for _, x := range part {
			b.timed(x) // want `b.timed locks b.mu` // refuse `local: it has a deferred call`
		}
	})
	return b.sum
}

// What an item finds there decides.
func (b *book) limited(x int) {
	b.mu.Lock()
	if b.sum < 100 {
		b.sum += x
	}
	b.mu.Unlock()
}

func limits(xs []int) int {
	b := &book{}
	halves(xs, func(part []int) {
		for _, x := range part {
			b.limited(x) // want `b.limited locks b.mu` // refuse `local: it decides under the lock by what others may change`
		}
	})
	return b.sum
}

// The function that is handed over is called with what comes of the other.
func each2(parts [][]int, f func(int) int) {
	var wg sync.WaitGroup
	for _, p := range parts {
		wg.Go(func() {
			for i, v := range p {
				p[i] = f(v)
			}
		})
	}
	wg.Wait()
}

func maps2(parts [][]int) int64 {
	var n atomic.Int64
	each2(parts, func(x int) int {
		n.Add(1) // want `n is updated atomically in each call` // refuse `local: the result of the literal is used`
		return x
	})
	return n.Load()
}
