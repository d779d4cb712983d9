package refused

import (
	"errors"
	"sync"
	"time"
)

func fetch(k int) int {
	time.Sleep(time.Millisecond)
	return k * k
}

func each(n int, f func(w int)) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() { f(w) })
	}
	wg.Wait()
}

func computed(n int, out []int) {
	each(n, func(w int) {
		for i := range n { // want "each iteration waits" // refuse "together: what the call is given depends on k, which an iteration computes"
			k := out[i] + 1
			out[w] = fetch(k)
		}
	})
}

func stopped(n int, out []int) {
	each(n, func(w int) {
		for i := range n { // want "each iteration waits" // refuse "together: the loop ends early, by break"
			if out[w] = fetch(i); out[w] > 10 {
				break
			}
		}
	})
}

func ask(k int) (int, error) {
	time.Sleep(time.Millisecond)
	if k < 0 {
		return 0, errors.New("negative")
	}
	return k, nil
}

func answered(n int, out []int) {
	each(n, func(w int) {
		for i := range n { // want "each iteration waits" // refuse "together: the call returns several values"
			v, _ := ask(i)
			out[w] += v
		}
	})
}

func sometimes(n int, out []int) {
	sums := make([]int, n)
	each(n, func(w int) {
		for i := range n { // want "each iteration waits" // refuse "together: not every iteration makes the call"
			if i%2 == 0 {
				sums[w] += fetch(i)
			}
		}
	})
	copy(out, sums)
}

func shortcut(n int) {
	hits := make([]bool, n)
	each(n, func(w int) {
		for i := range n { // want "each iteration waits" // refuse "together: not every iteration makes the call"
			hits[w] = hits[w] || fetch(i) > 3
		}
	})
}

func twice(n int) {
	sums := make([]int, n)
	each(n, func(w int) {
		for i := range n { // want "each iteration waits" // refuse "together: an iteration waits in several places"
			sums[w] += fetch(i) * fetch(i+1)
		}
	})
}

var total int

func sofar(k int) int {
	time.Sleep(time.Millisecond)
	return total + k
}

// The call looks at what the loop adds to.
func fed(n int) {
	done := make(chan bool)
	go func() {
		for i := range n { // want "each iteration waits" // refuse "together: the loop changes total beside the call"
			total += sofar(i)
		}
		close(done)
	}()
	<-done
}

func numbered(k int) int {
	time.Sleep(time.Millisecond)
	total++
	return total * k
}

// It keeps something, and one goroutine calls it.
func alone(n int) (sum int) {
	done := make(chan bool)
	go func() {
		for i := range n { // want "each iteration waits" // refuse "together: the call calls numbered, which changes total; nothing says that it is meant for several goroutines"
			sum += numbered(i)
		}
		close(done)
	}()
	<-done
	return sum
}

type counter struct{ n int }

// The sum is where the call may find it.
func visible(c *counter, n int) {
	done := make(chan bool)
	go func() {
		for i := range n { // want "each iteration waits" // refuse "together: the loop changes c.n beside the call"
			c.n += fetch(i)
		}
		close(done)
	}()
	<-done
}

func told(n int, out chan<- int) {
	each(n, func(w int) {
		for i := range n { // want "each iteration waits" // refuse "together: the loop waits for other goroutines beside the call"
			out <- fetch(i)
		}
	})
}

func caught(n int) {
	sums := make([]int, n)
	each(n, func(w int) {
		defer func() { recover() }()
		for i := range n { // want "each iteration waits" // refuse "together: the goroutine stops panics"
			sums[w] += fetch(i)
		}
	})
}

func bounded(n int) {
	sums := make([]int, n)
	each(n, func(w int) {
		for i := 0; i < fetch(n); i++ { // want "each iteration waits" // refuse "together: the range is the result of a call"
			sums[w] += fetch(i)
		}
	})
}

func growing(n int) {
	sums := make([]int, n)
	each(n, func(w int) {
		m := n
		for i := 0; i < m; i++ { // want "each iteration waits" // refuse "together: the range depends on m, which the loop changes"
			sums[w] += fetch(i)
			m--
		}
	})
}

func peek(p *int, k int) int {
	time.Sleep(time.Millisecond)
	return *p + k
}

// The call looks at the sum by another name.
func aliased(n int) int {
	done := make(chan bool)
	sum := 0
	p := &sum
	go func() {
		for i := range n { // want "each iteration waits" // refuse "together: the loop changes sum beside the call"
			sum += peek(p, i)
		}
		close(done)
	}()
	<-done
	return sum
}

type client struct {
	mu   sync.Mutex
	asks int
}

func (c *client) get(k int) int {
	time.Sleep(time.Millisecond)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asks++
	return k
}

// The loop looks at what the call may change.
func watched(c *client, n int) {
	sums := make([]int, n)
	each(n, func(w int) {
		for i := range n { // want "each iteration waits" // refuse "together: the call may change asks, which the loop looks at"
			sums[w] += c.get(i) * c.asks
		}
	})
}
