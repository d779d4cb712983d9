package refused

import (
	"fmt"
	"sync"
)

// What an iteration reads, the one before has written, if it is of the same part.
func chained(n, workers int) []int {
	out := make([]int, n)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for y := n * w / workers; y < n*(w+1)/workers; y++ { // want "the range is split" // refuse "dynamic: the loop uses w, which is the worker's"
				if y > n*w/workers {
					out[y] = out[y-1] + 1
				} else {
					out[y] = y
				}
			}
		})
	}
	wg.Wait()
	return out
}

// The same where a part is known to begin at a hundred.
func hundreds(out []int) {
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for y := 100 * w; y < 100*(w+1); y++ { // want "the range is split" // refuse "dynamic: the loop looks at out elsewhere than where it writes"
				if y%100 != 0 {
					out[y] = out[y-1] + 1
				}
			}
		})
	}
	wg.Wait()
}

// Each worker's sum is looked at.
func shown(n, workers int) string {
	sums := make([]int, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for y := n * w / workers; y < n*(w+1)/workers; y++ { // want "the range is split" // refuse "dynamic: what a worker keeps in .* is looked at by itself"
				sums[w] += y
			}
		})
	}
	wg.Wait()
	return fmt.Sprint(sums)
}

// The same by way of a variable; and a sum of the largest.
func largest(xs []int, n int) (sum int) {
	tops := make([]int, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			top := 0
			for _, x := range xs[len(xs)*w/n : len(xs)*(w+1)/n] { // want "the range is split" // refuse "dynamic: what a worker keeps in top depends .* looked at by itself"
				top = max(top, x)
			}
			tops[w] = top
		})
	}
	wg.Wait()
	for _, top := range tops {
		sum += top
	}
	return sum
}

// Not all of the slots are added up.
func some(xs []int) int {
	var sums [3]int
	var wg sync.WaitGroup
	for w := range 3 {
		wg.Go(func() {
			for _, x := range xs[len(xs)*w/3 : len(xs)*(w+1)/3] { // want "the range is split" // refuse "dynamic: what a worker keeps in .* is looked at by itself"
				sums[w] += x
			}
		})
	}
	wg.Wait()
	return sums[0] + sums[2]
}

// A count decides within the part.
func few(xs []int, out []bool, n int) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			have := 0
			for i := len(xs) * w / n; i < len(xs)*(w+1)/n; i++ { // want "the range is split" // refuse "dynamic: the loop looks at have, which it changes"
				if have < 3 {
					out[i] = true
					have++
				}
			}
		})
	}
	wg.Wait()
}

// Two elements have one slot, which are of one part.
func pairs(xs, out []int) {
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := 100 * w; i < 100*(w+1); i++ { // want "the range is split" // refuse "dynamic: two workers could change .* at once"
				out[i/2] += xs[i]
			}
		})
	}
	wg.Wait()
}

// Memory of the worker's own.
func scratch(xs [][]int, out []int, n int, f func(tmp, x []int) int) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			tmp := make([]int, 100)
			for i := len(xs) * w / n; i < len(xs)*(w+1)/n; i++ { // want "the range is split" // refuse "dynamic: the loop uses tmp, which is the worker's"
				out[i] = f(tmp, xs[i])
			}
		})
	}
	wg.Wait()
}
