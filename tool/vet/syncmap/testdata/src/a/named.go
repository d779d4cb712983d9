package a

import "sync"

// What make is here makes no map.
func named(words []string, make int) int {
	var seen sync.Map
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for _, w := range words {
				for {
					n, loaded := seen.LoadOrStore(w, 1) // want `seen is a sync.Map`
					if !loaded || seen.CompareAndSwap(w, n, n.(int)+1) {
						break
					}
				}
			}
		})
	}
	wg.Wait()
	seen.Range(func(_, n any) bool {
		make += n.(int)
		return true
	})
	return make
}
