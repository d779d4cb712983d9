// Package meter counts, for the programs of another package.
package meter

import "sync/atomic"

// A Gauge has a limit that all ask for and a count that few keep.
type Gauge struct {
	limit int64
	count atomic.Int64
}

// New returns a Gauge.
func New(limit int64) *Gauge { return &Gauge{limit: limit} }

// Limit is what New was told.
func (g *Gauge) Limit() int64 { return g.limit }

// Count counts one.
func (g *Gauge) Count() { g.count.Add(1) }

// Counted is how often Count was called.
func (g *Gauge) Counted() int64 { return g.count.Load() }

// A Ring hands out the indices of its buffer, one by one.
type Ring[T any] struct {
	next atomic.Uint64
	buf  []T
}

// NewRing returns a Ring over buf, whose length is a power of two.
func NewRing[T any](buf []T) *Ring[T] { return &Ring[T]{buf: buf} }

// Take returns the next element, round and round.
func (r *Ring[T]) Take() T {
	for {
		at := r.next.Load()
		v := r.buf[at&uint64(len(r.buf)-1)]
		if r.next.CompareAndSwap(at, at+1) {
			return v
		}
	}
}
