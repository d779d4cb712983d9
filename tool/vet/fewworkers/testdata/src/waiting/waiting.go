// Package waiting has workers that wait.
package waiting

import (
	"net/http"
	"runtime"
	"sync"
	"time"
)

func fetch(u string) {
	if r, err := http.Get(u); err == nil {
		r.Body.Close()
	}
}

func pool(urls chan string) {
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) { // want "the workers wait, and are few"
		wg.Go(func() {
			for u := range urls {
				fetch(u)
			}
		})
	}
	wg.Wait()
}

// All that is sized by the number grows with it.
func split(urls []string) (total int) {
	workers := runtime.NumCPU() // want "the workers wait"
	done := make([]int, workers)
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, u := range urls[len(urls)*w/workers : len(urls)*(w+1)/workers] {
				fetch(u)
				done[w]++
			}
		}()
	}
	wg.Wait()
	for _, n := range done {
		total += n
	}
	return total
}

// A constant.
func two(jobs chan int) {
	var wg sync.WaitGroup
	for range 2 { // want "the workers wait"
		wg.Go(func() {
			for range jobs {
				time.Sleep(time.Millisecond)
			}
		})
	}
	wg.Wait()
}

// The number is told as well.
func told(urls chan string) int {
	workers := 4 // want "the workers wait" // refuse "workers: the number says something else as well"
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for u := range urls {
				fetch(u)
			}
		})
	}
	wg.Wait()
	return workers
}

// Errors have room for a few.
func failing(urls chan string) error {
	errs := make(chan error, 8)
	var wg sync.WaitGroup
	for range 4 { // want "the workers wait" // refuse "workers: a channel may have no room"
		wg.Go(func() {
			for u := range urls {
				if _, err := http.Get(u); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	wg.Wait()
	close(errs)
	return <-errs
}

// Each does as much, however many there are.
func rush(urls []string) {
	var wg sync.WaitGroup
	for range 10 { // want "the workers wait" // refuse "workers: what each worker does is its own"
		wg.Go(func() {
			for _, u := range urls {
				fetch(u)
			}
		})
	}
	wg.Wait()
}
