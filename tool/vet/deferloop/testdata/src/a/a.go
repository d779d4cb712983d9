// Package a defers in loops.
package a

import "sync"

type shard struct {
	mu sync.Mutex
	n  int
}

// All at once: nobody writes in between.
func snapshot(shards []shard) (n int) {
	for i := range shards {
		s := &shards[i]
		s.mu.Lock()
		defer s.mu.Unlock() // want "s.mu.Unlock is deferred in each iteration: the calls pile up"
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
			defer rw.RUnlock() // want "rw.RUnlock is deferred"
			if s.n < 0 {
				return -1
			}
			n += s.n
		}
	}
	return n
}
