// Package quiet has as many workers as it should.
package quiet

import (
	"net/http"
	"runtime"
	"sync"
)

func fetch(u string) {
	if r, err := http.Get(u); err == nil {
		r.Body.Close()
	}
}

// The caller says how many.
func given(urls chan string, n int) {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for u := range urls {
				fetch(u)
			}
		})
	}
	wg.Wait()
}

// Many.
func many(urls chan string) {
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for u := range urls {
				fetch(u)
			}
		})
	}
	wg.Wait()
}

// More than processors.
func more(urls chan string) {
	var wg sync.WaitGroup
	for range 8 * runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for u := range urls {
				fetch(u)
			}
		})
	}
	wg.Wait()
}

// A place for each.
func places(urls [4][]string) {
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for _, u := range urls[w] {
				fetch(u)
			}
		})
	}
	wg.Wait()
}

// It computes.
func compute(jobs chan int, out []int) {
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for j := range jobs {
				out[j] = j * j
			}
		})
	}
	wg.Wait()
}

// Channels of empty values that are no semaphores: a signal, a lock, tokens.

func signalled(work []func()) {
	done := make(chan struct{}, 4)
	for _, f := range work {
		go func() { f(); done <- struct{}{} }()
	}
	for range work {
		<-done
	}
}

func locked(f func()) {
	lock := make(chan struct{}, 1)
	lock <- struct{}{}
	f()
	<-lock
}

func tokens(f func()) {
	free := make(chan struct{}, 3)
	free <- struct{}{}
	go func() {
		for {
			f()
			free <- struct{}{}
		}
	}()
	take(free)
}

func take(free chan struct{}) { <-free }
