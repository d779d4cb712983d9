package computing

import (
	"runtime"
	"sync"
	"sync/atomic"
)

func sums(xs []int) (total int) {
	workers := 4 * runtime.NumCPU() // want "the workers number as the machine's CPUs"
	sums := make([]int, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for _, x := range xs[len(xs)*w/workers : len(xs)*(w+1)/workers] {
				sums[w] += x
			}
		})
	}
	wg.Wait()
	for _, s := range sums {
		total += s
	}
	return total
}

func drain(jobs chan int, f func(int)) {
	var wg sync.WaitGroup
	for range runtime.NumCPU() { // want "the workers number as" // want "the workers call what they are given"
		wg.Go(func() {
			for j := range jobs {
				f(j)
			}
		})
	}
	wg.Wait()
}

// pooled has as many workers as it is told, and is told one.
func pooled(xs []int, workers int) int {
	in := make(chan int, 8)
	var total atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for x := range in {
				total.Add(int64(x * x))
			}
		})
	}
	for _, x := range xs {
		in <- x
	}
	close(in)
	wg.Wait()
	return int(total.Load())
}

func alone(xs []int) int {
	return pooled(xs, 1) // want "one worker takes the items"
}
