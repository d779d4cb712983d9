package ringmpmc

import (
	"sync"
	"sync/atomic"

	"github.com/gopayoff/payoff/queue"
)

// Queue is Channel with a [queue.MPMC].
func Queue(n, work, sides int) uint64 {
	q := queue.NewMPMC[uint64](buffer)
	var sum atomic.Uint64
	var readers sync.WaitGroup
	for w := range sides {
		lo, hi := share(n, sides, w)
		go func() {
			for i := lo; i < hi; i++ {
				q.Send(mix(uint64(i), work))
			}
		}()
		readers.Go(func() {
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
