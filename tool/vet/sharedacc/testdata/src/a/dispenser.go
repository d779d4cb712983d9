package a

import (
	"sync"
	"sync/atomic"
)

func run(n int, f func()) {
	var wg sync.WaitGroup
	for range n {
		wg.Go(f)
	}
	wg.Wait()
}

func taken(xs []int, n int) int64 {
	var next atomic.Int64
	run(n, func() {
		for i := next.Add(1) - 1; i < int64(len(xs)); i = next.Add(1) - 1 { // want `next is updated atomically` // refuse `local: the result of adding` `block: something else uses next`
			xs[i]++
		}
	})
	return next.Load() // how many were asked for
}

func first(xs []int, n int) {
	var next atomic.Int64
	run(n, func() {
		for i := next.Add(1) - 1; i < int64(len(xs)); i = next.Add(1) - 1 { // want `next is updated atomically` // refuse `local: the loop has a return` `block: by a return a goroutine leaves the items that it has taken`
			if xs[i] < 0 {
				return // the others go on
			}
			xs[i]++
		}
	})
}

func outward(xs []int, n int) {
	var next atomic.Int64
	run(n, func() {
		for {
			i := next.Add(1) - 1 // want `next is updated atomically` // refuse `local: the result of adding` `block: by a break a goroutine leaves the items that it has taken`
			if i >= int64(len(xs)) {
				break
			}
			if xs[i] < 0 {
				break
			}
			xs[i]++
		}
	})
}

func labelled(xs []int, n int) {
	var next atomic.Int64
	run(n, func() {
	items:
		for i := next.Add(1) - 1; i < int64(len(xs)); i = next.Add(1) - 1 { // want `next is updated atomically` // refuse `local: the loop has a label` `block: the loop has a label`
			for k := range 3 {
				if xs[i] == k {
					continue items
				}
			}
			xs[i]++
		}
	})
}

func narrow(xs []int, n int) {
	var next atomic.Int32
	run(n, func() {
		for i := next.Add(1) - 1; i < int32(len(xs)); i = next.Add(1) - 1 { // want `next is updated atomically` // refuse `local: the result of adding` `block: next or i may overflow`
			xs[i]++
		}
	})
}

// The second half of the items waits for the first.
func waiting(xs []chan int, n int) {
	var next atomic.Int64
	run(n, func() {
		for i := next.Add(1) - 1; i < int64(len(xs)); i = next.Add(1) - 1 { // want `next is updated atomically` // refuse `local: the result of adding` `block: an item may wait for another`
			if h := int64(len(xs) / 2); i >= h {
				xs[i-h] <- 1
			} else {
				<-xs[i]
			}
		}
	})
}

func spinning(xs []atomic.Int64, n int) {
	var next atomic.Int64
	run(n, func() {
		for i := next.Add(1) - 1; i < int64(len(xs)); i = next.Add(1) - 1 { // want `next is updated atomically` // refuse `local: the result of adding` `block: an item looks at what another may have set`
			if i&1 == 0 {
				for !ready(xs, i+1) {
				}
			}
			xs[i].Store(1)
		}
	})
}

func ready(xs []atomic.Int64, i int64) bool { return i == int64(len(xs)) || xs[i].Load() > 0 }

func callback(n, count int, f func(i int)) {
	var next atomic.Int64
	run(n, func() {
		for i := int(next.Add(1)) - 1; i < count; i = int(next.Add(1)) - 1 { // want `next is updated atomically` // refuse `local: the result of adding` `block: it calls what may wait for another item`
			f(i)
		}
	})
}

type growing struct {
	mu    sync.Mutex
	items []int
}

func (g *growing) grow(n int) {
	var next atomic.Int64
	run(n, func() {
		for i := int(next.Add(1)) - 1; i < len(g.items); i = int(next.Add(1)) - 1 { // want `next is updated atomically` // refuse `local: the result of adding` `block: items changes in the loop`
			g.mu.Lock() // want `g.mu is locked in each iteration` // refuse `local: the loop looks at g.items`
			if i&7 == 0 {
				g.items = append(g.items, i)
			}
			g.mu.Unlock()
		}
	})
}

func sets(xs []int, n int) {
	var next atomic.Int64
	run(n, func() {
		for i := int(next.Add(1)) - 1; i < len(xs); i = int(next.Add(1)) - 1 { // want `next is updated atomically` // refuse `local: the result of adding` `block: the loop sets i`
			xs[i]++
			i++
		}
	})
}

func steps(xs []int, n int) {
	var next atomic.Int64
	run(n, func() {
		for i := int(next.Add(2)) - 2; i < len(xs); i = int(next.Add(2)) - 2 { // want `next is updated atomically` // refuse `local: the result of adding`
			xs[i]++
		}
	})
}

func handed(xs []int, n int) int64 {
	var next atomic.Int64
	run(n, func() { takes(xs, &next) })
	return next.Load()
}

func takes(xs []int, next *atomic.Int64) {
	for i := int(next.Add(1)) - 1; i < len(xs); i = int(next.Add(1)) - 1 { // want `next is updated atomically` // refuse `local: the result of adding` `block: next is a parameter: its caller may look at it`
		xs[i]++
	}
}

func saved(xs []int, n int) {
	var next atomic.Int64
	run(n, func() {
		defer func() { recover() }()
		for i := int(next.Add(1)) - 1; i < len(xs); i = int(next.Add(1)) - 1 { // want `next is updated atomically` // refuse `local: the result of adding` `block: a deferred call may stop a panic`
			xs[i] = 10 / xs[i]
		}
	})
}

type plain struct{ next int64 }

func (p *plain) all(xs []int, n int) {
	run(n, func() {
		for i := atomic.AddInt64(&p.next, 1) - 1; i < int64(len(xs)); i = atomic.AddInt64(&p.next, 1) - 1 { // want `p.next is updated atomically` // refuse `local: the result of adding` `block: a copy of the struct may have next`
			xs[i]++
		}
	})
}

func lockedTaken(xs []int, n int) int {
	var mu sync.Mutex
	next := 0
	run(n, func() {
		for {
			mu.Lock() // want `mu is locked in each iteration` // refuse `local: it does more under the lock` `atomic: a section uses next twice` `block: something else uses next`
			i := next
			next++
			mu.Unlock()
			if i >= len(xs) {
				return
			}
			xs[i]++
		}
	})
	return next
}
