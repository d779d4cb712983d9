package a

import (
	"sync"
	"sync/atomic"
)

// The limit is looked at while the goroutines count.
func limit(xs []int, n int) (total int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs[w:] {
				mu.Lock() // want `mu is locked in each iteration` // refuse `local: the loop looks at total`
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
				mu.Lock() // want `mu is locked in each iteration` // refuse `local: total may be looked at here meanwhile`
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

type line struct {
	n    int
	seen []int
}

// What is in the map, or in the variable, counts for more than a sum.
func lines(xs [][]int, n int, stop chan bool) (bad int) {
	var wg sync.WaitGroup
	var mu, other sync.Mutex
	var items atomic.Int64
	looked, moved, kept := map[int]line{}, map[int]line{}, map[int]line{}
	least, shown := -5, 0
	go func() {
		for range stop {
			mu.Lock()
			println(shown)
			mu.Unlock()
		}
	}()
	for range n {
		wg.Go(func() {
			for _, row := range xs {
				for i, x := range row {
					mu.Lock() // want `mu is locked` // refuse `local: l is used in another way`
					l := looked[x]
					l.n++
					if l.n == 3 {
						bad++
					}
					looked[x] = l
					mu.Unlock()
					other.Lock() // want `other is locked` // refuse `local: moved\[i\] is set, not added to`
					m := moved[x]
					m.n++
					moved[i] = m
					other.Unlock()
				}
			}
			for i, x := range xs {
				mu.Lock() // want `mu is locked` // refuse `local: l is used in another way`
				l := kept[i]
				l.seen = append(l.seen, len(x))
				kept[i] = l
				mu.Unlock()
			}
			for _, x := range xs {
				mu.Lock() // want `mu is locked` // refuse `local: least is set, not added to`
				if len(x) > least {
					least = len(x)
				}
				mu.Unlock()
			}
			for range xs {
				mu.Lock() // want `mu is locked` // refuse `local: shown may be looked at here meanwhile`
				shown++
				mu.Unlock()
			}
			for _, x := range xs {
				items.Add(1) // want `items is updated atomically` // refuse `local: items is another where the loop is left`
				if items := len(x); items > 3 {
					return
				}
			}
			for _, x := range xs {
				mu.Lock() // want `mu is locked` // refuse `local: another lock may be held where the loop is left`
				bad += len(x)
				mu.Unlock()
				other.Lock() // want `other is locked` // refuse `local: the loop looks at what it adds to`
				if len(x) == 7 {
					other.Unlock()
					return
				}
				other.Unlock()
			}
		})
	}
	wg.Wait()
	return bad + int(items.Load()) + least + len(looked) + len(moved) + len(kept)
}

type counter struct{ n int }

// What stands around the lock, or under it, needs more than a part.
func parts(xs []int, c, d *counter, check func(int)) {
	var total int
	var mu, other sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for _, x := range xs {
				mu.Lock() // want `mu is locked` // refuse `local: the loop has a function literal`
				total += x
				mu.Unlock()
				func() { println(x) }()
			}
			for _, x := range xs {
				mu.Lock() // want `mu is locked` // refuse `local: it does more under the lock than add up`
				check(x)
				total += x
				mu.Unlock()
			}
		rows:
			for _, x := range xs {
				if x < 0 {
					continue rows
				}
				mu.Lock() // want `mu is locked` // refuse `local: the loop has a label`
				total += x
				mu.Unlock()
			}
			for _, x := range xs {
				other.Lock() // want `other is locked` // refuse `local: c.n may not be there where the loop does not run`
				c.n += x
				other.Unlock()
			}
			for _, x := range xs {
				other.Lock() // want `other is locked` // refuse `local: the loop looks at c.n`
				c.n += x
				d.n += x
				other.Unlock()
			}
		})
	}
	wg.Wait()
	println(total)
}
