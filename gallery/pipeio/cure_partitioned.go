package pipeio

import "sync"

// Partitioned gives neighbouring items to as many goroutines as there are cores:
// n/cores to each, and what is left over to the last as well. So does the
// article.
func Partitioned(n, cores int) uint64 {
	return partitioned(n, cores, func(w int) (lo, hi int) {
		size := n / cores
		if w == cores-1 {
			return w * size, n
		}
		return w * size, (w + 1) * size
	})
}

// PartitionedEvenly is Partitioned with shares that differ by one at most.
func PartitionedEvenly(n, cores int) uint64 {
	return partitioned(n, cores, func(w int) (lo, hi int) {
		return n * w / cores, n * (w + 1) / cores
	})
}

func partitioned(n, workers int, share func(w int) (lo, hi int)) uint64 {
	sums := make([]uint64, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			lo, hi := share(w)
			var sum uint64
			for i := lo; i < hi; i++ {
				sum += fetch(i)
			}
			sums[w] = sum
		})
	}
	wg.Wait()

	var sum uint64
	for _, s := range sums {
		sum += s
	}
	return sum
}
