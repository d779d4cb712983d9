// Command run prints what loops of goroutines compute.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	for _, n := range []int{0, 1, 2, 100} {
		xs := make([]int, n)
		for i := range xs {
			xs[i] = i*i%17 - 4
		}
		fmt.Println(powers(xs), sums(n), naps(xs))
	}
}

func powers(xs []int) []int {
	out := make([]int, len(xs))
	var wg sync.WaitGroup
	for i, x := range xs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if x < 0 {
				return
			}
			p := 1
			for range i % 7 {
				p *= x
			}
			out[i] = p
		}()
	}
	wg.Wait()
	return out
}

func sums(n int) int64 {
	var sum atomic.Int64
	var wg sync.WaitGroup
	wg.Add(n)
	for i := 0; i < n; i++ {
		go func(i int) {
			for j := range i {
				sum.Add(int64(j))
			}
			wg.Done()
		}(i)
	}
	wg.Wait()
	return sum.Load()
}

func naps(xs []int) int {
	var sum atomic.Int64
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Go(func() {
			time.Sleep(10 * time.Microsecond)
			sum.Add(int64(x))
		})
	}
	wg.Wait()
	return int(sum.Load())
}
