// Package m29 counts through a method that locks, item by item.
package m29

import "sync"

type stats struct {
	mu    sync.Mutex
	small int
	large int
}

func (s *stats) note(x int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x < 128 {
		s.small++
	} else {
		s.large++
	}
}

func classify(xs []int) (small int) {
	for _, x := range xs {
		if x < 128 {
			small++
		}
	}
	return small
}

func classifyNoted(xs []int, workers int) int {
	s := &stats{}
	var wg sync.WaitGroup
	for w := range workers {
		part := xs[len(xs)*w/workers : len(xs)*(w+1)/workers]
		wg.Go(func() {
			for _, x := range part {
				s.note(x) // mistake: sharedacc
			}
		})
	}
	wg.Wait()
	return s.small
}
