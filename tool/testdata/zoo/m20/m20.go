// Package m20 has a function whose benchmarks measure something else.
package m20

import "sync/atomic"

func mix(x uint32) uint32 {
	x ^= x >> 16
	x *= 0x7feb352d
	return x ^ x>>15
}

func sum(xs []uint32) (total uint32) {
	for _, x := range xs {
		total += mix(x)
	}
	return total
}

type hits struct{ n atomic.Int64 }

func (h *hits) add() { h.n.Add(1) }
