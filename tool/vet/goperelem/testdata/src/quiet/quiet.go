// Package quiet starts goroutines in loops as it should.
package quiet

import (
	"net/http"
	"runtime"
	"sync"
	"time"
)

func workers(xs []int, n int) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for i := len(xs) * w / n; i < len(xs)*(w+1)/n; i++ {
				xs[i]++
			}
		})
	}
	wg.Wait()
}

func parts(xs []int, n int) {
	var wg sync.WaitGroup
	for w := 0; w < n; w++ {
		part := xs[len(xs)*w/n : len(xs)*(w+1)/n]
		wg.Go(func() {
			for i := range part {
				part[i]++
			}
		})
	}
	wg.Wait()
}

// The slots of the results number the workers.
func slots(xs []int) []int {
	sums := make([]int, 4)
	var wg sync.WaitGroup
	for w := range sums {
		wg.Go(func() {
			own := 0
			for _, x := range xs[len(xs)*w/len(sums) : len(xs)*(w+1)/len(sums)] {
				own += x
			}
			sums[w] = own
		})
	}
	wg.Wait()
	return sums
}

func perProcessor(step func(int)) {
	var wg sync.WaitGroup
	n := runtime.GOMAXPROCS(0)
	for w := range n {
		wg.Go(func() { step(w) })
	}
	wg.Wait()
}

func few(step func(int)) {
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() { step(w) })
	}
	wg.Wait()
}

func queue(jobs chan int, n int, f func(int)) {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for j := range jobs {
				f(j)
			}
		})
	}
	wg.Wait()
}

func fetch(urls []string) {
	var wg sync.WaitGroup
	for _, u := range urls {
		wg.Go(func() {
			if r, err := http.Get(u); err == nil {
				r.Body.Close()
			}
		})
	}
	wg.Wait()
}

func pause(xs []int) {
	var wg sync.WaitGroup
	for range xs {
		wg.Go(nap)
	}
	wg.Wait()
}

func nap() { time.Sleep(time.Millisecond) }

func forget(xs []int, f func(int)) {
	for _, x := range xs {
		go f(x)
	}
}
