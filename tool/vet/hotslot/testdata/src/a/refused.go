package a

import (
	"sync"
	"sync/atomic"
)

func early(xs []int, sums []int) {
	var wg sync.WaitGroup
	for w := range sums {
		wg.Go(func() {
			for _, x := range xs {
				if x < 0 {
					return
				}
				sums[w] += x // want `sums\[w\] is updated` // refuse `local: xs may be the same memory as sums\[w\]`
			}
		})
	}
	wg.Wait()
}

// A literal that the loop calls sees the slot.
func lookedAt(xs []int, n int) []int {
	sums := make([]int, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			look := func() int { return sums[w] }
			for _, x := range xs {
				sums[w] += x ^ look() // want `sums\[w\] is updated` // refuse `local: it calls look, which may see sums\[w\]`
			}
		})
	}
	wg.Wait()
	return sums
}

func jumps(xs []int, n int) int {
	sums := make([]int, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			if len(xs) == 0 {
				goto end
			}
			for _, x := range xs {
				sums[w] += x // want `sums\[w\] is updated` // refuse `local: the function has a goto`
			}
		end:
		})
	}
	wg.Wait()
	return sums[0]
}

func deferred(xs []int, n int) int {
	sums := make([]int, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			defer func() { recover() }()
			for _, x := range xs {
				sums[w] += 100 / x // want `sums\[w\] is updated` // refuse `local: a deferred call may stop a panic`
			}
		})
	}
	wg.Wait()
	return sums[0]
}

func panics(xs []int, n int) int {
	sums := make([]int, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs {
				if x < 0 {
					panic("negative")
				}
				sums[w] += x // want `sums\[w\] is updated` // refuse `local: the loop has a panic`
			}
		})
	}
	wg.Wait()
	return sums[0]
}

func called(xs []string, n int, f func(string) int) int {
	sums := make([]int, n)
	report := func() int { return sums[0] }
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs {
				sums[w] += f(x) // want `sums\[w\] is updated` // refuse `local: it calls f, which may see sums\[w\]`
			}
		})
	}
	wg.Wait()
	return report()
}

type stats struct {
	counts []int
	top    int
}

func (s *stats) note(w int) { s.top = max(s.top, s.counts[w]) }

func (s *stats) run(xs []bool) {
	var wg sync.WaitGroup
	for w := range s.counts {
		wg.Go(func() {
			for _, x := range xs {
				if x {
					s.counts[w]++ // want `s.counts\[w\] is updated` // refuse `local: s may be the same memory as s.counts\[w\]`
				}
				s.note(w)
			}
		})
	}
	wg.Wait()
}

func pointer(xs []int, n int) int {
	sums := make([]int, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs {
				sums[w] += x // want `sums\[w\] is updated` // refuse `local: the address of sums\[w\] is taken`
				note(&sums[w])
			}
		})
	}
	wg.Wait()
	return sums[0]
}

func note(p *int) { *p &= 0xffff }

func others(xs []int, n int) int {
	sums := make([]int, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs {
				sums[w] += x // want `sums\[w\] is updated` // refuse `local: sums\[0\] may be the same memory`
				if w == 0 && sums[0] > 100 {
					break
				}
			}
		})
	}
	wg.Wait()
	return sums[0]
}

func waits(jobs chan int, n int) int {
	sums := make([]int, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for x := range jobs {
				sums[w] += x // want `sums\[w\] is updated` // refuse `local: the loop synchronizes with other goroutines`
			}
		})
	}
	wg.Wait()
	return sums[0]
}

func locks(xs []int, n int) int {
	sums := make([]int, n)
	var wg sync.WaitGroup
	var mu sync.Mutex
	for w := range n {
		wg.Go(func() {
			for _, x := range xs {
				mu.Lock()
				sums[w] += x // want `sums\[w\] is updated` // refuse `local: the loop synchronizes with other goroutines`
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return sums[0]
}

func used(xs []int, n int) int64 {
	counts := make([]atomic.Int64, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for range xs {
				if counts[w].Add(1) > 10 { // want `counts\[w\] is updated atomically` // refuse `local: the result of adding to counts\[w\] is used`
					break
				}
			}
		})
	}
	wg.Wait()
	return counts[0].Load()
}

// The slot may not exist, and nobody would have noticed.
func absent(xs []int, sums []float64, ids []int) {
	var wg sync.WaitGroup
	for w := range ids {
		id := ids[w]
		wg.Go(func() {
			for _, x := range xs {
				sums[id] += float64(x) // want `sums\[id\] is updated` // refuse `local: sums\[id\] may not be there where the loop does not run`
			}
		})
	}
	wg.Wait()
}

func endless(n int, next func() int) []int {
	sums := make([]int, n)
	for w := range n {
		go func() {
			for {
				sums[w] += 1 // want `sums\[w\] is updated` // refuse `local: the loop does not end`
			}
		}()
	}
	return sums
}

var origin = pair{1, 2}

// Bits are no sums.
func bits(xs []uint32, n int) uint32 {
	masks := make([]atomic.Uint32, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs {
				masks[w].Or(1 << (x & 31)) // want `masks\[w\] is updated atomically` // refuse `local: bits of masks\[w\] are set`
			}
		})
	}
	wg.Wait()
	return masks[0].Load()
}
