// Package a has loops that give up the processor.
package a

import (
	"runtime"
	"sync"
	"sync/atomic"
)

func sums(xs []int, f func(int) int) (total int) {
	var parts [2]int
	var wg sync.WaitGroup
	for w := range parts {
		wg.Go(func() {
			for i := w; i < len(xs); i += 2 {
				parts[w] += f(xs[i])
				runtime.Gosched() // want "each iteration gives up the processor"
			}
		})
	}
	wg.Wait()
	return parts[0] + parts[1]
}

func release(n int, open *atomic.Int64) {
	for range n {
		if n < 0 {
			continue
		}
		open.Add(1)
		// Give the others a chance.
		runtime.Gosched() // want "gives up the processor"
	}
}

// It waits.
func wait(open *atomic.Int64) {
	for open.Load() == 0 {
		runtime.Gosched()
	}
	for range 10 {
		runtime.Gosched()
	}
	for i := 0; ; i++ {
		if open.Add(1) > 10 {
			break
		}
		runtime.Gosched()
	}
}

// Now and then.
func seldom(xs []int) (sum int) {
	for i, x := range xs {
		sum += x
		if i%1000 == 0 {
			runtime.Gosched()
		}
	}
	return sum
}

func tries(open *atomic.Int64) bool {
	for range 10 {
		if open.CompareAndSwap(1, 0) {
			return true
		}
		runtime.Gosched() // want "gives up the processor" // refuse "drop: the loop may end early, by return"
	}
	return false
}

func often(open *atomic.Int64) (seen int) {
	for range 10 {
		seen += int(open.Load())
		runtime.Gosched() // want "gives up the processor" // refuse "drop: the loop looks at what others may set"
	}
	return seen
}

func locked(mu *sync.Mutex) (got int) {
	for range 10 {
		if mu.TryLock() {
			got++
			mu.Unlock()
		}
		runtime.Gosched() // want "gives up the processor" // refuse "drop: the loop looks at what others may set"
	}
	return got
}

func polls(c chan int) (sum int) {
	for range 10 {
		select {
		case x := <-c:
			sum += x
		default:
		}
		runtime.Gosched() // want "gives up the processor" // refuse "drop: the loop tries a channel"
	}
	return sum
}

// They look for what is released one by one.
func looks(n int) int {
	var open, taken atomic.Int64
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for taken.Load() < int64(n) {
				if i := taken.Load(); i < open.Load() {
					taken.CompareAndSwap(i, i+1)
					continue
				}
				runtime.Gosched() // look again
			}
		})
	}
	for range n {
		open.Add(1)
		runtime.Gosched() // want "gives up the processor"
	}
	wg.Wait()
	return int(taken.Load())
}

// awhile looks for some time whether another has set something.
func awhile(ready *atomic.Bool) (looked int) {
	for i := 0; i < 1000 && !ready.Load(); i++ {
		looked++
		runtime.Gosched() // want "gives up the processor" // refuse "drop: the loop looks at what others may set"
	}
	return looked
}

func isSet(ready *atomic.Bool) int {
	if ready.Load() {
		return 1
	}
	return 0
}

// asked looks by a function.
func asked(ready *atomic.Bool) (n int) {
	for range 1000 {
		n += isSet(ready)
		runtime.Gosched() // want "gives up the processor" // refuse "drop: the loop looks at what others may set"
	}
	return n
}
