package ringmpmc

import (
	"sync"
	"sync/atomic"

	"github.com/gopayoff/payoff/queue"
)

// Queue is Channel with a [queue.MPMC].
func Queue(n, work, sides int) uint64 {
	q := queue.NewMPMC[uint64](buffer)
	for w := range sides {
		go func() {
			lo, hi := share(n, sides, w)
			for i := lo; i < hi; i++ {
				q.Send(mix(uint64(i), work))
			}
		}()
	}
	var sum atomic.Uint64
	var readers sync.WaitGroup
	for r := range sides {
		readers.Go(func() {
			lo, hi := share(n, sides, r)
			var own uint64
			for range hi - lo {
				v, _ := q.Recv()
				own += mix(v, work)
			}
			sum.Add(own)
		})
	}
	readers.Wait()
	return sum.Load()
}
