package ringreaders

import (
	"sync"
	"sync/atomic"

	"github.com/gopayoff/payoff/queue"
)

// Queue is Channel with a [queue.MPMC].
func Queue(n, work, readers int) uint64 {
	q := queue.NewMPMC[uint64](buffer)
	go func() {
		for i := range n {
			q.Send(uint64(i))
		}
	}()
	var sum atomic.Uint64
	var wg sync.WaitGroup
	for r := range readers {
		wg.Go(func() {
			var own uint64
			for range share(n, readers, r) {
				v, _ := q.Recv()
				own += mix(v, work)
			}
			sum.Add(own)
		})
	}
	wg.Wait()
	return sum.Load()
}
