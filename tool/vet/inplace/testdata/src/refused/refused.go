// Package refused has goroutines that must stay, and some of which nothing is said.
package refused

import (
	"context"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
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
	go func() { // want "a goroutine" // refuse "serial: the goroutine sends on a channel that may have no room"
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

// later waits for the clock beside others.
func later(f func()) {
	var wg sync.WaitGroup
	wg.Go(func() {
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

// A counter is locked while it starts what will lock it.
type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) both(f func()) {
	var wg sync.WaitGroup
	c.mu.Lock()
	c.n++
	wg.Go(func() { // want "a goroutine" // refuse "serial: the goroutine takes a lock, and one is held where it starts"
		f()
		c.mu.Lock()
		c.n++
		c.mu.Unlock()
	})
	c.mu.Unlock()
	wg.Wait()
}

// A mailer sends in the background, until it is closed.
type mailer struct {
	wg sync.WaitGroup
}

func (m *mailer) send(to string, f func(string)) {
	m.wg.Add(1)
	go func() {
		defer m.wg.Done()
		f(to)
	}()
}

func (m *mailer) close() { m.wg.Wait() }

// locks is of its own thread.
func locks(f func()) {
	var wg sync.WaitGroup
	wg.Go(func() { // want "a goroutine" // refuse "serial: what it sets is the goroutine's own"
		runtime.LockOSThread()
		f()
	})
	wg.Wait()
}

// cancelled ends what others do by the first error.
func cancelled(ctx context.Context, fs []func(context.Context) error) error {
	g, ctx := errgroup.WithContext(ctx)
	if len(fs) > 0 {
		first := fs[0]
		g.Go(func() error { return first(ctx) }) // want "a goroutine" // refuse "serial: an error ends what others do"
	}
	return g.Wait()
}

// future is received from later, or never.
func future(f func() int) <-chan int {
	c := make(chan int, 1)
	go func() { c <- f() }()
	return c
}

// several have room each, as far as is seen.
func several(cs []chan int, f func() int) {
	var wg sync.WaitGroup
	wg.Go(func() { // want "a goroutine" // refuse "serial: the goroutine sends on a channel"
		for _, c := range cs {
			c <- f()
		}
	})
	for _, c := range cs {
		<-c
	}
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

// both is for functions that wait for each other, too.
func both(f, g func()) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { // want "a goroutine" // refuse "serial: a function that the caller gives may wait for another one"
		defer wg.Done()
		f()
	}()
	g()
	wg.Wait()
}

// limited has so much time for each.
func limited(ctx context.Context, fs []func(context.Context) error) []error {
	errs := make([]error, 2)
	var wg sync.WaitGroup
	for w := range errs {
		wg.Add(1)
		go func() { // want "a goroutine" // refuse "serial: the goroutine has a limit of time"
			defer wg.Done()
			for i := w; i < len(fs); i += 2 {
				errs[w] = within(ctx, fs[i])
			}
		}()
	}
	wg.Wait()
	return errs
}

func within(ctx context.Context, f func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	return f(ctx)
}
