// Package a has what is not found (none.go), and accumulators of which an edit
// would change what the code does (refused.go).
package a

import (
	"net/http"
	"sync"
	"sync/atomic"
)

// afterNetwork locks after a network call.
func afterNetwork(urls []string, n int) (failed int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var asked atomic.Int64
	for w := range n {
		wg.Go(func() {
			for _, u := range urls[w:] {
				asked.Add(1)
				if _, err := http.Get(u); err != nil {
					mu.Lock()
					failed++
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	return failed
}

// onceEach merges once a goroutine.
func onceEach(xs []int, n int) (total int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var done atomic.Int64
	for w := range n {
		wg.Go(func() {
			sum := 0
			for _, x := range xs[w:] {
				sum += x
			}
			mu.Lock()
			defer mu.Unlock()
			total += sum
			done.Add(1)
		})
	}
	wg.Wait()
	return total
}

type shard struct {
	mu sync.Mutex
	n  int
}

// ownLocks has a lock for each goroutine.
func ownLocks(xs []int, shards []shard) {
	var wg sync.WaitGroup
	for w := range shards {
		wg.Go(func() {
			s := &shards[w]
			for _, x := range xs {
				s.mu.Lock()
				s.n += x
				s.mu.Unlock()
			}
		})
	}
	wg.Wait()
}

// flags are read, not updated.
func flags(xs []int, stop *atomic.Bool) {
	for range 4 {
		go func() {
			for range xs {
				if stop.Load() {
					return
				}
			}
		}()
	}
}

// heavy is a loop of which the lock is little.
func heavy(rows [][]int, n int) (best int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, row := range rows[w:] {
				sum := 0
				for _, x := range row {
					sum += x
				}
				mu.Lock()
				best = max(best, sum)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return best
}
