package a

import "sync"

// Nothing is written once the value is made.

type directory struct {
	mu sync.RWMutex
	m  map[int]int
}

func newDirectory() *directory {
	d := &directory{m: make(map[int]int)}
	for i := range 256 {
		d.m[i] = i * 7
	}
	return d
}

func (d *directory) get(k int) int {
	d.mu.RLock() // want `d.mu is read-locked for a word or two`
	defer d.mu.RUnlock()
	return d.m[k]
}

type scale struct {
	mu          sync.RWMutex
	scale, bias int
}

func (s *scale) apply(xs []int) int {
	total := 0
	for _, x := range xs {
		s.mu.RLock() // want `s.mu is read-locked for a word or two`
		total += (x*s.scale + s.bias) & 0xff
		s.mu.RUnlock()
	}
	return total
}

// A lock of a function.

func sum(table []int, workers int) int {
	// mu guards nothing.
	var mu sync.Mutex
	sums := make([]int, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			own := 0
			for i := w; i < len(table); i += workers {
				mu.Lock() // want `mu is locked for a word or two`
				own += table[i]
				mu.Unlock()
			}
			sums[w] = own
		})
	}
	wg.Wait()
	return sums[0]
}
