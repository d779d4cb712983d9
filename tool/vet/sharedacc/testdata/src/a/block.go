package a

import (
	"sync"
	"sync/atomic"
)

func dispenser(xs []int, n int) []int {
	var next atomic.Int64
	sums := make([]int, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(xs)); i = next.Add(1) - 1 { // want `next is updated atomically` // refuse `local: the result of adding to next is used`
				sums[w] += xs[i]
			}
		})
	}
	wg.Wait()
	return sums
}
