// Program run does a little at many calls.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

const workers = 4

func each(n int, f func(w int)) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() { f(w) })
	}
	wg.Wait()
}

func halves(n int, f func(w, lo, hi int)) {
	each(workers, func(w int) { f(w, w*n/workers, (w+1)*n/workers) })
}

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

func span(lo, hi int, f func(i int)) {
	blocks(hi-lo, func(from, to int) {
		for i := lo + from; i < lo+to; i++ {
			f(i)
		}
	})
}

func old(n int, f func(int)) {
	done := make(chan bool, n)
	for i := 0; i < n; i++ {
		go func(i int) {
			f(i)
			done <- true
		}(i)
	}
	for i := 0; i < n; i++ {
		<-done
	}
}

// twice hands each number on as another.
func twice(n int, f func(i, k int)) {
	each(n, func(i int) {
		k := 2 * i
		f(k, i)
	})
}

var calls atomic.Int64

func counted(n int, f func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			f(i)
			calls.Add(1)
		})
	}
	wg.Wait()
}

func mix(x, y int) int {
	for range x {
		y = y*31 + x
	}
	return y
}

func main() {
	grid := make([]int, 640)
	for i := range grid {
		grid[i] = i * i % 97
	}
	h := 0
	for r := 0; r < len(grid); r += 64 {
		var part [workers]int
		halves(64, func(w, lo, hi int) {
			s := 0
			for _, x := range grid[r+lo : r+hi] {
				s += x
			}
			part[w] = s
		})
		for _, p := range part {
			h = h*7 + p
		}
	}
	fmt.Println(h)

	even, odd := 0, uint16(0)
	for r := 0; r < len(grid); r += 63 {
		part := [workers]int{}
		halves(min(63, len(grid)-r), func(w, lo, hi int) {
			for _, x := range grid[r+lo : r+hi] {
				part[w] += x
			}
		})
		if r%2 == 1 {
			odd ^= uint16(part[0])
			continue
		}
		even += part[1] + part[2]
	}
	for i, x := range grid {
		own := make([]int, workers)
		each(workers, func(w int) { own[w] = mix(w, x) })
		even += own[i%workers]
	}
	for _, x := range grid[:40] {
		each(2, func(w int) { mix(w, x) })
		odd++
	}
	fmt.Println(even, odd)

	w, n := 3, 100
	out := make([]int, n)
	each(n, func(i int) { out[i] = i*w + n })
	halves(n, func(_, lo, hi int) {
		for k := range out[lo:hi] {
			out[lo+k] += w
		}
	})
	halves(w, func(w, lo, hi int) { out[w] += 100*lo + hi })
	twice(n/2, func(k, i int) { out[k] += i * w })
	twice(n/2, func(_, i int) {
		i = i + 1
		out[i] += w
	})
	blocks(len(out), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if out[i]%3 == 0 {
				continue
			}
			out[i]++
		}
	})
	span(5, n-3, func(i int) { out[i] -= i })
	old(len(out), func(i int) { out[i] *= 3 })
	var total atomic.Int64
	each(7, func(int) { total.Add(2) })
	funcs := make([]func() int, n)
	each(n, func(i int) { funcs[i] = func() int { return i + w } })
	for _, f := range funcs {
		h = h*31 + f()
	}
	counted(n, func(i int) {
		calls := 2 * i
		out[i] += calls
	})
	for range 3 {
		each(n, func(i int) {
			if i%5 == 0 {
				return
			}
			out[i]--
		})
	}
	fmt.Println(out, total.Load(), calls.Load(), h)
}
