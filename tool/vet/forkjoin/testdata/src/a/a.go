// Package a calls functions that start goroutines and wait for them.
package a

import (
	"runtime"
	"sync"
)

const workers = 4

// each runs f(0) to f(n-1) in goroutines of their own and waits for them.
func each(n int, f func(w int)) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() { f(w) })
	}
	wg.Wait()
}

// halves runs f on the parts of 0..n-1 at once.
func halves(n int, f func(w, lo, hi int)) {
	each(workers, func(w int) { f(w, w*n/workers, (w+1)*n/workers) })
}

// old is each as it was written once.
func old(n int, f func(int)) {
	var wg sync.WaitGroup
	wg.Add(n)
	for i := 0; i < n; i++ {
		go func(i int) {
			defer wg.Done()
			f(i)
		}(i)
	}
	wg.Wait()
}

// blocks runs f on as many blocks of 0..n-1 as there are processors.
func blocks(n int, f func(lo, hi int)) {
	procs := runtime.GOMAXPROCS(0)
	size := (n + procs - 1) / procs
	var wg sync.WaitGroup
	for lo := 0; lo < n; lo += size {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f(lo, min(lo+size, n))
		}()
	}
	wg.Wait()
}

// span runs f on the numbers from lo to hi.
func span(lo, hi int, f func(i int)) {
	blocks(hi-lo, func(from, to int) {
		for i := lo + from; i < lo+to; i++ {
			f(i)
		}
	})
}

// over runs f on all elements.
func over[T any](xs []T, f func(x *T)) {
	blocks(len(xs), func(lo, hi int) {
		for i := range xs[lo:hi] {
			f(&xs[lo+i])
		}
	})
}

// A crew is a number of goroutines.
type crew struct{ n int }

func (c *crew) run(f func(w int)) {
	var wg sync.WaitGroup
	for w := range c.n {
		wg.Go(func() { f(w) })
	}
	wg.Wait()
}

func rows(grid []int) (h int) {
	for r := 0; r < len(grid); r += 64 {
		var part [workers]int
		halves(64, func(w, lo, hi int) { // want "halves starts goroutines"
			s := 0 // of this part
			for _, x := range grid[r+lo : r+hi] {
				s += x
			}
			part[w] = s
		})
		h += part[0] + part[1] + part[2] + part[3]
	}
	return h
}

func sums(xs [][]int, out []int) {
	each(len(xs), func(i int) { // want "each starts"
		for _, x := range xs[i] {
			out[i] += x
		}
	})
	old(len(xs), func(k int) { out[k]++ }) // want "old starts"
	each(3, func(int) { work() })          // want "each starts"
}

func work() {}

func double(i int) { table[i] *= 2 }

var table [1 << 16]int

func tables(n int) {
	each(n, double)                                  // want "each starts"
	halves(n, func(_, lo, hi int) { clear(lo, hi) }) // want "halves starts"
	w := 3
	halves(w, func(w, lo, hi int) { table[w] += hi - lo })   // want "halves starts"
	halves(len(table), func(i, _, hi int) { table[i] = hi }) // want "halves starts"
	each(n, func(i int) {                                    // want "each starts"
		if i == 3 {
			return
		}
		table[i] = w
	})
}

func clear(lo, hi int) {
	for i := lo; i < hi; i++ {
		table[i] = 0
	}
}

func others(c *crew, xs []string, lo, hi int) {
	blocks(len(xs), func(lo, hi int) { // want "blocks starts"
		for i := range xs[lo:hi] {
			xs[lo+i] += "."
		}
	})
	span(lo, hi, func(i int) { xs[i] += "," })          // want "span starts"
	over(xs, func(s *string) { *s += "!" })             // want "over starts"
	c.run(func(w int) { xs[w] += "?" })                 // want "run starts"
	over[string](xs, func(s *string) { *s = (*s)[1:] }) // want "over starts"
}

// mix is work that touches nothing.
func mix(x, y int) int {
	var last [4]int
	for i := range last {
		last[i] = x*y + i
	}
	return last[x&3]
}

func loops(grids [][]int, flags uint) (h int, mask uint) {
	for i, g := range grids {
		part := make([]int, workers)
		halves(len(g), func(w, lo, hi int) { // want "halves starts"
			for _, x := range g[lo:hi] {
				part[w] += mix(x, i)
			}
		})
		if part[0] == 0 {
			continue
		}
		h += part[0] + part[1]
		mask |= flags << i
	}
	for range 10 {
		each(2, func(w int) { mix(w, 2) }) // want "each starts"
	}
	for k := 0; k < len(grids); k++ {
		each(workers, grow) // want "each starts"
		h++
	}
	return h, mask
}

func grow(w int) {
	x := 3
	for range w {
		x *= x
	}
}

// lots is each, and somebody wrote its twin already.
func lots(n int, f func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

func lotsSerial(n int, f func(i int)) {
	for i := range n {
		f(i)
	}
}

var limit = 100

func limits(out []int) {
	lots(len(out), func(i int) { // want "lots starts"
		if out[i] > limit {
			return
		}
		out[i]++
	})
	halves(limit, func(_, lo, hi int) { out[lo] = hi }) // want "halves starts"
}

// draws hands each goroutine a number that is drawn for it.
func draws(n int, f func(i, x int)) {
	var wg sync.WaitGroup
	for range n {
		x := table[limit]
		wg.Go(func() { f(0, x) })
	}
	wg.Wait()
}

func drawn(out []int) {
	draws(3, func(i, _ int) { out[i]++ }) // want "draws starts"
	draws(3, func(_, x int) { out[x]++ }) // want "draws starts"
	draws(3, func(i, x int) { out[x]-- }) // want "draws starts"
}
