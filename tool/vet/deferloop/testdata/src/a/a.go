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
