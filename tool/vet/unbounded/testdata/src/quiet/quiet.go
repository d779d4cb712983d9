// Package quiet has loops of goroutines with a bound, or with next to no work.
package quiet

import (
	"context"
	"net/http"
	"sync"
)

func get(u string) {
	if r, err := http.Get(u); err == nil {
		r.Body.Close()
	}
}

func slots(urls []string) {
	slots := make(chan struct{}, 8)
	var wg sync.WaitGroup
	for _, u := range urls {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			get(u)
		})
	}
	wg.Wait()
}

func inside(urls []string, slots chan struct{}) {
	var wg sync.WaitGroup
	for _, u := range urls {
		wg.Add(1)
		go func() {
			defer wg.Done()
			slots <- struct{}{}
			get(u)
			<-slots
		}()
	}
	wg.Wait()
}

type weighted struct{}

func (weighted) Acquire(ctx context.Context, n int64) error { return nil }
func (weighted) Release(n int64)                            {}

func semaphore(ctx context.Context, urls []string, sem weighted) {
	var wg sync.WaitGroup
	for _, u := range urls {
		if err := sem.Acquire(ctx, 1); err != nil {
			break
		}
		wg.Go(func() {
			defer sem.Release(1)
			get(u)
		})
	}
	wg.Wait()
}

func workers(urls chan string, n int) {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for u := range urls {
				get(u)
			}
		})
	}
	wg.Wait()
}

func few() {
	var wg sync.WaitGroup
	for _, u := range [...]string{"a", "b"} {
		wg.Go(func() { get(u) })
	}
	wg.Wait()
}

func tiny(xs, out []int) {
	var wg sync.WaitGroup
	for i, x := range xs {
		wg.Go(func() { out[i] = x * x })
	}
	wg.Wait()
}

func forgotten(urls []string) {
	for _, u := range urls {
		go get(u)
	}
}
