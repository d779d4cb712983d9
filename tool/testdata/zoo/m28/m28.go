// Package m28 has as many workers as processors for work that waits.
package m28

import (
	"runtime"
	"sync"
	"time"
)

func fetch(key int) int {
	time.Sleep(200 * time.Microsecond)
	return key
}

func fetchAll(keys []int) (total int) {
	for _, k := range keys {
		total += fetch(k)
	}
	return total
}

func fetchPooled(keys []int) (total int) {
	jobs := make(chan int)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) { // mistake: fewworkers
		wg.Go(func() {
			own := 0
			for k := range jobs {
				own += fetch(k)
			}
			mu.Lock()
			total += own
			mu.Unlock()
		})
	}
	for _, k := range keys {
		jobs <- k
	}
	close(jobs)
	wg.Wait()
	return total
}
