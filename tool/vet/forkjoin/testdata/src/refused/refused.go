// Package refused has calls that must stay.
package refused

import (
	"runtime"
	"sync"
	"sync/atomic"
)

func each(n int, f func(w int)) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() { f(w) })
	}
	wg.Wait()
}

// fed has goroutines take the numbers from a channel.
func fed(n int, f func(i int)) {
	c := make(chan int)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range c {
				f(i)
			}
		})
	}
	for i := range n {
		c <- i
	}
	close(c)
	wg.Wait()
}

func feeds(out []int) {
	fed(len(out), func(i int) { out[i]++ }) // want "fed starts" // refuse "serial: the task waits for a channel"
}

// They take turns.
func turns(n int, out []int) {
	var turn atomic.Int64
	each(n, func(w int) { // want "each starts" // refuse "serial: the task looks until another has set something"
		for turn.Load() != int64(w) {
		}
		out[w] = w
		turn.Store(int64(w + 1))
	})
}

func ready(b *atomic.Bool) bool { return b.Load() }

func await(b *atomic.Bool) {
	for {
		if ready(b) {
			return
		}
	}
}

func pair(out []int) {
	var b atomic.Bool
	each(2, func(w int) { // want "each starts" // refuse "serial: the task looks until another has set something"
		if w == 0 {
			await(&b)
		}
		out[w]++
		b.Store(true)
	})
}

// One goroutine gives back what another took.
func relay(mus []sync.Mutex) {
	each(len(mus)-1, func(w int) { // want "each starts" // refuse "serial: the task takes a lock"
		mus[w].Lock()
		mus[w+1].Unlock()
	})
}

// It keeps the lock: the next would wait for ever.
func keeps(mus []sync.Mutex) {
	each(len(mus), func(w int) { // want "each starts" // refuse "serial: the task takes a lock"
		mus[w].Lock()
	})
}

func meet(n int) (sum int) {
	c := make(chan int)
	each(2*n, func(w int) { // want "each starts" // refuse "serial: the task sends on another channel"
		if w < n {
			c <- w
		} else {
			sum += <-c
		}
	})
	return sum
}

func all(n int) {
	var arrive sync.WaitGroup
	arrive.Add(n)
	each(n, func(int) { // want "each starts" // refuse "serial: the task waits for other goroutines"
		arrive.Done()
		arrive.Wait()
	})
}

// The same by a function of its own.
func meets(n int) {
	var arrive sync.WaitGroup
	arrive.Add(n)
	var met func()
	met = func() {
		arrive.Done()
		arrive.Wait()
	}
	each(n, func(int) { met() }) // want "each starts" // refuse "serial: the task waits for other goroutines"
}

func exits(n int) {
	each(n, func(w int) { // want "each starts" // refuse "serial: the task may end its goroutine"
		if w == 2 {
			runtime.Goexit()
		}
	})
}

func recovers(out []int) {
	defer func() { recover() }()
	each(len(out), func(w int) { out[w+1]++ }) // want "each starts" // refuse "serial: the function recovers"
}

// What the tasks do with a counter is no wait.
func claims(out []int) {
	var next, most atomic.Int64
	each(4, func(w int) { // want "each starts"
		for {
			i := int(next.Add(1)) - 1
			if i >= len(out) {
				return
			}
			out[i]++
		}
	})
	each(len(out), func(w int) { // want "each starts"
		for {
			old := most.Load()
			if int64(out[w]) <= old || most.CompareAndSwap(old, int64(out[w])) {
				break
			}
		}
	})
	for i := range out {
		if len(out) > 1000 {
			each(len(out), func(w int) { out[w] += i }) // want "each starts"
		}
	}
}
