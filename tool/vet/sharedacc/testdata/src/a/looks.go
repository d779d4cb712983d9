package a

import (
	"sync"
	"sync/atomic"
)

// A literal of the goroutine looks at the total while the loop runs.
func looks(xs []int, limit int) (total int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			n := 0
			look := func() int {
				mu.Lock()
				defer mu.Unlock()
				return total
			}
			for _, x := range xs {
				mu.Lock() // want `mu is locked in each iteration` // refuse `local: total may be looked at here meanwhile`
				total += x
				mu.Unlock()
				if look() > limit { // want `look locks mu in each iteration` // refuse `local: look is no method of a struct of the package`
					n++
				}
			}
			println(n)
		})
	}
	wg.Wait()
	return total
}

// One goroutine waits for what another adds, which waits for it in turn.
func turns(n int) (total int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	ch := make(chan bool)
	for w := range 2 {
		wg.Go(func() {
			if w == 0 {
				mu.Lock()
				some := total > 0
				mu.Unlock()
				println(some)
				for range n {
					ch <- true
				}
				return
			}
			for range n {
				mu.Lock() // want `mu is locked in each iteration` // refuse `local: total may be looked at here meanwhile`
				total++
				mu.Unlock()
				<-ch
			}
		})
	}
	wg.Wait()
	return total
}

var held atomic.Int64

// Held is what is in use.
func Held() int64 { return held.Load() }

func holding(xs []int) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, x := range xs {
				k := int64(x)
				held.Add(k) // want `held is updated atomically` // refuse `local: held goes up and down again`
				held.Add(-k)
			}
		})
	}
	wg.Wait()
}

type unnamed struct{}

var (
	noted   int
	notedMu sync.Mutex
)

func (*unnamed) note(x int) {
	notedMu.Lock()
	noted += x
	notedMu.Unlock()
}

// A receiver without a name cannot call a second method.
func notes(u *unnamed, xs []int) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, x := range xs {
				u.note(x) // want `u.note locks notedMu` // refuse `local: it adds to nothing that the goroutines share`
			}
		})
	}
	wg.Wait()
}

type result struct{ last *int }

// What a pointer leads to is set under the lock.
func behind(xs []int, r *result) (total int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for _, x := range xs {
				mu.Lock() // want `mu is locked in each iteration` // refuse `local: it does more under the lock than add up`
				total += x
				*r.last = x
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return total
}
