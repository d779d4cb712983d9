// Package refused has numbers of parts that must stay, and loops that do not split.
package refused

import "sync"

func work(xs []int) {
	for i := range xs {
		xs[i]++
	}
}

// more changes the number after it was used.
func more(xs []int, workers int) {
	chunk := (len(xs) + workers - 1) / workers
	workers = (len(xs) + chunk - 1) / chunk
	var wg sync.WaitGroup
	for w := range workers { // want "the range is split" // refuse "parts: the number of parts changes"
		wg.Go(func() { work(xs[w*chunk : min((w+1)*chunk, len(xs))]) })
	}
	wg.Wait()
}

// inner sets it in a block.
func inner(xs []int) {
	if len(xs) > 1000 {
		workers := 4
		var wg sync.WaitGroup
		for w := range workers { // want "the range is split" // refuse "parts: the number of parts is set in an inner block"
			wg.Go(func() { work(xs[len(xs)*w/workers : len(xs)*(w+1)/workers]) })
		}
		wg.Wait()
	}
}

// shadowed has its own min.
func shadowed(xs []int, workers int, min func(int, int) int) {
	if workers > len(xs) {
		workers = len(xs)
	}
	var wg sync.WaitGroup
	for w := range workers { // want "the range is split" // refuse "min means something else here"
		wg.Go(func() { work(xs[len(xs)*w/workers : len(xs)*(w+1)/workers]) })
	}
	wg.Wait()
}

// down rounds its step down: of more parts it might be none.
func down(xs []int, workers int) {
	size := len(xs) / workers
	var wg sync.WaitGroup
	for lo := 0; lo+size <= len(xs); lo += size {
		wg.Go(func() { work(xs[lo : lo+size]) })
	}
	wg.Wait()
}

// spread gives every n-th: the load is spread.
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

// rest leaves the first part to the function itself.
func rest(xs []int, workers int) {
	var wg sync.WaitGroup
	for w := 1; w < workers; w++ {
		wg.Go(func() { work(xs[len(xs)*w/workers : len(xs)*(w+1)/workers]) })
	}
	work(xs[:len(xs)/workers])
	wg.Wait()
}

// literal has its number in two places.
func literal(xs []int) {
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() { work(xs[len(xs)*w/4 : len(xs)*(w+1)/4]) })
	}
	wg.Wait()
}
