package falseshare

import (
	"sync"
	"sync/atomic"
)

// Packed gives each worker its own element of one slice and adds every number
// to it with a plain +=. The elements are neighbours on a cache line, and each
// addition loads and stores memory: the compiler keeps no element in a
// register across iterations.
func Packed(limit, workers int) int64 {
	sums := make([]int64, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			lo, hi := chunk(limit, workers, w)
			for i := lo; i < hi; i++ {
				sums[w] += int64(i)
			}
		})
	}
	wg.Wait()

	var sum int64
	for w := range sums {
		sum += sums[w]
	}
	return sum
}

// PackedAtomic is Packed with atomic additions. No store can linger in a
// store buffer, so the line has to change hands for the next addition of
// another worker.
func PackedAtomic(limit, workers int) int64 {
	sums := make([]atomic.Int64, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			lo, hi := chunk(limit, workers, w)
			for i := lo; i < hi; i++ {
				sums[w].Add(int64(i))
			}
		})
	}
	wg.Wait()

	var sum int64
	for w := range sums {
		sum += sums[w].Load()
	}
	return sum
}

// Shared lets all workers add every number to the same atomic sum. This is
// true sharing: the workers want the same word, not just the same line.
func Shared(limit, workers int) int64 {
	var sum atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			lo, hi := chunk(limit, workers, w)
			for i := lo; i < hi; i++ {
				sum.Add(int64(i))
			}
		})
	}
	wg.Wait()
	return sum.Load()
}

// SharedPadded is Shared with nothing else near the sum. It is here because it
// does not help: padding parts neighbours, and Shared has only one word.
func SharedPadded(limit, workers int) int64 {
	var sum struct {
		_ [lineSize]byte
		n atomic.Int64
		_ [lineSize]byte
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			lo, hi := chunk(limit, workers, w)
			for i := lo; i < hi; i++ {
				sum.n.Add(int64(i))
			}
		})
	}
	wg.Wait()
	return sum.n.Load()
}
