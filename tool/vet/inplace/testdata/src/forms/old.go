//go:build go1.21

package forms

import "sync"

// shared has iterations that share a variable, as all did before Go 1.22.
func shared(xs []int, f func(int)) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	if len(xs) > 0 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			f(xs[0])
		}()
	}
	wg.Wait()
}
