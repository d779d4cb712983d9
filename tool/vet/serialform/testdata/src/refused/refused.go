package refused

import (
	"cmp"
	"context"
	"sync"
	"time"
)

type client struct {
	ask     func(key string) string
	timeout time.Duration
	asked   int
	mu      sync.Mutex
}

func (c *client) get(keys []string) []string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = c.ask(k)
	}
	return out
}

func (c *client) getAtOnce(keys []string, limit int) []string { // want "getAtOnce starts" // refuse "serial: client.get does nothing with timeout"
	out := make([]string, len(keys))
	for i, k := range keys {
		done := make(chan string, 1)
		go func() { done <- c.ask(k) }()
		select {
		case out[i] = <-done:
		case <-time.After(c.timeout):
		}
	}
	return out
}

func (c *client) getCounted(keys []string) []string { // want "getCounted starts" // refuse "serial: it takes a lock, and client.get does not"
	out := make([]string, len(keys))
	var wg sync.WaitGroup
	for i, k := range keys {
		wg.Go(func() {
			out[i] = c.ask(k)
			c.mu.Lock()
			c.asked++
			c.mu.Unlock()
		})
	}
	wg.Wait()
	return out
}

type rates struct{ first, rest float64 }

func (r rates) sum(xs []float64) float64 { return r.rest * xs[0] }

func (r rates) sumAll(xs []float64) float64 { // want "sumAll starts" // refuse "serial: rates.sum does nothing with first"
	out := make(chan float64)
	go func() { out <- r.rest * xs[0] }()
	return <-out * r.first
}

var total int

func sum(xs []int) (n int) {
	for _, x := range xs {
		n += x
	}
	return n
}

func sumOfTwo(xs []int) int { // want "sumOfTwo starts" // refuse "serial: it changes total, and sum does not"
	var a int
	var wg sync.WaitGroup
	wg.Go(func() { a = sum(xs[:len(xs)/2]) })
	b := sum(xs[len(xs)/2:])
	wg.Wait()
	total += a + b
	return a + b
}

// No word of its name says so.
func bothHalves(xs []int) int {
	var a int
	var wg sync.WaitGroup
	wg.Go(func() { a = sum(xs[:len(xs)/2]) })
	b := sum(xs[len(xs)/2:])
	wg.Wait()
	return a + b
}

// The serial form takes two numbers, of which one cannot be told.
func power(x, n int) int {
	p := 1
	for range n {
		p *= x
	}
	return p
}

func powerAtOnce(base, exponent, workers int) int {
	all := make(chan int, workers)
	for range workers {
		go func() { all <- base }()
	}
	p := 1
	for range exponent {
		p *= base
	}
	return p
}

// It has a context, or the like, that the serial form has not.
func sumUntil(xs []int, done <-chan struct{}) int {
	out := make(chan int, 1)
	go func() { out <- sum(xs) }()
	select {
	case n := <-out:
		return n
	case <-done:
		return 0
	}
}

// Largest orders any type, by its order.
func Largest[T cmp.Ordered](xs []T) (m T) {
	for _, x := range xs {
		m = max(m, x)
	}
	return m
}

// LargestParallel takes types that Largest does not.
func LargestParallel[T comparable](xs []T) (m T) {
	var wg sync.WaitGroup
	wg.Go(func() {
		for _, x := range xs {
			if x != m {
				m = x
			}
		}
	})
	wg.Wait()
	return m
}

// A loop may change what it is given, or a copy.

func Doubled(xs []int) []int {
	out := make([]int, len(xs))
	for i, x := range xs {
		out[i] = 2 * x
	}
	return out
}

func DoubledInPlace(xs []int) []int { // want "DoubledInPlace starts" // refuse "serial: it changes memory, and Doubled does not"
	var wg sync.WaitGroup
	for i := range xs {
		wg.Go(func() { xs[i] *= 2 })
	}
	wg.Wait()
	return xs
}

func Halved(xs []int) []int {
	for i := range xs {
		xs[i] /= 2
	}
	return xs
}

func HalvedParallel(xs []int) []int { // want "HalvedParallel starts" // refuse "serial: Halved changes memory, and it does not"
	out := make([]int, len(xs))
	var wg sync.WaitGroup
	for i, x := range xs {
		wg.Go(func() { out[i] = x / 2 })
	}
	wg.Wait()
	return out
}

// An account is of several goroutines.
type account struct {
	mu   sync.Mutex
	sum  int
	last int
}

func (a *account) add(xs []int) {
	for _, x := range xs {
		a.sum += x
	}
}

func (a *account) addSafely(xs []int) { // want "addSafely starts" // refuse "serial: it takes a lock, and account.add does not"
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Go(func() {
			a.mu.Lock()
			a.sum += x
			a.mu.Unlock()
		})
	}
	wg.Wait()
}

func (a *account) most(xs []int) (m int) {
	for _, x := range xs {
		m = max(m, x+a.sum)
	}
	a.last = m
	return m
}

func (a *account) mostOfTwo(xs []int) int { // want "mostOfTwo starts" // refuse "serial: account.most changes last, and it does not"
	var m [2]int
	var wg sync.WaitGroup
	for i := range m {
		wg.Go(func() {
			for _, x := range xs[i*len(xs)/2 : (i+1)*len(xs)/2] {
				m[i] = max(m[i], x+a.sum)
			}
		})
	}
	wg.Wait()
	return max(m[0], m[1])
}

// The serial function grades one, and the other all.

func grade(i int) int { return i * i % 7 }

func gradeAtOnce(n int) int {
	sums := make([]int, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { sums[i] = grade(i) })
	}
	wg.Wait()
	return sum(sums)
}

// Its name means something else where the parameter has it.
func sumOf(sum func([]int) int, xs []int) int {
	out := make(chan int)
	go func() { out <- sum(xs) }()
	return <-out
}

// What stands beside it calls it.

type adder interface{ addUp(xs []int) int }

var chosen adder = busy{}

type plain struct{}

func (plain) addUp(xs []int) int { return chosen.addUp(xs) }

type busy struct{}

func (busy) addUp(xs []int) int { // want "addUp starts" // refuse "serial: plain.addUp may call it"
	out := make(chan int)
	go func() { out <- sum(xs) }()
	return <-out
}

var way = sumOfWay

func sumWay(xs []int) int { return way(xs) }

func sumOfWay(xs []int) int { // want "sumOfWay starts" // refuse "serial: sumWay may call it"
	out := make(chan int)
	go func() { out <- len(xs) }()
	return <-out
}

func sumOfWork(xs []int) (n int) { // want "sumOfWork starts" // refuse "serial: it stops panics, and sum does not"
	var wg sync.WaitGroup
	wg.Go(func() {
		defer func() { recover() }()
		n = sum(xs)
	})
	wg.Wait()
	return n
}

func addWhile(ctx context.Context, xs []int) (n int, err error) {
	for _, x := range xs {
		n += x
	}
	return n, ctx.Err()
}

func addWhileParallel(ctx context.Context, xs []int) (n int, err error) { // want "its serial form" // refuse "serial: addWhile does not look at ctx meanwhile"
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := 0; i < len(xs) && ctx.Err() == nil; i++ {
			n += xs[i]
		}
	})
	wg.Wait()
	return n, ctx.Err()
}
