// Package waiting starts goroutines that wait for the network.
package waiting

import (
	"net/http"
	"sync"
)

// It stays when all groups are gone.
var once sync.Once

// It waits for the network.
func fetch(urls []string) {
	var wg sync.WaitGroup
	for _, u := range urls {
		wg.Go(func() { // want "goroutines start"
			if r, err := http.Get(u); err == nil {
				r.Body.Close()
			}
		})
	}
	wg.Wait()
}

// It waits, and knows its place.
func statuses(urls []string) []int {
	out := make([]int, len(urls))
	var wg sync.WaitGroup
	for i, u := range urls {
		wg.Add(1)
		go func(i int, u string) { // want "goroutines start" // refuse "pool: the loop does not go over the values"
			defer wg.Done()
			if r, err := http.Get(u); err == nil {
				out[i] = r.StatusCode
				r.Body.Close()
			}
		}(i, u)
	}
	wg.Wait()
	return out
}
