// Package quiet has functions that look like those of a.
package quiet

import (
	"net/http"
	"sync"
)

func each(n int, f func(w int)) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() { f(w) })
	}
	wg.Wait()
}

// The tasks wait for the network.
func fetch(urls []string) {
	each(len(urls), func(i int) { http.Get(urls[i]) })
}

// Nobody waits.
func start(n int, f func(w int)) {
	for w := range n {
		go f(w)
	}
}

// It may return before the end.
func hasty(n int, f func(w int)) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() { f(w) })
	}
	if n == 1 {
		return
	}
	wg.Wait()
}

// Only sometimes it waits.
func lazy(n int, wait bool, f func(w int)) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() { f(w) })
	}
	if wait {
		wg.Wait()
	}
}

// It keeps the task.
func keeps(n int, f func(w int)) {
	kept = append(kept, f)
	each(n, func(w int) { f(w) })
}

var kept []func(w int)

// No goroutine calls it.
func plain(n int, f func(w int)) {
	each(n, func(w int) { f(w) })
}

func serial(n int, f func(w int)) {
	for w := range n {
		f(w)
	}
}

// It waits for the network itself.
func gets(urls []string, f func(i int, r *http.Response)) {
	var wg sync.WaitGroup
	for i, u := range urls {
		wg.Go(func() {
			if r, err := http.Get(u); err == nil {
				f(i, r)
			}
		})
	}
	wg.Wait()
}

func statuses(urls []string, out []int) {
	gets(urls, func(i int, r *http.Response) { out[i] = r.StatusCode })
}

func all(out []int, task func(int)) {
	start(len(out), func(i int) { out[i]++ })
	hasty(len(out), func(i int) { out[i]++ })
	lazy(len(out), true, func(i int) { out[i]++ })
	keeps(len(out), func(i int) { out[i]++ })
	serial(len(out), func(i int) { out[i]++ })
	plain(len(out), task)
}
