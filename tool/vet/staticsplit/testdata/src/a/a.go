package a

import (
	"sync"
	"sync/atomic"
)

func row(y int) int { return y * y }

const side, workers = 96, 4

func bands() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			sum := 0
			for y := side / workers * w; y < side/workers*(w+1); y++ { // want "the range is split into one part for each worker"
				sum += row(y)
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// Of a slice, with slots that number the workers.
func slots(xs []int) (best int) {
	sums := make([]int, 4)
	var wg sync.WaitGroup
	for w := range sums {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, x := range xs[len(xs)*w/len(sums) : len(xs)*(w+1)/len(sums)] { // want "the range is split"
				if x < 0 {
					continue
				}
				sums[w] = max(sums[w], row(x))
			}
		}()
	}
	wg.Wait()
	for _, s := range sums {
		best = max(best, s)
	}
	return best
}

// Rows of an image, of which each iteration has its own.
func image(pix []byte, width, height, n int) int64 {
	var count atomic.Int64
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			own := int64(0)
			for y := height * w / n; y < height*(w+1)/n; y++ { // want "the range is split"
				for x := range width {
					pix[y*width+x] = byte(row(y) + x)
					if pix[y*width+x] > 3 {
						own++
					}
				}
			}
			count.Add(own)
		})
	}
	wg.Wait()
	return count.Load()
}

// The ends have names, and a parameter.
func named(out []int, n int) {
	var wg sync.WaitGroup
	for w := 0; w < n; w++ {
		lo, hi := w*len(out)/n, (w+1)*len(out)/n
		wg.Add(1)
		go func(lo, hi int) {
			defer wg.Done()
			for i := lo; i < hi; i++ { // want "the range is split"
				out[i] = row(i)
			}
		}(lo, hi)
	}
	wg.Wait()
}

// A part has a name.
func part(xs []int, n int) (total int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := range n {
		part := xs[len(xs)*w/n : len(xs)*(w+1)/n]
		wg.Go(func() {
			own := 0
			for _, x := range part { // want "the range is split"
				own += x
			}
			mu.Lock()
			total += own
			mu.Unlock()
		})
	}
	wg.Wait()
	return total
}

// ranges has workers do what it is given, each with its part.
func ranges(n, workers int, work func(lo, hi int)) {
	var wg sync.WaitGroup
	for w := range workers {
		lo, hi := n*w/workers, n*(w+1)/workers
		if lo == hi {
			continue
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			work(lo, hi) // want "the range is split"
		}()
	}
	wg.Wait()
}

// rows has a function do what is given for each part.
func rows(out []int, workers int) {
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			fill(out, len(out)*w/workers, len(out)*(w+1)/workers) // want "the range is split"
		})
	}
	wg.Wait()
}

func fill(out []int, lo, hi int) {
	for i := lo; i < hi; i++ {
		out[i] = row(i)
	}
}

// both is told its worker for one range, and goes over another.
func both(out [][]int, xs []int, n, chunk, workers int) {
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			keep(out, w, n*w/workers, n*(w+1)/workers)
			for i := w * chunk; i < (w+1)*chunk; i++ { // want "the range is split"
				xs[i] = row(i)
			}
		})
	}
	wg.Wait()
}

func keep(out [][]int, w, lo, hi int) { out[w] = []int{lo, hi} }
