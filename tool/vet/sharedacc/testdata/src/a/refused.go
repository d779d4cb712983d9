package a

import (
	"sync"
	"sync/atomic"
)

func early(xs []int, n int) (total int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs[w:] {
				if x < 0 {
					return
				}
				mu.Lock() // want `mu is locked in each iteration` // refuse `local: the loop has a return`
				total += x
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return total
}

// The limit is looked at while the goroutines count.
func limit(xs []int, n int) (total int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs[w:] {
				mu.Lock() // want `mu is locked in each iteration` // refuse `local: .* may be something else without the lock`
				if total < 100 {
					total += x
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return total
}

// The factor changes under the same lock.
func factor(xs []int, n int) (total int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	scale := 1
	for w := range n {
		wg.Go(func() {
			for _, x := range xs[w:] {
				mu.Lock() // want `mu is locked in each iteration` // refuse `local: x \* scale may be something else without the lock`
				total += x * scale
				mu.Unlock()
			}
			mu.Lock()
			scale++
			mu.Unlock()
		})
	}
	wg.Wait()
	return total
}

// Somebody looks at the total under the lock.
func progress(xs []int, n int) (total int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs[w:] {
				mu.Lock() // want `mu is locked in each iteration` // refuse `local: others may look at total while the loop runs`
				total += x
				mu.Unlock()
			}
		})
	}
	mu.Lock()
	println(total)
	mu.Unlock()
	wg.Wait()
	return total
}

func swaps(n int) uint64 {
	var bits atomic.Uint64
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for {
				old := bits.Load()
				if bits.CompareAndSwap(old, old+1) { // want `bits is updated atomically` // refuse `local: bits is swapped`
					break
				}
			}
		})
	}
	wg.Wait()
	return bits.Load()
}

// Two values that belong together.
func pairs(xs []int, n int) (low, at int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for i, x := range xs[w:] {
				mu.Lock() // want `mu is locked in each iteration` // refuse `local: .* may be something else without the lock`
				if x < low {
					low, at = x, i
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return low, at
}

// recovered loses nothing today.
func recovered(xs []int, n int) (total int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			defer func() { recover() }()
			for _, x := range xs[w:] {
				mu.Lock() // want `mu is locked in each iteration` // refuse `local: a deferred call may stop a panic`
				total += x
				mu.Unlock()
				_ = 10 / x
			}
		})
	}
	wg.Wait()
	return total
}

// Strings are in order.
func concat(words []string, n int) (all string) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range words[w:] {
				mu.Lock() // want `mu is locked in each iteration` // refuse `local: all is no number`
				all += x
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return all
}

type bounded struct {
	mu     sync.Mutex
	n, max int
}

func (b *bounded) take() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.n < b.max {
		b.n++
		return true
	}
	return false
}

func (b *bounded) force() {
	b.mu.Lock()
	if b.n < b.max {
		b.n++
	}
	b.mu.Unlock()
}

func (b *bounded) total() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.n
}

func calls(xs []int, n int) int {
	b := &bounded{max: 10}
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for range xs[w:] {
				if b.take() { // want `b.take locks b.mu in each iteration` // refuse `local: take does more than add up`
					break
				}
				b.force() // want `b.force locks b.mu in each iteration` // refuse `local: take does more than add up`
			}
		})
	}
	wg.Wait()
	return b.total()
}

type server struct{ mu sync.Mutex }

// Without anything to add up, nobody asks whether there is a server.
func (s *server) sum(xs []int, n int) int {
	total := 0
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs[w:] {
				s.mu.Lock() // want `s.mu is locked in each iteration` // refuse `local: s.mu may not be there where the loop does not run`
				total += x
				s.mu.Unlock()
			}
		})
	}
	wg.Wait()
	return total
}

// One goroutine at a time: the order of the additions is certain.
func ordered(xs []float64, n int) float64 {
	total := 1e16
	var mu sync.Mutex
	for w := range n {
		done := make(chan bool)
		go func() {
			defer close(done)
			for _, x := range xs[w:] {
				mu.Lock() // want `mu is locked in each iteration` // refuse `local: each addition to total rounds`
				total += x
				mu.Unlock()
			}
		}()
		<-done
	}
	return total
}
