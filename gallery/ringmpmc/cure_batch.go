package ringmpmc

import (
	"sync"
	"sync/atomic"

	"github.com/gopayoff/payoff/queue"
)

// Batch is ChannelBatch with a [queue.MPMC], which takes as many values as there are
// and gives as many as it has. There are no parts to make, or to fill.
func Batch(n, work, sides int) uint64 {
	q := queue.NewMPMC[uint64](room)
	var writers sync.WaitGroup
	for w := range sides {
		writers.Go(func() {
			lo, hi := share(n, sides, w)
			var buf [batch]uint64
			for i := lo; i < hi; {
				vs := buf[:min(batch, hi-i)]
				for j := range vs {
					vs[j] = mix(uint64(i), work)
					i++
				}
				q.SendAll(vs)
			}
		})
	}
	go func() {
		writers.Wait()
		q.Close()
	}()
	var sum atomic.Uint64
	var readers sync.WaitGroup
	for range sides {
		readers.Go(func() {
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
	readers.Wait()
	return sum.Load()
}
