// Command run prints what workers compute of their parts.
package main

import (
	"fmt"
	"sync"
)

const side, workers = 96, 4

func main() {
	fmt.Println(bands())
	for _, n := range []int{0, 1, 3, 100, 1000} {
		xs := make([]int, n)
		for i := range xs {
			xs[i] = i*i%89 - 7
		}
		fmt.Println(squares(xs, 3), largest(xs), count(xs, 5))
	}
}

func bands() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			sum := 0
			for y := side / workers * w; y < side/workers*(w+1); y++ {
				sum += y * y
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

func squares(xs []int, n int) []int {
	out := make([]int, len(xs))
	var wg sync.WaitGroup
	for w := 0; w < n; w++ {
		lo, hi := w*len(xs)/n, (w+1)*len(xs)/n
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := lo; i < hi; i++ {
				out[i] = xs[i] * xs[i]
			}
		}()
	}
	wg.Wait()
	return out
}

func largest(xs []int) int {
	bests := make([]int, 4)
	var wg sync.WaitGroup
	for w := range bests {
		wg.Go(func() {
			for _, x := range xs[len(xs)*w/len(bests) : len(xs)*(w+1)/len(bests)] {
				bests[w] = max(bests[w], x)
			}
		})
	}
	wg.Wait()
	return max(bests[0], bests[1], bests[2], bests[3])
}

func count(xs []int, n int) map[int]int {
	m := map[int]int{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs[len(xs)*w/n : len(xs)*(w+1)/n] {
				mu.Lock()
				m[x]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return m
}
