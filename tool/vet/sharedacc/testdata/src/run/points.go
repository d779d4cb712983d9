package main

import (
	"sync"
	"sync/atomic"
)

type hitsMisses struct {
	hits, misses atomic.Int64
}

// Each goroutine picks the counter that is its own.
func owners(xs []int) (int64, int64) {
	s := new(hitsMisses)
	each(2, func(w int) {
		c, k := &s.hits, int64(1)
		if w == 1 {
			c, k = &s.misses, 2
		}
		for _, x := range part(xs, w, 2) {
			c.Add(k * int64(x&1)) // want `c is updated atomically in each iteration`
		}
	})
	return s.hits.Load(), s.misses.Load()
}

// The pointer may lead nowhere where the loop does not run.
func nowhere(xs []int) (a, b uint32) {
	var odd, even uint32
	var wg sync.WaitGroup
	for w := range 3 {
		wg.Go(func() {
			var p *uint32
			switch w {
			case 0:
				p = &odd
			case 1:
				p = &even
			default:
				xs := part(xs, 0, 2)
				xs = xs[:0]
				for range xs {
					atomic.AddUint32(p, 7) // want `p is updated atomically`
				}
				return
			}
			for _, x := range part(xs, w, 2) {
				atomic.AddUint32(p, uint32(x&3)) // want `p is updated atomically`
			}
		})
	}
	wg.Wait()
	return odd, even
}

// pump is nobody's but pumped's.
var pump struct {
	read, written uint64
}

func pumped(xs []int) (uint64, uint64) {
	atomic.StoreUint64(&pump.read, 0)
	atomic.StoreUint64(&pump.written, 0)
	each(2, func(w int) {
		if w == 0 {
			for _, x := range xs {
				atomic.AddUint64(&pump.read, uint64(x&15)) // want `pump.read is updated atomically`
			}
			return
		}
		for _, x := range xs {
			atomic.AddUint64(&pump.written, uint64(x&31)) // want `pump.written is updated atomically`
		}
	})
	return pump.read, pump.written
}
