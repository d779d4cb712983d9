// Package refused has goroutines that must stay, and some of which nothing is said.
package refused

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// first gives up when the time is over.
func first(ctx context.Context, get func() int) int {
	done := make(chan int, 1)
	go func() { done <- get() }() // want "a goroutine" // refuse "serial: the function may give up before"
	select {
	case v := <-done:
		return v
	case <-ctx.Done():
		return 0
	}
}

// squares hands over one after the other.
func squares(xs []int) (sum int) {
	c := make(chan int)
	go func() { // want "a goroutine" // refuse "serial: the goroutine sends on a channel without a buffer"
		defer close(c)
		for _, x := range xs {
			c <- x * x
		}
	}()
	for x := range c {
		sum += x
	}
	return sum
}

// fed is sent what comes later.
func fed(xs []int) (sum int) {
	c := make(chan int)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { // want "a goroutine" // refuse "serial: the goroutine receives from a channel"
		defer wg.Done()
		for x := range c {
			sum += x
		}
	}()
	for _, x := range xs {
		c <- x
	}
	close(c)
	wg.Wait()
	return sum
}

func later(f func()) {
	var wg sync.WaitGroup
	wg.Go(func() { // want "a goroutine" // refuse "serial: the goroutine waits"
		time.Sleep(time.Millisecond)
		f()
	})
	wg.Wait()
}

func exits(f func() bool) {
	var wg sync.WaitGroup
	wg.Go(func() { // want "a goroutine" // refuse "serial: the goroutine may end"
		if f() {
			runtime.Goexit()
		}
	})
	wg.Wait()
}

// told does not wait, and a caller may rely on that.
func told(f func()) { go func() { f() }() }

// serve runs for ever.
func serve(wg *sync.WaitGroup, f func()) {
	go func() {
		defer wg.Done()
		for {
			f()
		}
	}()
}
