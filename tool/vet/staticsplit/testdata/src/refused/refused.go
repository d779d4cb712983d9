// Package refused has parts that must stay, and loops that are none.
package refused

import "sync"

func stops(xs []int, n int) []bool {
	found := make([]bool, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs[len(xs)*w/n : len(xs)*(w+1)/n] { // want "the range is split" // refuse "dynamic: the loop ends early, by break"
				if x == 0 {
					break
				}
			}
			found[w] = true
		})
	}
	wg.Wait()
	return found
}

func counts(xs, out []int, n int) {
	var wg sync.WaitGroup
	for w := range n {
		lo := len(xs) * w / n
		wg.Go(func() {
			for i, x := range xs[lo : len(xs)*(w+1)/n] { // want "the range is split" // refuse "dynamic: the loop counts within its part"
				out[lo+i] = x
			}
		})
	}
	wg.Wait()
}

// Every n-th: the load is spread.
func spread(xs []int, n int) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for i := w; i < len(xs); i += n {
				xs[i]++
			}
		})
	}
	wg.Wait()
}

// All do all.
func all(xs []int, sums []int) {
	var wg sync.WaitGroup
	for w := range sums {
		wg.Go(func() {
			for _, x := range xs {
				sums[w] += x
			}
		})
	}
	wg.Wait()
}

// The parts overlap.
func overlap(xs []int, n int) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for i := w * 10; i < (w+2)*10; i++ {
				_ = xs[i]
			}
		})
	}
	wg.Wait()
}
