package a

import (
	"bytes"
	"net/http"
	"sync"
	"sync/atomic"
)

func digests(docs [][]byte) uint32 {
	var sum atomic.Uint32
	var wg sync.WaitGroup
	for _, doc := range docs {
		wg.Go(func() { // want "goroutines start for all elements at once"
			buf := make([]byte, 1<<20)
			n := copy(buf, doc)
			sum.Add(uint32(bytes.Count(buf[:n], doc[:1])))
		})
	}
	wg.Wait()
	return sum.Load()
}

// By index, with a name again, and a body that returns.
func sorted(rows [][]int) {
	var wg sync.WaitGroup
	for i := range rows {
		i := i
		wg.Add(1)
		go func() { // want "goroutines start"
			defer wg.Done()
			if len(rows[i]) == 0 {
				return
			}
			for j := range rows[i] {
				rows[i][j] *= 2
			}
		}()
	}
	wg.Wait()
}

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
