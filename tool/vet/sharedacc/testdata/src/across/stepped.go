package main

import "sync"

type steps struct {
	mu  sync.Mutex
	sum int
}

// What is called sets the variable that it is given the value of.
func stepped(xs []int) int {
	s := new(steps)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			n := 0
			p := &n
			for range xs {
				s.step(n, p) // want `s.step locks s.mu in each iteration` // refuse `local: what stands around the calls changes memory`
			}
		})
	}
	wg.Wait()
	return s.sum
}

func (s *steps) step(x int, p *int) {
	*p += 2
	s.mu.Lock()
	s.sum += x
	s.mu.Unlock()
}
