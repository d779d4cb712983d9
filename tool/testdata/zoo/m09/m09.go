// Package m09 has an RWMutex around the read of one word.
package m09

import "sync"

type limits struct {
	mu    sync.RWMutex
	burst int
}

func (l *limits) get() int {
	l.mu.RLock() // mistake: rwtiny
	defer l.mu.RUnlock()
	return l.burst
}

func (l *limits) set(n int) {
	l.mu.Lock()
	l.burst = n
	l.mu.Unlock()
}

func admit(burst int, sizes []int) (n int) {
	for _, size := range sizes {
		if size < burst {
			n++
		}
	}
	return n
}

func admitLimited(l *limits, sizes []int, workers int) (n int) {
	ns := make([]int, workers)
	var wg sync.WaitGroup
	for w := range workers {
		part := sizes[len(sizes)*w/workers : len(sizes)*(w+1)/workers]
		wg.Go(func() {
			own := 0
			for _, size := range part {
				if size < l.get() {
					own++
				}
			}
			ns[w] = own
		})
	}
	wg.Wait()
	for _, own := range ns {
		n += own
	}
	return n
}
