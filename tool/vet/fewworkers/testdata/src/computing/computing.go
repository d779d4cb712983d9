package computing

import (
	"runtime"
	"sync"
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
