// Package bounded has recursions that something bounds.
package bounded

import (
	"context"
	"net/http"
	"runtime"
	"sync"
)

const threshold = 2048

func serial(s []int) {}

func byLen(s []int) {
	if len(s) <= 2048 {
		serial(s)
		return
	}
	var wg sync.WaitGroup
	wg.Go(func() { byLen(s[:len(s)/2]) })
	wg.Go(func() { byLen(s[len(s)/2:]) })
	wg.Wait()
}

func byConstant(s []int) {
	if len(s) < 2 {
		return
	}
	var wg sync.WaitGroup
	if len(s) > threshold {
		wg.Go(func() { byConstant(s[:len(s)/2]) })
	} else {
		byConstant(s[:len(s)/2])
	}
	byConstant(s[len(s)/2:])
	wg.Wait()
}

var cut = 100

func byVariable(s []int) {
	if len(s) < cut {
		serial(s)
		return
	}
	var wg sync.WaitGroup
	wg.Go(func() { byVariable(s[:len(s)/2]) })
	byVariable(s[len(s)/2:])
	wg.Wait()
}

type sorter struct {
	least int
	slots chan struct{}
}

func (x *sorter) byField(s []int) {
	if len(s) < x.least {
		serial(s)
		return
	}
	var wg sync.WaitGroup
	wg.Go(func() { x.byField(s[:len(s)/2]) })
	x.byField(s[len(s)/2:])
	wg.Wait()
}

func byParameter(s []int, least int) {
	if len(s) < least {
		serial(s)
		return
	}
	var wg sync.WaitGroup
	wg.Go(func() { byParameter(s[:len(s)/2], least) })
	byParameter(s[len(s)/2:], least)
	wg.Wait()
}

func byDepth(s []int, depth int) {
	if depth == 0 {
		serial(s)
		return
	}
	var wg sync.WaitGroup
	wg.Go(func() { byDepth(s[:len(s)/2], depth-1) })
	byDepth(s[len(s)/2:], depth-1)
	wg.Wait()
}

func byLevel(s []int, level int) {
	if len(s) < 2 {
		return
	}
	var wg sync.WaitGroup
	if level < 4 {
		wg.Go(func() { byLevel(s[:len(s)/2], level+1) })
	} else {
		byLevel(s[:len(s)/2], level+1)
	}
	byLevel(s[len(s)/2:], level+1)
	wg.Wait()
}

func (x *sorter) bySlots(s []int) {
	if len(s) < 2 {
		return
	}
	var wg sync.WaitGroup
	select {
	case x.slots <- struct{}{}:
		wg.Go(func() {
			defer func() { <-x.slots }()
			x.bySlots(s[:len(s)/2])
		})
	default:
		x.bySlots(s[:len(s)/2])
	}
	x.bySlots(s[len(s)/2:])
	wg.Wait()
}

type semaphore struct{}

func (semaphore) Acquire(ctx context.Context, n int64) error { return nil }
func (semaphore) TryAcquire(n int64) bool                    { return true }
func (semaphore) Release(n int64)                            {}

var sem semaphore

func bySemaphore(s []int) {
	if len(s) < 2 {
		return
	}
	var wg sync.WaitGroup
	if sem.TryAcquire(1) {
		wg.Go(func() {
			defer sem.Release(1)
			bySemaphore(s[:len(s)/2])
		})
	} else {
		bySemaphore(s[:len(s)/2])
	}
	bySemaphore(s[len(s)/2:])
	wg.Wait()
}

func byTurn(s []int) {
	if len(s) < 2 {
		return
	}
	var wg sync.WaitGroup
	_ = sem.Acquire(context.Background(), 1)
	wg.Go(func() {
		defer sem.Release(1)
		byTurn(s[:len(s)/2])
	})
	byTurn(s[len(s)/2:])
	wg.Wait()
}

func byFlag(s []int, parallel bool) {
	if len(s) < 2 {
		return
	}
	var wg sync.WaitGroup
	if !parallel {
		byFlag(s[:len(s)/2], false)
		byFlag(s[len(s)/2:], false)
		return
	}
	wg.Go(func() { byFlag(s[:len(s)/2], true) })
	byFlag(s[len(s)/2:], true)
	wg.Wait()
}

func byCount(s []int) {
	if len(s) < 2 {
		return
	}
	if runtime.NumGoroutine() > 100 {
		serial(s)
		return
	}
	var wg sync.WaitGroup
	wg.Go(func() { byCount(s[:len(s)/2]) })
	byCount(s[len(s)/2:])
	wg.Wait()
}

func bySwitch(s []int) {
	var wg sync.WaitGroup
	switch {
	case len(s) < 2:
		return
	case len(s) < 500:
		serial(s)
		return
	}
	wg.Go(func() { bySwitch(s[:len(s)/2]) })
	bySwitch(s[len(s)/2:])
	wg.Wait()
}

func bySpan(lo, hi, grain int) {
	if hi-lo <= grain {
		return
	}
	var wg sync.WaitGroup
	wg.Go(func() { bySpan(lo, (lo+hi)/2, grain) })
	bySpan((lo+hi)/2, hi, grain)
	wg.Wait()
}

// crawl waits for the network.
func crawl(links []string) {
	var wg sync.WaitGroup
	for i := range links {
		if r, err := http.Get(links[i]); err == nil {
			r.Body.Close()
		}
		wg.Go(func() { crawl(links[i+1:]) })
	}
	wg.Wait()
}

// retry goes on beside its caller: nobody waits.
func retry(n int) {
	if n == 0 {
		return
	}
	go retry(n - 1)
}

// next starts anew with what it was given.
func next(c chan int, n int) {
	done := make(chan bool)
	go func() {
		next(c, 5)
		done <- true
	}()
	<-done
}

// do divides tasks, of which each may be large.
func do(fs ...func()) {
	switch len(fs) {
	case 0:
		return
	case 1:
		fs[0]()
		return
	}
	var wg sync.WaitGroup
	wg.Go(func() { do(fs[:len(fs)/2]...) })
	do(fs[len(fs)/2:]...)
	wg.Wait()
}
