package main

import "sync/atomic"

// Nobody is asked how many there are while they are counted.
type hits struct{ n atomic.Int64 }

func (h *hits) count(xs []int) {
	for range xs {
		h.n.Add(1) // want `h.n is updated atomically`
	}
}

func countHits(xs []int, workers int) int {
	var h hits
	each(workers, func(w int) { h.count(part(xs, w, workers)) })
	return int(h.n.Load())
}
