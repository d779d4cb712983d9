package pipeio

import (
	"sync"
	"sync/atomic"
)

// Each starts a goroutine for each item, the ordinary way where nothing limits
// how many items may be under way.
func Each(n, _ int) uint64 {
	var sum atomic.Uint64
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { sum.Add(fetch(i)) })
	}
	wg.Wait()
	return sum.Load()
}
