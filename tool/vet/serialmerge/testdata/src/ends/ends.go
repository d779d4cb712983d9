// Package ends has goroutines that end before they have a result.
package ends

import (
	"runtime"
	"sync"
)

// A panic is stopped before there is a result.
func rescued(xs []int) []int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var out []int
	for _, x := range xs {
		wg.Go(func() {
			defer func() { recover() }()
			y := 12 / (x - 2)
			mu.Lock() // want `each goroutine locks mu to append one result to out` // refuse `index: a goroutine may have no result: it recovers`
			out = append(out, y)
			mu.Unlock()
		})
	}
	wg.Wait()
	return out
}

func stop() { recover() }

// The same by a function.
func stopped(xs []int) []int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var out []int
	for _, x := range xs {
		wg.Go(func() {
			defer stop()
			y := 12 / (x - 2)
			mu.Lock() // want `each goroutine locks mu to append one result to out` // refuse `index: a goroutine may have no result: it recovers`
			out = append(out, y)
			mu.Unlock()
		})
	}
	wg.Wait()
	return out
}

func leave(x int) {
	if x == 2 {
		runtime.Goexit()
	}
}

// A goroutine ends a call deeper.
func leaving(xs []int) []int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var out []int
	for _, x := range xs {
		wg.Go(func() {
			leave(x)
			mu.Lock() // want `each goroutine locks mu to append one result to out` // refuse `index: a goroutine may have no result: it may end`
			out = append(out, x)
			mu.Unlock()
		})
	}
	wg.Wait()
	return out
}
