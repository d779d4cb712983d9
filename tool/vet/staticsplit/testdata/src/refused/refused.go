// Package refused has numbers of parts that must stay, and loops that do not split.
package refused

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

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

// shadowed has its own min.
func shadowed(xs []int, workers int, min func(int, int) int) {
	if workers > len(xs) {
		workers = len(xs)
	}
	var wg sync.WaitGroup
	for w := range workers { // want "the range is split" // refuse "min and max are not those of Go 1.21"
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

// behind has fewer elements when it splits them than when it makes room.
func behind(xs []int, workers int) []bool {
	done := make([]bool, workers)
	xs = xs[1:]
	chunk := (len(xs) + workers - 1) / workers
	var wg sync.WaitGroup
	for w := range workers { // want "the range is split" // refuse "the number of elements may change"
		wg.Add(1)
		go func(w int) {
			defer wg.Done()
			work(xs[w*chunk : min((w+1)*chunk, len(xs))])
			done[w] = true
		}(w)
	}
	wg.Wait()
	return done
}

// A queue has fewer elements after a call.
type queue struct{ xs []int }

func (q *queue) drop() { q.xs = q.xs[1:] }

func (q *queue) all(workers int) []bool {
	done := make([]bool, workers)
	q.drop()
	var wg sync.WaitGroup
	chunk := len(q.xs)/workers + 1
	for w := range workers { // want "the range is split" // refuse "the number of elements may change"
		wg.Go(func() {
			work(q.xs[w*chunk : min((w+1)*chunk, len(q.xs))])
			done[w] = true
		})
	}
	wg.Wait()
	return done
}

// tail does what is left over itself.
func tail(xs []int, workers int) {
	chunk := len(xs) / workers
	var wg sync.WaitGroup
	for w := range workers { // want "the range is split" // refuse "what the division leaves over is in no part"
		end := (w + 1) * chunk
		if w == workers-1 {
			end = len(xs) - 1
		}
		wg.Go(func() { work(xs[w*chunk : end]) })
	}
	work(xs[len(xs)-1:])
	wg.Wait()
}

// left is for lengths that the number divides.
func left(xs []int, workers int) {
	chunk := len(xs) / workers
	var wg sync.WaitGroup
	for w := range workers { // want "the range is split" // refuse "what the division leaves over is in no part"
		wg.Go(func() { work(xs[w*chunk : (w+1)*chunk]) })
	}
	wg.Wait()
}

// ranged has its number of a range, and another of that name outside.
func ranged(xs, all []int, n int) {
	for _, n := range all {
		var wg sync.WaitGroup
		for w := range n { // want "the range is split" // refuse "is not known before"
			wg.Go(func() { work(xs[len(xs)*w/n : len(xs)*(w+1)/n]) })
		}
		wg.Wait()
	}
}

// told prints how many workers there are.
func told(xs []int, workers int) {
	fmt.Println(workers)
	var wg sync.WaitGroup
	for w := range workers { // want "the range is split" // refuse "says something else as well"
		wg.Go(func() { work(xs[len(xs)*w/workers : len(xs)*(w+1)/workers]) })
	}
	wg.Wait()
}

// mean is for each worker.
func mean(xs []int, workers int) int {
	var wg sync.WaitGroup
	for w := range workers { // want "the range is split" // refuse "what the division leaves over"
		wg.Go(func() { work(xs[len(xs)*w/workers : len(xs)*(w+1)/workers]) })
	}
	wg.Wait()
	return xs[0] / workers
}

// again starts workers of another kind.
func again(xs []int, workers int) {
	var wg sync.WaitGroup
	for w := range workers { // want "the range is split" // refuse "says something else as well"
		wg.Go(func() { work(xs[len(xs)*w/workers : len(xs)*(w+1)/workers]) })
	}
	wg.Wait()
	for range workers { // want "the range is split" // refuse "what the division leaves over"
		wg.Go(func() { work(nil) })
	}
	wg.Wait()
}

// received takes as many answers as there may be parts.
func received(xs []int, workers int) {
	size := (len(xs) + workers - 1) / workers
	done := make(chan bool)
	for lo := 0; lo < len(xs); lo += size { // want "the range is split" // refuse "says something else as well"
		go func() {
			work(xs[lo:min(lo+size, len(xs))])
			done <- true
		}()
	}
	for range workers {
		<-done
	}
}

// nearest rounds its step to the nearest.
func nearest(xs []int, workers int) {
	size := (len(xs) + workers/2) / workers
	var wg sync.WaitGroup
	for lo := 0; lo < len(xs); lo += size {
		wg.Go(func() { work(xs[lo:min(lo+size, len(xs))]) })
	}
	wg.Wait()
}

const bands = 4

func add(xs [bands]int) (total int) {
	for _, x := range xs {
		total += x
	}
	return total
}

// whole hands on an array.
func whole(height int) int {
	var sums [bands]int
	var wg sync.WaitGroup
	for b := range bands { // want "the range is split" // refuse "says something else as well"
		wg.Go(func() { sums[b] = height*(b+1)/bands - height*b/bands })
	}
	wg.Wait()
	return add(sums)
}

// uneven is divided by its bands, and not by more of them.
func uneven() int {
	const height = 12
	var sums [bands]int
	var wg sync.WaitGroup
	for b := range bands { // want "the range is split" // refuse "what the division leaves over is in no part"
		wg.Go(func() { sums[b] = height / bands * b })
	}
	wg.Wait()
	return sums[0]
}

func cut(xs []int, b int) []int {
	return xs[len(xs)*b/bands : len(xs)*(b+1)/bands]
}

// elsewhere has the ends of its parts in a function.
func elsewhere(xs, firsts []int) {
	var wg sync.WaitGroup
	for b := range bands { // want "the range is split" // refuse "a function that is called knows the number"
		wg.Go(func() {
			firsts[b] = len(xs) * b / bands
			work(cut(xs, b))
		})
	}
	wg.Wait()
}

// failures have room for the errors of as many as there are.
func failures(xs []int, workers int) error {
	errs := make(chan error, runtime.NumCPU())
	var wg sync.WaitGroup
	for w := range workers { // want "the range is split" // refuse "a channel may have room"
		wg.Go(func() {
			part := xs[len(xs)*w/workers : len(xs)*(w+1)/workers]
			if len(part) > 0 && part[0] < 0 {
				errs <- fmt.Errorf("negative")
			}
		})
	}
	wg.Wait()
	close(errs)
	return <-errs
}

// long leaves short ones out.
func long(all [][]int, workers int) {
	var wg sync.WaitGroup
	for _, xs := range all {
		if len(xs) < workers {
			continue
		}
		for w := range workers { // want "the range is split" // refuse "is not known before"
			wg.Go(func() { work(xs[len(xs)*w/workers : len(xs)*(w+1)/workers]) })
		}
		wg.Wait()
	}
}

// jumps leaves by a goto.
func jumps(xs []int, n int) {
	var wg sync.WaitGroup
	if n == 0 {
		goto end
	}
	for w := range n { // want "the range is split" // refuse "a goto may jump over"
		wg.Go(func() { work(xs[len(xs)*w/n : len(xs)*(w+1)/n]) })
	}
end:
	wg.Wait()
}

// loose waits for none of them.
func loose(xs []int, workers int) {
	for w := range workers {
		go work(xs[len(xs)*w/workers : len(xs)*(w+1)/workers])
	}
}

// added adds all before it may find that some have nothing to do.
func added(xs []int, workers int) {
	size := (len(xs) + workers - 1) / workers
	var wg sync.WaitGroup
	wg.Add(workers)
	for w := range workers { // want "the range is split" // refuse "says something else as well"
		lo := min(w*size, len(xs))
		if lo == len(xs) && w > 4 {
			break
		}
		go func() {
			defer wg.Done()
			work(xs[lo:min(lo+size, len(xs))])
		}()
	}
	wg.Wait()
}

// answers are as many as the parts that began.
func answers(xs []int, workers int) {
	size := (len(xs) + workers - 1) / workers
	done := make(chan bool)
	for w := range workers { // want "the range is split" // refuse "says something else as well"
		lo := min(w*size, len(xs))
		if lo == len(xs) && w > 4 {
			break
		}
		go func() {
			work(xs[lo:min(lo+size, len(xs))])
			done <- true
		}()
	}
	for range workers {
		<-done
	}
}

// two splits two ranges: there may be fewer elements of one of them.
func two(xs, ys []int, workers int) {
	var wg sync.WaitGroup
	for w := range workers { // want "the range is split" // refuse "two ranges are split"
		wg.Go(func() {
			work(xs[len(xs)*w/workers : len(xs)*(w+1)/workers])
			work(ys[len(ys)*w/workers : len(ys)*(w+1)/workers])
		})
	}
	wg.Wait()
}

// full says whether each worker has done something.
func full(xs []int, workers int) bool {
	var count atomic.Int64
	var wg sync.WaitGroup
	for w := range workers { // want "the range is split" // refuse "says something else as well"
		wg.Go(func() {
			work(xs[len(xs)*w/workers : len(xs)*(w+1)/workers])
			count.Add(1)
		})
	}
	wg.Wait()
	return int(count.Load()) == workers
}

// few leaves short ones alone, once it has made room.
func few(xs []int, workers int) []int {
	sums := make([]int, workers)
	if len(xs) < workers {
		return sums
	}
	var wg sync.WaitGroup
	for w := range workers { // want "the range is split" // refuse "says something else as well"
		wg.Go(func() { work(xs[len(xs)*w/workers : len(xs)*(w+1)/workers]) })
	}
	wg.Wait()
	return sums
}

// To ask how many elements there are takes one of them.
type source struct{ left int }

func (s *source) take() int {
	s.left--
	return s.left
}

func takes(s *source, workers int) {
	per := (s.take() + workers - 1) / workers
	var wg sync.WaitGroup
	for lo := 0; lo < s.left; lo += per { // want "the range is split" // refuse "is not known before"
		wg.Go(func() { work(make([]int, min(per, s.left-lo))) })
	}
	wg.Wait()
}
