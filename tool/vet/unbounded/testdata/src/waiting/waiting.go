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
