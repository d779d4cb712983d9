package a

import "sync"

func weights(xs []string, n int) map[string]complex128 {
	sums := map[string]complex128{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for i, x := range xs[w:] {
				mu.Lock() // want `mu is locked in each iteration`
				sums[x] += complex(float64(i), 0)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return sums
}
