// Package refused has loops of goroutines that cannot wait for each other.
package refused

import (
	"net/http"
	"sync"
	"sync/atomic"
)

func get(u string) int {
	r, err := http.Get(u)
	if err != nil {
		return 0
	}
	r.Body.Close()
	return r.StatusCode
}

// The loop that waits for a slot is what would empty the channel.
func results(urls []string) (sum int) {
	c := make(chan int)
	urls = urls[1:]
	for _, u := range urls {
		go func() { c <- get(u) }() // want "goroutines start" // refuse "bound: the task sends on c, which has no room"
	}
	for range urls {
		sum += <-c
	}
	return sum
}

// All have to be there.
func together(urls []string) {
	var all sync.WaitGroup
	var wg sync.WaitGroup
	all.Add(len(urls))
	for _, u := range urls {
		wg.Go(func() { // want "goroutines start" // refuse "bound: the task waits for other goroutines"
			all.Done()
			all.Wait()
			get(u)
		})
	}
	wg.Wait()
}

// Not written here.
func named(urls []string, work func()) {
	var wg sync.WaitGroup
	run := func() { work() }
	for range urls {
		wg.Go(run) // want "goroutines start" // refuse "bound: what the goroutine runs is not written"
	}
	wg.Wait()
}

var total int64

// lengths has a len of its own.
func lengths(urls []string, len int) {
	var wg sync.WaitGroup
	for _, u := range urls {
		wg.Go(func() { // want "goroutines start"
			for range len {
				atomic.AddInt64(&total, int64(u[0]))
			}
		})
	}
	wg.Wait()
}
