package ringreaders

import (
	"sync"
	"sync/atomic"

	"github.com/gopayoff/payoff/queue"
)

// Batch is ChannelBatch with a [queue.MPMC], which takes as many values as there are
// and gives as many as it has. There are no parts to make, or to fill.
func Batch(n, work, readers int) uint64 {
	q := queue.NewMPMC[uint64](room)
	go func() {
		defer q.Close()
		var buf [batch]uint64
		for i := 0; i < n; {
			vs := buf[:min(batch, n-i)]
			for j := range vs {
				vs[j] = uint64(i)
				i++
			}
			q.SendAll(vs)
		}
	}()
	var sum atomic.Uint64
	var wg sync.WaitGroup
	for range readers {
		wg.Go(func() {
			var own uint64
			var buf [batch]uint64
			for k := q.RecvInto(buf[:]); k > 0; k = q.RecvInto(buf[:]) {
				for _, v := range buf[:k] {
					own += mix(v, work)
				}
			}
			sum.Add(own)
		})
	}
	wg.Wait()
	return sum.Load()
}
