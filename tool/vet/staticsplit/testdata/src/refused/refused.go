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

// numbered is told which worker it is, and may keep what that does.
func numbered(out [][]int, n, workers int) {
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { keep(out, w, n*w/workers, n*(w+1)/workers) })
	}
	wg.Wait()
}

func keep(out [][]int, w, lo, hi int) { out[w] = []int{lo, hi} }

// given is told by a parameter, and by what is the worker's.
func given(out [][]int, n, workers int) {
	var wg sync.WaitGroup
	for w := range workers {
		wg.Add(1)
		go func(w, lo, hi int) {
			defer wg.Done()
			keep(out, w, lo, hi)
		}(w, n*w/workers, n*(w+1)/workers)
	}
	for w := range workers {
		wg.Go(func() { own(&out[w], n*w/workers, n*(w+1)/workers) })
	}
	wg.Wait()
}

func own(out *[]int, lo, hi int) { *out = []int{lo, hi} }

// A part is of one worker.
type part struct{ lo, hi int }

func (p *part) keep(lo, hi int) { p.lo, p.hi = lo, hi }

func parts(ps []part, n, workers int) {
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { ps[w].keep(n*w/workers, n*(w+1)/workers) })
	}
	wg.Wait()
}

// anew hands over what is made, and received, for each call.
func anew(n, workers int, c chan []int) {
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { fill(make([]int, n), n*w/workers, n*(w+1)/workers) })
		wg.Go(func() { fill(<-c, n*w/workers, n*(w+1)/workers) })
		wg.Go(func() { fill(buffer(n), n*w/workers, n*(w+1)/workers) })
	}
	wg.Wait()
}

func buffer(n int) []int { return make([]int, n) }

func fill(out []int, lo, hi int) {
	for i := lo; i < hi; i++ {
		out[i] = i
	}
}

// rest leaves the first part to the function itself.
func rest(out []int, workers int) {
	var wg sync.WaitGroup
	for w := 1; w < workers; w++ {
		wg.Go(func() { fill(out, len(out)*w/workers, len(out)*(w+1)/workers) })
	}
	fill(out, 0, len(out)/workers)
	wg.Wait()
}

// last does the last part itself.
func last(out []int, workers int) {
	var wg sync.WaitGroup
	for w := range workers {
		if w < workers-1 {
			wg.Go(func() { fill(out, len(out)*w/workers, len(out)*(w+1)/workers) })
		} else {
			fill(out, len(out)*w/workers, len(out))
		}
	}
	wg.Wait()
}

// every goes by two.
func every(out []int, workers int) {
	var wg sync.WaitGroup
	for w := 0; w < workers; w += 2 {
		wg.Go(func() { fill(out, len(out)*w/workers, len(out)*(w+1)/workers) })
	}
	wg.Wait()
}

// several hands on a list.
func several(out []int, n, workers int) {
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { list(n*w/workers, n*(w+1)/workers, out...) })
	}
	wg.Wait()
}

func list(lo, hi int, out ...int) {}
