package deferloop

import "sync"

// A counter is a number under a mutex of its own.
type counter struct {
	mu sync.Mutex
	n  uint64
}

// Direct takes a function for each counter, which locks it, adds x, and unlocks
// it without defer.
func Direct(counters []counter, x uint64) {
	for i := range counters {
		counters[i].direct(x)
	}
}

// direct is not inlined, since a function with a defer never is: with and
// without it, the loop makes the same calls.
//
//go:noinline
func (c *counter) direct(x uint64) {
	c.mu.Lock()
	c.n += x
	c.mu.Unlock()
}

// InPlace is Direct with the code of the function in the loop.
func InPlace(counters []counter, x uint64) {
	for i := range counters {
		c := &counters[i]
		c.mu.Lock()
		c.n += x
		c.mu.Unlock()
	}
}

// Deferred is Direct with a defer in the function.
func Deferred(counters []counter, x uint64) {
	for i := range counters {
		counters[i].deferred(x)
	}
}

func (c *counter) deferred(x uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n += x
}

// Accumulated has the defer in the loop itself. Nothing is unlocked before the
// loop is over.
func Accumulated(counters []counter, x uint64) {
	for i := range counters {
		c := &counters[i]
		c.mu.Lock()
		defer c.mu.Unlock()
		c.n += x
	}
}
