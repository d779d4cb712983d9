package padring

import (
	"sync"
	"sync/atomic"

	"github.com/gopayoff/payoff/queue"
)

// Queue is Packed with package queue: an SPSC where one goroutine is on each
// side, else an MPMC.
func Queue(n, sides int) uint64 {
	if sides > 1 {
		return many(n, sides)
	}
	q := queue.NewSPSC[uint64](max(n, 1))
	go func() {
		for i := range n {
			q.Send(uint64(i))
		}
	}()
	var sum uint64
	for range n {
		v, _ := q.Recv()
		sum += mix(v)
	}
	return sum
}

func many(n, sides int) uint64 {
	q := queue.NewMPMC[uint64](max(n, 1))
	for w := range sides {
		go func() {
			lo, hi := share(n, sides, w)
			for i := lo; i < hi; i++ {
				q.Send(uint64(i))
			}
		}()
	}
	var sum atomic.Uint64
	var readers sync.WaitGroup
	for w := range sides {
		readers.Go(func() {
			lo, hi := share(n, sides, w)
			var own uint64
			for range hi - lo {
				v, _ := q.Recv()
				own += mix(v)
			}
			sum.Add(own)
		})
	}
	readers.Wait()
	return sum.Load()
}
