package refused

import (
	"cmp"
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

func (c *client) getCounted(keys []string) []string { // want "getCounted starts" // refuse "serial: client.get does nothing with asked"
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
