// Command run prints what workers compute of their parts.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

const bands = 4

func main() {
	fmt.Println(constant(96))
	for _, n := range []int{0, 1, 3, 17, 100, 1000} {
		xs := make([]int, n)
		for i := range xs {
			xs[i] = i*i%89 - 7
		}
		fmt.Println(squares(xs, 3), clamped(xs, 5), steps(xs, 3), count(xs, 5), some(xs, 5), ends(xs, 3), behind(xs, 6))
	}
}

func constant(height int) (total int) {
	var sums [bands]int
	var wg sync.WaitGroup
	for b := range bands {
		wg.Go(func() {
			for y := height * b / bands; y < height*(b+1)/bands; y++ {
				sums[b] += y * y
			}
		})
	}
	wg.Wait()
	for _, s := range sums {
		total += s
	}
	return total
}

func squares(xs []int, n int) []int {
	out := make([]int, len(xs))
	var wg sync.WaitGroup
	for w := 0; w < n; w++ {
		lo, hi := w*len(xs)/n, (w+1)*len(xs)/n
		wg.Add(1)
		go func(lo, hi int) {
			defer wg.Done()
			for i := lo; i < hi; i++ {
				out[i] = xs[i] * xs[i]
			}
		}(lo, hi)
	}
	wg.Wait()
	return out
}

func clamped(xs []int, workers int) (total int) {
	if workers > len(xs) {
		workers = len(xs)
	}
	if workers == 0 {
		return 0
	}
	chunk := (len(xs) + workers - 1) / workers
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			own := 0
			for i := w * chunk; i < min((w+1)*chunk, len(xs)); i++ {
				own += xs[i]
			}
			mu.Lock()
			total += own
			mu.Unlock()
		})
	}
	wg.Wait()
	return total
}

func steps(xs []int, procs int) []int {
	out := make([]int, len(xs))
	size := (len(xs) + procs - 1) / procs
	var wg sync.WaitGroup
	for lo := 0; lo < len(xs); lo += size {
		hi := min(lo+size, len(xs))
		wg.Go(func() {
			for i := lo; i < hi; i++ {
				out[i] = -xs[i]
			}
		})
	}
	wg.Wait()
	return out
}

func count(xs []int, n int) int {
	seen := make(chan int, n)
	for w := range n {
		part := xs[len(xs)*w/n : len(xs)*(w+1)/n]
		go func() {
			own := 0
			for _, x := range part {
				if x > 0 {
					own++
				}
			}
			seen <- own
		}()
	}
	all := 0
	for range n {
		all += <-seen
	}
	return all
}

// some has a part also if there are no elements.
func some(xs []int, workers int) (total int64) {
	if workers > len(xs) {
		workers = len(xs)
	}
	if workers < 1 {
		workers = 1
	}
	chunk := (len(xs) + workers - 1) / workers
	var sum atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for _, x := range xs[min(w*chunk, len(xs)):min((w+1)*chunk, len(xs))] {
				sum.Add(int64(x))
			}
		})
	}
	wg.Wait()
	return sum.Load()
}

// ends has a last part with all that is left over.
func ends(xs []int, workers int) []int {
	out := make([]int, len(xs))
	chunk := len(xs) / workers
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ {
		lo, hi := w*chunk, (w+1)*chunk
		if w == workers-1 {
			hi = len(xs)
		}
		wg.Go(func() { copy(out[lo:hi], xs[lo:hi]) })
	}
	wg.Wait()
	return out
}

// behind has parts that would lie behind the end, if they were not left out.
func behind(xs []int, workers int) int64 {
	var sum atomic.Int64
	var wg sync.WaitGroup
	n := len(xs)
	chunk := n/workers + 1
	for w := range workers {
		lo, hi := w*chunk, min((w+1)*chunk, n)
		if lo >= n {
			break
		}
		wg.Go(func() {
			for _, x := range xs[lo:hi] {
				sum.Add(int64(x))
			}
		})
	}
	wg.Wait()
	return sum.Load()
}
