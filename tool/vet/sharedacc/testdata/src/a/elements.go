package a

import (
	"sync"
	"sync/atomic"
)

// The loop looks at what it has added to.
func looked(xs []int, n int) int64 {
	bins := make([]atomic.Int64, 10)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs[w:] {
				bins[x%10].Add(1) // want `elements of bins are updated atomically` // refuse `local: bins\[0\] may be the same memory as bins`
				if bins[0].Load() > 5 {
					break
				}
			}
		})
	}
	wg.Wait()
	return bins[0].Load()
}

// The number is used.
func numbered(xs []int, out [][]int, n int) {
	bins := make([]atomic.Int64, 10)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs[w:] {
				out[x%10][bins[x%10].Add(1)] = x // want `elements of bins are updated atomically` // refuse `local: the result of adding to bins is used`
			}
		})
	}
	wg.Wait()
}

// Bits are set and cleared.
func setAndCleared(xs []int, n int) uint32 {
	bits := make([]uint32, 10)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs[w:] {
				atomic.OrUint32(&bits[x%10], 1) // want `elements of bits are updated atomically` // refuse `local: the loop does more with the elements of bits than add to them`
				atomic.AndUint32(&bits[x%7], ^uint32(1))
			}
		})
	}
	wg.Wait()
	return bits[0]
}

// The loop goes on to other elements, of which nobody knows how many there are.
func other(xs []int, n int) {
	bits := make([]uint32, 10)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs[w:] {
				atomic.AddUint32(&bits[x%10], 1) // no finding: bits changes
				bits = bits[1:]
			}
		})
	}
	wg.Wait()
}

// The bins may not be there.
type binned struct{ bins []atomic.Int64 }

func (b *binned) count(xs []int, n int) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs[w:] {
				b.bins[x%10].Add(1) // want `elements of b.bins are updated atomically` // refuse `local: b.bins may not be there where the loop does not run`
			}
		})
	}
	wg.Wait()
}

// Somebody is told how far it is.
func toldHowFar(xs []int, n int, c chan<- int) {
	bins := make([]atomic.Int64, 10)
	var wg sync.WaitGroup
	go func() { c <- int(bins[0].Load()) }()
	for w := range n {
		wg.Go(func() {
			for i, x := range xs[w:] {
				bins[x%10].Add(1) // want `elements of bins are updated atomically` // refuse `local: the loop waits for other goroutines`
				c <- i
			}
		})
	}
	wg.Wait()
}

// What was counted before a panic is looked at.
func rescued(xs []int, n int) (out int64) {
	bins := make([]atomic.Int64, 10)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			defer func() {
				if recover() != nil {
					out = bins[0].Load()
				}
			}()
			for _, x := range xs[w:] {
				bins[x].Add(1) // want `elements of bins are updated atomically` // refuse `local: a deferred call may stop a panic and look at bins`
			}
		})
	}
	wg.Wait()
	return out
}

// The loop is left in the middle.
func leftEarly(xs []int, n int) int64 {
	bins := make([]atomic.Int64, 10)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs[w:] {
				if x < 0 {
					return
				}
				bins[x%10].Add(1) // want `elements of bins are updated atomically` // refuse `local: the loop has a return`
			}
		})
	}
	wg.Wait()
	return bins[0].Load()
}

// Each goroutine has bins of its own, or pointers to words that others may share.
func ownBins(xs []int, words []*atomic.Int64, n int) (out int64) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			bins := make([]atomic.Int64, 10)
			for _, x := range xs[w:] {
				bins[x%10].Add(1)
				words[x%10].Add(1)
			}
			out += bins[0].Load()
		})
	}
	wg.Wait()
	return out
}

// Each goroutine adds to each element once.
func merged(sums []int64, n int) {
	total := make([]int64, len(sums))
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for i, s := range sums {
				atomic.AddInt64(&total[i], s+int64(w))
			}
			for i := 0; i < len(total); i++ {
				atomic.AddInt64(&total[i], int64(w))
			}
		})
	}
	wg.Wait()
}
