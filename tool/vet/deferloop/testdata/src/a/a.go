// Package a defers in functions that are called in each iteration.
package a

import "sync"

func sum(xs []int) (total int) {
	var mu sync.Mutex
	for _, x := range xs {
		func() {
			mu.Lock()
			defer mu.Unlock() // want "a function is called in each iteration to defer mu.Unlock: it is not inlined"
			total += x
		}()
	}
	return total
}

type counter struct {
	mu   sync.RWMutex
	n    int
	seen map[string]int
}

// The pointer was followed to lock it.
func (c *counter) count(words []string) {
	for _, w := range words {
		func() {
			c.mu.RLock()
			defer c.mu.RUnlock() // want "a function is called in each iteration to defer c.mu.RUnlock"
			// Words are counted.
			n := c.seen[w]
			if n > 0 && w != "" {
				c.n += n
			}
		}()
		func() { c.mu.Lock(); defer c.mu.Unlock() }() // want "c.mu.Unlock"
	}
}

func each(xs []float64, wg *sync.WaitGroup) (n float64) {
	for i := range xs {
		switch {
		case i > 3:
			func() {
				defer wg.Done() // want "wg.Done"
				for k := 0; k < 3; k++ {
					if k == 1 {
						continue
					}
					n /= 2
				}
			}()
		}
	}
	return n
}

// The lock has a name of its own in the function.
func named(xs []int, c *counter) {
	for _, x := range xs {
		func() {
			mu := &c.mu
			mu.Lock()
			defer mu.Unlock() // want "mu.Unlock"
			if x > 0 {
				mu := x
				_ = mu
			}
		}()
	}
}

type shard struct {
	mu sync.Mutex
	n  int
}

// All at once: nobody writes in between.
func snapshot(shards []shard) (n int) {
	for i := range shards {
		s := &shards[i]
		s.mu.Lock()
		defer s.mu.Unlock() // want "s.mu.Unlock is deferred in each iteration: the calls pile up" // refuse "inline: the calls come at the end of the function"
		n += s.n
	}
	return n
}

// An iteration that ends early takes no lock.
func nested(rows [][]*shard, rw *sync.RWMutex) (n int) {
	defer func() { n *= 2 }()
	for _, row := range rows {
		for _, s := range row {
			if s == nil {
				continue
			}
			rw.RLock()
			defer rw.RUnlock() // want "rw.RUnlock is deferred" // refuse "inline: the calls come at the end of the function"
			if s.n < 0 {
				return -1
			}
			n += s.n
		}
	}
	return n
}
