// Package a has loops that wait for a flag.
package a

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

func slept(f func() int) int {
	var done atomic.Bool
	v := 0
	go func() {
		v = f()
		done.Store(true)
	}()
	for !done.Load() { // want "the loop looks at done again and again"
		time.Sleep(time.Millisecond)
	}
	return v
}

// A gate for several, of the older form.
func gate(n int, f func()) {
	var open int32
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for i := 0; atomic.LoadInt32(&open) == 0; i++ { // want "the loop looks at open"
				// Not at once.
				if i > 100 {
					runtime.Gosched()
				}
			}
			f()
		})
	}
	atomic.StoreInt32(&open, 1)
	wg.Wait()
}

// Set at the end of the goroutine, whatever happens.
func last(f func()) {
	var wg sync.WaitGroup
	var done atomic.Uint32
	wg.Go(func() {
		defer done.Store(1)
		f()
	})
	for done.Load() != 1 { // want "the loop looks at done"
	}
	wg.Wait()
}

// Each turn of the loop has a flag of its own.
func anew(fs []func()) {
	for _, f := range fs {
		var done atomic.Bool
		go func() {
			f()
			done.Store(true)
		}()
		for !done.Load() { // want "the loop looks at done"
			runtime.Gosched()
		}
	}
}

// Two loops that wait for two words. Not: it works meanwhile, or counts its turns for
// others.
func works(f, g func()) (turns int) {
	var done, more atomic.Bool
	go func() {
		f()
		more.Store(true)
		done.Store(true)
	}()
	for !done.Load() {
		g()
	}
	for !done.Load() {
		turns++
	}
	for !done.Load() || !more.Load() { // want "the loop looks at done and more"
		runtime.Gosched()
	}
	for {
		if done.Load() {
			return turns
		}
		runtime.Gosched()
	}
}

func counted(xs []int, f func(int) int) int {
	var sum, done atomic.Int64
	for _, x := range xs {
		go func() {
			sum.Add(int64(f(x)))
			done.Add(1)
		}()
	}
	for done.Load() < int64(len(xs)) { // want "the loop looks at done"
		time.Sleep(time.Millisecond) // a while
	}
	return int(sum.Load())
}
