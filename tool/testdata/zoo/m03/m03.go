// Package m03 has shards of 16 bytes, several to a cache line.
package m03

import "sync"

type shard struct { // mistake: shardpad
	mu sync.Mutex
	n  int
}

type hits struct{ shards []shard }

func (h *hits) add(conn int) {
	s := &h.shards[conn%len(h.shards)]
	s.mu.Lock()
	s.n++
	s.mu.Unlock()
}

func (h *hits) total() (n int) {
	for i := range h.shards {
		n += h.shards[i].n
	}
	return n
}

func count(conns, requests int) int {
	n := make([]int, 8)
	for conn := range conns {
		for range requests {
			n[conn%len(n)]++
		}
	}
	total := 0
	for _, x := range n {
		total += x
	}
	return total
}

func countSharded(conns, requests int) int {
	h := &hits{shards: make([]shard, 8)}
	var wg sync.WaitGroup
	for conn := range conns {
		wg.Go(func() {
			for range requests {
				h.add(conn)
			}
		})
	}
	wg.Wait()
	return h.total()
}
