package main

import "sync/atomic"

type hit struct {
	n     atomic.Int64
	total int
}

// A pointer to the slot is taken before the loop.
func pointed(xs []int, workers int) (n int) {
	hits := make([]hit, workers)
	counts := make([]atomic.Int64, workers)
	each(workers, func(w int) {
		h := &hits[w]
		for _, x := range part(xs, w, workers) {
			h.total += x // want `h.total is updated in memory`
			h.n.Add(1)
		}
		c := &counts[w]
		for range part(xs, w, workers) {
			c.Add(1) // want `c is updated atomically`
		}
	})
	for w := range hits {
		n += hits[w].total * int(hits[w].n.Load()-counts[w].Load()+1)
	}
	return n
}
