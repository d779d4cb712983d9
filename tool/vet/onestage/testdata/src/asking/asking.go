// Package asking has a pool whose callers say how many of its workers wait.
package asking

import (
	"sync"
	"sync/atomic"
	"time"
)

func ask(id int) int {
	time.Sleep(time.Millisecond)
	return id * 3
}

func asked(ids []int, n int) int {
	queue := make(chan int, len(ids))
	for _, id := range ids {
		queue <- id
	}
	close(queue)
	var sum atomic.Int64
	var wg sync.WaitGroup
	wg.Add(n)
	for i := 0; i < n; i++ {
		go func() {
			defer wg.Done()
			for id := range queue {
				sum.Add(int64(ask(id)))
			}
		}()
	}
	wg.Wait()
	return int(sum.Load())
}

func askedOne(ids []int) int {
	return asked(ids, 1) // want "one goroutine takes the items"
}
