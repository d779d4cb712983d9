package a

import (
	"runtime"
	"sync"
	"sync/atomic"
)

func row(y int) int { return y * y }

// products are the ends of a part.
func products(pix []byte, width, height, n int) int64 {
	var count atomic.Int64
	var wg sync.WaitGroup
	for w := range n { // want "the range is split into one part for each worker"
		wg.Go(func() {
			own := int64(0)
			for y := height * w / n; y < height*(w+1)/n; y++ {
				for x := range width {
					pix[y*width+x] = byte(row(y) + x)
					own++
				}
			}
			count.Add(own)
		})
	}
	wg.Wait()
	return count.Load()
}

// clamped has no more workers than elements.
func clamped(xs []int, workers int) int {
	if workers <= 0 {
		workers = runtime.NumCPU()
	}
	if workers > len(xs) {
		workers = len(xs)
	}
	if workers == 0 {
		return 0
	}
	sums := make([]int, workers)
	chunk := (len(xs) + workers - 1) / workers
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ { // want "the range is split"
		wg.Add(1)
		go func(w int) {
			defer wg.Done()
			lo := min(w*chunk, len(xs))
			hi := min(lo+chunk, len(xs))
			for i := lo; i < hi; i++ {
				sums[w] += row(xs[i])
			}
		}(w)
	}
	wg.Wait()
	total := 0
	for _, s := range sums {
		total += s
	}
	return total
}

// steps goes on by the length of a part.
func steps(xs []int) {
	procs := min(runtime.GOMAXPROCS(0), len(xs))
	if procs == 0 {
		return
	}
	size := (len(xs) + procs - 1) / procs
	var wg sync.WaitGroup
	for lo := 0; lo < len(xs); lo += size { // want "the range is split"
		hi := min(lo+size, len(xs))
		wg.Go(func() { square(xs[lo:hi]) })
	}
	wg.Wait()
}

func square(xs []int) {
	for i := range xs {
		xs[i] = row(xs[i])
	}
}

const bands = 4

// constant has a place for each part.
func constant(height int) (total int) {
	var wg sync.WaitGroup
	var sums [bands]int
	for b := range bands { // want "the range is split"
		wg.Go(func() {
			for y := height * b / bands; y < height*(b+1)/bands; y++ {
				sums[b] += row(y)
			}
		})
	}
	wg.Wait()
	for _, s := range sums {
		total += s
	}
	return total
}

// A crew has its number in a field.
type crew struct{ workers int }

func (c *crew) each(xs []int) {
	done := make(chan struct{}, c.workers)
	for i := 0; i < c.workers; i++ { // want "the range is split"
		part := xs[i*len(xs)/c.workers : (i+1)*len(xs)/c.workers]
		go func() {
			square(part)
			done <- struct{}{}
		}()
	}
	for i := 0; i < c.workers; i++ {
		<-done
	}
}

// called asks the runtime each time.
func called(xs []int) {
	var wg sync.WaitGroup
	for w := range runtime.GOMAXPROCS(0) { // want "the range is split"
		wg.Go(func() {
			square(xs[len(xs)*w/runtime.GOMAXPROCS(0) : len(xs)*(w+1)/runtime.GOMAXPROCS(0)])
		})
	}
	wg.Wait()
}

// within starts its goroutines in a literal.
func within(all [][]int, workers int) {
	each := func(xs []int) {
		var wg sync.WaitGroup
		for w := range workers { // want "the range is split"
			wg.Go(func() { square(xs[len(xs)*w/workers : len(xs)*(w+1)/workers]) })
		}
		wg.Wait()
	}
	for _, xs := range all {
		each(xs)
	}
}

// rounded has parts of a length that is rounded up, of a constant number.
func rounded(xs []int) {
	chunk := (len(xs) + bands - 1) / bands
	var wg sync.WaitGroup
	for b := range bands { // want "the range is split"
		wg.Go(func() {
			for i := b * chunk; i < min((b+1)*chunk, len(xs)); i++ {
				xs[i] = row(xs[i])
			}
		})
	}
	wg.Wait()
}

// shadowed has another number of that name.
func shadowed(xs []int, workers int) int {
	half := func(workers int) int { return len(xs) / workers }
	var wg sync.WaitGroup
	for w := range workers { // want "the range is split"
		wg.Go(func() { square(xs[len(xs)*w/workers : len(xs)*(w+1)/workers]) })
	}
	wg.Wait()
	return half(2)
}

// The parts are made by another function.

type span struct{ lo, hi int }

func divide(n, parts int) []span {
	spans := make([]span, 0, parts)
	for i := range parts {
		if s := (span{n * i / parts, n * (i + 1) / parts}); s.lo < s.hi {
			spans = append(spans, s)
		}
	}
	return spans
}

func divided(xs []int, workers int) int {
	spans := divide(len(xs), workers)
	sums := make([]int, len(spans))
	var wg sync.WaitGroup
	for i, s := range spans { // want `the range is split into one part for each worker`
		wg.Go(func() {
			for _, x := range xs[s.lo:s.hi] {
				sums[i] += row(x)
			}
		})
	}
	wg.Wait()
	n := 0
	for _, s := range sums {
		n += s
	}
	return n
}

type plan struct{ workers int }

func (p plan) spans(n int) (all []span) {
	workers := p.workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	each := (n + workers - 1) / workers
	for lo := 0; lo < n; lo += each {
		all = append(all, span{lo, min(lo+each, n)})
	}
	return all
}

func (p plan) run(xs []int) {
	var wg sync.WaitGroup
	for _, s := range p.spans(len(xs)) { // want `the range is split into one part for each worker`
		wg.Go(func() {
			for i := s.lo; i < s.hi; i++ {
				xs[i] = row(i)
			}
		})
	}
	wg.Wait()
}

// What makes them starts goroutines of its own, or splits nothing.

func started(n, parts int) (all []span) {
	var wg sync.WaitGroup
	for i := range parts { // want `the range is split`
		wg.Go(func() { row(i) })
		all = append(all, span{n * i / parts, n * (i + 1) / parts})
	}
	wg.Wait()
	return all
}

func fixed(n int) []span { return []span{{0, n / 2}, {n / 2, n}} }

func others(xs []int) {
	var wg sync.WaitGroup
	for _, s := range started(len(xs), 4) {
		wg.Go(func() { xs[s.lo] = row(s.hi) })
	}
	for _, s := range fixed(len(xs)) {
		wg.Go(func() { xs[s.lo] = row(s.hi) })
	}
	wg.Wait()
}

// What calls it knows the number as well.

func cut(n, parts int) (all []span) {
	for i := range parts {
		all = append(all, span{n * i / parts, n * (i + 1) / parts})
	}
	return all
}

func known(xs []int, workers int) int {
	sums := make([]int, workers)
	var wg sync.WaitGroup
	for i, s := range cut(len(xs), workers) {
		wg.Go(func() { sums[i] = row(s.lo) })
	}
	wg.Wait()
	return sums[0]
}

// Cut is for other packages, too.
func Cut(n, parts int) (all []span) {
	for i := range parts {
		all = append(all, span{n * i / parts, n * (i + 1) / parts})
	}
	return all
}

func exported(xs []int, workers int) {
	var wg sync.WaitGroup
	for _, s := range Cut(len(xs), workers) {
		wg.Go(func() { xs[s.lo] = row(s.hi) })
	}
	wg.Wait()
}

// As many as the result has room for.
func three(n int) (all [bands]span) {
	for b := range bands {
		all[b] = span{n * b / bands, n * (b + 1) / bands}
	}
	return all
}

func threes(xs []int) {
	var wg sync.WaitGroup
	for _, s := range three(len(xs)) {
		wg.Go(func() { xs[s.lo] = row(s.hi) })
	}
	wg.Wait()
}

// An album says how many elements there are.
type album struct{ photos []int }

func (a *album) Len() int { return len(a.photos) }

func shares(a *album, out []int, workers int) {
	per := (a.Len() + workers - 1) / workers
	var wg sync.WaitGroup
	for lo := 0; lo < a.Len(); lo += per { // want "the range is split"
		hi := min(lo+per, a.Len())
		wg.Go(func() {
			for i := lo; i < hi; i++ {
				out[i] = row(a.photos[i])
			}
		})
	}
	wg.Wait()
}

// ends has a last part with all that is left over, of elements that it counts late.
func ends(xs []int, workers int) (total int) {
	sums := make([]int, workers)
	n := len(xs)
	chunk := n / workers
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ { // want "the range is split"
		lo, hi := w*chunk, (w+1)*chunk
		if w == workers-1 {
			hi = n
		}
		wg.Go(func() {
			for _, x := range xs[lo:hi] {
				sums[w] += row(x)
			}
		})
	}
	wg.Wait()
	for _, s := range sums {
		total += s
	}
	return total
}

// large has its workers in a block, and a length that is one more than it need be.
func large(xs []int) {
	if len(xs) > 1000 {
		workers := runtime.NumCPU()
		chunk := len(xs)/workers + 1
		var wg sync.WaitGroup
		for w := range workers { // want "the range is split"
			lo := w * chunk
			hi := min(lo+chunk, len(xs))
			wg.Go(func() {
				for i := lo; i < hi; i++ {
					xs[i] = row(xs[i])
				}
			})
		}
		wg.Wait()
	}
}

// guarded starts nothing behind the end.
func guarded(xs []int, workers int) {
	per := (len(xs) + workers - 1) / workers
	var wg sync.WaitGroup
	for w := range workers { // want "the range is split"
		lo := w * per
		hi := min(lo+per, len(xs))
		if lo >= hi {
			break
		}
		wg.Go(func() { square(xs[lo:hi]) })
	}
	wg.Wait()
}

// unguarded has empty parts behind the end.
func unguarded(xs []int, workers int) {
	per := (len(xs) + workers - 1) / workers
	var wg sync.WaitGroup
	for w := range workers { // want "the range is split"
		if w >= 1<<20 {
			continue
		}
		lo := w * per
		hi := min(lo+per, len(xs))
		wg.Go(func() {
			for i := lo; i < hi; i++ {
				xs[i] = row(xs[i])
			}
		})
	}
	wg.Wait()
}

// told hears of each part only when all have begun.
func told(xs []int, workers int) (n int) {
	out := make(chan int)
	for w := range workers { // want "the range is split"
		go func() {
			sum := 0
			for i := len(xs) * w / workers; i < len(xs)*(w+1)/workers; i++ {
				sum += row(xs[i])
			}
			out <- sum
		}()
	}
	for range workers {
		n += <-out
	}
	return n
}

// held lets them add when all have begun.
func held(xs []int, workers int) (n int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	mu.Lock()
	for w := range workers { // want "the range is split"
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			for i := len(xs) * w / workers; i < len(xs)*(w+1)/workers; i++ {
				n += row(xs[i])
			}
		})
	}
	mu.Unlock()
	wg.Wait()
	return n
}
