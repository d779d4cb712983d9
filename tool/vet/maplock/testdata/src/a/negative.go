package a

import "sync"

// Read only: nothing is written under the lock.

type directory struct {
	mu sync.RWMutex
	m  map[int]int
}

func (d *directory) get(k int) int {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.m[k]
}

// A map that is replaced, never used by key.

type table struct {
	mu sync.Mutex
	m  map[string]int
}

func (t *table) swap(m map[string]int) map[string]int {
	t.mu.Lock()
	defer t.mu.Unlock()
	old := t.m
	t.m = m
	return old
}

// A variable of a function: what its goroutines count is better kept apart.

func words(all []string) int {
	var mu sync.Mutex
	n := map[string]int{}
	var wg sync.WaitGroup
	for _, w := range all {
		wg.Go(func() {
			mu.Lock()
			n[w]++
			mu.Unlock()
		})
	}
	wg.Wait()
	return len(n)
}
