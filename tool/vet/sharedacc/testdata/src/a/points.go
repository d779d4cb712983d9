package a

import (
	"sync"
	"sync/atomic"
)

type pair struct{ left, right atomic.Int64 }

// Others have the pair.
func given(s *pair, n int) {
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			c := &s.left
			if w == 1 {
				c = &s.right
			}
			for range n {
				c.Add(1) // want `c is updated atomically`
			}
		})
	}
	wg.Wait()
}

// Who gets the pointer may look at any time.
func told(n int, tell func(*atomic.Int64)) int64 {
	s := new(pair)
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			c := &s.left
			if w == 1 {
				c = &s.right
			}
			tell(c)
			for range n {
				c.Add(1) // want `c is updated atomically`
			}
		})
	}
	wg.Wait()
	return s.left.Load()
}

// The loop reads by another name what it adds to.
func names(n int) int64 {
	s := new(pair)
	var seen atomic.Int64
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			c := &s.left
			if w == 1 {
				c = &s.right
			}
			d := &s.left
			for range n {
				c.Add(1) // want `c is updated atomically` // refuse `local: d may be the same memory as c`
				if d.Load() > 10 {
					seen.Add(1) // no finding of its own
				}
			}
		})
	}
	wg.Wait()
	return seen.Load()
}

// The pointer moves in the loop.
func moves(n int) int64 {
	s := new(pair)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			c := &s.left
			for i := range n {
				if i == n/2 {
					c = &s.right
				}
				c.Add(1)
			}
		})
	}
	wg.Wait()
	return s.left.Load()
}

// What others added counts.
func bounds(n int) int64 {
	var total atomic.Int64
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for range n {
				if total.Load() < 10 {
					total.Add(1) // want `total is updated atomically` // refuse `local: the goroutines write total and depend on what others wrote`
				}
			}
		})
	}
	wg.Wait()
	return total.Load()
}

var progressed, watched, Shown atomic.Int64

// Somebody shows how far it is.
func showing() int64 { return progressed.Load() }

func shown(n int) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for range n {
				progressed.Add(1) // want `progressed is updated atomically`
			}
		})
	}
	wg.Wait()
}

func shows(n int) {
	go func() {
		for watched.Load() < 10 {
		}
	}()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for range n {
				watched.Add(1) // want `watched is updated atomically` // refuse `local: others may look at several of them meanwhile, which would come apart`
				Shown.Add(1)   // no finding of its own
			}
		})
	}
	wg.Wait()
}

// What the loop calls may look.
func tells(n int, tell func(int)) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for i := range n {
				progressed.Add(1) // want `progressed is updated atomically`
				tell(i)
			}
		})
	}
	wg.Wait()
}

var asked atomic.Int64

func asks(n int) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for range n {
				asked.Add(1) // want `asked is updated atomically`
			}
		})
	}
	wg.Wait()
}

func ask() int64 { return asked.Swap(0) }

// Others may go by what is in use.
func inUse(n int) int64 {
	var uses atomic.Int64
	go func() { println(uses.Load()) }()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for range n {
				uses.Add(1) // want `uses is updated atomically` // refuse `local: uses goes up and down again`
				uses.Add(-1)
			}
		})
	}
	wg.Wait()
	return uses.Load()
}

// The literal that the loop calls sets the index.
func steps(all *[4]atomic.Int64, xs []int) {
	for range 2 {
		go func() {
			i := 0
			step := func() { i = (i + 1) % 4 }
			for range xs {
				all[i].Add(1) // no finding: it is another one each time
				step()
			}
		}()
	}
}
