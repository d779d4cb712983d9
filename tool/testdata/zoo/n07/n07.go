// Package n07 has a bag of statistics, each written now and then.
package n07

import (
	"sync"
	"sync/atomic"
)

type stats struct {
	parts, bytes, empty, large, failed, retried atomic.Int64
}

func sum(xs []int) (total int) {
	for _, x := range xs {
		total += x
	}
	return total
}

func sumCounted(xs []int, st *stats, workers int) int {
	var total atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		part := xs[len(xs)*w/workers : len(xs)*(w+1)/workers]
		wg.Go(func() {
			st.parts.Add(1)
			st.bytes.Add(int64(8 * len(part)))
			if len(part) == 0 {
				st.empty.Add(1)
			}
			total.Add(int64(sum(part)))
		})
	}
	wg.Wait()
	return int(total.Load())
}
