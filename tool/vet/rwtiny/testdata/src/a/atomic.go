package a

import "sync"

// A flag under a Mutex, given back early.

type door struct {
	mu   sync.Mutex
	open bool
}

func (d *door) pass() (n int) {
	d.mu.Lock() // want `d.mu is locked for a word or two`
	if d.open {
		d.mu.Unlock()
		return 1
	}
	d.mu.Unlock()
	return 0
}

func (d *door) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open = false
}

// Variables of a function.

func best(xs []int, workers int) int {
	var mu sync.Mutex
	limit := 0
	var wg sync.WaitGroup
	n := make([]int, workers)
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(xs); i += workers {
				mu.Lock() // want `mu is locked for a word or two`
				ok := xs[i] < limit
				mu.Unlock()
				if !ok {
					n[w]++
					mu.Lock()
					limit++
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	return limit
}
