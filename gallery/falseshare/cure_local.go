package falseshare

import (
	"sync"

	"github.com/gopayoff/payoff/counter"
)

// Local gives each worker a value of a [counter.Local], which lies on lines of
// its own, and merges them. The worker adds up in a register and stores the sum
// once: updating the value for each number would cost what PaddedPlain costs.
func Local(limit, workers int) int64 {
	var sums counter.Local[int64]
	var wg sync.WaitGroup
	for w := range workers {
		own := sums.New()
		wg.Go(func() {
			lo, hi := chunk(limit, workers, w)
			*own = sumRange(lo, hi)
		})
	}
	wg.Wait()
	return sums.Merge(func(into, own *int64) { *into += *own })
}
