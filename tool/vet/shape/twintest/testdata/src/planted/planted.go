// Package planted is changed by an edit that is right, and one that is wrong in
// each function.
package planted

import (
	"slices"
	"sync"
	"sync/atomic"
)

// The result.
func total(xs []int) (sum int) {
	for _, x := range xs {
		sum += x
	}
	return sum
}

// What it was given.
func least(xs []int) int {
	if len(xs) == 0 {
		return 0
	}
	return slices.Min(xs)
}

// What lies behind that.
func ended(xs []int) []int { return append(xs[:len(xs):len(xs)], 1) }

// Whether it is nil.
func none(xs []string) (out []string) {
	for _, x := range xs {
		if x == "the" {
			out = append(out, x)
		}
	}
	return out
}

// A panic.
func at(xs []int, i int) int {
	if i < 0 || i >= len(xs) {
		return 0
	}
	return xs[i]
}

// A panic that is gone.
func first(xs []int) int { return xs[0] }

// A goroutine that dies.
func part(xs []int, n int) (sum int) {
	var wg sync.WaitGroup
	wg.Go(func() {
		for _, x := range xs[:min(max(n, 0), len(xs))] {
			sum += x
		}
	})
	wg.Wait()
	return sum
}

// One that waits.
func sent(xs []int) (sum int) {
	c := make(chan int)
	go func() {
		defer close(c)
		for _, x := range xs {
			c <- x
		}
	}()
	for x := range c {
		sum += x
	}
	return sum
}

// The end of the process.
func deep(n int) int {
	if n <= 0 {
		return 0
	}
	return deep(n-1) + 1
}

// A function that is called.
func each(xs []int, f func(int)) {
	for _, x := range xs {
		f(x)
	}
}

// A variable of the package.
var calls int

func called() int {
	calls++
	return calls
}

// What comes in any order.
func squares(xs []int) (out []int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Go(func() {
			mu.Lock()
			out = append(out, x*x)
			mu.Unlock()
		})
	}
	wg.Wait()
	return out
}

// What others use.
func double(x int) int { return 2 * x }

func four(x int) int { return double(double(x)) }

// A generic function.
func index[K comparable](keys []K) map[K]int {
	at := map[K]int{}
	for i, k := range keys {
		at[k] = i
	}
	return at
}

// The state of a type, whose fields the edit keeps otherwise.
type gauge struct {
	mu     sync.RWMutex
	n, set int
}

func (g *gauge) add(d int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.n += d
}

func (g *gauge) read() int {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.n
}

// A lock.
type door struct {
	mu    sync.Mutex
	opens int
}

func (d *door) open(by int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if by < 0 {
		return false
	}
	d.opens++
	return true
}

// What another function makes.
type words struct{ at map[string]int }

func newWords() *words { return &words{at: map[string]int{"the": 1}} }

func (w *words) count(s string) int {
	w.at[s]++
	return w.at[s]
}

// A channel.
func told(xs []int, out chan<- int) {
	for _, x := range xs {
		out <- x
	}
}

// Chance: nobody can say what it returns.
func chance(xs []int) int {
	var last atomic.Int64
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Go(func() { last.Store(int64(x)) })
	}
	wg.Wait()
	return int(last.Load())
}

// A race, which the race detector sees.
func summed(xs []int) (sum int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Go(func() {
			mu.Lock()
			sum += x
			mu.Unlock()
		})
	}
	wg.Wait()
	return sum
}
