package quiet

import (
	"net"
	"os"
	"sync"
	"time"
)

func fetch(k int) int {
	time.Sleep(time.Millisecond)
	return k * k
}

// No goroutine runs it.
func serial(n int) (total int) {
	for i := range n {
		total += fetch(i)
	}
	return total
}

func square(k int) int { return k * k }

func run(n int, jobs <-chan int, m map[int]int) {
	var wg sync.WaitGroup
	sums := make([]int, n)
	for w := range n {
		wg.Go(func() {
			for i := range n { // waits for nothing
				sums[w] += square(i)
			}
			for j := range jobs { // has no numbers
				sums[w] += fetch(j)
			}
			for k := range m {
				sums[w] += fetch(k)
			}
			for fetch(w) > 3 {
			}
			for i := range n { // each starts a goroutine
				wg.Go(func() { fetch(i) })
			}
		})
	}
	wg.Wait()
}

func each(n int, f func(w int)) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() { f(w) })
	}
	wg.Wait()
}

func chained(n int) {
	each(n, func(w int) {
		k := w
		for range n {
			k = fetch(k)
		}
	})
}

func paced(n int) {
	ticks := make([]int, n)
	each(n, func(w int) {
		for i := range n {
			time.Sleep(time.Millisecond)
			ticks[w] += i
		}
	})
}

func remove(names []string) {
	each(2, func(w int) {
		for _, name := range names {
			err := os.Remove(name)
			_ = err
		}
	})
}

func request(c net.Conn, k int) int {
	c.Write([]byte{byte(k)})
	var b [1]byte
	c.Read(b[:])
	return int(b[0])
}

// Each goroutine has its connection, which has an order.
func conns(cs []net.Conn, n int) {
	sums := make([]int, len(cs))
	each(len(cs), func(w int) {
		for i := range n {
			sums[w] += request(cs[w], i)
		}
	})
}

var total int

func numbered(k int) int {
	time.Sleep(time.Millisecond)
	total++
	return total * k
}

// It keeps something.
func alone(n int) (sum int) {
	done := make(chan bool)
	go func() {
		for i := range n {
			sum += numbered(i)
		}
		close(done)
	}()
	<-done
	return sum
}

type client struct {
	mu    sync.Mutex
	cache map[int]int
}

func (c *client) get(k int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.cache[k]; !ok {
		time.Sleep(time.Millisecond)
		c.cache[k] = k
	}
	return c.cache[k]
}

// It is meant for several goroutines, which is not known.
func cached(c *client, keys []int) {
	sums := make([]int, 2)
	each(2, func(w int) {
		for _, k := range keys {
			sums[w] += c.get(k)
		}
	})
}
